use std::borrow::Cow;

use super::cost::Cost;
use super::group::{Group, least_sum};
use super::table::{Span, Table};

/// The two halves of a pool, joined into teams of equal size.
pub(super) struct Join<'group, C> {
    left: &'group Table<C>,
    right: &'group Table<C>,
    /// By counts on A and B: the least that any difference of a half costs.
    least: [Vec<Vec<C>>; 2],
}

/// The ways to make teams of one size, by one set of rules or another.
pub(super) struct Teams<'join, C> {
    pairs: Vec<(&'join Join<'join, C>, Pair)>,
}

/// Counts on team A and B of the left half's players; the right half's fill the teams up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    left: (usize, usize),
    right: (usize, usize),
    /// No difference costs less.
    bound: u64,
}

impl<'group, C: Cost> Join<'group, C> {
    /// Of a group of all players.
    pub(super) fn new(everybody: &'group Group<'_, C>) -> Self {
        let [left, right] = everybody.halves().each_ref().map(Group::table);
        Self {
            left,
            right,
            least: [left, right].map(Table::least),
        }
    }

    /// The ways to make teams of `size` out of the two halves, those first that may cost the least,
    /// and of these those that put equally many players of a half on each team, because most splits
    /// are there.
    fn pairs(&self, size: usize) -> Vec<Pair> {
        let counts = (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b)));
        let all = counts.filter_map(|(a, b)| {
            let (left, right) = ((a, b), (size - a, size - b));
            let least =
                |half: usize, (a, b): (usize, usize)| self.least[half].get(a)?.get(b).copied();
            let bound = least(0, left)?.plus(least(1, right)?);
            bound.is_had().then(|| Pair {
                left,
                right,
                bound: bound.get(),
            })
        });
        let mut pairs = Vec::with_capacity((size + 1) * (size + 1));
        pairs.extend(all);
        pairs.sort_by_key(|pair: &Pair| (pair.bound, pair.left.0.abs_diff(pair.left.1)));
        pairs
    }

    fn cells(&self, pair: &Pair) -> Option<(Span, &[C], Span, &[C])> {
        let (left, lefts) = self.left.cell(pair.left.0, pair.left.1)?;
        let (right, rights) = self.right.cell(pair.right.0, pair.right.1)?;
        Some((left, lefts, right, rights))
    }

    /// The least cost of a difference from `floor` to `limit`, either way round.
    fn cost_between(&self, pair: &Pair, floor: i64, limit: i64) -> C {
        let Some((left, lefts, right, rights)) = self.cells(pair) else {
            return C::NEVER;
        };
        let (left, right) = (left.differences(), right.differences());
        let (lowest, highest) = (left.start - right.end + 1, left.end - 1 - right.start);
        if lowest.max(-highest) > limit || highest.max(-lowest) < floor {
            return C::NEVER;
        }
        // A difference is what the left half has more than the right. So what the right half costs
        // within a window below the left one's difference counts, or above it, the other way round.
        let width = limit - floor;
        let windows = match usize::try_from(width) {
            Ok(0) | Err(_) => Cow::Borrowed(rights),
            Ok(width) => Cow::Owned(least_of_windows(rights, width)),
        };
        let first = right.start - width;
        let below = least_sum_at((left.start, lefts), (first + limit, &windows));
        if limit == 0 {
            return below;
        }
        below.min(least_sum_at((left.start, lefts), (first - floor, &windows)))
    }
}

impl<'join, C: Cost> Teams<'join, C> {
    /// Of `size`.
    pub(super) fn new(joins: &'join [Join<'join, C>], size: usize) -> Self {
        let pairs = joins
            .iter()
            .flat_map(|join| join.pairs(size).into_iter().map(move |pair| (join, pair)));
        let mut pairs: Vec<_> = pairs.collect();
        // Stable: of equals those stay first in which most splits are.
        pairs.sort_by_key(|(_, pair)| pair.bound);
        Self { pairs }
    }

    /// The least cost of a difference from `floor` to `limit`, either way round.
    pub(super) fn least_cost(&self, floor: i64, limit: i64) -> C {
        let mut least = C::NEVER;
        for (join, pair) in &self.pairs {
            if pair.bound >= least.get() {
                break;
            }
            least = least.min(join.cost_between(pair, floor, limit));
        }
        least
    }

    /// The least difference from `floor` to `limit`, either way round, that costs no more than
    /// `budget`, if that of `limit` does where no less does.
    pub(super) fn least_affordable(&self, floor: i64, limit: i64, budget: u64) -> i64 {
        let (mut least, mut limit) = (floor, limit);
        let affords = |(join, pair): &(&Join<'_, C>, Pair), limit| {
            join.cost_between(pair, floor, limit).get() <= budget
        };
        let affordable = |(_, pair): &&(_, Pair)| pair.bound <= budget;
        let mut pairs: Vec<_> = self.pairs.iter().take_while(affordable).copied().collect();
        if least < limit {
            pairs.retain(|pair| affords(pair, limit));
        }
        while least < limit {
            let middle = least + (limit - least) / 2;
            if pairs.iter().any(|pair| affords(pair, middle)) {
                pairs.retain(|pair| affords(pair, middle));
                limit = middle;
            } else {
                least = middle + 1;
            }
        }
        limit
    }
}

/// The least sum of two costs at the same difference; each list begins at its own.
fn least_sum_at<C: Cost>((left, lefts): (i64, &[C]), (right, rights): (i64, &[C])) -> C {
    let first = left.max(right);
    let from = |start: i64, costs: &'_ [C]| -> usize {
        usize::try_from(first - start).map_or(costs.len(), |place| place.min(costs.len()))
    };
    least_sum(&lefts[from(left, lefts)..], &rights[from(right, rights)..])
}

/// The least cost of each place and the `width` before it, places past the end included.
fn least_of_windows<C: Cost>(costs: &[C], width: usize) -> Vec<C> {
    let mut least = vec![C::NEVER; width];
    least.extend_from_slice(costs);
    least.resize(costs.len() + 2 * width, C::NEVER);
    // Each entry becomes the least of the `done` entries from it on, twice as many every time.
    let mut done = 1;
    while done <= width {
        let step = done.min(width + 1 - done);
        let ahead = least[step..].iter();
        let next: Vec<C> = least
            .iter()
            .zip(ahead)
            .map(|(one, other)| (*one).min(*other))
            .collect();
        least = next;
        done += step;
    }
    least
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
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
