//! Logging in to the dashboard by a link in place of the secret, and logging out.

use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::session::Session;
use crate::config::{Candidate, Secrets};
use crate::domain::{Fingerprint, Timestamp};
use crate::random;

/// How long a link opens the dashboard.
pub(crate) const LINK_LIFETIME: Duration = Duration::from_mins(5);
/// How many sessions are remembered that somebody has ended; the earliest makes room.
const MOST_ENDED: usize = 4096;

/// What links there are, and which sessions were ended before their time: in memory alone, so that a stop ends the
/// sessions of all who came by a link.
#[derive(Debug, Default)]
pub(super) struct LogIns(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The link that has not been used, and until when it may be.
    link: Option<(Candidate, Timestamp)>,
    /// What signs the sessions of those who came by a link, once there has been one.
    signer: Option<(Candidate, Fingerprint)>,
    /// Each session that was ended, and the unix second at which nobody would take it anyway.
    ended: Vec<(String, i64)>,
}

impl LogIns {
    /// Makes the token of a link, which replaces the one before.
    pub(super) fn make_link(&self, now: Timestamp) -> io::Result<String> {
        let token = random::hex::<32>()?;
        let signer = random::hex::<32>()?;
        let mut known = self.known();
        known.link = Some((Candidate::new(&token), now.later(LINK_LIFETIME)));
        let signer = (Candidate::new(&signer), Secrets::fingerprint(&signer));
        known.signer.get_or_insert(signer);
        Ok(token)
    }

    /// What signs the session of whoever has the token of the link; `None` where it is not that, or too late. A token
    /// is good once.
    pub(super) fn open(
        &self,
        token: &Candidate,
        now: Timestamp,
    ) -> Option<(Candidate, Fingerprint)> {
        let mut known = self.known();
        let is_the_link =
            |(link, until): &mut (Candidate, Timestamp)| link.is(token) && now < *until;
        known.link.take_if(is_the_link)?;
        known.signer
    }

    /// What signs the sessions of those who came by a link.
    pub(super) fn signer(&self) -> Option<(Candidate, Fingerprint)> {
        self.known().signer
    }

    /// Ends a session.
    pub(super) fn end(&self, session: &Session, now: Timestamp) {
        let mut known = self.known();
        let now = now.unix_micros().div_euclid(1_000_000);
        known.ended.retain(|(_, until)| now < *until);
        if known.ended.len() >= MOST_ENDED {
            known.ended.remove(0);
        }
        known.ended.push((session.id.clone(), session.ends()));
    }

    /// Whether somebody has ended this session.
    pub(super) fn has_ended(&self, session: &Session) -> bool {
        let known = self.known();
        known.ended.iter().any(|(id, _)| *id == session.id)
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::YEAR_2000;

    #[test]
    fn a_link_opens_once_and_for_five_minutes() {
        let log_ins = LogIns::default();
        let opens = |token: &str, now| log_ins.open(&Candidate::new(token), now).is_some();
        assert!(!opens("", START), "without a link");
        let token = log_ins.make_link(START).unwrap();
        assert_eq!(token.len(), 64);
        assert!(!opens(&token[1..], START), "another token");
        assert!(opens(&token, START));
        assert!(!opens(&token, START), "once more");
        let late = log_ins.make_link(START).unwrap();
        assert!(!opens(&late, START.later(LINK_LIFETIME)), "late");
        let (first, second) = (log_ins.make_link(START), log_ins.make_link(START));
        assert!(!opens(&first.unwrap(), START), "replaced");
        assert!(opens(&second.unwrap(), START));
    }

    #[test]
    fn what_was_ended_is_remembered_while_it_would_last() {
        let log_ins = LogIns::default();
        let session = |id: &str, at| Session::begin(id.to_owned(), at, false);
        let first = session("first", START);
        log_ins.end(&first, START);
        assert!(log_ins.has_ended(&first));
        assert!(!log_ins.has_ended(&session("second", START)));
        let later = START.later(super::super::session::LONGEST);
        log_ins.end(&session("third", later), later);
        assert!(!log_ins.has_ended(&first), "it is over by itself");
    }
}
