//! Byte scanning: eight bytes a step, no branch per character.

const ONES: u64 = u64::from_le_bytes([0x01; 8]);
const TOPS: u64 = u64::from_le_bytes([0x80; 8]);
const QUOTES: u64 = u64::from_le_bytes([b'"'; 8]);
const BACKSLASHES: u64 = u64::from_le_bytes([b'\\'; 8]);
const SPACES: u64 = u64::from_le_bytes([b' '; 8]);

/// The eight bytes at `at`, the first one lowest; nothing near the end.
#[inline]
pub(super) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let eight = bytes.get(at..)?.first_chunk::<8>()?;
    Some(u64::from_le_bytes(*eight))
}

/// Marks the bytes that end a plain run inside a string. The lowest mark is exact.
#[inline]
fn specials(word: u64) -> u64 {
    let quote = word ^ QUOTES;
    let backslash = word ^ BACKSLASHES;
    let marks = (quote.wrapping_sub(ONES) & !quote)
        | (backslash.wrapping_sub(ONES) & !backslash)
        | (word.wrapping_sub(SPACES) & !word);
    marks & TOPS
}

/// The first quote, backslash or control byte from `at` on, or the end of the text.
#[inline]
pub(super) fn string_stop(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = word(bytes, at) {
        let marks = specials(word);
        if marks != 0 {
            return at.wrapping_add((marks.trailing_zeros() >> 3) as usize);
        }
        at = at.wrapping_add(8);
    }
    let rest = bytes.get(at..).unwrap_or_default();
    let run = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1F));
    at.wrapping_add(run.unwrap_or(rest.len()))
}

/// The first byte from `at` on that is no JSON white space.
#[inline]
pub(super) fn past_blank(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(at) {
        at = at.wrapping_add(1);
    }
    at
}

/// The end of the number at `at`, or the place where it goes wrong.
#[inline]
pub(super) fn number_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let mut at = if byte(at) == b'-' { at.wrapping_add(1) } else { at };
    at = match byte(at) {
        b'0' => at.wrapping_add(1),
        b'1'..=b'9' => digits_end(bytes, at),
        _ => return Err(at),
    };
    if byte(at) == b'.' {
        at = some_digits_end(bytes, at.wrapping_add(1))?;
    }
    if byte(at) | 0x20 == b'e' {
        at = at.wrapping_add(1);
        if matches!(byte(at), b'+' | b'-') {
            at = at.wrapping_add(1);
        }
        at = some_digits_end(bytes, at)?;
    }
    Ok(at)
}

#[inline]
fn digits_end(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at = at.wrapping_add(1);
    }
    at
}

#[inline]
fn some_digits_end(bytes: &[u8], at: usize) -> Result<usize, usize> {
    let end = digits_end(bytes, at);
    if end == at { Err(at) } else { Ok(end) }
}
