//! Rows of bits that are shifted against each other.

/// How many bits a word has.
pub(super) const BITS: i64 = 64;

/// Calls `each` with every place of `count` words and the 64 bits of `from` that begin at bit
/// `offset` for the first of them; `from` has zeros around it. Places for which there are none are
/// left out.
fn aligned(from: &[u64], offset: i64, count: usize, mut each: impl FnMut(usize, u64)) {
    let (word, bit) = (offset.div_euclid(BITS), offset.rem_euclid(BITS));
    // The words that begin there have their first bits in `low` and the others in the next one.
    let join = |low: u64, next: u64| low >> bit | next << 1 << (BITS - 1 - bit);
    let first = usize::try_from(word.max(0))
        .unwrap_or(usize::MAX)
        .min(from.len());
    let place = usize::try_from(-word).unwrap_or(0);
    if let (Some(before), Some(next)) = (place.checked_sub(1), from.first())
        && before < count
    {
        each(before, join(0, *next));
    }
    let from = &from[first..];
    let places = place..count;
    for (place, words) in places.clone().zip(from.windows(2)) {
        each(place, join(words[0], words[1]));
    }
    if let Some((last, before)) = from.split_last()
        && place + before.len() < count
    {
        each(place + before.len(), join(*last, 0));
    }
}

/// Adds the bits of `from` to `words`, the first of which is the word `start` of its row. Bit
/// `shift` of the row is the first of `from`.
pub(super) fn add(words: &mut [u64], start: usize, from: &[u64], shift: i64) {
    let offset = BITS * i64::try_from(start).unwrap_or(i64::MAX / BITS) - shift;
    aligned(from, offset, words.len(), |place, bits| {
        words[place] |= bits;
    });
}

/// Sets the `width` bits after each of `words`, too.
pub(super) fn widened(words: &[u64], width: i64) -> Vec<u64> {
    let more = usize::try_from(width / BITS + 1).unwrap_or_default();
    let mut wide = words.to_vec();
    wide.resize(words.len() + more, 0);
    // Twice as many every time.
    let mut done = 0;
    while done < width {
        let step = (done + 1).min(width - done);
        let from = wide.clone();
        add(&mut wide, 0, &from, step);
        done += step;
    }
    wide
}

/// Whether some bit of `one` is set of which the bit `offset` further is set in `other`.
pub(super) fn meet(one: &[u64], other: &[u64], offset: i64) -> bool {
    let mut common = 0;
    aligned(other, offset, one.len(), |place, bits| {
        common |= one[place] & bits;
    });
    common != 0
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_are_set_after_others(
            words in prop::collection::vec(0..u64::MAX, 0..4), width in 0..200_i64,
        ) {
            let words: Vec<u64> = words.iter().map(|word| word & word >> 9 & word >> 20).collect();
            let is_set = |words: &[u64], bit: i64| {
                let word = usize::try_from(bit / BITS).ok().and_then(|word| words.get(word));
                bit >= 0 && word.is_some_and(|word| word >> (bit % BITS) & 1 == 1)
            };
            let wide = widened(&words, width);
            for bit in 0..BITS * 8 {
                let expected = (bit - width..=bit).any(|before| is_set(&words, before));
                prop_assert_eq!(is_set(&wide, bit), expected, "{}", bit);
            }
        }

        #[test]
        fn words_meet_where_bits_do(
            one in prop::collection::vec(0..u64::MAX, 0..4),
            other in prop::collection::vec(0..u64::MAX, 0..4),
            offset in -300..300_i64,
        ) {
            // Few bits, so that they often do not.
            let thin = |words: &[u64]| -> Vec<u64> {
                words.iter().map(|word| word & word >> 7 & word >> 13 & word >> 29).collect()
            };
            let (one, other) = (thin(&one), thin(&other));
            let bits = |words: &[u64]| -> BTreeSet<i64> {
                let all = (0..).zip(words).flat_map(|(place, word)| {
                    (0..BITS).filter(move |bit| word >> bit & 1 == 1).map(move |bit| BITS * place + bit)
                });
                all.collect()
            };
            let expected = bits(&one).iter().any(|bit| bits(&other).contains(&(bit + offset)));
            prop_assert_eq!(meet(&one, &other, offset), expected);
        }
    }
}
