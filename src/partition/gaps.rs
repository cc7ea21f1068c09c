//! How near the numbers of two ascending lists come to each other.

/// Those of `differences` that are within `reach`, if there is one, of the range of the `others`,
/// both ascending.
pub(super) fn near<'list>(
    differences: &'list [i64],
    others: &[i64],
    reach: Option<i64>,
) -> &'list [i64] {
    let (Some(first), Some(last), Some(reach)) = (others.first(), others.last(), reach) else {
        return differences;
    };
    let start = differences.partition_point(|one| *one < first - reach);
    let end = differences.partition_point(|one| *one <= last + reach);
    &differences[start..end.max(start)]
}

/// The least amount, `floor` or more, by which one of `higher` exceeds one of `lower`, both
/// ascending, if that is below `best`; else `best`.
pub(super) fn next_gap(
    higher: &[i64],
    lower: &[i64],
    floor: i64,
    best: Option<i64>,
) -> Option<i64> {
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
