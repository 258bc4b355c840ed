//! Social security numbers, written with dashes.

use std::ops::Range;

use crate::Mode;
use crate::text::{byte, exactly, free_after, free_before, is_word};

/// Looks at every place where digits begin.
pub fn find(text: &str, _: Mode, out: &mut Vec<Range<usize>>) {
    let mut done = 0;
    for (at, it) in text.char_indices() {
        if at < done || !crate::digits::is_digit(it) || !free_before(text, at, is_word) {
            continue;
        }
        if let Some(end) = end(text, at) {
            out.push(at..end);
            done = end;
        }
    }
}

fn end(text: &str, at: usize) -> Option<usize> {
    let dash = |at: usize| (byte(text, at) == b'-').then(|| at.saturating_add(1));
    let second = exactly(text, at, 3).and_then(dash)?;
    let third = exactly(text, second, 2).and_then(dash)?;
    let end = exactly(text, third, 4)?;
    let area = text.get(at..)?;
    let given = !area.starts_with("000") && !area.starts_with("666") && !area.starts_with('9');
    let group = !text.get(second..)?.starts_with("00");
    let serial = !text.get(third..)?.starts_with("0000");
    (given && group && serial && free_after(text, end, is_word)).then_some(end)
}
