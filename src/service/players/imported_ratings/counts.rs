use std::collections::BTreeMap;

use super::Set;
use crate::domain::Rating;
use crate::rating::RatingCount;

/// Returns the number of players per rating after the import of the ratings `sets`, ratings ascending.
pub(super) fn counted(
    before: &[RatingCount],
    sets: &[Set],
    shadow_rounds: u32,
) -> Vec<RatingCount> {
    let mut counts: BTreeMap<Rating, RatingCount> =
        before.iter().map(|count| (count.rating, *count)).collect();
    for Set {
        player,
        is_known,
        rating,
    } in sets
    {
        let is_hidden = u64::from(player.rounds < shadow_rounds);
        if *is_known && let Some(count) = counts.get_mut(&player.rating) {
            count.players = count.players.saturating_sub(1);
            count.hidden = count.hidden.saturating_sub(is_hidden);
        }
        let none = RatingCount {
            rating: *rating,
            players: 0,
            hidden: 0,
        };
        let count = counts.entry(*rating).or_insert(none);
        count.players += 1;
        count.hidden += is_hidden;
    }
    counts
        .into_values()
        .filter(|count| count.players > 0)
        .collect()
}

pub(super) fn mean(counts: &[RatingCount]) -> Option<f64> {
    let players: u64 = counts.iter().map(|count| count.players).sum();
    #[expect(clippy::cast_precision_loss, reason = "players lie far below 2^53")]
    let sum: f64 = counts
        .iter()
        .map(|count| count.players as f64 * f64::from(count.rating.points()))
        .sum();
    #[expect(clippy::cast_precision_loss, reason = "players lie far below 2^53")]
    (players > 0).then(|| sum / players as f64)
}
