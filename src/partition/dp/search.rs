//! Exponential search: the first difference that can be afforded.

/// The first difference from `floor` to `limit` that some teams have which can be afforded, where `affords` says
/// whether any have one in a range.
pub(crate) fn first_affordable(
    mut floor: i64,
    limit: i64,
    affords: impl Fn(i64, i64) -> bool,
) -> Option<i64> {
    // Most often it is near the floor, so the steps double.
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
