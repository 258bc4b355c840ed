//! Secret keys of a cloud account: they have no form of their own, so the name before them tells.

use std::ops::Range;

use crate::Mode;
use crate::text::run;

/// What such a key is called, without what joins its words.
const NAME: &[u8] = b"accesskey";

/// Characters of such a key.
const LENGTH: usize = 40;

/// What may stand between the name and the key.
const JOINTS_MAX: usize = 12;

/// The name itself stays.
pub fn find(text: &str, _: Mode, out: &mut Vec<Range<usize>>) {
    for (at, _) in text.match_indices(['y', 'Y']) {
        let name_end = at.saturating_add(1);
        if !is_named(text, name_end) {
            continue;
        }
        let start = run(text, name_end, |it| b" \t\"'\\:=".contains(&it));
        if !(1..=JOINTS_MAX).contains(&start.saturating_sub(name_end)) {
            continue;
        }
        let end = run(text, start, |it| it.is_ascii_alphanumeric() || it == b'/' || it == b'+');
        if end.saturating_sub(start) == LENGTH {
            out.push(start..end);
        }
    }
}

fn is_named(text: &str, end: usize) -> bool {
    let before = text.as_bytes().get(..end).unwrap_or_default();
    let letters = before.iter().rev().take(NAME.len().saturating_add(1));
    let mut letters = letters.filter(|it| !b"_-".contains(it));
    NAME.iter().rev().all(|it| letters.next().is_some_and(|own| own.eq_ignore_ascii_case(it)))
}
