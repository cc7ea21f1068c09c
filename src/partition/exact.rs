//! Exact search for the best split of every team size, by dynamic programming.

use std::collections::BTreeMap;
use std::iter::successors;

use super::fallback::greedy::swapped;
use super::limits::{Budget, Exceeded, Pace};
use super::objective::Order;
use super::problem::Problem;
use super::problem::seat::{Seat, difference};
use super::problem::wishes::open_seats;
use super::run::{Found, Run, first_splits};

#[derive(Clone, Debug)]
pub(crate) struct Best {
    pub(crate) seats: Vec<Seat>,
    /// Minimum difference of the teams' rating sums, in points, over all splits that keep the hard wishes.
    pub(crate) least: u64,
    /// `true` if it is proven that no split is closer or serves any wish better, except team similarity.
    pub(crate) is_proven: bool,
    /// Rating points by which sharing newcomers raises the minimum difference; `None` if none are shared.
    pub(crate) newcomers_cost: Option<u64>,
}

/// Finds the best split for each of these team sizes (ascending). Sizes that exceed the budget are missing.
pub(crate) fn best_splits(
    problem: &Problem<'_>,
    sizes: &[usize],
    budget: &mut Budget<'_>,
) -> BTreeMap<usize, Best> {
    let mut by_open_seats: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for &size in sizes {
        let open = open_seats(problem, size);
        by_open_seats.entry(open).or_default().push(size);
    }
    let mut best = BTreeMap::new();
    for (open, sizes) in by_open_seats {
        let plan = Plan::new(problem, open, &sizes, budget.pace);
        best.extend(plan.best_splits(&sizes, budget));
    }
    best
}

/// Returns the minimum difference of rating sums by team size, in points, for wishes without hard ones. `sizes` must
/// not be empty. Sizes whose tables exceed the budget are missing in the result.
pub(crate) fn least_differences(
    problem: &Problem<'_>,
    sizes: &[usize],
    budget: &mut Budget<'_>,
) -> BTreeMap<usize, u64> {
    let plan = Plan::new(problem, open_seats(problem, sizes[0]), sizes, budget.pace);
    let run = Run::new(&plan, Order::TurnsFirst, 0, budget.pace);
    let found = run
        .map(|run| run.least_differences(sizes, budget))
        .unwrap_or_default()
        .into_iter();
    let in_points = found.map(|(size, least)| (size, plan.in_points(least)));
    in_points.collect()
}

/// Finds up to `count` splits of one team size, by difference of rating sums and then by how well they serve the
/// wishes. Returns fewer if the budget is exceeded.
pub(crate) fn several(
    problem: &Problem<'_>,
    size: usize,
    count: usize,
    budget: &mut Budget<'_>,
) -> Vec<Vec<Seat>> {
    let plan = Plan::new(problem, open_seats(problem, size), &[size], budget.pace);
    let lean = problem.pool.handicap().lean.abs();
    let farthest = lean + plan.points.iter().map(|points| points.abs()).sum::<i64>();
    let mut slack = plan.at_hand(size);
    let run = plan.run_with_most_links(Order::TurnsFirst, &[size], &|_| slack, budget);
    let Some(run) = run else {
        return Vec::new();
    };
    let mut found = Vec::new();
    loop {
        let tables = run.with_tables(&[size], &|_| slack, budget, &mut |teams, _| {
            found = first_splits(teams, count, slack);
        });
        if tables.is_err() || found.len() == count || slack >= farthest {
            return found;
        }
        slack = 4 * slack + 64;
    }
}

/// Allowed seats and scaled ratings for the exact search of team sizes that allow every player the same seats.
pub(crate) struct Plan<'plan> {
    pub(crate) problem: &'plan Problem<'plan>,
    pub(crate) open: Vec<&'static [Seat]>,
    /// Ratings by player, in multiples of `unit`. For teams of equal size, the lowest rating is subtracted, which
    /// changes no difference.
    pub(crate) points: Vec<i64>,
    /// Rating points per unit of the ratings in [`points`](Self::points): a common divisor of all differences between
    /// the players' ratings.
    unit: i64,
    /// Distance of the teams' rating sums from even that greedy exchanges of players reach, by team size, in multiples
    /// of `unit`. An upper bound of the minimum distance.
    at_hand: BTreeMap<usize, i64>,
}

impl<'plan> Plan<'plan> {
    fn new(
        problem: &'plan Problem<'plan>,
        open: Vec<&'static [Seat]>,
        sizes: &[usize],
        pace: &Pace<'_>,
    ) -> Self {
        let lowest = problem
            .points
            .iter()
            .copied()
            .min()
            .filter(|_| !problem.is_uneven)
            .unwrap_or_default();
        let above = problem.points.iter().map(|points| points - lowest);
        // The lean of a handicap is in points and need not be a multiple of a larger unit.
        let unit = match problem.pool.handicap().lean {
            0 => above.clone().fold(0, greatest_common_divisor).max(1),
            _ => 1,
        };
        let points: Vec<i64> = above.map(|points| points / unit).collect();
        let at_hand = |size| {
            let swapped = swapped(problem, &open, size, pace);
            problem.distance(difference(&swapped, &points))
        };
        Self {
            problem,
            at_hand: sizes.iter().map(|&size| (size, at_hand(size))).collect(),
            open,
            points,
            unit,
        }
    }

    fn in_points(&self, difference: i64) -> u64 {
        (difference * self.unit).unsigned_abs()
    }

    pub(crate) fn in_units(&self, points: u32) -> i64 {
        i64::from(points) / self.unit
    }

    pub(crate) fn at_hand(&self, size: usize) -> i64 {
        self.at_hand[&size]
    }

    /// Finds the best splits by team size. If the budget is too small for all sizes at once, solves smaller teams
    /// first, because their tables are smaller.
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
        let slack = |size| self.at_hand(size) + self.in_units(self.widest_tolerance());
        let run = self
            .run_with_most_links(Order::TurnsFirst, sizes, &slack, budget)
            .ok_or(Exceeded)?;
        let tolerance = self.in_units(run.tolerance());
        let mut found = BTreeMap::new();
        run.with_tables(sizes, &slack, budget, &mut |teams, size| {
            let least = teams.least_difference(0, self.at_hand(size), u64::MAX);
            let best = least.and_then(|least| run.best(teams, least, least + tolerance, least));
            found.extend(best.map(|best| (size, best)));
        })?;
        // Keeping parties together may justify a larger difference; parties then come before turns on the bench.
        let split: BTreeMap<usize, i64> = found
            .iter()
            .filter(|(_, found)| found.parties_split > 0 && wishes.party_price > 0)
            .map(|(size, found)| (*size, found.least))
            .collect();
        let mut is_open = false;
        if !split.is_empty() {
            let kept = self.keep_parties(&split, budget);
            is_open = kept.is_err();
            found.extend(kept.unwrap_or_default());
        }
        let best = found.into_iter().map(|(size, found)| {
            let best = Best {
                is_proven: found.is_proven && !(is_open && split.contains_key(&size)),
                least: self.in_points(found.least),
                newcomers_cost: found.newcomers_cost.map(|cost| self.in_points(cost)),
                seats: found.seats,
            };
            (size, best)
        });
        Ok(best.collect())
    }

    /// Finds, by team size, the best split that breaks up fewer parties than any split within the tolerance. Its
    /// difference of rating sums may exceed the tolerance by the party price. `least` has the minimum difference by
    /// size. Sizes without such a split are missing in the result.
    fn keep_parties(
        &self,
        least: &BTreeMap<usize, i64>,
        budget: &mut Budget<'_>,
    ) -> Result<BTreeMap<usize, Found>, Exceeded> {
        let price = self.problem.wishes.party_price;
        let sizes: Vec<usize> = least.keys().copied().collect();
        let slack = |size| least[&size] + self.in_units(self.widest_tolerance() + price);
        let run = self
            .run_with_most_links(Order::PartiesFirst, &sizes, &slack, budget)
            .ok_or(Exceeded)?;
        let tolerance = self.in_units(run.tolerance());
        let with_price = self.in_units(run.tolerance() + price);
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

    /// Returns the maximum number of rating points by which wishes, except parties, may raise the difference of the
    /// teams' rating sums above the minimum.
    fn widest_tolerance(&self) -> u32 {
        let wishes = self.problem.wishes;
        self.problem
            .newcomers
            .as_ref()
            .map_or(wishes.tolerance, |_| {
                wishes.tolerance.max(wishes.newcomers_price)
            })
    }

    /// Returns a search that considers as many links (pairs apart, roles, newcomers) as the budget allows for these
    /// team sizes. If even the search without links exceeds the budget, returns the one with the most links.
    fn run_with_most_links(
        &self,
        order: Order,
        sizes: &[usize],
        slack: &dyn Fn(usize) -> i64,
        budget: &mut Budget<'_>,
    ) -> Option<Run<'_>> {
        let fewer = |links: &usize| links.checked_sub(1 + links / 3);
        let all = self.problem.links_with_newcomers();
        let with_newcomers = (all > self.problem.links()).then_some(all);
        let counts = successors(Some(self.problem.links()), fewer);
        let counts = with_newcomers.into_iter().chain(counts);
        let mut most = None;
        let is_allowed = |run: &Run<'_>, budget: &Budget<'_>| {
            let Ok(tables) = run.tables(sizes, slack, budget) else {
                return false;
            };
            let is_allowed = tables.is_none_or(|one| budget.allows(one.work, one.memory));
            is_allowed && run.weights.waits_are_distinct
        };
        for links in counts {
            let run = Run::new(self, order, links, budget.pace);
            if all == 0 || run.as_ref().is_some_and(|run| is_allowed(run, budget)) {
                return run;
            }
            budget.spend_on_planning(self.points.len());
            most = most.or(run);
        }
        most
    }
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    if other == 0 {
        one
    } else {
        greatest_common_divisor(other, one % other)
    }
}
