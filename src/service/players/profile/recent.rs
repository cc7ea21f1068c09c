//! A player's latest rounds, grouped by map, server, partner and opponent.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

use crate::api::{MapTallyAnswer, OtherPlayerAnswer, RecentAnswer, ServerTallyAnswer, TallyAnswer};
use crate::domain::{MapName, PlayerEntry, PlayerId, RoundParts, ServerName, Timestamp};
use crate::rating::Entry;
use crate::service::players::names::Names;

const PLACES: usize = 30;
const OTHERS: usize = 20;

#[derive(Debug, Default)]
pub(super) struct Recent {
    rounds: u32,
    since: Option<Timestamp>,
    maps: HashMap<Option<MapName>, TallyAnswer>,
    servers: HashMap<ServerName, TallyAnswer>,
    partners: HashMap<PlayerId, TallyAnswer>,
    opponents: HashMap<PlayerId, TallyAnswer>,
}

impl Recent {
    pub(super) fn add(&mut self, entry: &Entry, report: RoundParts) {
        let is_of_player = |one: &PlayerEntry| one.id == entry.player && one.is_rated();
        let (own, others) = if report.team_a.iter().any(is_of_player) {
            (&report.team_a, &report.team_b)
        } else {
            (&report.team_b, &report.team_a)
        };
        let rated = |team: &[PlayerEntry], tallies: &mut HashMap<PlayerId, TallyAnswer>| {
            let others = team.iter().filter(|other| other.is_rated());
            for other in others.filter(|other| other.id != entry.player) {
                tallies.entry(other.id).or_default().add(entry);
            }
        };
        rated(own, &mut self.partners);
        rated(others, &mut self.opponents);
        self.maps.entry(report.map).or_default().add(entry);
        self.servers.entry(report.server).or_default().add(entry);
        self.rounds += 1;
        let ended_at = entry.ended_at;
        self.since = Some(self.since.map_or(ended_at, |since| since.min(ended_at)));
    }

    pub(super) fn others(&self) -> Vec<PlayerId> {
        self.partners
            .keys()
            .chain(self.opponents.keys())
            .copied()
            .collect()
    }

    pub(super) fn answer(self, names: &Names) -> RecentAnswer {
        let map = |(map, tally)| MapTallyAnswer { map, tally };
        let server = |(server, tally)| ServerTallyAnswer { server, tally };
        let other = |(id, tally)| OtherPlayerAnswer {
            id,
            name: names.of_player(id),
            id_hidden: names.hides_id(id),
            tally,
        };
        RecentAnswer {
            rounds: self.rounds,
            since: self.since,
            by_map: most(self.maps, PLACES).map(map).collect(),
            by_server: most(self.servers, PLACES).map(server).collect(),
            partners: most(self.partners, OTHERS).map(other).collect(),
            opponents: most(self.opponents, OTHERS).map(other).collect(),
        }
    }
}

/// Returns the player's wins, draws and losses for up to `limit` keys (such as maps), most rounds first, then in order
/// of keys.
fn most<Key: Ord + Eq + Hash>(
    tallies: HashMap<Key, TallyAnswer>,
    limit: usize,
) -> impl Iterator<Item = (Key, TallyAnswer)> {
    let mut tallies: Vec<(Key, TallyAnswer)> = tallies.into_iter().collect();
    tallies.sort_by(|(one_key, one), (other_key, other)| {
        let order = Reverse(one.rounds).cmp(&Reverse(other.rounds));
        order.then_with(|| one_key.cmp(other_key))
    });
    tallies.into_iter().take(limit)
}
