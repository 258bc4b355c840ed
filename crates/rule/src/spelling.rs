//! Other spellings under which a file system, a server or a client would take a text.

/// The bytes that percent escapes stand for; none where a text has none.
pub(crate) fn percent_decoded(text: &str) -> Option<Vec<u8>> {
    if !text.contains('%') {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digits = (byte == b'%').then(|| (hex(ahead.next()), hex(ahead.next())));
        match digits {
            Some((Some(high), Some(low))) => {
                bytes.push((high << 4) | low);
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    Some(bytes).filter(|it| it != text.as_bytes())
}

fn hex(byte: Option<u8>) -> Option<u8> {
    let digit = char::from(byte?).to_digit(16)?;
    u8::try_from(digit).ok()
}
