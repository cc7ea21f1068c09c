use super::cost::Cost;

/// How many costs are worked on at once.
const CHUNK: usize = 32;

/// How many bytes are read and written at once, at addresses that are multiples of that where it is up to us.
/// They hold no more costs than a chunk.
const VECTOR: usize = 32;

/// Makes each cost anew of itself and of what stands there in the `lists`, which are as long at least.
///
/// The first chunk and the last are made apart, of what stands there at first, and may overlap others: so
/// those between begin where a vector does, and no rest is left, which would take as long as several chunks.
#[expect(
    clippy::inline_always,
    reason = "only where it is inlined does it have the instructions of the processor at hand"
)]
#[inline(always)]
pub(super) fn make_each<C: Cost, const LISTS: usize>(
    costs: &mut [C],
    lists: [&[C]; LISTS],
    make: impl Fn(C, [C; LISTS]) -> C,
) {
    let make_all = |costs: &mut [C], lists: [&[C]; LISTS]| {
        for (place, cost) in costs.iter_mut().enumerate() {
            *cost = make(*cost, lists.map(|list| list[place]));
        }
    };
    let lists = lists.map(|list| &list[..costs.len()]);
    let Some(start) = costs.len().checked_sub(CHUNK) else {
        return make_all(costs, lists);
    };
    let (mut first, mut last) = ([C::NEVER; CHUNK], [C::NEVER; CHUNK]);
    first.copy_from_slice(&costs[..CHUNK]);
    last.copy_from_slice(&costs[start..]);
    make_all(&mut first, lists.map(|list| &list[..CHUNK]));
    make_all(&mut last, lists.map(|list| &list[start..]));
    let skipped = costs.as_ptr().align_offset(VECTOR).min(CHUNK);
    let of_lists = lists.map(|list| list[skipped..].as_chunks::<CHUNK>().0);
    let between = costs[skipped..].as_chunks_mut::<CHUNK>().0;
    for (number, costs) in between.iter_mut().enumerate() {
        make_all(costs, of_lists.map(|chunks| &chunks[number][..]));
    }
    costs[..CHUNK].copy_from_slice(&first);
    costs[start..].copy_from_slice(&last);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_is_made_once_of_what_stands_at_its_place_wherever_they_begin(
            all in prop::collection::vec(any::<[u8; 3]>(), 0..5 * CHUNK), more in any::<u8>(),
            before in 0..VECTOR,
        ) {
            let list = |at: usize| -> Vec<u8> { all.iter().map(|three| three[at]).collect() };
            let make = |cost: u8, [one, other]: [u8; 2]| cost.plus(more).min(one).min(other);
            let mut costs = [vec![more; before], list(0)].concat();
            make_each(&mut costs[before..], [&list(1), &[list(2), vec![0]].concat()], make);
            let expected = all.iter().map(|[cost, one, other]| make(*cost, [*one, *other]));
            prop_assert!(costs.into_iter().skip(before).eq(expected));
        }
    }
}
