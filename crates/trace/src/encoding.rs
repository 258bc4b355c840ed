//! Base64, and ids that are written in it.

use std::borrow::Cow;

/// The bytes of a base64 text in the standard or the URL alphabet; padding may be missing.
pub fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(text.len());
    let (mut bits, mut have) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte.wrapping_sub(b'A'),
            b'a'..=b'z' => byte.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(52),
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(digit);
        have = have.wrapping_add(6);
        if have >= 8 {
            have = have.wrapping_sub(8);
            out.push((bits >> have) as u8);
            bits &= (1_u32 << have).wrapping_sub(1);
        }
    }
    (text.len() % 4 != 1).then_some(out)
}

/// An id in hexadecimal, if it is base64 of so many bytes; else the id as it is.
pub fn hex_id(id: &str, bytes: usize) -> Cow<'_, str> {
    let hexadecimal =
        id.len() == bytes.saturating_mul(2) && id.bytes().all(|it| it.is_ascii_hexdigit());
    let padded = bytes.div_ceil(3).saturating_mul(4);
    if hexadecimal || id.len() != padded || !id.ends_with('=') {
        return Cow::Borrowed(id);
    }
    match base64(id) {
        Some(decoded) if decoded.len() == bytes => {
            Cow::Owned(decoded.iter().map(|byte| format!("{byte:02x}")).collect())
        }
        _ => Cow::Borrowed(id),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_texts() {
        assert_eq!(base64("aGk="), Some(b"hi".to_vec()));
        assert_eq!(base64("-_8"), Some(vec![0xFB, 0xFF]));
        assert_eq!(base64(""), Some(Vec::new()));
        assert_eq!((base64("a"), base64("a b=")), (None, None));
    }

    #[test]
    fn ids() {
        assert_eq!(hex_id("AQIDBAUGBwg=", 8), "0102030405060708");
        assert_eq!(hex_id("0102030405060708", 8), "0102030405060708");
        assert_eq!(hex_id("a1", 8), "a1");
    }
}
