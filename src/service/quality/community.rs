//! Figures that owners ask for first: how even the matches are, how many people play, and how long players wait.

use std::collections::HashSet;

use super::recent::RecentRounds;
use super::watched::share;
use crate::api::CommunityAnswer;
use crate::domain::Timestamp;
use crate::rating::WatchedRound;

/// Returns the figures of a pool at time `now`. The shares of uneven rounds cover the last `window` rounds.
pub(super) fn community(recent: &RecentRounds, window: u32, now: Timestamp) -> CommunityAnswer {
    let rounds = recent.rounds();
    let latest = &rounds[rounds.len().saturating_sub(window as usize)..];
    let favourite = |round: &WatchedRound| round.predicted.get().max(1.0 - round.predicted.get());
    let above = |limit: f64| {
        let uneven = latest.iter().filter(|round| favourite(round) > limit);
        (!latest.is_empty()).then(|| share(uneven.count(), latest.len()))
    };
    let players = |from: u32, to: u32| {
        let (from, to) = (now.days_earlier(from), now.days_earlier(to));
        let ends = recent.logged.iter().map(|(_, ended_at, _)| *ended_at);
        let is_known = recent.cut == 0 || ends.clone().next().is_some_and(|first| first < from);
        let played = ends.zip(rounds).filter(|(at, _)| from < *at && *at <= to);
        let players = played.flat_map(|(_, round)| &round.players);
        let ids: HashSet<_> = players.map(|player| player.id).collect();
        is_known.then_some(ids.len() as u64)
    };
    let waits: Vec<u32> = recent.logged.iter().flat_map(|of| of.2.clone()).collect();
    let waited: u32 = waits.iter().sum();
    CommunityAnswer {
        rounds: latest.len() as u64,
        over_60: above(0.6),
        over_70: above(0.7),
        players_this_week: players(7, 0),
        players_last_week: players(14, 7),
        turns: waits.len() as u64,
        waited_rounds: (!waits.is_empty()).then(|| share(waited as usize, waits.len())),
    }
}
