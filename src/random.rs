//! Random numbers from the operating system.

use std::io;

use crate::domain::hexadecimal;

/// Returns 64 random bits.
pub fn bits() -> io::Result<u64> {
    getrandom::u64().map_err(io::Error::other)
}

/// Returns `N` random bytes as `2 * N` hexadecimal digits.
pub fn hex<const N: usize>() -> io::Result<String> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hexadecimal(&bytes))
}

/// Pseudorandom numbers that depend only on a seed (SplitMix64), for data that must be the same in every run.
#[derive(Clone, Debug)]
pub struct Dice(pub u64);

impl Dice {
    /// Returns a number from 0 to `end` - 1.
    pub fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let scaled = ((bits ^ (bits >> 31)) >> 32) * u64::from(end);
        u32::try_from(scaled >> 32).unwrap_or_default()
    }
}
