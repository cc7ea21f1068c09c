//! Random numbers from the operating system or from a seed.

use std::io;

/// Returns 64 random bits.
pub fn bits() -> io::Result<u64> {
    getrandom::u64().map_err(unavailable)
}

/// Returns `N` random bytes as `2 * N` hexadecimal digits.
pub fn hex<const N: usize>() -> io::Result<String> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(unavailable)?;
    Ok(hex::encode(bytes))
}

fn unavailable(error: getrandom::Error) -> io::Error {
    io::Error::other(format!(
        "the operating system provided no random numbers ({error}); check whether a sandbox blocks getrandom or \
         /dev/urandom"
    ))
}

/// Deterministic generator of pseudo-random numbers from a seed, for data that must be the same in every run.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// Returns a pseudo-random number, uniformly distributed from 0 to 1.
    pub fn roll(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or(u32::MAX);
        f64::from(bits) / f64::from(u32::MAX)
    }

    /// Returns a pseudo-random number with a nearly standard normal distribution.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.roll()).sum::<f64>() - 6.0
    }

    /// Returns a pseudo-random whole number from 0 to `many` - 1.
    pub fn below(&mut self, many: u32) -> u32 {
        let many = f64::from(many);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "small and at least 0"
        )]
        let one = (self.roll() * many).min(many - 1.0) as u32;
        one
    }
}
