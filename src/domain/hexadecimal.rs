/// The bytes in hexadecimal, two lower-case digits each.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = halves.map(|half| char::from_digit(half.into(), 16));
    digits.flatten().collect()
}

/// The bytes that those digits write, in upper or lower case; `None` where they write none.
#[must_use]
pub fn from_hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let (pairs, odd) = digits.as_bytes().as_chunks::<2>();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = Vec::with_capacity(pairs.len());
    for [high, low] in pairs {
        bytes.push(u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()?);
    }
    odd.is_empty().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(hexadecimal(&[0, 7, 0x80, 0xff]), "000780ff");
        assert_eq!(hexadecimal(&[]), "");
    }

    #[test]
    fn what_is_written_is_read_in_either_case() {
        assert_eq!(from_hexadecimal("000780fF"), Some(vec![0, 7, 0x80, 0xff]));
        assert_eq!(from_hexadecimal(""), Some(vec![]));
        for wrong in ["0", "000", "0g", "+1", "ä0"] {
            assert_eq!(from_hexadecimal(wrong), None, "{wrong}");
        }
    }
}
