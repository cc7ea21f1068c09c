/// A set of weight sums, in steps above a base: a bitset if it is small, else an ascending list.
#[derive(Clone, Debug)]
pub(super) enum SumSet {
    Bits(SumBits),
    List(Vec<i64>),
}

impl SumSet {
    /// Returns the sums of the empty subset, one set for each of 0 to `most` players: 0 for no players, else no sum.
    pub(super) fn of_empty_subset(with_bits: bool, most: usize) -> Vec<Self> {
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

    pub(super) fn sums(&self) -> Vec<i64> {
        match self {
            Self::Bits(bits) => bits.sums(),
            Self::List(sums) => sums.clone(),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            Self::Bits(bits) => bits.count(),
            Self::List(sums) => sums.len(),
        }
    }

    /// Returns the weight sums nearest to the sum `place`, ascending: up to `most` at or below this sum, and up to
    /// `most` above it. Sums are in steps above the base of the set.
    pub(super) fn around(&self, place: i64, most: usize) -> Vec<i64> {
        match self {
            Self::Bits(bits) => bits.around(place, most),
            Self::List(sums) => {
                let above = sums.partition_point(|sum| *sum <= place);
                sums[above.saturating_sub(most)..(above + most).min(sums.len())].to_vec()
            }
        }
    }

    /// Returns the union of this set of weight sums with the sums of `with`, each raised by `value`.
    pub(super) fn union_shifted(&self, with: &Self, value: i64) -> Self {
        match (self, with) {
            (Self::Bits(bits), Self::Bits(with)) => Self::Bits(bits.union_shifted(with, value)),
            (Self::List(sums), Self::List(with)) => Self::List(merged(sums, with, value)),
            // All sets of a table have the same format.
            _ => self.clone(),
        }
    }

    /// Adds the weight sums of the set `with`, each raised by `value`, to this set.
    pub(super) fn add_shifted(&mut self, with: &Self, value: i64) {
        match (&mut *self, with) {
            (Self::Bits(bits), Self::Bits(with)) => bits.add_shifted(with, value),
            _ => *self = self.union_shifted(with, value),
        }
    }
}

/// Merges two ascending lists of weight sums, the second raised by `value`. A sum in both lists appears once.
fn merged(sums: &[i64], with: &[i64], value: i64) -> Vec<i64> {
    let mut all = Vec::with_capacity(sums.len() + with.len());
    let (mut here, mut there) = (0, 0);
    while here < sums.len() && there < with.len() {
        let (one, other) = (sums[here], with[there] + value);
        all.push(one.min(other));
        // A sum in both lists is skipped in both.
        here += usize::from(one <= other);
        there += usize::from(other <= one);
    }
    all.extend_from_slice(&sums[here..]);
    all.extend(with[there..].iter().map(|sum| sum + value));
    all
}

/// A set of weight sums as a bitset, with a bit for every number from the smallest to the greatest sum.
#[derive(Clone, Debug, Default)]
pub(super) struct SumBits {
    /// Smallest weight sum in the set, which the first bit represents; 0 in an empty set.
    least: i64,
    /// Greatest weight sum in the set, which the last bit represents; 0 in an empty set.
    greatest: i64,
    words: Vec<u64>,
}

impl SumBits {
    fn of(sums: &[i64]) -> Self {
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

    fn has(&self, sum: i64) -> bool {
        !self.is_empty()
            && (self.least..=self.greatest).contains(&sum)
            && self.has_bit(bits_between(self.least, sum))
    }

    fn has_bit(&self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn sums(&self) -> Vec<i64> {
        let mut sums = Vec::with_capacity(self.count());
        for (word, start) in self.words.iter().zip((self.least..).step_by(64)) {
            let mut left = *word;
            while left != 0 {
                sums.push(start + i64::from(left.trailing_zeros()));
                left &= left - 1;
            }
        }
        sums
    }

    fn count(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    fn around(&self, place: i64, most: usize) -> Vec<i64> {
        if self.is_empty() {
            return Vec::new();
        }
        let split = bits_between(self.least, place.clamp(self.least - 1, self.greatest) + 1);
        // Empty words are skipped as a whole.
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

    fn union_shifted(&self, with: &Self, value: i64) -> Self {
        let here = (self.least, self.greatest);
        let there = (with.least + value, with.greatest + value);
        let (least, greatest) = match (self.is_empty(), with.is_empty()) {
            (_, true) => return self.clone(),
            (true, false) => there,
            (false, false) => (here.0.min(there.0), here.1.max(there.1)),
        };
        let mut words = vec![0; words_between(least, greatest)];
        if !self.is_empty() {
            or_shifted(&mut words, &self.words, bits_between(least, here.0));
        }
        or_shifted(&mut words, &with.words, bits_between(least, there.0));
        Self {
            least,
            greatest,
            words,
        }
    }

    fn add_shifted(&mut self, with: &Self, value: i64) {
        let first = with.least + value;
        if self.is_empty() || with.is_empty() || first < self.least {
            *self = self.union_shifted(with, value);
            return;
        }
        self.greatest = self.greatest.max(with.greatest + value);
        let words = words_between(self.least, self.greatest);
        self.words.resize(words, 0);
        let by = bits_between(self.least, first);
        or_shifted(&mut self.words, &with.words, by);
    }
}

/// Sets the bits of `from`, each `by` places higher, in the bitset `words`, which must have room for them.
fn or_shifted(words: &mut [u64], from: &[u64], by: usize) {
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
    // Bits that spill into the next word are set in a loop of their own, because a loop with a carry cannot be
    // vectorized.
    for (word, from) in words.iter_mut().skip(1).zip(from) {
        *word |= from >> (64 - rest);
    }
}

/// Returns the index of the bit for `sum`, which must be at least `least`, the sum of the first bit.
fn bits_between(least: i64, sum: i64) -> usize {
    usize::try_from(sum - least).unwrap_or(usize::MAX)
}

fn words_between(least: i64, greatest: i64) -> usize {
    bits_between(least, greatest) / 64 + 1
}
