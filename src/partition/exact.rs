//! The best split of every size, by dynamic programming.

use std::collections::BTreeMap;
use std::iter::successors;
use std::ops::{ControlFlow, RangeInclusive};

use super::dp::bound::Targets;
use super::dp::chain::Chain;
use super::dp::meet::{MeetPlan, Teams};
use super::fallback::enumeration::{self, Enumeration};
use super::fallback::greedy::swapped;
use super::limits::{Budget, Exceeded};
use super::objective::weights::{LIMIT, Order, Weights};
use super::problem::Problem;
use super::problem::open_seats::open_seats;
use super::problem::seat::{Seat, difference, gap, leader_first};

/// Up to so many splits that are equal in all else are compared in likeness: all of them where they are
/// few, else until the teams are alike.
const TIES: usize = 2000;
const SAMPLE: usize = 16;
/// Teams whose standard deviations differ by less, in rating points, are alike: nobody feels less.
const ALIKE: f64 = 1.0;

/// The best split of one size.
#[derive(Clone, Debug)]
pub(crate) struct Best {
    pub(crate) seats: Vec<Seat>,
    /// The least difference of any split that keeps the hard wishes, in rating points.
    pub(crate) least: u64,
    /// Whether nothing is better in any wish down to the two best players apart.
    pub(crate) is_proven: bool,
}

/// The best splits of `sizes`, which ascend, by size; of those for which the budget is enough.
pub(crate) fn best_splits(
    problem: &Problem<'_>,
    sizes: &[usize],
    budget: &mut Budget<'_>,
) -> BTreeMap<usize, Best> {
    let mut best = BTreeMap::new();
    for (open, sizes) in by_open_seats(problem, sizes) {
        best.extend(Plan::new(problem, open).best_splits(&sizes, budget));
    }
    best
}

/// The least differences of splits that keep the hard wishes, by size, of those for which the budget
/// is enough.
pub(crate) fn least_differences(
    problem: &Problem<'_>,
    sizes: &[usize],
    budget: &mut Budget<'_>,
) -> BTreeMap<usize, u64> {
    let mut least = BTreeMap::new();
    for (open, sizes) in by_open_seats(problem, sizes) {
        let plan = Plan::new(problem, open);
        if let Some(run) = Run::new(&plan, Order::TurnsFirst, 0) {
            let found = run.least_differences(&sizes, budget);
            least.extend(
                found
                    .into_iter()
                    .map(|(size, least)| (size, plan.in_points(least))),
            );
        }
    }
    least
}

/// Several splits of one size, those of the smallest difference first, of equals those that serve
/// the wishes best.
///
/// # Errors
/// The budget is not enough.
pub(crate) fn several(
    problem: &Problem<'_>,
    size: usize,
    count: usize,
    budget: &mut Budget<'_>,
) -> Result<Vec<Vec<Seat>>, Exceeded> {
    let plan = Plan::new(problem, open_seats(problem, size));
    let farthest = plan.points.iter().sum::<i64>();
    let mut slack = plan.at_hand(size);
    let run = plan
        .run_with_most_links(Order::TurnsFirst, &[size], &|_| slack, budget)
        .ok_or(Exceeded)?;
    loop {
        let mut found = Vec::new();
        run.with_tables(&[size], &|_| slack, budget, &mut |teams, _| {
            found = first_splits(teams, count, slack);
        })?;
        if found.len() == count || slack >= farthest {
            return Ok(found);
        }
        slack = 4 * slack + 64;
    }
}

/// The sizes by the seats that are open in teams of them, by player.
fn by_open_seats(
    problem: &Problem<'_>,
    sizes: &[usize],
) -> BTreeMap<Vec<&'static [Seat]>, Vec<usize>> {
    let mut by_open: BTreeMap<Vec<&'static [Seat]>, Vec<usize>> = BTreeMap::new();
    for &size in sizes {
        by_open
            .entry(open_seats(problem, size))
            .or_default()
            .push(size);
    }
    by_open
}

/// What is the same for all sizes in which the same seats are open.
struct Plan<'plan> {
    problem: &'plan Problem<'plan>,
    /// By player: the open seats.
    open: Vec<&'static [Seat]>,
    /// By player: the rating in units, of equal teams less the lowest, which changes no difference.
    points: Vec<i64>,
    /// What all differences are multiples of.
    unit: i64,
}

/// Everything is computed for one order of the wishes.
struct Run<'plan> {
    plan: &'plan Plan<'plan>,
    weights: Weights,
    /// None where the pool is so small that its splits are enumerated.
    chain: Option<Chain>,
    /// How many of the links count.
    links: usize,
}

/// Tables that are not computed yet.
struct Tables {
    plan: MeetPlan,
    /// Whether costs fit 16 bits.
    is_narrow: bool,
    /// How many bytes are computed.
    work: u64,
    /// How many bytes are there at once.
    memory: u64,
}

/// What was found for a size; differences in units.
struct Found {
    seats: Vec<Seat>,
    least: i64,
    parties_split: u64,
}

impl<'plan> Plan<'plan> {
    fn new(problem: &'plan Problem<'plan>, open: Vec<&'static [Seat]>) -> Self {
        let lowest = problem.points.iter().copied().min();
        let lowest = lowest.filter(|_| !problem.is_uneven()).unwrap_or_default();
        let above = problem.points.iter().map(|points| points - lowest);
        let unit = above.clone().fold(0, greatest_common_divisor).max(1);
        Self {
            problem,
            open,
            points: above.map(|points| points / unit).collect(),
            unit,
        }
    }

    fn in_points(&self, difference: i64) -> u64 {
        (difference * self.unit).unsigned_abs()
    }

    fn in_units(&self, points: u32) -> i64 {
        i64::from(points) / self.unit
    }

    /// The difference, in units, of a split of `size` that swaps find: an upper bound of the least one.
    fn at_hand(&self, size: usize) -> i64 {
        difference(&swapped(self.problem, &self.open, size), &self.points).abs()
    }

    /// The best splits of these sizes, by size; where the budget is not enough for all at once, of
    /// smaller teams, whose tables are smaller, before larger ones.
    fn best_splits(&self, sizes: &[usize], budget: &mut Budget<'_>) -> BTreeMap<usize, Best> {
        match self.best_at_once(sizes, budget) {
            Ok(best) => best,
            Err(Exceeded) if sizes.len() < 2 => BTreeMap::new(),
            Err(Exceeded) => {
                let (smaller, larger) = sizes.split_at(sizes.len() / 2);
                let mut best = self.best_splits(smaller, budget);
                best.extend(self.best_splits(larger, budget));
                best
            }
        }
    }

    fn best_at_once(
        &self,
        sizes: &[usize],
        budget: &mut Budget<'_>,
    ) -> Result<BTreeMap<usize, Best>, Exceeded> {
        let wishes = self.problem.wishes;
        let tolerance = self.in_units(wishes.tolerance);
        let at_hand = sizes.iter().map(|&size| (size, self.at_hand(size)));
        let at_hand: BTreeMap<usize, i64> = at_hand.collect();
        let slack = |size| at_hand[&size] + tolerance;
        let run = self
            .run_with_most_links(Order::TurnsFirst, sizes, &slack, budget)
            .ok_or(Exceeded)?;
        let mut found = BTreeMap::new();
        run.with_tables(sizes, &slack, budget, &mut |teams, size| {
            let least = teams.least_difference(0, at_hand[&size], u64::MAX);
            let best = least.and_then(|least| run.best(teams, least, least + tolerance, least));
            found.extend(best.map(|best| (size, best)));
        })?;
        // Keeping parties may be worth a greater difference; then they come before the turns.
        let split = found
            .iter()
            .filter(|(_, found)| found.parties_split > 0 && wishes.party_price > 0);
        let split: BTreeMap<usize, i64> = split.map(|(size, found)| (*size, found.least)).collect();
        let mut is_open = false;
        if !split.is_empty() {
            let kept = self.keep_parties(&split, budget);
            is_open = kept.is_err();
            found.extend(kept.unwrap_or_default());
        }
        let best = found.into_iter().map(|(size, found)| {
            let best = Best {
                is_proven: run.weights.waits_are_distinct
                    && !(is_open && split.contains_key(&size))
                    && self.problem.serves_links(run.links, &found.seats),
                least: self.in_points(found.least),
                seats: found.seats,
            };
            (size, best)
        });
        Ok(best.collect())
    }

    /// The best splits, by size, that split fewer parties than any within the tolerance of the least
    /// difference, which is given by size, and whose difference the `price` pays for; none of sizes that
    /// have no such split.
    fn keep_parties(
        &self,
        least: &BTreeMap<usize, i64>,
        budget: &mut Budget<'_>,
    ) -> Result<BTreeMap<usize, Found>, Exceeded> {
        let wishes = self.problem.wishes;
        let tolerance = self.in_units(wishes.tolerance);
        let with_price = self.in_units(wishes.tolerance + wishes.party_price);
        let sizes: Vec<usize> = least.keys().copied().collect();
        let slack = |size| least[&size] + with_price;
        let run = self
            .run_with_most_links(Order::PartiesFirst, &sizes, &slack, budget)
            .ok_or(Exceeded)?;
        let mut found = BTreeMap::new();
        run.with_tables(&sizes, &slack, budget, &mut |teams, size| {
            let least = least[&size];
            let farthest = least + with_price;
            let fewest = |limit| {
                let cost = teams.least_cost(least, limit)?;
                Some(run.weights.parties_split(cost))
            };
            let best = fewest(farthest).and_then(|split| {
                if split >= fewest(least + tolerance)? {
                    return None;
                }
                let budget = (split + 1) * run.weights.party - 1;
                let nearest = teams.least_difference(least, farthest, budget)?;
                run.best(teams, nearest, farthest.min(nearest + tolerance), least)
            });
            found.extend(best.map(|best| (size, best)));
        })?;
        Ok(found)
    }

    /// A run in which as many of the links count as the budget allows for these sizes; all that may,
    /// where it is not the links that exceed it.
    fn run_with_most_links(
        &self,
        order: Order,
        sizes: &[usize],
        slack: &dyn Fn(usize) -> i64,
        budget: &Budget<'_>,
    ) -> Option<Run<'_>> {
        let fewer = |links: &usize| links.checked_sub(1 + links / 6);
        let counts = successors(Some(self.problem.links()), fewer);
        let mut most = None;
        for links in counts {
            let run = Run::new(self, order, links);
            let is_allowed = |run: &Run<'_>| {
                let tables = run.tables(sizes, slack, budget);
                tables.is_none_or(|tables| budget.allows(tables.work, tables.memory))
            };
            if run.as_ref().is_some_and(is_allowed) {
                return run;
            }
            most = most.or(run);
        }
        most
    }
}

impl<'plan> Run<'plan> {
    fn new(plan: &'plan Plan<'plan>, order: Order, links: usize) -> Option<Self> {
        let weights = Weights::new(plan.problem, order, links);
        if weights.total >= LIMIT {
            return None;
        }
        let chain = Chain::new(plan.problem, &plan.points, &plan.open, &weights);
        let is_possible = chain.is_some() || plan.points.len() <= enumeration::MAX_PLAYERS;
        is_possible.then_some(Self {
            plan,
            weights,
            chain,
            links,
        })
    }

    /// The tables for these sizes, each with differences up to its slack; none where the splits are
    /// enumerated.
    fn tables(
        &self,
        sizes: &[usize],
        slack: &dyn Fn(usize) -> i64,
        budget: &Budget<'_>,
    ) -> Option<Tables> {
        let chain = self.chain.as_ref()?;
        let mut targets = Targets::default();
        for &size in sizes {
            for counts in self.plan.problem.team_counts(size) {
                targets.add(counts, slack(size));
            }
        }
        let is_narrow = self.weights.total < i16::MAX as u64;
        let bytes = if is_narrow { 2 } else { 4 };
        let plan = MeetPlan::new(chain, &self.plan.points, &targets, budget.memory / bytes);
        Some(Tables {
            work: bytes * plan.work(),
            memory: bytes * plan.memory(),
            plan,
            is_narrow,
        })
    }

    /// Computes the tables for these sizes, each with differences up to its slack, and looks what
    /// teams of each there are.
    fn with_tables(
        &self,
        sizes: &[usize],
        slack: &dyn Fn(usize) -> i64,
        budget: &mut Budget<'_>,
        look: &mut dyn FnMut(&dyn Teams, usize),
    ) -> Result<(), Exceeded> {
        let Some(tables) = self.tables(sizes, slack, budget) else {
            for &size in sizes {
                look(&self.enumerated(size), size);
            }
            return Ok(());
        };
        let problem = self.plan.problem;
        budget.spend(tables.work, tables.memory)?;
        let _reservation = (budget.reserve)(tables.memory);
        if tables.is_narrow {
            let halves = tables.plan.compute::<i16>();
            for &size in sizes {
                look(&halves.teams(&problem.team_counts(size)), size);
            }
        } else {
            let halves = tables.plan.compute::<i32>();
            for &size in sizes {
                look(&halves.teams(&problem.team_counts(size)), size);
            }
        }
        Ok(())
    }

    fn enumerated(&self, size: usize) -> Enumeration {
        let Plan {
            problem,
            points,
            open,
            ..
        } = self.plan;
        Enumeration::new(points, open, &problem.team_counts(size), |seats| {
            self.weights.of_seats(problem, seats)
        })
    }

    /// The least differences, in units, by size.
    fn least_differences(&self, sizes: &[usize], budget: &mut Budget<'_>) -> BTreeMap<usize, i64> {
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

    /// The best split with a difference from `nearest` to `limit`; the `least` is handed on.
    fn best(&self, teams: &dyn Teams, nearest: i64, limit: i64, least: i64) -> Option<Found> {
        let problem = self.plan.problem;
        let cost = teams.least_cost(nearest, limit)?;
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
        Some(Found {
            seats: best,
            least,
            parties_split: self.weights.parties_split(cost),
        })
    }

    /// Of all splits that are as good as `best`, takes the one whose teams are most alike in standard
    /// deviation; where there are very many, the best of some.
    fn make_alike(&self, best: &mut [Seat], teams: &dyn Teams) {
        let Plan {
            problem, points, ..
        } = self.plan;
        let cost = self.weights.of_seats(problem, best);
        let repeats = problem.repeats(best);
        let is_as_good = |seats: &[Seat]| {
            self.weights.of_seats(problem, seats) <= cost && (repeats || !problem.repeats(seats))
        };
        let difference = difference(best, points).abs();
        let are_few = teams.count_at_least(difference, cost, TIES) < TIES;
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
            if ties < SAMPLE || (ties < most && least >= ALIKE) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
    }
}

/// The first seats with this difference, either way round, for `budget` at most, that `is_wanted`.
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

/// Those of the differences, either way round, that some split has for `budget` at most, ascending.
fn differences(
    teams: &dyn Teams,
    range: RangeInclusive<i64>,
    budget: u64,
) -> impl Iterator<Item = i64> {
    let (floor, limit) = range.into_inner();
    let next = move |floor: i64| teams.least_difference(floor, limit, budget);
    successors(next(floor), move |difference| next(difference + 1))
}

/// Up to `count` splits with differences up to `limit`, by difference and then by what they cost.
fn first_splits(teams: &dyn Teams, count: usize, limit: i64) -> Vec<Vec<Seat>> {
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

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    if other == 0 {
        one
    } else {
        greatest_common_divisor(other, one % other)
    }
}
