use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use super::live::Teams;
use crate::domain::{Fingerprint, MapName, PoolName, ServerName, Timestamp};
use crate::service::quality::{DAY_IN_HOURS, HOUR, beginning};

/// Maximum number of remembered game servers. Beyond it, the server with the oldest sign of life is forgotten.
const MAX: usize = 1_000;

/// Signs of life of game servers since this instance started. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct ServersSeen(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    since: Timestamp,
    servers: BTreeMap<ServerName, Seen>,
    unsaved: Unsaved,
}

/// Numbers of refused rounds by server and beginning of the hour.
pub(crate) type Unsaved = BTreeMap<(ServerName, Timestamp), u64>;

#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// Time and secret of the game server's last accepted request.
    pub(super) last: Option<(Timestamp, Fingerprint)>,
    pub(super) map: Option<MapName>,
    /// Last teams that the game server sent for balance, and their pool.
    pub(super) teams: Option<(PoolName, Arc<Teams>)>,
    /// Beginnings of the hours with refused rounds of the game server, and the number of these rounds, oldest first.
    refused: VecDeque<(Timestamp, u64)>,
}

impl Seen {
    /// Returns the number of the game server's rounds refused in the hour of `now` and the 23 hours before.
    pub(super) fn refused(&self, now: Timestamp) -> u64 {
        let first = first_hour(now);
        let counted = self.refused.iter().filter(|(hour, _)| *hour >= first);
        counted.map(|(_, count)| count).sum()
    }

    fn add_refused(&mut self, hour: Timestamp, rounds: u64) {
        match self.refused.back_mut() {
            Some((last, count)) if *last == hour => *count += rounds,
            _ => self.refused.push_back((hour, rounds)),
        }
    }

    fn heard_of(&self) -> Option<Timestamp> {
        let last = self.last.map(|(at, _)| at);
        last.max(self.refused.back().map(|(hour, _)| *hour))
    }
}

/// Returns the beginning of the first of the 24 hours that count as the last day at `now`.
pub(crate) fn first_hour(now: Timestamp) -> Timestamp {
    beginning(HOUR, now).earlier(HOUR * (DAY_IN_HOURS - 1))
}

impl ServersSeen {
    pub(crate) fn new(now: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(State {
            since: now,
            servers: BTreeMap::new(),
            unsaved: Unsaved::new(),
        })))
    }

    pub(super) fn note_refused(&self, server: &ServerName, now: Timestamp) {
        let this = beginning(HOUR, now);
        self.change(server, |seen| {
            seen.add_refused(this, 1);
            let first = first_hour(now);
            seen.refused.retain(|(hour, _)| *hour >= first);
        });
        let unsaved = &mut self.0.lock().unsaved;
        *unsaved.entry((server.clone(), this)).or_default() += 1;
    }

    /// Adds numbers of refused rounds read from the database, which must be ordered by hour.
    pub(crate) fn load(&self, counts: Vec<(ServerName, Timestamp, u64)>) {
        for (server, hour, rounds) in counts {
            self.change(&server, |seen| seen.add_refused(hour, rounds));
        }
    }

    pub(crate) fn take_unsaved(&self) -> Unsaved {
        std::mem::take(&mut self.0.lock().unsaved)
    }

    /// Adds numbers of refused rounds whose write to the database failed to the unsaved ones again.
    pub(crate) fn put_back(&self, unsaved: Unsaved) {
        let state = &mut self.0.lock().unsaved;
        for (key, rounds) in unsaved {
            *state.entry(key).or_default() += rounds;
        }
    }

    /// Returns the beginning of the hour of the game server's last refused round, if any is remembered.
    pub(crate) fn last_refused(&self, server: &ServerName) -> Option<Timestamp> {
        let state = self.0.lock();
        let last = state.servers.get(server)?.refused.back();
        last.map(|(hour, _)| *hour)
    }

    pub(super) fn all(&self) -> (Timestamp, BTreeMap<ServerName, Seen>) {
        let state = self.0.lock();
        (state.since, state.servers.clone())
    }

    pub(super) fn change(&self, server: &ServerName, change: impl FnOnce(&mut Seen)) {
        let servers = &mut self.0.lock().servers;
        if let Some(seen) = servers.get_mut(server) {
            change(seen);
            return;
        }
        if servers.len() >= MAX {
            let oldest = servers.iter().min_by_key(|(_, seen)| seen.heard_of());
            if let Some(oldest) = oldest.map(|(server, _)| server.clone()) {
                servers.remove(&oldest);
            }
        }
        change(servers.entry(server.clone()).or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: Fingerprint = Fingerprint::new([1; 4]);

    fn server(number: usize) -> ServerName {
        format!("arena-{number}").parse().unwrap()
    }

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_unix_seconds(minutes * 60).unwrap()
    }

    #[test]
    fn refused_rounds_are_forgotten_by_the_hour_after_a_day() {
        let seen = ServersSeen::new(at(0));
        for minutes in [5, 59, 61, 600] {
            seen.note_refused(&server(1), at(minutes));
        }
        let counted = |minutes| seen.all().1[&server(1)].refused(at(minutes));
        assert_eq!(counted(600), 4);
        assert_eq!(counted(24 * 60 - 1), 4);
        // Two refusals in the hour from midnight on, one in the next hour.
        assert_eq!(counted(24 * 60), 2);
        assert_eq!(counted(25 * 60), 1);
        assert_eq!(counted(34 * 60), 0);
        seen.note_refused(&server(1), at(34 * 60));
        assert_eq!(seen.all().1[&server(1)].refused.len(), 1);
    }

    #[test]
    fn of_too_many_servers_the_one_heard_of_the_longest_ago_is_forgotten() {
        let seen = ServersSeen::new(at(0));
        let minutes = |number: usize| at(i64::try_from(number).unwrap());
        let note = |number, at| seen.change(&server(number), |seen| seen.last = Some((at, SECRET)));
        for number in 0..MAX {
            note(number, minutes(number));
        }
        note(0, minutes(MAX));
        note(MAX, minutes(MAX));
        let (since, servers) = seen.all();
        assert_eq!((since, servers.len()), (at(0), MAX));
        assert!(servers.contains_key(&server(0)) && !servers.contains_key(&server(1)));
        assert_eq!(servers[&server(MAX)].last, Some((minutes(MAX), SECRET)));
    }
}
