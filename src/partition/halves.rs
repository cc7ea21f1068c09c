use std::cmp::Reverse;

use super::linked::Linked;
use super::rules::Rules;

/// A thousand times the mean: exact enough to sort by, and whole.
pub(super) fn thousandfold_mean(points: impl IntoIterator<Item = i64>) -> i64 {
    let points = points.into_iter();
    let (count, sum) = points.fold((0, 0), |(count, sum), points| (count + 1, sum + points));
    1000 * sum / count.max(1)
}

/// Who of a half takes a seat first, behind those who are linked and those who have fewer to choose from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum First {
    /// The best: if somebody stands out, the others cannot bring back most of what he makes.
    #[default]
    Best,
    /// Those near the middle, so that few differences are made for as long as can be: which is better
    /// if ratings lie in clusters and some between them.
    Middle,
}

/// How the players are parted: in the middle, unless something else is better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Halving {
    pub(super) first: First,
    /// How many who would be the first of the lower half are the last of the upper one, or the other way round
    /// where that is negative; those who are linked count as one.
    pub(super) moved: isize,
}

/// The upper half of the players, then the lower, as the `halving` parts them: ratings that are near each other make few
/// different sums. Within a half whoever is linked comes first, while the table is small, then whoever
/// has fewer seats to choose from, because every seat that is open makes the tables larger from there
/// on. Answers where the lower half begins, too.
pub(super) fn in_halves<'all>(
    members: &'all [Linked],
    rules: &Rules,
    halving: Halving,
) -> (Vec<&'all Linked>, usize) {
    let strength = |linked: &Linked| {
        let players = linked.players.iter();
        thousandfold_mean(players.map(|&player| rules.points[player]))
    };
    let open_seats = |linked: &Linked| -> usize {
        let players = linked.players.iter();
        players.map(|&player| rules.seats(player).len()).sum()
    };
    let mut members: Vec<&Linked> = members.iter().collect();
    members.sort_by_cached_key(|linked| Reverse(strength(linked)));
    let players: Vec<usize> = members.iter().map(|linked| linked.players.len()).collect();
    let cut = middle(&players).saturating_add_signed(halving.moved);
    let cut = cut.clamp(1, players.len().max(2) - 1);
    let (upper, lower) = members.split_at_mut(cut);
    for half in [upper, lower] {
        let middle = half
            .get(half.len() / 2)
            .map_or(0, |linked| strength(linked));
        half.sort_by_cached_key(|linked| {
            let from_middle = match halving.first {
                First::Best => 0,
                First::Middle => strength(linked).abs_diff(middle),
            };
            (
                Reverse(linked.players.len()),
                open_seats(linked),
                from_middle,
            )
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

#[cfg(test)]
mod tests {
    use super::super::brief::Brief;
    use super::super::linked::linked;
    use super::super::pool::generators::{player, pool_of};
    use super::super::prices::{Order, Prices};
    use super::super::rules::generators::rules;
    use super::super::split::Seat;
    use super::super::wishes::Wishes;
    use super::*;

    #[test]
    fn linked_players_come_first_then_those_with_fewer_seats() {
        let pool = pool_of(&[900, 800, 700, 600, 500, 400, 300, 200, 100]);
        let wishes = Wishes {
            parties: vec![vec![player(3), player(4)]],
            ..Wishes::default()
        };
        let brief = Brief::new(&pool, &wishes);
        let prices = Prices::new(&brief, Order::TurnsFirst, 0);
        let mut rules = rules(&brief, prices, 4);
        rules.seats[4] = &[Seat::A, Seat::B];
        rules.seats[8] = &[Seat::Waiting];
        let all = linked(&brief, &[]);
        let parted = |first, moved| {
            let (members, cut) = in_halves(&all, &rules, Halving { first, moved });
            let players =
                |half: &[&Linked]| half.iter().flat_map(|of| of.players.clone()).collect();
            let (upper, lower) = members.split_at(cut);
            let halves: [Vec<usize>; 2] = [players(upper), players(lower)];
            halves
        };
        assert_eq!(
            parted(First::Best, 0),
            [vec![2, 3, 0, 1], vec![8, 4, 5, 6, 7]]
        );
        assert_eq!(
            parted(First::Middle, 0),
            [vec![2, 3, 1, 0], vec![8, 4, 6, 5, 7]]
        );
        assert_eq!(
            parted(First::Best, 2),
            [vec![2, 3, 4, 0, 1, 5], vec![8, 6, 7]]
        );
        let [upper, lower] = parted(First::Best, -9);
        assert_eq!((upper, lower.len()), (vec![0], 8));
    }
}
