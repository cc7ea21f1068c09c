use std::cmp::Reverse;

use super::linked::Linked;

/// A thousand times the mean: exact enough to sort by, and whole.
pub(super) fn thousandfold_mean(points: impl IntoIterator<Item = i64>) -> i64 {
    let points = points.into_iter();
    let (count, sum) = points.fold((0, 0), |(count, sum), points| (count + 1, sum + points));
    1000 * sum / count.max(1)
}

/// Who of a half takes a seat first, behind those who are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum First {
    /// The best: if somebody stands out, the others cannot bring back most of what he makes.
    Best,
    /// Those near the middle, so that few differences are made for as long as can be: which is better
    /// if ratings lie in clusters and some between them.
    Middle,
}

/// The upper half of the players, then the lower: ratings that are near each other make few
/// different sums. Within a half whoever is linked comes first, while the table is small. Answers
/// where the lower half begins, too.
pub(super) fn in_halves<'all>(
    members: &'all [Linked],
    points: &[i64],
    first: First,
) -> (Vec<&'all Linked>, usize) {
    let strength =
        |linked: &Linked| thousandfold_mean(linked.players.iter().map(|&player| points[player]));
    let mut members: Vec<&Linked> = members.iter().collect();
    members.sort_by_cached_key(|linked| Reverse(strength(linked)));
    let players: Vec<usize> = members.iter().map(|linked| linked.players.len()).collect();
    let cut = middle(&players);
    let (upper, lower) = members.split_at_mut(cut);
    for half in [upper, lower] {
        let middle = half
            .get(half.len() / 2)
            .map_or(0, |linked| strength(linked));
        half.sort_by_cached_key(|linked| {
            let from_middle = match first {
                First::Best => 0,
                First::Middle => strength(linked).abs_diff(middle),
            };
            (Reverse(linked.players.len()), from_middle)
        });
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
