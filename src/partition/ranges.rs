use std::ops::Range;

/// The differences from the least of both ranges to the greatest, where they are not empty.
pub(super) fn hull(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.clone(),
        (_, true) => one.clone(),
        _ => one.start.min(other.start)..one.end.max(other.end),
    }
}

/// The differences that stand in both ranges.
pub(super) fn common(one: &Range<i64>, other: &Range<i64>) -> Range<i64> {
    let start = one.start.max(other.start);
    start..one.end.min(other.end).max(start)
}

/// The sums of the first 0, 1, 2 and so on of these ratings.
pub(super) fn sums<'a>(points: impl IntoIterator<Item = &'a i64>) -> Vec<i64> {
    let sums = points.into_iter().scan(0, |sum, points| {
        *sum += points;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}
