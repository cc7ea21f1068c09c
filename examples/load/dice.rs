/// Deterministic pseudorandom numbers from a seed (splitmix64).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next number below `sides`.
    pub(crate) fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        count(mixed % sides as u64)
    }

    /// Makes the first `chosen` of `all` a random selection.
    pub(crate) fn draw<T>(&mut self, all: &mut [T], chosen: usize) {
        for index in 0..chosen.min(all.len()) {
            let other = index + self.below(all.len() - index);
            all.swap(index, other);
        }
    }
}

pub(crate) fn count(number: u64) -> usize {
    usize::try_from(number).expect("a small number")
}
