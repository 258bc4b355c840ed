//! What stands between `$'` and `'`, decoded.

use super::source::Source;

/// Reads up to the closing quote, which is left, and gives what the characters stand for.
pub fn decode(src: &mut Source<'_>) -> Vec<u8> {
    let mut found = Vec::new();
    // A null character ends what bash keeps, though not what it reads.
    let mut ended = false;
    while let Some(byte) = src.peek().filter(|it| *it != b'\'') {
        src.bump_raw();
        if byte != b'\\' {
            if !ended {
                found.push(byte);
            }
            continue;
        }
        match escape(src) {
            Decoded::Null => ended = true,
            Decoded::Bytes(bytes) if !ended => found.extend(bytes),
            Decoded::Bytes(_) => {}
        }
    }
    found
}

enum Decoded {
    Null,
    Bytes(Vec<u8>),
}

fn escape(src: &mut Source<'_>) -> Decoded {
    let Some(byte) = src.peek() else { return one(b'\\') };
    if byte.is_ascii_digit() && byte < b'8' {
        return number(src, 8, 3).map_or(one(b'\\'), |it| one(low(it)));
    }
    src.bump_raw();
    match byte {
        b'a' => one(0x07),
        b'b' => one(0x08),
        b'e' | b'E' => one(0x1B),
        b'f' => one(0x0C),
        b'n' => one(b'\n'),
        b'r' => one(b'\r'),
        b't' => one(b'\t'),
        b'v' => one(0x0B),
        b'\\' | b'\'' | b'"' | b'?' => one(byte),
        b'c' => control(src),
        b'x' => number(src, 16, 2).map_or_else(|| two(byte), |it| one(low(it))),
        b'u' => number(src, 16, 4).map_or_else(|| two(byte), unicode),
        b'U' => number(src, 16, 8).map_or_else(|| two(byte), unicode),
        _ => two(byte),
    }
}

fn control(src: &mut Source<'_>) -> Decoded {
    let Some(byte) = src.peek() else { return two(b'c') };
    src.bump_raw();
    one(byte & 0x1F)
}

/// The number whose digits come next, if there is one.
fn number(src: &mut Source<'_>, radix: u32, digits_max: usize) -> Option<u32> {
    let mut found = None;
    for _ in 0..digits_max {
        let digit = src.peek().and_then(|it| char::from(it).to_digit(radix));
        let Some(digit) = digit else { break };
        found = Some(found.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(digit));
        src.bump_raw();
    }
    found
}

fn low(number: u32) -> u8 {
    u8::try_from(number & 0xFF).unwrap_or_default()
}

fn unicode(number: u32) -> Decoded {
    if number == 0 {
        return Decoded::Null;
    }
    let char = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
    Decoded::Bytes(char.to_string().into_bytes())
}

fn one(byte: u8) -> Decoded {
    if byte == 0 { Decoded::Null } else { Decoded::Bytes(vec![byte]) }
}

fn two(byte: u8) -> Decoded {
    Decoded::Bytes(vec![b'\\', byte])
}

/// The text up to the closing quote, decoded, and what stands behind that quote.
pub fn decoded(text: &str) -> (String, &str) {
    let mut src = Source::of(text);
    let found = String::from_utf8_lossy(&decode(&mut src)).into_owned();
    let behind = text.get(src.pos..).unwrap_or_default();
    (found, behind.strip_prefix('\'').unwrap_or(behind))
}
