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

/// How many differences there are.
pub(super) fn length(differences: &Range<i64>) -> usize {
    usize::try_from(differences.end - differences.start).unwrap_or_default()
}

/// Where `differences` stand in a list that begins with `first`, which is none of the greater.
pub(super) fn places(first: i64, differences: &Range<i64>) -> Range<usize> {
    let place = |difference: i64| usize::try_from(difference - first).unwrap_or_default();
    if differences.is_empty() {
        return 0..0;
    }
    place(differences.start)..place(differences.end)
}

/// What so many of some players have together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    /// Those with the lowest ratings.
    pub(super) lowest: i64,
    /// Those with the highest.
    pub(super) highest: i64,
}

/// By count: the sums of so many of these ratings, which ascend.
pub(super) fn sums(points: &[i64]) -> Vec<Sums> {
    let mut of = Sums::default();
    let mut sums = Vec::with_capacity(points.len() + 1);
    sums.push(of);
    sums.extend(points.iter().zip(points.iter().rev()).map(|(low, high)| {
        of.lowest += low;
        of.highest += high;
        of
    }));
    sums
}
