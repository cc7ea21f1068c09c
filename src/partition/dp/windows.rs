//! Minimum sum of two rows of costs that are shifted against each other.

use std::borrow::Cow;
use std::ops::Range;

use super::bound::{common, length};
use super::table::Cost;

/// Row of a table: the minimum cost of unserved wishes for each difference of the teams' rating sums in a range.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'table, C> {
    pub(super) differences: &'table Range<i64>,
    pub(super) costs: &'table [C],
}

#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn least_of<C: Cost>(costs: &[C]) -> C {
    costs.iter().copied().fold(C::UNREACHABLE, C::min)
}

/// Returns the minimum sum of a left and a right cost at the same index.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn least_sum<C: Cost>(lefts: &[C], rights: &[C]) -> C {
    let sums = lefts
        .iter()
        .zip(rights)
        .map(|(left, right)| left.plus(*right));
    sums.fold(C::UNREACHABLE, C::min)
}

/// Counts the indices at which the costs in the left half's row and in the right half's row sum to at most `budget`.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn sums_up_to<C: Cost>(lefts: &[C], rights: &[C], budget: C) -> usize {
    let sums = lefts
        .iter()
        .zip(rights)
        .map(|(left, right)| left.plus(*right));
    sums.filter(|sum| *sum <= budget).count()
}

/// Returns the minimum sum of two costs, one from each half's row, whose differences of rating sums are `floor` to
/// `limit` apart. Each row has one cost for each difference.
pub(super) fn least_between<C: Cost>(left: Row<C>, right: Row<C>, floor: i64, limit: i64) -> C {
    let (lefts, rights) = (left.differences, right.differences);
    let (lowest, highest) = (lefts.start - rights.end + 1, lefts.end - 1 - rights.start);
    // Tighten the limits to the distances that occur between the two ranges.
    let floor = floor.max(lowest.max(-highest));
    let limit = limit.min(highest.max(-lowest));
    if floor > limit {
        return C::UNREACHABLE;
    }
    // Right costs count if their difference lies in a window below or above the left one's difference.
    let near = common(rights, &(lefts.start - limit..lefts.end + limit));
    let costs = &right.costs[length(&(rights.start..near.start))..][..length(&near)];
    let width = length(&(floor..limit));
    let windows = match width {
        0 => Cow::Borrowed(costs),
        _ => Cow::Owned(least_of_windows(costs, width)),
    };
    let least_at = |first: i64| {
        let start = lefts.start.max(first);
        least_sum(
            from(start, lefts.start, left.costs),
            from(start, first, &windows),
        )
    };
    let first = near.start - (limit - floor);
    let below = least_at(first + limit);
    if limit == 0 {
        below
    } else {
        below.min(least_at(first - floor))
    }
}

/// Returns the part of `costs` from the rating-sum difference `first` on; `start` is the difference of the first cost.
pub(super) fn from<C>(first: i64, start: i64, costs: &[C]) -> &[C] {
    let place = usize::try_from(first - start);
    &costs[place.map_or(costs.len(), |place| place.min(costs.len()))..]
}

/// Returns sliding minimums: each is the minimum of a cost and the `width` costs before it. The windows slide past the
/// end, so there are `width` more minimums than `costs`.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn least_of_windows<C: Cost>(costs: &[C], width: usize) -> Vec<C> {
    let mut least = vec![C::UNREACHABLE; width];
    least.extend_from_slice(costs);
    least.resize(costs.len() + 2 * width, C::UNREACHABLE);
    let mut next = least.clone();
    // Each entry becomes the minimum of the next `done` entries; `done` doubles each time.
    let mut done = 1;
    while done <= width {
        let step = done.min(width + 1 - done);
        for ((next, one), other) in next.iter_mut().zip(&least).zip(&least[step..]) {
            *next = (*one).min(*other);
        }
        std::mem::swap(&mut least, &mut next);
        done += step;
    }
    least.truncate(costs.len() + width);
    least
}
