/// The bytes in hexadecimal, two lower-case digits each.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = halves.map(|half| char::from_digit(half.into(), 16));
    digits.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hexadecimal(&[0, 7, 0x80, 0xff]), "000780ff");
        assert_eq!(hexadecimal(&[]), "");
    }
}
