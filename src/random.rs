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
