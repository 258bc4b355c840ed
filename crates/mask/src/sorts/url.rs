//! Names and passwords in addresses, as in `https://name:password@host`.

use std::ops::Range;

use crate::Mode;
use crate::text::{byte, find_from, run};

const SCHEME_END: &str = "://";

/// The host stays: it says which password is meant.
pub fn find(text: &str, _: Mode, out: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(start) = find_from(text, SCHEME_END, from) {
        let start = start.saturating_add(SCHEME_END.len());
        let end = run(text, start, is_user_info);
        from = end;
        let held = text.get(start..end).unwrap_or_default();
        if byte(text, end) == b'@' && held.contains(':') {
            out.push(start..end);
        }
    }
}

fn is_user_info(it: u8) -> bool {
    !it.is_ascii_whitespace() && !it.is_ascii_control() && !b"/@?#\"'`<>\\".contains(&it)
}
