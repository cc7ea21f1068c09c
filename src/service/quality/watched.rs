//! Parts of a round that the search for faults and habits looks at.

use crate::domain::{PlayerMap, Round, Side, Stat, Stats};
use crate::rating::{PlayerResult, WatchedPlayer, mean, number};

/// Returns the rated players of a round, as they are watched for habits.
pub(super) fn players(round: &Round, results: &[PlayerResult]) -> Vec<WatchedPlayer> {
    let score = |stats: &Stats| stats.score.map(Stat::value);
    let scores: Vec<f64> = round
        .entries()
        .filter_map(|(_, entry)| score(entry.stats.as_deref()?))
        .collect();
    let other_scores = scores.len().saturating_sub(1) as u64;
    let mut entries: PlayerMap<u32> = PlayerMap::default();
    for (_, entry) in round.entries() {
        *entries.entry(entry.id).or_default() += 1;
    }
    round
        .participants()
        .zip(results)
        .map(|((side, entry), result)| {
            let all = round.parts().round_seconds.filter(|all| *all > 0);
            let changed_sides = entries.get(&entry.id) != Some(&1);
            let presence = all.filter(|_| !changed_sides).map(|all| {
                let seconds = entry.seconds.unwrap_or(all);
                f64::from(seconds.min(all)) / f64::from(all)
            });
            let own = entry.stats.as_deref().and_then(score);
            let standing = own.and_then(|own| {
                let lower = scores.iter().filter(|score| **score < own);
                mean(number(lower.count() as u64), other_scores)
            });
            WatchedPlayer {
                id: entry.id,
                side,
                at_start: entry.at_start,
                presence,
                standing,
                rounds: result.rounds.saturating_sub(1),
            }
        })
        .collect()
}

/// Returns the sums of both teams on the scoreboard: of scores, or else of kills. `None` if a team has neither.
pub(super) fn by_scoreboard(round: &Round) -> Option<(f64, f64)> {
    let numbers: [fn(&Stats) -> Option<f64>; 2] = [
        |stats| stats.score.map(Stat::value),
        |stats| stats.kills.map(|kills| f64::from(kills.get())),
    ];
    numbers.iter().find_map(|number| {
        let sum = |side| {
            let entries = round.entries().filter(|(of, _)| *of == side);
            let given = entries.filter_map(|(_, entry)| number(entry.stats.as_deref()?));
            given.reduce(|sum, one| sum + one)
        };
        Some((sum(Side::A)?, sum(Side::B)?))
    })
}
