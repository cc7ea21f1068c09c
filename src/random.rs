//! Randomness, from the operating system.

use std::io;

use crate::domain::hexadecimal;

/// `N` random bytes in hexadecimal, twice as many characters.
pub fn hex<const N: usize>() -> io::Result<String> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(hexadecimal(&bytes))
}
