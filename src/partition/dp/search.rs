//! Exponential search for the smallest difference of rating sums with a split within the cost budget.

/// Returns the smallest difference of the teams' rating sums, from `floor` to `limit`, of a split within the cost
/// budget. `affords` tells if an inclusive range of differences has such a split.
pub(crate) fn first_affordable(
    mut floor: i64,
    limit: i64,
    affords: impl Fn(i64, i64) -> bool,
) -> Option<i64> {
    // The answer is usually near the floor, so steps start small and double.
    let mut step = 1;
    while floor <= limit {
        let mut until = limit.min(floor + step - 1);
        if affords(floor, until) {
            while floor < until {
                let middle = floor + (until - floor) / 2;
                if affords(floor, middle) {
                    until = middle;
                } else {
                    floor = middle + 1;
                }
            }
            return Some(floor);
        }
        (floor, step) = (until + 1, 2 * step);
    }
    None
}
