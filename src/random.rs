//! Randomness, from the operating system.

use std::fmt::Write as _;
use std::io;

/// `N` random bytes in hexadecimal, twice as many characters.
pub fn hex<const N: usize>() -> io::Result<String> {
    let mut bytes = [0_u8; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let mut text = String::with_capacity(2 * N);
    for byte in bytes {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").map_err(io::Error::other)?;
    }
    Ok(text)
}
