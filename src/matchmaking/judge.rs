//! Objective function of matchmaking: the value of a match.

use std::cell::Cell;

use super::policy::MatchPolicy;
use super::queue::{Compiled, Venue, count};
use super::teams::{Division, cost, count_of, divide, uneven};
use crate::partition::{Host, Pace};

/// Base value of a player in a match, in millionths, before bonuses and costs.
const SEAT: f64 = 1_000_000.0;

/// Value of a match whose odds, ratings and pings are within the policy's limits, with the figures behind the value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Worth {
    /// Value of the match, in millionths; a player counts 1,000,000 before bonuses and costs. Above 0.
    pub(super) value: i64,
    pub(super) division: Division,
    /// Distance of the predicted win probability from even, |P - ½|, 0 to 0.5.
    pub(super) uneven: f64,
    /// Standard deviation of the ratings of the match's players, in points.
    pub(super) spread: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlannedMatch {
    /// Index in [`Compiled::venues`] of the match's server, team size and mode.
    pub(super) venue: usize,
    /// Indices of the match's tickets, ascending.
    pub(super) group: Vec<usize>,
    pub(super) worth: Worth,
}

/// Evaluates matches of one queue by one policy, and counts the steps of work.
pub(super) struct Judge<'run> {
    pub(super) compiled: &'run Compiled,
    pub(super) policy: &'run MatchPolicy,
    work: Cell<u64>,
    budget: u64,
    pub(super) pace: Pace<'run>,
}

/// Time of one step of the search for matches, in the unit of [`Pace`]: the time to compute one byte of a table.
const STEP: u64 = 30;

impl<'run> Judge<'run> {
    pub(super) fn new(
        compiled: &'run Compiled,
        policy: &'run MatchPolicy,
        (budget, host): (u64, &'run dyn Host),
    ) -> Self {
        Self {
            compiled,
            policy,
            work: Cell::new(0),
            budget,
            pace: Pace::new(host, 0),
        }
    }

    /// Adds `work` steps to the search for matches, and regularly asks the caller whether it is still wanted.
    pub(super) fn spend(&self, work: u64) {
        self.pace.goes_on(STEP * work);
        let work = self.work.get().saturating_add(work);
        self.work.set(work);
    }

    /// Returns `true` unless the allowed work is used up or the caller has cancelled.
    pub(super) fn goes_on(&self) -> bool {
        self.pace.goes_on(0) && self.work.get() < self.budget
    }

    pub(super) fn venue(&self, venue: usize) -> &'run Venue {
        &self.compiled.venues[venue]
    }

    fn longest_wait(&self, group: &[usize]) -> u32 {
        let waits = group.iter().map(|unit| self.compiled.units[*unit].waited);
        waits.max().unwrap_or_default()
    }

    /// Returns the value of a match of these tickets (1 per player) without the costs of odds and roles, and its spread
    /// of ratings in points. Returns `None` if the pings or the spread exceed the limits.
    fn outline(&self, venue: &Venue, group: &[usize]) -> Option<(f64, f64)> {
        let limits = self.policy.limits(self.longest_wait(group));
        let (mut waiting, mut pings) = (0.0, 0.0);
        let (mut points, mut squares) = (0, 0.0);
        for index in group {
            let unit = &self.compiled.units[*index];
            points += unit.points;
            squares += unit.squares;
            let players = count(unit.size);
            let waited = f64::from(unit.waited.min(self.policy.due_seconds));
            waiting += players * waited / f64::from(self.policy.due_seconds);
            if let Some(ping) = venue.ping(*index).map(f64::from) {
                if limits.is_some_and(|limits| ping > limits.ping) {
                    return None;
                }
                pings += players * ping / (ping + self.policy.ping_ms);
            }
        }
        let players = count(2 * venue.size);
        let mean = f64::from(points) / players;
        let spread = (squares / players - mean * mean).max(0.0).sqrt();
        if limits.is_some_and(|limits| spread > limits.spread) {
            return None;
        }
        let spread_cost = self.policy.spread * spread / (spread + self.policy.spread_points);
        let value = players + self.policy.waiting * waiting
            - players * spread_cost
            - self.policy.ping * pings;
        Some((value, spread))
    }

    /// Returns an upper bound of a match's value in millionths, without dividing the tickets into teams.
    pub(super) fn at_most(&self, venue: usize, group: &[usize]) -> Option<i64> {
        self.spend(2 * count_of(group.len()));
        let (value, _) = self.outline(self.venue(venue), group)?;
        Some(millionths(value))
    }

    /// Returns the match of the tickets in `group` at the venue (server, team size and mode), or `None` if limits
    /// forbid it. All tickets must accept the venue.
    pub(super) fn judge(&self, venue: usize, mut group: Vec<usize>) -> Option<PlannedMatch> {
        group.sort_unstable();
        self.judge_divided(venue, group, |group| self.divide(self.venue(venue), group))
    }

    /// Returns the match of the tickets in `group` (ascending) with the teams that `divide` makes.
    pub(super) fn judge_divided(
        &self,
        venue: usize,
        group: Vec<usize>,
        divide: impl FnOnce(&[usize]) -> Option<Division>,
    ) -> Option<PlannedMatch> {
        self.spend(8 * count_of(group.len()));
        let (value, spread) = self.outline(self.venue(venue), &group)?;
        let division = divide(&group)?;
        let there = self.venue(venue);
        let longest = self.longest_wait(&group);
        let uneven = uneven(division.lead, there);
        if let Some(limits) = self.policy.limits(longest) {
            let lacks = division.missing > 0 && longest < self.policy.roles_seconds;
            if uneven > limits.uneven || lacks {
                return None;
            }
        }
        let cost = cost(self.compiled, self.policy, there, division);
        Some(PlannedMatch {
            venue,
            worth: Worth {
                value: millionths(value - count(2 * there.size) * cost),
                division,
                uneven,
                spread,
            },
            group,
        })
    }

    /// Returns the division of the tickets (ascending) into two teams of the venue's size that costs least.
    pub(super) fn divide(&self, venue: &Venue, group: &[usize]) -> Option<Division> {
        let mut looks = 0;
        let division = divide(self.compiled, self.policy, venue, group, &mut looks);
        self.spend(looks);
        division
    }
}

fn millionths(value: f64) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "at most 128 places, each worth at most 101"
    )]
    let millionths = (value * SEAT).round() as i64;
    millionths
}
