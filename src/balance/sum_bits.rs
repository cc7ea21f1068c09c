/// A set of sums, as a bit for every number from the least to the greatest of them.
///
/// Adding an item goes through all words, and these two lie closer together than nothing and the
/// most that so many players could weigh.
#[derive(Clone, Debug, Default)]
pub(super) struct SumBits {
    /// The sum of the first bit, and that of the last one; both 0 where there is no sum at all.
    least: i64,
    greatest: i64,
    words: Vec<u64>,
}

impl SumBits {
    /// The set of these sums, which ascend.
    pub(super) fn of(sums: &[i64]) -> Self {
        let (Some(&least), Some(&greatest)) = (sums.first(), sums.last()) else {
            return Self::default();
        };
        let mut words = vec![0; words_between(least, greatest)];
        for sum in sums {
            let bit = bits_between(least, *sum);
            words[bit / 64] |= 1 << (bit % 64);
        }
        Self {
            least,
            greatest,
            words,
        }
    }

    fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn has(&self, sum: i64) -> bool {
        !self.is_empty()
            && (self.least..=self.greatest).contains(&sum)
            && self.has_bit(bits_between(self.least, sum))
    }

    fn has_bit(&self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Every sum, ascending.
    pub(super) fn sums(&self) -> Vec<i64> {
        let mut sums = Vec::with_capacity(self.how_many());
        for (word, start) in self.words.iter().zip((self.least..).step_by(64)) {
            let mut left = *word;
            while left != 0 {
                sums.push(start + i64::from(left.trailing_zeros()));
                left &= left - 1;
            }
        }
        sums
    }

    /// How many sums there are.
    pub(super) fn how_many(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Up to `most` sums that are no more than `place`, and up to `most` that are, ascending.
    pub(super) fn around(&self, place: i64, most: usize) -> Vec<i64> {
        if self.is_empty() {
            return Vec::new();
        }
        let split = bits_between(self.least, place.clamp(self.least - 1, self.greatest) + 1);
        // Whole words without a bit are passed over in one step.
        let mut bits = Vec::new();
        let mut bit = split;
        while bit > 0 && bits.len() < most {
            if bit.is_multiple_of(64) && self.words[bit / 64 - 1] == 0 {
                bit -= 64;
                continue;
            }
            bit -= 1;
            bits.extend(Some(bit).filter(|bit| self.has_bit(*bit)));
        }
        bits.reverse();
        let all = bits.len() + most;
        let mut bit = split;
        while bit < self.words.len() * 64 && bits.len() < all {
            if bit.is_multiple_of(64) && self.words[bit / 64] == 0 {
                bit += 64;
                continue;
            }
            bits.extend(Some(bit).filter(|bit| self.has_bit(*bit)));
            bit += 1;
        }
        let sums = bits.into_iter().filter_map(|bit| i64::try_from(bit).ok());
        sums.map(|bit| self.least + bit).collect()
    }

    /// These sums, and those of `with` moved up by `value`.
    pub(super) fn joined(&self, with: &Self, value: i64) -> Self {
        let here = (self.least, self.greatest);
        let there = (with.least + value, with.greatest + value);
        let (least, greatest) = match (self.is_empty(), with.is_empty()) {
            (_, true) => return self.clone(),
            (true, false) => there,
            (false, false) => (here.0.min(there.0), here.1.max(there.1)),
        };
        let mut words = vec![0; words_between(least, greatest)];
        if !self.is_empty() {
            or_moved(&mut words, &self.words, bits_between(least, here.0));
        }
        or_moved(&mut words, &with.words, bits_between(least, there.0));
        Self {
            least,
            greatest,
            words,
        }
    }

    /// Adds the sums of `with`, moved up by `value`.
    pub(super) fn add_moved(&mut self, with: &Self, value: i64) {
        let first = with.least + value;
        if self.is_empty() || with.is_empty() || first < self.least {
            *self = self.joined(with, value);
            return;
        }
        self.greatest = self.greatest.max(with.greatest + value);
        let words = words_between(self.least, self.greatest);
        self.words.resize(words, 0);
        let by = bits_between(self.least, first);
        or_moved(&mut self.words, &with.words, by);
    }
}

/// Adds the bits of `from`, moved up by `by` places, to `words`, which have room for all of them.
fn or_moved(words: &mut [u64], from: &[u64], by: usize) {
    let (whole, rest) = (by / 64, by % 64);
    let Some(words) = words.get_mut(whole..) else {
        return;
    };
    for (word, from) in words.iter_mut().zip(from) {
        *word |= from << rest;
    }
    if rest == 0 {
        return;
    }
    // What is carried to the next word: in a loop of its own, since one that hands something on from
    // word to word cannot do several at once.
    for (word, from) in words.iter_mut().skip(1).zip(from) {
        *word |= from >> (64 - rest);
    }
}

/// The bits from the first of these sums to before the second, which is no less.
fn bits_between(least: i64, sum: i64) -> usize {
    usize::try_from(sum - least).unwrap_or(usize::MAX)
}

/// The words that the bits of sums from `least` to `greatest` take.
fn words_between(least: i64, greatest: i64) -> usize {
    bits_between(least, greatest) / 64 + 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn sums() -> impl Strategy<Value = BTreeSet<i64>> {
        let sum = prop_oneof![-70_i64..70, 0_i64..2000];
        proptest::collection::btree_set(sum, 0..12)
    }

    fn bits(sums: &BTreeSet<i64>) -> SumBits {
        SumBits::of(&sums.iter().copied().collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn sums_are_joined_as_sets_are(here in sums(), with in sums(), value in 0_i64..300) {
            let moved = with.iter().map(|sum| sum + value);
            let expected: BTreeSet<i64> = here.iter().copied().chain(moved).collect();
            let joined = bits(&here).joined(&bits(&with), value);
            let mut added = bits(&here);
            added.add_moved(&bits(&with), value);
            for found in [joined, added] {
                prop_assert_eq!(found.sums(), expected.iter().copied().collect::<Vec<_>>());
                prop_assert_eq!(found.how_many(), expected.len());
                for sum in -100..2400 {
                    prop_assert_eq!(found.has(sum), expected.contains(&sum), "{}", sum);
                }
                let ends = expected.first().zip(expected.last());
                let size = ends.map_or(0, |(least, greatest)| words_between(*least, *greatest));
                prop_assert_eq!(found.words.len(), size);
            }
        }
    }
}
