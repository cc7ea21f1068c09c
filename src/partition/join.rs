use std::borrow::Cow;
use std::cell::OnceCell;

use super::cost::Cost;
use super::group::{Group, least_sum};
use super::table::{Span, Table};

/// The two halves of a pool, joined into teams of equal size.
pub(super) struct Join<'group, C> {
    left: &'group Table<C>,
    right: &'group Table<C>,
    /// By counts, a times (most + 1) plus b: the differences of the halves that can be reached,
    /// ascending.
    reached: [Vec<OnceCell<Vec<i64>>>; 2],
    most: usize,
}

/// Counts on team A and B of the left half's players; the right half's fill the teams up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    left: (usize, usize),
    right: (usize, usize),
}

impl<'group, C: Cost> Join<'group, C> {
    /// Of a group of all players, for teams of up to `most`.
    pub(super) fn new(everybody: &'group Group<'_, C>, most: usize) -> Self {
        let [left, right] = everybody.halves();
        let empty = || vec![OnceCell::new(); (most + 1) * (most + 1)];
        Self {
            left: left.table(),
            right: right.table(),
            reached: [empty(), empty()],
            most,
        }
    }

    /// The ways to make teams of `size` out of the two halves, those first that put equally many
    /// players of a half on each team, because most splits are there.
    pub(super) fn pairs(&self, size: usize) -> Vec<Pair> {
        let counts = (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b)));
        let mut pairs: Vec<Pair> = counts
            .map(|(a, b)| Pair {
                left: (a, b),
                right: (size - a, size - b),
            })
            .filter(|pair| self.cells(pair).is_some())
            .collect();
        pairs.sort_by_key(|pair| pair.left.0.abs_diff(pair.left.1));
        pairs
    }

    /// The least difference of `floor` and the one after it, either way round, that the pairs can
    /// reach, and the least that it costs. Where many can be reached, one of these can.
    pub(super) fn near_difference(&self, pairs: &[Pair], floor: i64) -> Option<(i64, C)> {
        [floor, floor + 1].into_iter().find_map(|difference| {
            let cost = self.least_cost(pairs, difference, difference);
            cost.is_had().then_some((difference, cost))
        })
    }

    /// The least difference from `floor` on, either way round, that the pairs can reach, and the
    /// least that it costs.
    pub(super) fn next_difference(&self, pairs: &[Pair], floor: i64) -> Option<(i64, C)> {
        if let Some(near) = self.near_difference(pairs, floor) {
            return Some(near);
        }
        let floor = floor + 2;
        // Those first that come nearest if all between their ends could be reached.
        let mut nearest: Vec<(i64, &Pair)> = pairs
            .iter()
            .filter_map(|pair| Some((self.gap(pair)?, pair)))
            .collect();
        nearest.sort_by_key(|(gap, _)| *gap);
        let mut best = None;
        for (gap, pair) in nearest {
            if best.is_some_and(|best| gap >= best) {
                break;
            }
            if gap >= floor && self.least_cost(&[*pair], gap, gap).is_had() {
                best = Some(gap);
                continue;
            }
            let (lefts, rights) = (self.reached(0, pair), self.reached(1, pair));
            let (lefts, rights) = (near(lefts, rights, best), near(rights, lefts, best));
            for (one, other) in [(lefts, rights), (rights, lefts)] {
                best = next_gap(one, other, floor, best);
            }
        }
        best.map(|difference| (difference, self.least_cost(pairs, difference, difference)))
    }

    /// The least cost of a difference from `floor` to `limit`, either way round.
    pub(super) fn least_cost(&self, pairs: &[Pair], floor: i64, limit: i64) -> C {
        let mut least = C::NEVER;
        for pair in pairs {
            least = least.min(self.cost_between(pair, floor, limit));
            if least == C::FREE {
                break;
            }
        }
        least
    }

    /// The least difference from `floor` to `limit`, either way round, that costs no more than
    /// `budget`, if that of `limit` does where no less does.
    pub(super) fn least_affordable(
        &self,
        pairs: &[Pair],
        floor: i64,
        limit: i64,
        budget: u64,
    ) -> i64 {
        let (mut least, mut limit) = (floor, limit);
        let affords = |pair: &Pair, limit| self.cost_between(pair, floor, limit).get() <= budget;
        let mut pairs = pairs.to_vec();
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

    /// By how much the ranges of the pair's differences miss each other; 0 or less where they
    /// overlap.
    fn gap(&self, pair: &Pair) -> Option<i64> {
        let (left, _, right, _) = self.cells(pair)?;
        let (left, right) = (left.differences(), right.differences());
        Some((left.start - (right.end - 1)).max(right.start - (left.end - 1)))
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

    /// The differences that one of the halves can reach, ascending.
    fn reached(&self, half: usize, pair: &Pair) -> &[i64] {
        let (table, (a, b)) = if half == 0 {
            (self.left, pair.left)
        } else {
            (self.right, pair.right)
        };
        self.reached[half][a * (self.most + 1) + b].get_or_init(|| {
            let Some((span, costs)) = table.cell(a, b) else {
                return Vec::new();
            };
            let all = span.differences().zip(costs);
            all.filter(|(_, cost)| cost.is_had())
                .map(|(difference, _)| difference)
                .collect()
        })
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

/// Those of `differences` that are within `reach`, if there is one, of the range of the `others`,
/// both ascending.
fn near<'list>(differences: &'list [i64], others: &[i64], reach: Option<i64>) -> &'list [i64] {
    let (Some(first), Some(last), Some(reach)) = (others.first(), others.last(), reach) else {
        return differences;
    };
    let start = differences.partition_point(|one| *one < first - reach);
    let end = differences.partition_point(|one| *one <= last + reach);
    &differences[start..end.max(start)]
}

/// The least amount, `floor` or more, by which one of `higher` exceeds one of `lower`, both
/// ascending, if that is below `best`; else `best`.
fn next_gap(higher: &[i64], lower: &[i64], floor: i64, best: Option<i64>) -> Option<i64> {
    let mut best = best;
    let mut rest = higher.iter().peekable();
    for &low in lower {
        while rest.next_if(|&&high| high < low + floor).is_some() {}
        let Some(&&high) = rest.peek() else { break };
        let gap = high - low;
        if best.is_none_or(|best| gap < best) {
            best = Some(gap);
        }
    }
    best
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

        #[test]
        fn the_next_gap_is_the_least_of_all(
            higher in prop::collection::btree_set(-50..50_i64, 0..20),
            lower in prop::collection::btree_set(-50..50_i64, 0..20),
            floor in 0..20_i64,
        ) {
            let gaps = higher.iter().flat_map(|high| lower.iter().map(move |low| high - low));
            let expected = gaps.filter(|gap| *gap >= floor).min();
            let lists = [higher, lower].map(|list| list.into_iter().collect::<Vec<i64>>());
            prop_assert_eq!(next_gap(&lists[0], &lists[1], floor, None), expected);
        }
    }
}
