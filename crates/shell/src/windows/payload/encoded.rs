//! The text behind `-EncodedCommand`: Base64 over UTF-16, lowest byte first.

/// The text, if it is one; what can't be decoded is left to the person who is asked.
pub(super) fn decode(payload: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut bits = 0_u32;
    let mut held = 0_u32;
    for it in payload.chars().filter(|it| !it.is_whitespace() && *it != '=') {
        bits = (bits << 6 | value(it)?) & 0xffff;
        held = held.saturating_add(6);
        if held >= 8 {
            held = held.saturating_sub(8);
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    let units = bytes.chunks_exact(2).map(|it| match it {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    });
    String::from_utf16(&units.collect::<Vec<_>>()).ok().filter(|it| !it.is_empty())
}

fn value(it: char) -> Option<u32> {
    let within = |first: char, offset: u32| {
        u32::from(it).checked_sub(u32::from(first)).map(|it| it.saturating_add(offset))
    };
    match it {
        'A'..='Z' => within('A', 0),
        'a'..='z' => within('a', 26),
        '0'..='9' => within('0', 52),
        '+' => Some(62),
        '/' => Some(63),
        _ => None,
    }
}
