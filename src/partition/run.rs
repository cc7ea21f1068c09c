//! Search for the best splits in the dynamic programming tables for some team sizes.

use std::collections::BTreeMap;
use std::iter::successors;
use std::ops::{ControlFlow, RangeInclusive};

use super::dp::bound::Targets;
use super::dp::chain::Chain;
use super::dp::meet::MeetPlan;
use super::dp::search::Teams;
use super::dp::table::Cost;
use super::exact::Plan;
use super::fallback::enumeration;
use super::fallback::enumeration::Enumeration;
use super::handicapped::Handicapped;
use super::limits::{Budget, Exceeded, Pace};
use super::objective::{LIMIT, Order, Weights};
use super::problem::Problem;
use super::problem::seat::{Seat, difference, gap, leader_first};
use crate::domain::Handicap;

/// Maximum number of equally good splits whose teams' similarity is compared. From [`SURELY_COMPARED`] on, the search
/// ends as soon as the teams are alike. If there are more than `TIES` splits, only [`SAMPLE`] of them are compared.
const TIES: usize = 1000;
const SURELY_COMPARED: usize = 32;
const SAMPLE: usize = 8;
/// Difference between the teams' standard deviations, in rating points, below which the teams count as alike.
const ALIKE: f64 = 5.0;

/// Search for the best splits, with one order of importance of the wishes. To limit memory, the search may ignore some
/// pairs apart, roles and newcomers.
pub(crate) struct Run<'plan> {
    plan: &'plan Plan<'plan>,
    pub(crate) weights: Weights,
    /// Order and possible seats of the players; `None` if splits are enumerated, as is possible for small pools.
    chain: Option<Chain>,
    /// Number of wishes that this search considers, in this order: pairs to keep apart, roles, newcomers.
    links: usize,
}

/// Plan of the tables for some team sizes, with their work and memory before they are computed.
pub(crate) struct Tables {
    plan: MeetPlan,
    /// Width of one cost in the tables, in bytes: 1, 2 or 4, the smallest that fits all costs.
    bytes: u64,
    /// Total size of all dynamic programming tables to compute, in bytes; a measure of the work.
    pub(crate) work: u64,
    /// Largest memory, in bytes, that the tables of one search by dynamic programming will take at any time.
    pub(crate) memory: u64,
}

/// Best split of one team size. Differences of rating sums are in multiples of `Plan::unit` rating points.
pub(crate) struct Found {
    pub(crate) seats: Vec<Seat>,
    /// Minimum difference of the teams' rating sums over all splits of this team size.
    pub(crate) least: i64,
    pub(crate) parties_split: u64,
    pub(crate) is_proven: bool,
    /// Increase of the difference of the teams' rating sums by sharing newcomers evenly; `None` if none are shared.
    pub(crate) newcomers_cost: Option<i64>,
}

impl<'plan> Run<'plan> {
    pub(crate) fn new(
        plan: &'plan Plan<'plan>,
        order: Order,
        links: usize,
        pace: &Pace<'_>,
    ) -> Option<Self> {
        let weights = Weights::new(plan.problem, order, links);
        if weights.total >= LIMIT {
            return None;
        }
        let chain = Chain::new(plan.problem, &plan.points, &plan.open, &weights, pace);
        let is_possible = chain.is_some() || plan.points.len() <= enumeration::MAX_PLAYERS;
        is_possible.then_some(Self {
            plan,
            weights,
            chain,
            links,
        })
    }

    /// Plans the tables for these team sizes, each with differences of rating sums up to its `slack`. Returns `None` if
    /// the splits are enumerated instead.
    ///
    /// # Errors
    /// Returns an error if planning alone exceeds the budget.
    pub(crate) fn tables(
        &self,
        sizes: &[usize],
        slack: &dyn Fn(usize) -> i64,
        budget: &Budget<'_>,
    ) -> Result<Option<Tables>, Exceeded> {
        let Some(chain) = &self.chain else {
            return Ok(None);
        };
        let lean = self.plan.problem.pool.handicap().lean.abs();
        let mut targets = Targets::default();
        for &size in sizes {
            for counts in self.plan.problem.team_counts(size) {
                targets.add(counts, lean + slack(size));
            }
        }
        let bytes = match self.weights.total {
            total if total < i8::MAX as u64 => 1,
            total if total < i16::MAX as u64 => 2,
            _ => 4,
        };
        let memory = budget.memory / bytes;
        let plan = MeetPlan::new(chain, &self.plan.points, &targets, memory, budget.pace);
        let is_small = self.plan.points.len() <= enumeration::MAX_PLAYERS;
        let Some(plan) = plan else {
            return if is_small { Ok(None) } else { Err(Exceeded) };
        };
        let (work, memory) = (bytes * plan.work(), bytes * plan.memory() + plan.overhead());
        let tables = Tables {
            plan,
            bytes,
            work,
            memory,
        };
        Ok((!is_small || budget.allows(work, memory)).then_some(tables))
    }

    /// Computes the tables for these team sizes, and calls `look` with all splits of each size whose difference of
    /// rating sums is at most `slack`.
    pub(crate) fn with_tables(
        &self,
        sizes: &[usize],
        slack: &dyn Fn(usize) -> i64,
        budget: &mut Budget<'_>,
        look: &mut dyn FnMut(&dyn Teams, usize),
    ) -> Result<(), Exceeded> {
        let Some(tables) = self.tables(sizes, slack, budget)? else {
            for &size in sizes {
                look(&self.enumerated(size), size);
            }
            return Ok(());
        };
        let problem = self.plan.problem;
        budget.spend(tables.work, tables.memory)?;
        let pace = budget.pace;
        let _reservation = pace.host.reserve(tables.memory);
        match tables.bytes {
            1 => look_into::<i8>(tables.plan, problem, sizes, pace, look),
            2 => look_into::<i16>(tables.plan, problem, sizes, pace, look),
            _ => look_into::<i32>(tables.plan, problem, sizes, pace, look),
        }
    }

    fn enumerated(&self, size: usize) -> Enumeration {
        let (plan, problem) = (self.plan, self.plan.problem);
        let cost = |seats: &[Seat]| self.weights.of_seats(problem, seats);
        let distance = |seats: &[Seat]| problem.distance(difference(seats, &plan.points));
        Enumeration::new(&plan.open, &problem.team_counts(size), distance, cost)
    }

    /// Returns the minimum difference of the teams' rating sums by team size, in multiples of `Plan::unit` rating
    /// points. Sizes whose tables exceed the budget are missing.
    pub(crate) fn least_differences(
        &self,
        sizes: &[usize],
        budget: &mut Budget<'_>,
    ) -> BTreeMap<usize, i64> {
        let mut least = BTreeMap::new();
        let slack = |size| self.plan.at_hand(size);
        let run = self.with_tables(sizes, &slack, budget, &mut |teams, size| {
            let found = teams.least_difference(0, slack(size), u64::MAX);
            least.extend(found.map(|found| (size, found)));
        });
        if run.is_err() && sizes.len() > 1 {
            let (smaller, larger) = sizes.split_at(sizes.len() / 2);
            least.extend(self.least_differences(smaller, budget));
            least.extend(self.least_differences(larger, budget));
        }
        least
    }

    /// Returns the rating points by which the most important wishes may raise the minimum difference.
    pub(crate) fn tolerance(&self) -> u32 {
        let wishes = self.plan.problem.wishes;
        match self.weights.newcomer {
            0 => wishes.tolerance,
            _ => wishes.tolerance.max(wishes.newcomers_price),
        }
    }

    /// Finds the best split whose teams' rating sums differ by `nearest` to `limit`, in multiples of `Plan::unit`
    /// rating points. `least`, the minimum difference of all splits, is copied into the result.
    pub(crate) fn best(
        &self,
        teams: &dyn Teams,
        nearest: i64,
        limit: i64,
        least: i64,
    ) -> Option<Found> {
        let problem = self.plan.problem;
        let (mut nearest, mut limit) = (nearest, limit);
        let mut cost = teams.least_cost(nearest, limit)?;
        let mut newcomers_cost = None;
        if let Some(shared) = self.weights.as_good_with_newcomers(cost) {
            let unshared = self.weights.as_good_but_for_newcomers(cost);
            let unshared = teams.least_difference(nearest, limit, unshared)?;
            // Wishes less important than newcomers decide within `tolerance` alone.
            nearest = teams.least_difference(unshared, limit, shared)?;
            newcomers_cost = Some(nearest - unshared);
            limit = limit.min(nearest + self.plan.in_units(problem.wishes.tolerance));
            cost = teams.least_cost(nearest, limit)?;
        }
        let closest = teams.least_difference(nearest, limit, cost)?;
        let mut best = first(teams, closest, cost, |_| true)?;
        if problem.repeats(&best) {
            let as_good = self.weights.as_good_but_for_spread(cost);
            let as_close = differences(teams, closest..=limit, cost);
            let less_alike = differences(teams, nearest..=limit, as_good);
            let mut others = as_close
                .map(|other| (other, cost))
                .chain(less_alike.map(|other| (other, as_good)));
            let other = others.find_map(|(difference, budget)| {
                first(teams, difference, budget, |seats| !problem.repeats(seats))
            });
            best = other.unwrap_or(best);
        }
        if problem.wishes.spread {
            self.make_alike(&mut best, teams);
        }
        // Links that this run does not count may be served by chance.
        let is_served = problem.serves_links(self.links, &best);
        Some(Found {
            seats: best,
            least,
            parties_split: self.weights.parties_split(cost),
            is_proven: self.weights.waits_are_distinct && is_served,
            newcomers_cost,
        })
    }

    /// Replaces `best` by the equally good split whose teams have the most similar standard deviations of ratings. Of
    /// very many equally good splits, compares a sample.
    fn make_alike(&self, best: &mut [Seat], teams: &dyn Teams) {
        let problem = self.plan.problem;
        let cost = self.weights.of_seats(problem, best);
        let repeats = problem.repeats(best);
        let is_as_good = |seats: &[Seat]| {
            self.weights.of_seats(problem, seats) <= cost && (repeats || !problem.repeats(seats))
        };
        let difference = problem.distance(difference(best, &self.plan.points));
        let are_few = teams.count_at_least(difference, cost, TIES + 1) <= TIES;
        let most = if are_few { TIES } else { SAMPLE };
        let mut least = gap(best, &problem.points);
        let mut ties = 0;
        teams.each(difference, cost, &mut |seats| {
            let gap = gap(seats, &problem.points);
            if gap < least && is_as_good(seats) {
                least = gap;
                best.copy_from_slice(seats);
            }
            ties += 1;
            if ties < most && (ties < SURELY_COMPARED || least >= ALIKE) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
}

fn look_into<C: Cost>(
    plan: MeetPlan,
    problem: &Problem<'_>,
    sizes: &[usize],
    pace: &Pace<'_>,
    look: &mut dyn FnMut(&dyn Teams, usize),
) -> Result<(), Exceeded> {
    let halves = plan.compute::<C>(pace).ok_or(Exceeded)?;
    for &size in sizes {
        let teams = halves.teams(&problem.team_counts(size));
        match problem.pool.handicap() {
            Handicap { lean: 0, .. } => look(&teams, size),
            handicap => look(
                &Handicapped {
                    teams: &teams,
                    handicap,
                },
                size,
            ),
        }
    }
    Ok(())
}

/// Returns the first split in the order of [`Teams::each`] whose teams' rating sums differ by `difference`, that costs
/// at most `budget`, and that satisfies `is_wanted`. The result has the seats by player.
fn first(
    teams: &dyn Teams,
    difference: i64,
    budget: u64,
    is_wanted: impl Fn(&[Seat]) -> bool,
) -> Option<Vec<Seat>> {
    let mut found = None;
    teams.each(difference, budget, &mut |seats| {
        if is_wanted(seats) {
            found = Some(seats.to_vec());
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    found
}

/// Iterates, ascending, over the differences of rating sums in `range` of the splits that cost at most `budget`.
fn differences(
    teams: &dyn Teams,
    range: RangeInclusive<i64>,
    budget: u64,
) -> impl Iterator<Item = i64> {
    let (floor, limit) = range.into_inner();
    let next = move |floor: i64| teams.least_difference(floor, limit, budget);
    successors(next(floor), move |difference| next(difference + 1))
}

/// Returns up to `count` splits whose teams' rating sums differ by at most `limit`, by ascending difference and then by
/// ascending cost of unserved wishes.
pub(crate) fn first_splits(teams: &dyn Teams, count: usize, limit: i64) -> Vec<Vec<Seat>> {
    let mut found: Vec<Vec<Seat>> = Vec::new();
    for difference in differences(teams, 0..=limit, u64::MAX) {
        let mut budget = teams.least_cost(difference, difference);
        while let Some(most) = budget {
            let missed = teams.each(difference, most, &mut |seats| {
                let seats = leader_first(seats);
                if !found.contains(&seats) {
                    found.push(seats);
                }
                if found.len() < count {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            });
            if found.len() >= count {
                return found;
            }
            budget = missed.map(|missed| most + missed);
        }
    }
    found
}
