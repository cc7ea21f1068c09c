//! Rows of bits that are shifted against each other. The bits of a row begin with those of its second word;
//! what stands before them and behind them in a longer row, or zeros, is in its first word and in the last. So
//! nothing is special at the ends.

/// How many bits a word has.
pub(super) const BITS: i64 = 64;

/// The bits of the row `from` that begin with bit `offset`, a word of them at a time: those words that
/// have any, and which of all words is the first.
fn aligned(from: &[u64], offset: i64) -> (usize, impl Iterator<Item = u64>) {
    let (word, bit) = (offset.div_euclid(BITS), offset.rem_euclid(BITS));
    // The words that begin there have their first bits in the former and the others in the latter.
    let join = move |two: &[u64]| two[0] >> bit | two[1] << 1 << (BITS - 1 - bit);
    let skipped = usize::try_from(word + 1).unwrap_or_default();
    let place = usize::try_from(-1 - word).unwrap_or_default();
    (place, from[skipped.min(from.len())..].windows(2).map(join))
}

/// Adds the bits of the row `from` to some words of another row, `start` words after its first. Bit
/// `shift` of that is the first of `from`.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn add(words: &mut [u64], start: usize, from: &[u64], shift: i64) {
    let offset = BITS * i64::try_from(start).unwrap_or(i64::MAX / BITS) - shift;
    let (place, bits) = aligned(from, offset);
    if let Some(words) = words.get_mut(place..) {
        for (word, bits) in words.iter_mut().zip(bits) {
            *word |= bits;
        }
    }
}

/// Makes of a row the row `from`, which is as long, with the bit that is `shift` further set for each that is
/// set.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn add_shifted(row: &mut [u64], from: &[u64], shift: i64) {
    let (place, bits) = aligned(from, -shift);
    let inside = 1..row.len() - 1;
    let (words, from) = (&mut row[inside.clone()], &from[inside]);
    let place = place.min(words.len());
    let (below, above) = words.split_at_mut(place);
    below.copy_from_slice(&from[..place]);
    for ((word, own), bits) in above.iter_mut().zip(&from[place..]).zip(bits) {
        *word = own | bits;
    }
}

/// Rows that are widened one after another, in the same memory.
#[derive(Debug, Default)]
pub(super) struct Widened {
    row: Vec<u64>,
    wider: Vec<u64>,
}

impl Widened {
    /// The row with the `width` bits after each set, too.
    pub(super) fn of<'row>(&'row mut self, row: &'row [u64], width: i64) -> &'row [u64] {
        if width == 0 {
            return row;
        }
        let more = usize::try_from(width / BITS + 1).unwrap_or_default();
        self.row.clear();
        self.row.extend_from_slice(row);
        self.row.resize(row.len() + more, 0);
        self.wider.resize(self.row.len(), 0);
        for end in [0, self.row.len() - 1] {
            self.wider[end] = 0;
        }
        // Twice as many every time.
        let mut done = 0;
        while done < width {
            let step = (done + 1).min(width - done);
            add_shifted(&mut self.wider, &self.row, step);
            std::mem::swap(&mut self.row, &mut self.wider);
            done += step;
        }
        &self.row
    }
}

/// Whether some bit of the row `one` is set of which the bit `offset` further is set in the row `other`.
#[multiversion::multiversion(targets("x86_64+avx2"))]
pub(super) fn meet(one: &[u64], other: &[u64], offset: i64) -> bool {
    let (place, bits) = aligned(other, offset);
    let words = one.get(1 + place..).unwrap_or_default().iter().zip(bits);
    words.fold(0, |common, (word, bits)| common | (word & bits)) != 0
}

/// Those bits of the row `one` of which the bit `offset` further is set in the row `other`.
pub(super) fn meeting(one: &[u64], other: &[u64], offset: i64) -> impl Iterator<Item = i64> {
    let (place, bits) = aligned(other, offset);
    let words = one.get(1 + place..).unwrap_or_default().iter().zip(bits);
    (0..).zip(words).flat_map(move |(number, (word, bits))| {
        let first = BITS * (i64::try_from(place).unwrap_or_default() + number);
        let mut common = word & bits;
        std::iter::from_fn(move || {
            let bit = (common != 0).then(|| i64::from(common.trailing_zeros()))?;
            common &= common - 1;
            Some(first + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn row(words: impl Iterator<Item = u64>) -> Vec<u64> {
        std::iter::once(0).chain(words).chain([0]).collect()
    }

    /// Those that are set.
    fn bits(row: &[u64]) -> BTreeSet<i64> {
        let words = (0..).zip(&row[1..]);
        let bits = words.flat_map(|(place, word)| {
            let set = (0..BITS).filter(move |bit| word >> bit & 1 == 1);
            set.map(move |bit| BITS * place + bit)
        });
        bits.collect()
    }

    proptest! {
        #[test]
        fn bits_are_set_after_others(
            words in prop::collection::vec(0..u64::MAX, 0..4), width in 0..200_i64,
        ) {
            let row = row(words.iter().map(|word| word & word >> 9 & word >> 20));
            let mut widened = Widened::default();
            // What was widened before leaves nothing behind.
            widened.of(&[u64::MAX; 9], 200);
            let wide = widened.of(&row, width);
            let (before, after) = (bits(&row), bits(wide));
            for bit in 0..BITS * 8 {
                let expected = before.range(bit - width..=bit).next().is_some();
                prop_assert_eq!(after.contains(&bit), expected, "{}", bit);
            }
            prop_assert_eq!((wide[0], wide[wide.len() - 1]), (0, 0));
        }

        #[test]
        fn words_meet_where_bits_do(
            one in prop::collection::vec(0..u64::MAX, 0..4),
            other in prop::collection::vec(0..u64::MAX, 0..4),
            offset in -300..300_i64,
        ) {
            // Few bits, so that they often do not.
            let thin = |words: &[u64]| {
                row(words.iter().map(|word| word & word >> 7 & word >> 13 & word >> 29))
            };
            let (one, other) = (thin(&one), thin(&other));
            let expected = bits(&one).iter().any(|bit| bits(&other).contains(&(bit + offset)));
            prop_assert_eq!(meet(&one, &other, offset), expected);
            let of_other = bits(&other);
            let with = bits(&one).into_iter().filter(|bit| of_other.contains(&(bit + offset)));
            prop_assert!(meeting(&one, &other, offset).eq(with));
        }
    }
}
