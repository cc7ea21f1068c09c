/// Every subset of `size` of the numbers 0 to `universe` - 1 (at most 64), as bit masks in
/// ascending order: C(universe, size) of them, none where `size` exceeds `universe`.
pub(super) fn subsets(universe: u32, size: u32) -> Subsets {
    let last = universe
        .checked_sub(size)
        .map(|shift| lowest_ones(size).checked_shl(shift).unwrap_or(0));
    Subsets {
        next: last.map(|_| lowest_ones(size)),
        last: last.unwrap_or(0),
    }
}

/// The iterator that [`subsets`] returns.
pub(super) struct Subsets {
    next: Option<u64>,
    last: u64,
}

impl Iterator for Subsets {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        let mask = self.next?;
        // Stopping at the last mask, not past it, leaves no carry out of the 64th bit.
        self.next = (mask != self.last).then(|| successor(mask));
        Some(mask)
    }
}

/// F8, Gosper's hack: the next higher mask with as many ones, which must exist; a mask with ones.
///
/// The lowest run of ones hands its top one to the zero above (the carry of `mask + lowest`), and
/// the rest of the run falls to the bottom. The shift by the lowest one's place is F8's division.
fn successor(mask: u64) -> u64 {
    let lowest = mask & mask.wrapping_neg();
    let carried = mask + lowest;
    (((carried ^ mask) >> lowest.trailing_zeros()) >> 2) | carried
}

/// The mask whose lowest `count` bits, at most 64, are ones.
fn lowest_ones(count: u32) -> u64 {
    1_u64.checked_shl(count).map_or(u64::MAX, |bit| bit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C(n, k) by Pascal's rule.
    fn choose(n: u32, k: u32) -> usize {
        match (n, k) {
            (_, 0) => 1,
            (0, _) => 0,
            _ => choose(n - 1, k - 1) + choose(n - 1, k),
        }
    }

    #[test]
    fn every_subset_comes_once_in_ascending_order() {
        for universe in 0..=14 {
            for size in 0..=universe + 1 {
                let masks: Vec<u64> = subsets(universe, size).collect();
                assert_eq!(masks.len(), choose(universe, size), "{universe}, {size}");
                assert!(masks.is_sorted_by(|left, right| left < right));
                assert!(masks.iter().all(|mask| mask.count_ones() == size));
                assert!(masks.iter().all(|mask| mask >> universe == 0));
            }
        }
    }

    #[test]
    fn the_widest_masks_do_not_overflow() {
        for universe in [31, 32, 33, 62, 63, 64] {
            assert_eq!(subsets(universe, 0).collect::<Vec<_>>(), [0]);
            assert_eq!(subsets(universe, universe).count(), 1, "{universe}");
            for size in [1, 2, 3, universe - 2, universe - 1] {
                let masks: Vec<u64> = subsets(universe, size).collect();
                let mirrored = size.min(universe - size);
                assert_eq!(
                    masks.len(),
                    choose(universe, mirrored),
                    "{universe}, {size}"
                );
                assert!(masks.is_sorted_by(|left, right| left < right));
                assert!(masks.iter().all(|mask| mask.count_ones() == size));
                assert_eq!(
                    masks.last().map(|mask| mask.leading_zeros()),
                    Some(64 - universe)
                );
            }
        }
    }
}
