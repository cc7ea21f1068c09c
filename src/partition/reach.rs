use std::ops::Range;

use super::chain::Chain;
use super::ranges::sums;
use super::rules::{Rules, Sign};

/// What the players who have no seat yet can do to a difference, so that what they cannot bring
/// near enough to 0 need not be looked at.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    /// By count: the sum of the highest so many of them.
    highest: Vec<i64>,
    /// By count: the sum of the lowest so many.
    lowest: Vec<i64>,
    /// The most players of a team.
    most: i64,
    /// How far from 0 the difference of a split may be.
    slack: i64,
    sign: Sign,
}

impl Reach {
    /// Of players with these ratings, ascending; `sign` is that of the table that they are not in.
    pub(super) fn new(points: &[i64], most: usize, slack: i64, sign: Sign) -> Self {
        Self {
            lowest: sums(points),
            highest: sums(points.iter().rev()),
            most: i64::try_from(most).unwrap_or(i64::MAX),
            slack,
            sign,
        }
    }

    /// The differences, of a table with `a` and `b` players on the teams, from which a split within
    /// the slack may be reached; empty where the teams cannot become equal.
    pub(super) fn differences(&self, a: usize, b: usize) -> Range<i64> {
        let counts = i64::try_from(a).ok().zip(i64::try_from(b).ok());
        let gain = counts.and_then(|(a, b)| Some((self.gain(a, b)?, self.gain(b, a)?)));
        match (gain, self.sign) {
            (None, _) => 0..0,
            (Some((up, down)), Sign::Plus) => -self.slack - up..self.slack + down + 1,
            (Some((up, down)), Sign::Minus) => -self.slack - down..self.slack + up + 1,
        }
    }

    /// The most by which they can raise Σ_A - Σ_B of teams with `a` and `b` players so far, making
    /// them equal in number. The highest go to A and the lowest to B, as many as there is room for:
    /// one more of each never takes away.
    fn gain(&self, a: i64, b: i64) -> Option<i64> {
        let players = i64::try_from(self.lowest.len()).ok()? - 1;
        let to_a = (self.most - a).min((players + b - a).div_euclid(2));
        let to_b = to_a + a - b;
        let [to_a, to_b] = [to_a, to_b].map(|count| usize::try_from(count).ok());
        Some(self.highest.get(to_a?)? - self.lowest.get(to_b?)?)
    }
}

/// By set of linked `members`, by player: what those behind them and the `others` can do. Nothing
/// where the rules have no slack, or where the members are not a half of all players.
pub(super) fn reaches(
    rules: &Rules,
    members: &[Chain],
    others: &[Chain],
    sign: Sign,
) -> Vec<Vec<Reach>> {
    let Some(slack) = rules.slack.filter(|_| !others.is_empty()) else {
        return vec![Vec::new(); members.len()];
    };
    let players = others
        .iter()
        .chain(members)
        .flat_map(|linked| &linked.players);
    let mut rest: Vec<i64> = players.map(|&player| rules.points[player]).collect();
    rest.sort_unstable();
    let reaches = members.iter().map(|linked| {
        let players = linked.players.iter();
        let reaches = players.map(|&player| {
            take(&mut rest, rules.points[player]);
            Reach::new(&rest, rules.most, slack, sign)
        });
        reaches.collect()
    });
    reaches.collect()
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
            a in 0..4_usize, slack in 0..5_i64,
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
            for difference in -slack..=slack {
                let before = difference - (sum(1) - sum(2));
                let plus = Reach::new(&points, most, slack, Sign::Plus);
                prop_assert!(plus.differences(a, b).contains(&before));
                let minus = Reach::new(&points, most, slack, Sign::Minus);
                prop_assert!(minus.differences(a, b).contains(&-before));
            }
        }
    }

    #[test]
    fn the_rest_brings_back_what_it_can() {
        let reach = |sign| Reach::new(&[1, 3, 5], 2, 0, sign);
        // Two of them go to A and one to B: at best 5 and 3 against 1, at worst 1 and 3 against 5.
        let plus = reach(Sign::Plus);
        assert_eq!(plus.differences(0, 1), -7..2);
        assert_eq!(plus.differences(0, 0), -4..5);
        assert_eq!(plus.differences(0, 4), 0..0, "nobody fills four seats");
        assert_eq!(reach(Sign::Minus).differences(0, 0), -4..5);
    }
}
