use crate::balance::state::{Bots, Power, Tally};
use crate::domain::{ModeName, Probability};
use crate::rating::win_probability;

/// Limits on team sizes, weights and odds beyond which teams are unbalanced, and conditions under which unbalanced
/// teams are left alone.
///
/// Every limit is optional. Without limits, teams are always balanced.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trigger {
    /// Smallest size difference that counts as unbalanced, in players.
    pub(crate) size_difference: Option<usize>,
    /// Pairs of team sizes that count as unbalanced: minimum size of the larger team, maximum size of the smaller team.
    pub(crate) size_pairs: Vec<(usize, usize)>,
    /// Smallest difference of the teams' weights that counts as unbalanced, in points.
    pub(crate) power_difference: Option<Power>,
    /// Largest tolerated lead, in hundredths of a percent of the weaker team's weight (2000 = 20 %).
    pub(crate) power_ratio: Option<u32>,
    /// Largest tolerated win probability of the favourite, from 0.5 to 1.
    pub(crate) win_probability: Option<Probability>,
    /// `true` if teams whose sizes differ by at most one are balanced at any weights.
    pub(crate) even_sizes_suffice: bool,
    pub(crate) left_alone_in: Vec<ModeName>,
    /// Game modes in which everybody plays alone, so that the bots of both teams are counted together.
    pub(crate) no_teams_in: Vec<ModeName>,
    /// Remaining time of the round, in seconds, below which unbalanced teams are left alone.
    pub(crate) left_alone_seconds: u32,
}

/// Reason why teams are unbalanced: the value, and the limit that it breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reason {
    SizeDifference {
        by: usize,
        /// Smallest difference of the team sizes that counts as unbalanced, in players.
        from: usize,
    },
    /// The sizes of the teams match a pair in [`Trigger::size_pairs`].
    SizePair {
        larger: usize,
        smaller: usize,
        /// Smallest size of the larger team, in players, with which the teams are unbalanced.
        at_least: usize,
        /// Largest size of the smaller team, in players, with which the teams are unbalanced.
        at_most: usize,
    },
    PowerDifference {
        by: Power,
        /// Smallest difference of the teams' weights that counts as unbalanced, in points.
        from: Power,
    },
    /// The stronger team outweighs the weaker team by too large a share.
    PowerRatio {
        /// Lead in hundredths of a percent of the weaker team's weight, rounded up; `None` if that weight is 0.
        by: Option<u32>,
        /// Largest tolerated lead, in hundredths of a percent of the weaker team's weight (2000 = 20 %).
        above: u32,
    },
    WinProbability {
        is: Probability,
        /// Largest tolerated win probability of the favourite.
        above: Probability,
    },
    Bots,
}

/// Reason why unbalanced teams are left alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Suppression {
    /// The match has this mode, in which unbalanced teams are left alone.
    Mode(ModeName),
    /// The round ends too soon for players to be moved.
    Ending {
        seconds_left: u32,
        /// Minimum remaining time of the round with which players are moved, in seconds.
        least: u32,
    },
}

impl Trigger {
    /// Returns all reasons why two teams of these sizes and weights are unbalanced. `wanted_bots` are the required
    /// numbers of bots, if bots fill up teams.
    pub(crate) fn reasons(
        &self,
        tally: &Tally,
        wanted_bots: Option<&Bots>,
        theta: f64,
    ) -> Vec<Reason> {
        let mut reasons = self.size_reasons(tally.a.size, tally.b.size);
        if !self.suffices(tally.a.size, tally.b.size) {
            reasons.extend(self.power_reasons(tally.lead(), tally.total(), theta));
        }
        let differ = |wanted: &Bots| (wanted.a, wanted.b) != (tally.a.bots, tally.b.bots);
        if wanted_bots.is_some_and(differ) {
            reasons.push(Reason::Bots);
        }
        reasons
    }

    /// Returns `true` if a limit other than a size limit can make teams of these sizes unbalanced.
    pub(crate) fn looks_beyond_sizes(&self, a: usize, b: usize) -> bool {
        self.has_limit_of_power() && !self.suffices(a, b)
    }

    /// Returns all reasons to leave a match alone, by its modes and the seconds left in the round.
    pub(crate) fn suppressions(
        &self,
        modes: &[ModeName],
        seconds_left: Option<u32>,
    ) -> Vec<Suppression> {
        let mut modes = modes.to_vec();
        modes.sort_unstable();
        modes.dedup();
        modes.retain(|mode| has(&self.left_alone_in, mode));
        let ending = seconds_left
            .filter(|left| *left < self.left_alone_seconds)
            .map(|seconds_left| Suppression::Ending {
                seconds_left,
                least: self.left_alone_seconds,
            });
        modes
            .into_iter()
            .map(Suppression::Mode)
            .chain(ending)
            .collect()
    }

    /// Returns `true` if everybody plays alone in a match of these modes.
    pub(crate) fn is_without_teams(&self, modes: &[ModeName]) -> bool {
        modes.iter().any(|mode| has(&self.no_teams_in, mode))
    }

    /// Returns `true` if teams of these sizes are balanced at any strengths.
    pub(crate) fn suffices(&self, a: usize, b: usize) -> bool {
        self.even_sizes_suffice && a.abs_diff(b) <= 1
    }

    pub(crate) fn size_reasons(&self, a: usize, b: usize) -> Vec<Reason> {
        let (larger, smaller) = (a.max(b), a.min(b));
        if self.suffices(a, b) {
            return Vec::new();
        }
        let by = larger - smaller;
        let difference = self
            .size_difference
            .filter(|from| by >= *from)
            .map(|from| Reason::SizeDifference { by, from });
        let pairs = self.size_pairs.iter();
        let pair = pairs
            .filter(|(at_least, at_most)| larger >= *at_least && smaller <= *at_most)
            .max_by_key(|(at_least, _)| *at_least)
            .map(|&(at_least, at_most)| Reason::SizePair {
                larger,
                smaller,
                at_least,
                at_most,
            });
        difference.into_iter().chain(pair).collect()
    }

    /// Returns `true` if a team's lead in strength breaks a limit, at any sizes. `total` is the strength of both teams.
    pub(crate) fn is_lead_too_large(&self, lead: Power, total: Power, theta: f64) -> bool {
        !self.power_reasons(lead, total, theta).is_empty()
    }

    /// Returns the limits that a team's lead in weight breaks, at any team sizes.
    fn power_reasons(&self, lead: Power, total: Power, theta: f64) -> Vec<Reason> {
        let by = lead.abs();
        let difference = self
            .power_difference
            .filter(|from| by >= *from)
            .map(|from| Reason::PowerDifference { by, from });
        let ratio = self.power_ratio.and_then(|above| {
            let too_much = breaks_ratio(by, total, above);
            too_much.then(|| Reason::PowerRatio {
                by: ratio(by, total),
                above,
            })
        });
        let odds = self.win_probability.and_then(|above| {
            let is = win_probability(by.whole_points(), 0, theta);
            (is > above).then_some(Reason::WinProbability { is, above })
        });
        difference.into_iter().chain(ratio).chain(odds).collect()
    }

    pub(super) fn has_limit_of_power(&self) -> bool {
        self.power_difference.is_some()
            || self.power_ratio.is_some()
            || self.win_probability.is_some()
    }

    /// Returns the largest tolerated lead of a team in weight, in billionths of a point, at any team sizes. Both teams
    /// together weigh `total`. `None` if every lead up to `total` plus `beyond` is tolerated.
    ///
    /// Every limit is monotone: a larger lead breaks each limit that a smaller lead breaks. Bisection therefore finds
    /// the largest tolerated lead.
    pub(crate) fn most_lead(&self, total: Power, beyond: Power, theta: f64) -> Option<i64> {
        let breaks = |steps: i64| {
            let reasons = self.power_reasons(Power::of_steps(steps), total, theta);
            !reasons.is_empty()
        };
        if !self.has_limit_of_power() {
            return None;
        }
        let farthest = total.steps().saturating_add(beyond.steps());
        let (mut good, mut bad) = (0, farthest.saturating_add(1));
        if !breaks(farthest) {
            return None;
        }
        while bad - good > 1 {
            let middle = i64::midpoint(good, bad);
            if breaks(middle) {
                bad = middle;
            } else {
                good = middle;
            }
        }
        Some(good)
    }
}

/// Returns `true` if a list of game modes contains `mode`, ignoring ASCII case.
fn has(list: &[ModeName], mode: &ModeName) -> bool {
    let mut list = list.iter();
    list.any(|one| one.as_str().eq_ignore_ascii_case(mode.as_str()))
}

/// Returns `true` if the stronger team outweighs the weaker team by more than `above` hundredths of a percent.
///
/// With lead L, total S and limit r, the test is (S + L)/2 > (1 + r)(S - L)/2.
fn breaks_ratio(lead: Power, total: Power, above: u32) -> bool {
    let (lead, total) = (i128::from(lead.steps()), i128::from(total.steps()));
    lead * (20_000 + i128::from(above)) > total * i128::from(above)
}

/// Returns the lead in hundredths of a percent of the weaker team's weight, rounded up; `None` if that weight is 0.
fn ratio(lead: Power, total: Power) -> Option<u32> {
    let weaker = i128::from((total - lead).steps());
    if weaker <= 0 {
        return None;
    }
    let by = (i128::from(lead.steps()) * 20_000 + weaker - 1) / weaker;
    Some(u32::try_from(by).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::balance::examples::built_in;
    use crate::balance::state::TeamTally;

    fn tally(a: usize, b: usize, power_a: f64, power_b: f64) -> Tally {
        let team = |size, points| TeamTally {
            size,
            power: Power::new(points).unwrap(),
            ..TeamTally::default()
        };
        Tally {
            a: team(a, power_a),
            b: team(b, power_b),
            ..Tally::default()
        }
    }

    fn fires(policy: &str, tally: &Tally) -> bool {
        let trigger = built_in(policy).trigger;
        !trigger.reasons(tally, None, 2400.0).is_empty()
    }

    #[test]
    fn the_table_of_sizes_is_two_to_none_three_to_one_four_to_two() {
        for (larger, smaller, unbalanced) in [
            (1, 0, false),
            (2, 0, true),
            (5, 0, true),
            (2, 1, false),
            (3, 1, true),
            (6, 1, true),
            (3, 2, false),
            (4, 2, true),
            (9, 2, true),
            (4, 3, false),
            (5, 3, false),
            (9, 3, false),
        ] {
            for (a, b) in [(larger, smaller), (smaller, larger)] {
                let tally = tally(a, b, 50.0, 50.0);
                assert_eq!(fires("sectors-edge", &tally), unbalanced, "{a} v {b}");
            }
        }
    }

    #[test]
    fn a_limit_is_broken_just_beyond_its_number() {
        for (policy, sizes, powers, unbalanced) in [
            // A difference of 10 counts only where sizes differ by two.
            ("sectors-edge", (7, 5), (60.0, 50.0), true),
            ("sectors-edge", (7, 5), (59.999, 50.0), false),
            ("sectors-edge", (6, 5), (99.0, 50.0), false),
            // A fifth more is not more than a fifth.
            ("sectors-edge-weights", (3, 12), (38.4, 32.0), false),
            ("sectors-edge-weights", (3, 12), (38.401, 32.0), true),
            ("sectors-edge-weights", (12, 3), (1.0, 0.0), true),
            ("sectors-edge-weights", (0, 0), (0.0, 0.0), false),
            // Only sizes count.
            ("synelo", (6, 5), (9000.0, 100.0), false),
            ("synelo", (6, 4), (100.0, 100.0), true),
            // P = 0.6 lies at Θ ln 1.5 = 973.1 points.
            ("ns2", (6, 6), (7973.0, 7000.0), false),
            ("ns2", (6, 6), (7974.0, 7000.0), true),
        ] {
            let tally = tally(sizes.0, sizes.1, powers.0, powers.1);
            assert_eq!(fires(policy, &tally), unbalanced, "{policy}: {tally:?}");
        }
    }

    #[test]
    fn a_match_is_left_alone_by_its_kind_and_at_its_end() {
        let trigger = built_in("sectors-edge").trigger;
        let modes =
            ["FFA", "ctf", "tournament", "ffa"].map(|mode| -> ModeName { mode.parse().unwrap() });
        let found = trigger.suppressions(&modes, Some(179));
        assert_eq!(found.len(), 4, "{found:?}");
        assert_eq!(trigger.suppressions(&modes[1..2], Some(180)), []);
    }

    proptest! {
        #[test]
        fn the_largest_lead_is_the_last_that_breaks_nothing(
            total in 0_i64..2_000_000_000, beyond in prop_oneof![Just(0), 0_i64..2_000_000_000],
            difference in proptest::option::of(1_i64..1_000_000_000),
            ratio in proptest::option::of(1_u32..20_000),
            odds in proptest::option::of(0.5..0.99),
        ) {
            let trigger = Trigger {
                power_difference: difference.map(Power::of_steps),
                power_ratio: ratio,
                win_probability: odds.and_then(Probability::new),
                ..Trigger::default()
            };
            let breaks = |lead: i64| {
                let total = Power::of_steps(total);
                !trigger.power_reasons(Power::of_steps(lead), total, 2400.0).is_empty()
            };
            match trigger.most_lead(Power::of_steps(total), Power::of_steps(beyond), 2400.0) {
                Some(lead) => prop_assert!(!breaks(lead) && breaks(lead + 1)),
                None => prop_assert!(!breaks(total + beyond)),
            }
        }
    }
}
