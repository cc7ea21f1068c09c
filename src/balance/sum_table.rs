/// A set of sums, in steps above the base.
#[derive(Clone, Debug)]
pub(super) enum Table {
    Bits(Vec<u64>),
    List(Vec<i64>),
}

impl Table {
    pub(super) fn empty(with_bits: bool, highest: i64) -> Self {
        if with_bits {
            Self::Bits(vec![0; usize::try_from(words_for(highest)).unwrap_or(0)])
        } else {
            Self::List(Vec::new())
        }
    }

    pub(super) fn add(&mut self, sum: i64) {
        match self {
            Self::Bits(words) => {
                let place = usize::try_from(sum).unwrap_or(usize::MAX);
                if let Some(word) = words.get_mut(place / 64) {
                    *word |= 1 << (place % 64);
                }
            }
            Self::List(sums) => sums.push(sum),
        }
    }

    pub(super) fn has(&self, sum: i64) -> bool {
        match (self, usize::try_from(sum)) {
            (Self::Bits(words), Ok(place)) => words
                .get(place / 64)
                .is_some_and(|word| word >> (place % 64) & 1 == 1),
            (Self::List(sums), Ok(_)) => sums.binary_search(&sum).is_ok(),
            (_, Err(_)) => false,
        }
    }

    pub(super) fn sums(&self) -> Vec<i64> {
        match self {
            Self::Bits(words) => {
                let mut sums = Vec::new();
                for (word, start) in words.iter().zip((0_i64..).step_by(64)) {
                    let mut left = *word;
                    while left != 0 {
                        sums.push(start + i64::from(left.trailing_zeros()));
                        left &= left - 1;
                    }
                }
                sums
            }
            Self::List(sums) => sums.clone(),
        }
    }

    /// Up to `most` sums that are no more than `place`, and up to `most` that are, ascending.
    pub(super) fn around(&self, place: i64, most: usize) -> Vec<i64> {
        match self {
            Self::List(sums) => {
                let above = sums.partition_point(|sum| *sum <= place);
                sums[above.saturating_sub(most)..(above + most).min(sums.len())].to_vec()
            }
            Self::Bits(words) => {
                let bits = i64::try_from(words.len() * 64).unwrap_or(i64::MAX);
                let split = usize::try_from(place.clamp(-1, bits - 1) + 1).unwrap_or(0);
                let has = |bit: &usize| words[bit / 64] >> (bit % 64) & 1 == 1;
                // Whole words without a bit are passed over in one step.
                let mut below = Vec::new();
                let mut bit = split;
                while bit > 0 && below.len() < most {
                    if bit % 64 == 0 && words[bit / 64 - 1] == 0 {
                        bit -= 64;
                        continue;
                    }
                    bit -= 1;
                    below.extend(Some(bit).filter(has));
                }
                below.reverse();
                let (mut all, mut found) = (below, 0);
                let mut bit = split;
                while bit < words.len() * 64 && found < most {
                    if bit % 64 == 0 && words[bit / 64] == 0 {
                        bit += 64;
                        continue;
                    }
                    if has(&bit) {
                        all.push(bit);
                        found += 1;
                    }
                    bit += 1;
                }
                let sums = all.into_iter().filter_map(|bit| i64::try_from(bit).ok());
                sums.collect()
            }
        }
    }

    /// The sums without an item, and, where there is room for it, those of `with` moved up by its
    /// `value`; none is above `highest`.
    pub(super) fn joined(&self, with: Option<&Self>, value: i64, highest: i64) -> Self {
        let mut joined = Self::empty(matches!(self, Self::Bits(_)), highest);
        match (&mut joined, self, with) {
            (Self::Bits(words), Self::Bits(without), with) => {
                for (word, from) in words.iter_mut().zip(without) {
                    *word = *from;
                }
                if let Some(Self::Bits(with)) = with {
                    or_shifted(words, with, usize::try_from(value).unwrap_or(usize::MAX));
                }
            }
            (Self::List(sums), Self::List(without), with) => {
                sums.extend(without);
                if let Some(Self::List(with)) = with {
                    sums.extend(with.iter().map(|sum| sum + value));
                }
                #[expect(
                    clippy::stable_sort_primitive,
                    reason = "it merges two ascending runs in one go"
                )]
                sums.sort();
                sums.dedup();
            }
            // All tables are of one kind.
            _ => {}
        }
        joined
    }
}

/// Adds the bits of `from`, moved up by `by` places, to `words`; what has no room is none of a sum.
fn or_shifted(words: &mut [u64], from: &[u64], by: usize) {
    let (whole, rest) = (by / 64, by % 64);
    let Some(words) = words.get_mut(whole..) else {
        return;
    };
    if rest == 0 {
        for (word, from) in words.iter_mut().zip(from) {
            *word |= from;
        }
        return;
    }
    let mut carried = 0;
    for (word, from) in words.iter_mut().zip(from.iter().chain(&[0])) {
        *word |= from << rest | carried;
        carried = from >> (64 - rest);
    }
}

/// The words that the bits of sums up to this one take.
pub(super) fn words_for(highest: i64) -> u64 {
    u64::try_from(highest / 64 + 1).unwrap_or(u64::MAX)
}
