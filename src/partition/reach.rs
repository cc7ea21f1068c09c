use std::ops::Range;

use super::chain::Chain;
use super::ranges::{Sums, hull, sums};
use super::rules::{Rules, Sign};
use super::slack::Slack;

/// What the players who have no seat yet can do to a difference, so that what they cannot bring
/// near enough to 0 need not be looked at.
#[derive(Debug)]
pub(super) struct Reach<'slack> {
    /// By count: the sums of so many of them.
    sums: Vec<Sums>,
    /// How far from 0 the difference of a split may be.
    slack: &'slack Slack,
    sign: Sign,
}

impl<'slack> Reach<'slack> {
    /// Of players with these ratings, ascending; `sign` is that of the table that they are not in.
    pub(super) fn new(points: &[i64], slack: &'slack Slack, sign: Sign) -> Self {
        Self {
            sums: sums(points),
            slack,
            sign,
        }
    }

    /// The differences, of a table with `a` and `b` players on the teams, from which a split of any
    /// size within its slack may be reached; empty where there is none.
    pub(super) fn differences(&self, a: usize, b: usize) -> Range<i64> {
        self.row(a + b).differences(a, b)
    }

    /// The same for all tables with so many players on both teams.
    ///
    /// One more player on each team never takes away from what can be reached. So a smaller size
    /// matters only if it has more slack.
    pub(super) fn row(&self, total: usize) -> Row<'_> {
        let players = self.sums.len() - 1;
        Row {
            sums: &self.sums,
            sizes: self.slack.widening(usize::midpoint(players, total)),
            sign: self.sign,
        }
    }
}

/// What can be done to a difference of so many players on both teams.
pub(super) struct Row<'reach> {
    sums: &'reach [Sums],
    /// The sizes that matter, each with its slack.
    sizes: &'reach [(usize, i64)],
    sign: Sign,
}

impl Row<'_> {
    /// As [`Reach::differences`].
    pub(super) fn differences(&self, a: usize, b: usize) -> Range<i64> {
        // What one sign makes of these counts the other makes of them swapped.
        let (a, b) = match self.sign {
            Sign::Plus => (a, b),
            Sign::Minus => (b, a),
        };
        let mut reached = 0..0;
        for &(size, slack) in self.sizes {
            let (Some(to_a), Some(to_b)) = (size.checked_sub(a), size.checked_sub(b)) else {
                break;
            };
            let (to_a, to_b) = (self.sums[to_a], self.sums[to_b]);
            let up = to_a.highest - to_b.lowest;
            let down = to_b.highest - to_a.lowest;
            reached = hull(&reached, &(-slack - up..slack + down + 1));
        }
        reached
    }
}

/// By player of the `members`, one after another: what those behind them and the `others` can do.
pub(super) fn reaches<'all>(
    rules: &'all Rules,
    members: &'all [Chain],
    others: &[Chain],
    sign: Sign,
) -> impl Iterator<Item = Reach<'all>> + use<'all> {
    let players = others
        .iter()
        .chain(members)
        .flat_map(|linked| &linked.players);
    let mut rest: Vec<i64> = players.map(|&player| rules.points[player]).collect();
    rest.sort_unstable();
    let players = members.iter().flat_map(|linked| &linked.players);
    players.map(move |&player| {
        take(&mut rest, rules.points[player]);
        Reach::new(&rest, &rules.slack, sign)
    })
}

/// Takes one of these `points` out of the ascending `rest`.
pub(super) fn take(rest: &mut Vec<i64>, points: i64) {
    if let Ok(place) = rest.binary_search(&points) {
        rest.remove(place);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn nothing_that_can_be_brought_back_is_left_out(
            rest in prop::collection::vec((0..50_i64, 0..3), 0..12),
            a in 0..4_usize, slack in 0..5_i64, more in 0..5_i64,
        ) {
            let on = |team: i32| rest.iter().filter(move |(_, seat)| *seat == team);
            let sum = |team| on(team).map(|(points, _)| points).sum::<i64>();
            let most = a + on(1).count();
            let Some(b) = most.checked_sub(on(2).count()) else {
                return Ok(());
            };
            let mut points: Vec<i64> = rest.iter().map(|(points, _)| *points).collect();
            points.sort_unstable();
            // Whatever comes within the slack with these seats of the rest.
            let of_sizes = Slack::new([(most / 2, more), (most, slack), (most + 1, 0)]);
            for difference in -slack..=slack {
                let before = difference - (sum(1) - sum(2));
                let plus = Reach::new(&points, &of_sizes, Sign::Plus);
                prop_assert!(plus.differences(a, b).contains(&before));
                let minus = Reach::new(&points, &of_sizes, Sign::Minus);
                prop_assert!(minus.differences(a, b).contains(&-before));
            }
        }
    }

    #[test]
    fn the_rest_brings_back_what_it_can() {
        let slack = Slack::new([(1, 0), (2, 0)]);
        let reach = |sign| Reach::new(&[1, 3, 5], &slack, sign);
        // Two of them go to A and one to B: at best 5 and 3 against 1, at worst 1 and 3 against 5.
        let plus = reach(Sign::Plus);
        assert_eq!(plus.differences(0, 1), -7..2);
        assert_eq!(plus.differences(0, 0), -4..5);
        assert_eq!(plus.differences(0, 4), 0..0, "nobody fills four seats");
        assert_eq!(reach(Sign::Minus).differences(0, 0), -4..5);
    }
}
