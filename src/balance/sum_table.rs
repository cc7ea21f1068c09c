use super::sum_bits::SumBits;

/// A set of sums, in steps above the base.
#[derive(Clone, Debug)]
pub(super) enum Table {
    Bits(SumBits),
    List(Vec<i64>),
}

impl Table {
    /// The sums of nobody by players, up to `most`: one of no player, which is 0.
    pub(super) fn of_nobody(with_bits: bool, most: usize) -> Vec<Self> {
        let sums = |count: usize| if count == 0 { vec![0] } else { Vec::new() };
        let table = |count: usize| {
            if with_bits {
                Self::Bits(SumBits::of(&sums(count)))
            } else {
                Self::List(sums(count))
            }
        };
        (0..=most).map(table).collect()
    }

    pub(super) fn has(&self, sum: i64) -> bool {
        match self {
            Self::Bits(bits) => bits.has(sum),
            Self::List(sums) => sums.binary_search(&sum).is_ok(),
        }
    }

    /// Every sum, ascending.
    pub(super) fn sums(&self) -> Vec<i64> {
        match self {
            Self::Bits(bits) => bits.sums(),
            Self::List(sums) => sums.clone(),
        }
    }

    /// How many sums there are.
    pub(super) fn how_many(&self) -> usize {
        match self {
            Self::Bits(bits) => bits.how_many(),
            Self::List(sums) => sums.len(),
        }
    }

    /// Up to `most` sums that are no more than `place`, and up to `most` that are, ascending.
    pub(super) fn around(&self, place: i64, most: usize) -> Vec<i64> {
        match self {
            Self::Bits(bits) => bits.around(place, most),
            Self::List(sums) => {
                let above = sums.partition_point(|sum| *sum <= place);
                sums[above.saturating_sub(most)..(above + most).min(sums.len())].to_vec()
            }
        }
    }

    /// These sums, and those of `with` moved up by `value`.
    pub(super) fn joined(&self, with: &Self, value: i64) -> Self {
        match (self, with) {
            (Self::Bits(bits), Self::Bits(with)) => Self::Bits(bits.joined(with, value)),
            (Self::List(sums), Self::List(with)) => Self::List(merged(sums, with, value)),
            // All tables are of one kind.
            _ => self.clone(),
        }
    }

    /// Adds the sums of `with`, moved up by `value`.
    pub(super) fn add_moved(&mut self, with: &Self, value: i64) {
        match (&mut *self, with) {
            (Self::Bits(bits), Self::Bits(with)) => bits.add_moved(with, value),
            _ => *self = self.joined(with, value),
        }
    }
}

/// The sums of two ascending lists, those of the second moved up by `value`: each once, ascending.
fn merged(sums: &[i64], with: &[i64], value: i64) -> Vec<i64> {
    let mut all = Vec::with_capacity(sums.len() + with.len());
    let (mut here, mut there) = (0, 0);
    while here < sums.len() && there < with.len() {
        let (one, other) = (sums[here], with[there] + value);
        all.push(one.min(other));
        // One that both have is passed in both.
        here += usize::from(one <= other);
        there += usize::from(other <= one);
    }
    all.extend_from_slice(&sums[here..]);
    all.extend(with[there..].iter().map(|sum| sum + value));
    all
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_hold_what_bits_hold(
            steps in proptest::collection::vec((0_usize..4, 0_i64..200), 0..12), place in -10_i64..900,
        ) {
            let (mut bits, mut lists) = (Table::of_nobody(true, 3), Table::of_nobody(false, 3));
            for (count, value) in steps {
                for tables in [&mut bits, &mut lists] {
                    let (fewer, here) = tables.split_at_mut(count);
                    let Some(with) = fewer.last() else { continue };
                    let joined = here[0].joined(with, value);
                    here[0].add_moved(with, value);
                    prop_assert_eq!(joined.sums(), here[0].sums());
                }
            }
            for (bits, list) in bits.iter().zip(&lists) {
                prop_assert_eq!(bits.sums(), list.sums());
                prop_assert!(list.sums().is_sorted_by(|one, other| one < other));
                prop_assert_eq!(bits.how_many(), list.how_many());
                prop_assert_eq!(bits.around(place, 2), list.around(place, 2));
                prop_assert_eq!(bits.has(place), list.has(place));
            }
        }
    }
}
