//! Deterministic pseudorandom numbers (SplitMix64).

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ mixed >> 31) % sides as u64).unwrap()
    }

    pub fn between(&mut self, least: i32, most: i32) -> i32 {
        let sides = usize::try_from(most - least + 1).unwrap();
        least + i32::try_from(self.roll(sides)).unwrap()
    }

    pub fn pick<T: Copy>(&mut self, some: &[T]) -> T {
        some[self.roll(some.len())]
    }

    /// The numbers from 1 to `last` in a random order.
    pub fn shuffled(&mut self, last: usize) -> Vec<u64> {
        let mut all: Vec<u64> = (1..=last as u64).collect();
        for place in 0..last {
            let other = place + self.roll(last - place);
            all.swap(place, other);
        }
        all
    }

    /// Up to `most` different numbers from 1 to `last`.
    pub fn some(&mut self, most: usize, last: usize) -> Vec<u64> {
        let count = self.roll(most + 1);
        let mut all = self.shuffled(last);
        all.truncate(count);
        all
    }
}
