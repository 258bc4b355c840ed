//! JSON out of JSON with comments: what no JSON reader takes becomes blanks, so that every place
//! stays where it is.

/// The text with comments and with commas before closing brackets blanked out.
pub fn plain(text: &str) -> String {
    let mut out: Vec<u8> = text.as_bytes().to_vec();
    let mut at = 0;
    let mut comma = None;
    while let Some(byte) = out.get(at).copied() {
        let next = out.get(at.saturating_add(1)).copied();
        let end = match (byte, next) {
            (b'"', _) => {
                comma = None;
                string_end(&out, at)
            }
            (b'/', Some(b'/')) => {
                let end = find(&out, at, |it| it.first() == Some(&b'\n'));
                blank(&mut out, at, end);
                end
            }
            (b'/', Some(b'*')) => {
                let end = find(&out, at.saturating_add(2), |it| it.starts_with(b"*/"));
                let end = end.saturating_add(2);
                blank(&mut out, at, end);
                end
            }
            (b',', _) => {
                comma = Some(at);
                at.saturating_add(1)
            }
            (b'}' | b']', _) => {
                if let Some(comma) = comma.take() {
                    blank(&mut out, comma, comma.saturating_add(1));
                }
                at.saturating_add(1)
            }
            (it, _) => {
                if !it.is_ascii_whitespace() {
                    comma = None;
                }
                at.saturating_add(1)
            }
        };
        at = end.max(at.saturating_add(1));
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start.saturating_add(1);
    while let Some(byte) = bytes.get(at) {
        at = at.saturating_add(1);
        match byte {
            b'\\' => at = at.saturating_add(1),
            b'"' => return at,
            _ => {}
        }
    }
    at
}

fn find(bytes: &[u8], from: usize, is: impl Fn(&[u8]) -> bool) -> usize {
    (from..bytes.len()).find(|it| bytes.get(*it..).is_some_and(&is)).unwrap_or(bytes.len())
}

fn blank(bytes: &mut [u8], from: usize, to: usize) {
    for byte in bytes.iter_mut().take(to).skip(from).filter(|it| !matches!(**it, b'\n' | b'\r')) {
        *byte = b' ';
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn comments_and_last_commas_become_blanks_in_place() {
        let text = "{ // ä\n \"a//\": [1, /* x\n */ 2,], \"b\": \"\\\"/*\",\n}";
        let out = plain(text);
        assert_eq!(out.len(), text.len());
        assert!(
            out.starts_with("{      \n \"a//\": [1,     \n    2 ], \"b\": \"\\\"/*\" \n}"),
            "{out}"
        );
    }
}
