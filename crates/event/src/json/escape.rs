//! Strings with escapes: decoding them into the side buffer.

use super::JsonErrorKind;
use super::scan::string_stop;

/// Decodes the string whose text starts at `start` and whose first backslash is at `at`.
/// Gives the place of its closing quote and whether it held half of a surrogate pair.
pub(super) fn decode(
    text: &str,
    start: usize,
    mut at: usize,
    out: &mut String,
) -> Result<(usize, bool), (JsonErrorKind, usize)> {
    let bytes = text.as_bytes();
    let mut lone = false;
    let mut from = start;
    loop {
        out.push_str(text.get(from..at).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return Ok((at, lone)),
            Some(b'\\') => {}
            Some(_) => return Err((JsonErrorKind::Control, at)),
            None => return Err((JsonErrorKind::Eof, at)),
        }
        let short = match bytes.get(at.wrapping_add(1)) {
            Some(b'"') => '"',
            Some(b'n') => '\n',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'u') => {
                let (decoded, end) = unicode(bytes, at)?;
                lone |= decoded.is_none();
                out.push(decoded.unwrap_or(char::REPLACEMENT_CHARACTER));
                from = end;
                at = string_stop(bytes, from);
                continue;
            }
            Some(_) => return Err((JsonErrorKind::Escape, at)),
            None => return Err((JsonErrorKind::Eof, bytes.len())),
        };
        out.push(short);
        from = at.wrapping_add(2);
        at = string_stop(bytes, from);
    }
}

/// The character of the `\u` escape at `at` (none for half a pair) and where the escape ends.
fn unicode(bytes: &[u8], at: usize) -> Result<(Option<char>, usize), (JsonErrorKind, usize)> {
    let Some(unit) = hex(bytes, at) else {
        let ends = bytes.len() < at.wrapping_add(6);
        let kind = if ends { JsonErrorKind::Eof } else { JsonErrorKind::Escape };
        return Err((kind, at));
    };
    let end = at.wrapping_add(6);
    if !(0xD800..0xDC00).contains(&unit) {
        return Ok((char::from_u32(unit), end));
    }
    match hex(bytes, end) {
        Some(low @ 0xDC00..0xE000) => {
            let above = ((unit & 0x3FF) << 10) | (low & 0x3FF);
            let joined = above.wrapping_add(0x1_0000);
            Ok((char::from_u32(joined), end.wrapping_add(6)))
        }
        _ => Ok((None, end)),
    }
}

/// The number of a `\uXXXX` at `at`, if one stands there.
fn hex(bytes: &[u8], at: usize) -> Option<u32> {
    let six = bytes.get(at..)?.first_chunk::<6>()?;
    let [b'\\', b'u', digits @ ..] = six else { return None };
    digits.iter().try_fold(0_u32, |sum, byte| Some((sum << 4) | char::from(*byte).to_digit(16)?))
}
