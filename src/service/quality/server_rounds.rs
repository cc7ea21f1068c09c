use std::collections::VecDeque;
use std::time::Duration;

use crate::domain::{Round, Timestamp};
use crate::rating::is_copy;
use crate::store::LoggedRound;

/// Number of a server's preceding rounds that are searched for the original of a round sent twice.
const ORIGINALS: usize = 4;
/// Number of a server's latest rounds that must all arrive at least [`BEHIND`] after their reported ends for its clock
/// to count as behind.
const DELAYS: usize = 10;
/// Minimum time from a round's reported end to its arrival, in all latest rounds of a server, for the server's clock to
/// count as behind.
const BEHIND: Duration = Duration::from_mins(10);
/// Minimum time between the arrivals of the first and last delayed rounds, for a server's clock to count as behind.
/// Rounds queued during an outage are delayed too, but arrive at once.
const DELAYED_OVER: Duration = Duration::from_mins(30);

/// Latest rounds of a game server.
#[derive(Debug, Default)]
pub(super) struct ServerRounds {
    latest: VecDeque<Round>,
    /// Number of rounds of this server that repeat one of its recent rounds under another id.
    pub(super) copies: u64,
    /// Arrival times of the server's latest rounds, each with the time since the round's reported end.
    delays: VecDeque<(Timestamp, Duration)>,
}

impl ServerRounds {
    /// Adds the server's next round, in order of the log. Returns `true` if the round is a copy of a recent one.
    pub(super) fn add(&mut self, logged: &LoggedRound) -> bool {
        let round = &logged.round;
        let is_copied = self.latest.iter().any(|earlier| is_copy(earlier, round));
        if is_copied {
            self.copies += 1;
        } else {
            self.latest.push_back(round.clone());
            if self.latest.len() > ORIGINALS {
                self.latest.pop_front();
            }
        }
        if logged.secret.is_some() {
            let delay = logged.received_at.duration_since(round.ended_at());
            self.delays.push_back((logged.received_at, delay));
            if self.delays.len() > DELAYS {
                self.delays.pop_front();
            }
        }
        is_copied
    }

    pub(super) fn clock_behind(&self) -> Option<Duration> {
        let (first, last) = (self.delays.front()?, self.delays.back()?);
        let is_spread = last.0.duration_since(first.0) >= DELAYED_OVER;
        let shortest = self.delays.iter().map(|(_, delay)| *delay).min()?;
        (self.delays.len() == DELAYS && is_spread && shortest >= BEHIND).then_some(shortest)
    }

    /// Time at which the game server's last round in log order ended; `None` without rounds.
    pub(super) fn last_end(&self) -> Option<Timestamp> {
        self.latest.back().map(Round::ended_at)
    }
}
