//! Gosper's hack: the subsets of one size as bit masks.

/// Every subset of `size` numbers from 0 to `universe` - 1 (at most 64), as bit masks in ascending order: C(universe,
/// size) of them, none if `size` exceeds `universe`.
pub(super) fn subsets(universe: u32, size: u32) -> Subsets {
    let last = universe
        .checked_sub(size)
        .map(|shift| lowest_ones(size).checked_shl(shift).unwrap_or(0));
    Subsets {
        next: last.map(|_| lowest_ones(size)),
        last: last.unwrap_or(0),
    }
}

pub(super) struct Subsets {
    next: Option<u64>,
    last: u64,
}

impl Iterator for Subsets {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mask = self.next?;
        // Stopping at the last mask avoids a carry out of the 64th bit.
        self.next = (mask != self.last).then(|| successor(mask));
        Some(mask)
    }
}

/// Formula F8, Gosper's hack: the next higher mask with the same number of ones, which must exist.
///
/// The carry of `mask + lowest` moves the top of the lowest run of ones up by one place; the rest of the run falls to
/// the bottom. The shift by the place of the lowest one replaces F8's division.
fn successor(mask: u64) -> u64 {
    let lowest = mask & mask.wrapping_neg();
    let carried = mask + lowest;
    (((carried ^ mask) >> lowest.trailing_zeros()) >> 2) | carried
}

fn lowest_ones(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}
