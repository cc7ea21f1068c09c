use std::borrow::Cow;
use std::iter::successors;
use std::ops::{Range, RangeInclusive};

use super::cell::Cell;
use super::cost::Cost;
use super::half::Half;
use super::ranges::{common, places};
use super::rules::Sign;
use super::run::Run;

/// The two halves of a pool, joined into teams of equal size.
pub(super) struct Join<'run, C> {
    /// They count differences with opposite signs, so that what fits together stands in both tables
    /// in the same order: a difference of all is that of the left half less that of the right one.
    pub(super) left: Half<'run, C>,
    pub(super) right: Half<'run, C>,
}

/// The ways to make teams of one size.
pub(super) struct Teams<'join, C> {
    pub(super) join: &'join Join<'join, C>,
    pub(super) pairs: Vec<Pair>,
    /// What costs as much may be had for less where the tables are too narrow to tell.
    ceiling: u64,
}

/// Counts on team A and B of the left half's players; the right half's fill the teams up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) left: (usize, usize),
    pub(super) right: (usize, usize),
    /// The bases of both halves together: no difference costs less.
    pub(super) base: u64,
}

/// The least cost, and at which of the pairs it was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cheapest {
    pub(super) cost: u64,
    pub(super) at: usize,
}

impl<'run, C: Cost> Join<'run, C> {
    /// Of all players.
    pub(super) fn new(run: &'run Run<'_>) -> Self {
        let (left, right) = run.members.split_at(run.cut);
        let [left_layout, right_layout] = &run.layouts;
        let left = Half::new(left, left_layout, Sign::Plus);
        let right = Half::new(right, right_layout, Sign::Minus);
        Self { left, right }
    }

    /// The ways to make teams of `size` out of the two halves.
    fn pairs(&self, size: usize) -> impl Iterator<Item = Pair> {
        let shapes = [&self.left, &self.right].map(|half| half.table().shape());
        let joined = shapes[0].joined(shapes[1], size);
        joined.map(move |(left, one, other)| Pair {
            left,
            right: (size - left.0, size - left.1),
            base: one.base + other.base,
        })
    }

    /// What is known of the counts in both halves.
    pub(super) fn cells(&self, pair: &Pair) -> Option<(Cell<'_>, Cell<'_>)> {
        let (left, right) = (self.left.table().shape(), self.right.table().shape());
        let left = left.cell(pair.left.0, pair.left.1)?;
        Some((left, right.cell(pair.right.0, pair.right.1)?))
    }

    /// The least cost of a difference from `floor` to `limit`, either way round.
    pub(super) fn cost_between(&self, pair: &Pair, floor: i64, limit: i64) -> Option<u64> {
        let (left, right) = self.cells(pair)?;
        let mut least = C::NEVER;
        for one in left.spans {
            let near = one.first - limit..one.end + limit;
            for other in right.spans_with(&near) {
                let one = (&one.differences(), self.left.table().costs_of(one));
                let other = (&other.differences(), self.right.table().costs_of(other));
                least = least.min(least_between(one, other, floor, limit));
            }
        }
        least.is_had().then(|| pair.base + least.get())
    }
}

impl<'join, C: Cost> Teams<'join, C> {
    /// Of `size`.
    pub(super) fn new(join: &'join Join<'join, C>, size: usize) -> Self {
        let mut pairs = Vec::with_capacity(join.left.table().shape().counts_told());
        // Rows in rows are slow to ask for one item after another, as collecting does.
        join.pairs(size).for_each(|pair| pairs.push(pair));
        let base = pairs.iter().map(|pair| pair.base).min();
        let ceiling = base.map_or(0, |base| base + C::NEVER.get());
        pairs.retain(|pair| pair.base < ceiling);
        // Those first that may cost the least, and of these those that put equally many players of a
        // half on each team, because most splits are there.
        pairs.sort_unstable_by_key(|pair| {
            let (a, b) = pair.left;
            (pair.base, a.abs_diff(b), pair.left)
        });
        Self {
            join,
            pairs,
            ceiling,
        }
    }

    /// Whether what costs so much is told from what costs more.
    pub(super) fn tell(&self, cost: u64) -> bool {
        cost < self.ceiling
    }

    /// The least cost of a difference from `floor` to `limit`, either way round, if the tables are
    /// wide enough to tell.
    pub(super) fn least_cost(&self, floor: i64, limit: i64) -> Option<Cheapest> {
        self.cost_up_to(0, floor, limit)
    }

    /// The least cost of a difference from `floor` to `limit`, either way round, or one that is no more
    /// than `enough`, if the tables are wide enough to tell.
    pub(super) fn cost_up_to(&self, enough: u64, floor: i64, limit: i64) -> Option<Cheapest> {
        let mut least: Option<Cheapest> = None;
        for (at, pair) in self.pairs.iter().enumerate() {
            if least.is_some_and(|least| least.cost <= enough.max(pair.base)) {
                break;
            }
            let cost = self.join.cost_between(pair, floor, limit);
            if let Some(cost) = cost.filter(|cost| least.is_none_or(|least| *cost < least.cost)) {
                least = Some(Cheapest { cost, at });
            }
        }
        least.filter(|least| self.tell(least.cost))
    }

    /// The least difference from `floor` to `limit`, either way round, that costs no more than
    /// `budget`, if that of `limit` does where no less does.
    pub(super) fn least_affordable(&self, floor: i64, limit: i64, budget: u64) -> i64 {
        let is_affordable = |pair: &&Pair| pair.base <= budget;
        let pairs = self.pairs.iter().take_while(is_affordable);
        pairs.fold(limit, |limit, pair| {
            let affords = |from, to| {
                let cost = self.join.cost_between(pair, from, to);
                cost.is_some_and(|cost| cost <= budget)
            };
            // Few have a lesser one than all before, so one look at each mostly does.
            if floor == limit || !affords(floor, limit - 1) {
                return limit;
            }
            let (mut floor, mut limit) = (floor, limit - 1);
            while floor < limit {
                let middle = floor + (limit - floor) / 2;
                if affords(floor, middle) {
                    limit = middle;
                } else {
                    floor = middle + 1;
                }
            }
            limit
        })
    }

    /// Those of the `differences`, either way round, that some split has for `budget` at most, ascending.
    pub(super) fn affordable(
        &self,
        differences: RangeInclusive<i64>,
        budget: u64,
    ) -> impl Iterator<Item = i64> {
        let (floor, limit) = differences.into_inner();
        let next = move |floor: i64| {
            let least = (floor <= limit).then(|| self.cost_up_to(budget, floor, limit))??;
            (least.cost <= budget).then(|| self.least_affordable(floor, limit, budget))
        };
        successors(next(floor), move |difference| next(difference + 1))
    }
}

/// The least sum of two costs that stand at the same place.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn least_sum<C: Cost>(lefts: &[C], rights: &[C]) -> C {
    let sums = lefts
        .iter()
        .zip(rights)
        .map(|(left, right)| left.plus(*right));
    sums.fold(C::NEVER, C::min)
}

/// The least sum of a cost on the left and one on the right whose differences are `floor` to `limit`
/// apart, whichever is the greater; each list has one for each of its differences.
fn least_between<C: Cost>(
    (left, lefts): (&Range<i64>, &[C]),
    (right, rights): (&Range<i64>, &[C]),
    floor: i64,
    limit: i64,
) -> C {
    let (lowest, highest) = (left.start - right.end + 1, left.end - 1 - right.start);
    // No two are closer than the ranges, or further apart than their ends.
    let (floor, limit) = (
        floor.max(lowest.max(-highest)),
        limit.min(highest.max(-lowest)),
    );
    if floor > limit {
        return C::NEVER;
    }
    // What the right half costs within a window below the left one's difference counts, or above it,
    // the other way round.
    let near = common(right, &(left.start - limit..left.end + limit));
    let rights = &rights[places(right.start, &near)];
    let width = limit - floor;
    let windows = match usize::try_from(width) {
        Ok(0) | Err(_) => Cow::Borrowed(rights),
        Ok(width) => Cow::Owned(least_of_windows(rights, width)),
    };
    let first = near.start - width;
    let below = least_sum_at((left.start, lefts), (first + limit, &windows));
    if limit == 0 {
        return below;
    }
    below.min(least_sum_at((left.start, lefts), (first - floor, &windows)))
}

/// The least sum of two costs at the same difference; each list begins at its own.
fn least_sum_at<C: Cost>((left, lefts): (i64, &[C]), (right, rights): (i64, &[C])) -> C {
    let first = left.max(right);
    least_sum(
        costs_from(first, left, lefts),
        costs_from(first, right, rights),
    )
}

/// Those of the costs from the difference `first` on; the first of them all is that of `start`.
pub(super) fn costs_from<C>(first: i64, start: i64, costs: &[C]) -> &[C] {
    let place = usize::try_from(first - start);
    &costs[place.map_or(costs.len(), |place| place.min(costs.len()))..]
}

/// The least cost of each place and the `width` before it, places past the end included.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn least_of_windows<C: Cost>(costs: &[C], width: usize) -> Vec<C> {
    let mut least = Vec::with_capacity(costs.len() + 2 * width);
    least.resize(width, C::NEVER);
    least.extend_from_slice(costs);
    least.resize(costs.len() + 2 * width, C::NEVER);
    let mut next = least.clone();
    // Each entry becomes the least of the `done` entries from it on, twice as many every time.
    let mut done = 1;
    while done <= width {
        let step = done.min(width + 1 - done);
        let ahead = &least[step..];
        for ((next, one), other) in next.iter_mut().zip(&least).zip(ahead) {
            *next = (*one).min(*other);
        }
        std::mem::swap(&mut least, &mut next);
        done += step;
    }
    least.truncate(costs.len() + width);
    least
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_least_between_two_differences_is_that_of_some_two(
            left in -30..30_i64, lefts in prop::collection::vec(0..=u8::MAX, 1..20),
            right in -30..30_i64, rights in prop::collection::vec(0..=u8::MAX, 1..20),
            floor in 0..50_i64, more in 0..50_i64,
        ) {
            let limit = floor + more;
            let ones = (left..).zip(&lefts);
            let sums = ones.flat_map(|(one, cost)| {
                let others = (right..).zip(&rights);
                let near = others.filter(move |(other, _)| {
                    (floor..=limit).contains(&(one - other).abs())
                });
                near.map(move |(_, other)| cost.saturating_add(*other))
            });
            let expected = sums.min().unwrap_or(u8::NEVER);
            let end = |first, costs: &[u8]| first + i64::try_from(costs.len()).unwrap_or_default();
            let range = |first, costs: &[u8]| first..end(first, costs);
            let (left, right) = (range(left, &lefts), range(right, &rights));
            let found = least_between((&left, &lefts), (&right, &rights), floor, limit);
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn windows_have_the_least_of_what_they_cover(
            costs in prop::collection::vec(0..=u8::MAX, 1..40), width in 1..50_usize,
        ) {
            let least = least_of_windows(&costs, width);
            prop_assert_eq!(least.len(), costs.len() + width);
            for (place, least) in least.iter().enumerate() {
                let covered = place.saturating_sub(width)..costs.len().min(place + 1);
                prop_assert_eq!(Some(least), costs[covered].iter().min());
            }
        }
    }
}
