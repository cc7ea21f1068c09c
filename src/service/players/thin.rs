/// Up to `count` whole numbers from `first` to `last`, both among them, as evenly as they go, ascending;
/// of one the last, of none nothing.
pub(crate) fn evenly_spaced(first: u64, last: u64, count: u64) -> Vec<u64> {
    if first > last || count == 0 {
        return Vec::new();
    }
    let steps = (last - first).min(count - 1);
    if steps == 0 {
        return vec![last];
    }
    // In 128 bits, where no product of two of them ends.
    let at = |step: u64| {
        let way = u128::from(step) * u128::from(last - first) / u128::from(steps);
        first + u64::try_from(way).unwrap_or(last - first)
    };
    (0..=steps).map(at).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_are_all_taken_and_many_thinned() {
        assert_eq!(evenly_spaced(1, 4, 10), [1, 2, 3, 4]);
        assert_eq!(evenly_spaced(1, 10, 4), [1, 4, 7, 10]);
        assert_eq!(evenly_spaced(1, 10, 1), [10]);
        assert_eq!(evenly_spaced(7, 7, 5), [7]);
        assert_eq!(evenly_spaced(1, 0, 5), [0; 0]);
        assert_eq!(evenly_spaced(1, 5, 0), [0; 0]);
    }

    proptest! {
        #[test]
        fn both_ends_are_there_and_none_twice(
            first in any::<u32>(), length in any::<u32>(), count in 2..2000_u64,
        ) {
            let (first, last) = (u64::from(first), u64::from(first) + u64::from(length));
            let taken = evenly_spaced(first, last, count);
            prop_assert_eq!((taken[0], taken[taken.len() - 1]), (first, last));
            prop_assert_eq!(taken.len() as u64, count.min(last - first + 1));
            prop_assert!(taken.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
