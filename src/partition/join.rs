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

    /// The least difference from `floor` on, either way round, that the pairs can reach, and the
    /// least that it costs.
    pub(super) fn next_difference(&self, pairs: &[Pair], floor: i64) -> Option<(i64, C)> {
        // Where many differences can be reached, one of these can.
        let near = floor..floor + 2;
        for difference in near.clone() {
            let cost = self.least_cost(pairs, difference, difference);
            if cost.is_had() {
                return Some((difference, cost));
            }
        }
        let mut best = None;
        for pair in pairs {
            if let Some((left, _, right, _)) = self.cells(pair) {
                let (left, right) = (left.differences(), right.differences());
                let gap = (left.start - (right.end - 1)).max(right.start - (left.end - 1));
                if best.is_some_and(|best| gap >= best) {
                    continue;
                }
                let (lefts, rights) = (self.reached(0, pair), self.reached(1, pair));
                for (one, other) in [(lefts, rights), (rights, lefts)] {
                    best = next_gap(one, other, near.end, best);
                }
            }
        }
        best.map(|difference| (difference, self.least_cost(pairs, difference, difference)))
    }

    /// The least cost of a difference from 0 to `limit`, either way round; from `limit` alone where
    /// `floor` is as high.
    pub(super) fn least_cost(&self, pairs: &[Pair], floor: i64, limit: i64) -> C {
        let mut least = C::NEVER;
        for pair in pairs {
            least = least.min(if floor == limit {
                self.cost_at(pair, limit).min(self.cost_at(pair, -limit))
            } else {
                self.cost_within(pair, limit)
            });
            if least == C::FREE {
                break;
            }
        }
        least
    }

    /// The least difference from `floor` to `limit`, either way round, that costs no more than
    /// `budget`, if `limit` is high enough and nothing below `floor` can be reached.
    pub(super) fn least_affordable(
        &self,
        pairs: &[Pair],
        floor: i64,
        limit: i64,
        budget: u64,
    ) -> i64 {
        if floor == limit {
            return limit;
        }
        let pairs: Vec<Pair> = pairs
            .iter()
            .filter(|pair| self.cost_within(pair, limit).get() <= budget)
            .copied()
            .collect();
        let (mut floor, mut limit) = (floor, limit);
        while floor < limit {
            let middle = floor + (limit - floor) / 2;
            let mut costs = pairs.iter().map(|pair| self.cost_within(pair, middle));
            if costs.any(|cost| cost.get() <= budget) {
                limit = middle;
            } else {
                floor = middle + 1;
            }
        }
        limit
    }

    fn cells(&self, pair: &Pair) -> Option<(Span, &[C], Span, &[C])> {
        let (left, lefts) = self.left.cell(pair.left.0, pair.left.1)?;
        let (right, rights) = self.right.cell(pair.right.0, pair.right.1)?;
        Some((left, lefts, right, rights))
    }

    /// The least cost of exactly this `difference`.
    fn cost_at(&self, pair: &Pair, difference: i64) -> C {
        self.cells(pair)
            .map_or(C::NEVER, |(left, lefts, right, rights)| {
                least_sum_at((left.first, lefts), (right.first + difference, rights))
            })
    }

    /// The least cost of a difference of at most `limit`, either way round.
    fn cost_within(&self, pair: &Pair, limit: i64) -> C {
        let Some((left, lefts, right, rights)) = self.cells(pair) else {
            return C::NEVER;
        };
        let (left, right) = (left.differences(), right.differences());
        if left.start >= right.end + limit || right.start >= left.end + limit {
            return C::NEVER;
        }
        let reach = usize::try_from(limit).unwrap_or_default();
        let widened = widened(rights, reach);
        least_sum_at((left.start, lefts), (right.start - limit, &widened))
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

/// The least cost within `reach` places of each, beginning `reach` places before the first and
/// ending as many after the last.
fn widened<C: Cost>(costs: &[C], reach: usize) -> Vec<C> {
    let width = 2 * reach + 1;
    let mut least = vec![C::NEVER; 2 * reach];
    least.extend_from_slice(costs);
    least.resize(costs.len() + 4 * reach, C::NEVER);
    // Each entry becomes the least of the `done` entries from it on, twice as many every time.
    let mut done = 1;
    while done < width {
        let step = done.min(width - done);
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
