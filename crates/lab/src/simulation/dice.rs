use std::f64::consts::TAU;

/// Random numbers that depend on a seed alone (SplitMix64; G. Steele, D. Lea and C. Flood, Fast Splittable Pseudorandom
/// Number Generators, 2014).
///
/// # Design
/// Not from a crate: a seed that is printed next to a figure reproduces this figure on every machine and with every
/// version of the dependencies.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Uniform number in [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / 9_007_199_254_740_992.0; // 2^-53
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let bits = (self.bits() >> 11) as f64;
        bits * STEP
    }

    /// Returns `true` with this chance, 0 to 1.
    pub(crate) fn happens(&mut self, chance: f64) -> bool {
        self.unit() < chance
    }

    /// Uniform number in [0, `end`); `end` must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "communities are small"
        )]
        let number = (self.unit() * end as f64) as usize;
        number.min(end.saturating_sub(1))
    }

    /// Standard normal number (G. Box and M. Muller, A Note on the Generation of Random Normal Deviates, 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        // Uses 1 - u, because u may be 0 and has no logarithm then.
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(TAU * self.unit())
    }

    pub(crate) fn tie(&mut self) -> u64 {
        self.bits()
    }

    /// Shuffles the items (R. Durstenfeld, Algorithm 235: Random Permutation, 1964).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_moments_that_they_should() {
        let mut dice = Dice::new(1);
        let drawn: Vec<f64> = (0..20_000).map(|_| dice.normal()).collect();
        let mean = |power| drawn.iter().map(|x| x.powi(power)).sum::<f64>() / 20_000.0;
        assert!(mean(1).abs() < 0.02, "{}", mean(1));
        assert!((mean(2) - 1.0).abs() < 0.03, "{}", mean(2));
        assert!((mean(4) - 3.0).abs() < 0.2, "{}", mean(4));
    }

    #[test]
    fn a_shuffle_keeps_everybody_and_each_comes_first_as_often() {
        let mut dice = Dice::new(2);
        let mut first = [0; 5];
        for _ in 0..5_000 {
            let mut items = [0, 1, 2, 3, 4];
            dice.shuffle(&mut items);
            first[items[0]] += 1;
            items.sort_unstable();
            assert_eq!(items, [0, 1, 2, 3, 4]);
        }
        assert!(
            first.iter().all(|count| (900..1_100).contains(count)),
            "{first:?}"
        );
    }
}
