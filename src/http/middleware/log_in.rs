//! Logging in to the dashboard by a link in place of the secret.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::config::Candidate;
use crate::random;

/// How long a link opens the dashboard.
pub(crate) const LINK_LIFETIME: Duration = Duration::from_mins(5);
/// How long a log-in by a link lasts.
pub(crate) const SESSION_LIFETIME: Duration = Duration::from_hours(1);
/// How many log-ins are remembered; the earliest makes room.
const MOST_SESSIONS: usize = 16;

/// What links and log-ins there are: digests in memory alone, so that a stop ends all of them. Moments are
/// measured from the start.
#[derive(Debug, Default)]
pub(super) struct LogIns(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The link that has not been used, and until when it may be.
    link: Option<(Candidate, Duration)>,
    /// The secrets of those who came by a link, and until when each is good.
    sessions: Vec<(Candidate, Duration)>,
}

impl LogIns {
    /// Makes the token of a link, which replaces the one before.
    pub(super) fn make_link(&self, now: Duration) -> io::Result<String> {
        let token = random::hex::<32>()?;
        self.known().link = Some((Candidate::new(&token), now + LINK_LIFETIME));
        Ok(token)
    }

    /// The secret of a new log-in, for the token of the link; `None` where it is not that, or too late. A token
    /// is good once.
    pub(super) fn open(&self, token: &Candidate, now: Duration) -> io::Result<Option<String>> {
        let mut known = self.known();
        let is_the_link =
            |(link, until): &mut (Candidate, Duration)| link.is(token) && now < *until;
        if known.link.take_if(is_the_link).is_none() {
            return Ok(None);
        }
        let secret = random::hex::<32>()?;
        known.sessions.retain(|(_, until)| now < *until);
        if known.sessions.len() >= MOST_SESSIONS {
            known.sessions.remove(0);
        }
        let session = (Candidate::new(&secret), now + SESSION_LIFETIME);
        known.sessions.push(session);
        Ok(Some(secret))
    }

    /// Whether this is the secret of somebody who is logged in. All are compared, whichever fits.
    pub(super) fn admits(&self, secret: &Candidate, now: Duration) -> bool {
        let known = self.known();
        let sessions = known.sessions.iter();
        sessions.fold(false, |found, (session, until)| {
            (now < *until && session.is(secret)) || found
        })
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Duration = Duration::from_secs(7);

    fn open(log_ins: &LogIns, token: &str, now: Duration) -> Option<String> {
        log_ins.open(&Candidate::new(token), now).unwrap()
    }

    #[test]
    fn a_link_opens_once_and_for_five_minutes() {
        let log_ins = LogIns::default();
        assert_eq!(open(&log_ins, "", START), None, "without a link");
        let token = log_ins.make_link(START).unwrap();
        assert_eq!(token.len(), 64);
        assert_eq!(open(&log_ins, &token[1..], START), None, "another token");
        let secret = open(&log_ins, &token, START).expect("the link");
        assert_ne!(secret, token);
        assert_eq!(open(&log_ins, &token, START), None, "once more");
        let late = log_ins.make_link(START).unwrap();
        assert_eq!(open(&log_ins, &late, START + LINK_LIFETIME), None, "late");
        let (first, second) = (log_ins.make_link(START), log_ins.make_link(START));
        assert_eq!(open(&log_ins, &first.unwrap(), START), None, "replaced");
        assert!(open(&log_ins, &second.unwrap(), START).is_some());
    }

    #[test]
    fn a_log_in_lasts_an_hour_and_makes_room_for_later_ones() {
        let log_ins = LogIns::default();
        let log_in = || {
            let token = log_ins.make_link(START).unwrap();
            Candidate::new(&open(&log_ins, &token, START).expect("the link"))
        };
        let first = log_in();
        assert!(log_ins.admits(&first, START));
        assert!(!log_ins.admits(&first, START + SESSION_LIFETIME));
        assert!(!log_ins.admits(&Candidate::new("another"), START));
        let later: Vec<Candidate> = (0..MOST_SESSIONS).map(|_| log_in()).collect();
        assert!(later.iter().all(|one| log_ins.admits(one, START)));
        assert!(!log_ins.admits(&first, START), "more than are remembered");
    }
}
