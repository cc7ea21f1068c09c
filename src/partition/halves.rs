use std::cmp::Reverse;

use super::linked::Linked;

/// A thousand times the mean: exact enough to sort by, and whole.
pub(super) fn thousandfold_mean(points: &[i64]) -> i64 {
    1000 * points.iter().sum::<i64>() / i64::try_from(points.len().max(1)).unwrap_or(i64::MAX)
}

/// The upper half of the players, then the lower: ratings that are near each other make few
/// different sums. Within a half whoever is linked comes first, while the table is small. Answers
/// where the lower half begins, too.
pub(super) fn in_halves(mut members: Vec<Linked>, points: &[i64]) -> (Vec<Linked>, usize) {
    let strength = |linked: &Linked| {
        let points: Vec<i64> = linked
            .players
            .iter()
            .map(|&player| points[player])
            .collect();
        thousandfold_mean(&points)
    };
    members.sort_by_key(|linked| Reverse(strength(linked)));
    let players: Vec<usize> = members.iter().map(|linked| linked.players.len()).collect();
    let cut = middle(&players);
    let (upper, lower) = members.split_at_mut(cut);
    for half in [upper, lower] {
        half.sort_by_key(|linked| Reverse(linked.players.len()));
    }
    (members, cut)
}

/// Where to cut so that both sides have about as many players, and at least one each, of whom there
/// are so many together.
fn middle(players: &[usize]) -> usize {
    let all: usize = players.iter().sum();
    let cuts = 1..players.len();
    cuts.min_by_key(|&cut| (2 * players[..cut].iter().sum::<usize>()).abs_diff(all))
        .unwrap_or(players.len())
}
