//! International account numbers, whose check digits tell them from other words.

use std::ops::Range;

use crate::Mode;
use crate::text::{byte, free_after, free_before, is_word};

/// Characters of such a number.
const LENGTH_MIN: usize = 15;
const LENGTH_MAX: usize = 34;

/// Characters that stand together where it is written in groups.
const GROUP: usize = 4;

/// Looks at every word.
pub fn find(text: &str, _: Mode, out: &mut Vec<Range<usize>>) {
    let mut done = 0;
    for (at, it) in text.char_indices() {
        if at >= done
            && it.is_ascii_uppercase()
            && free_before(text, at, is_word)
            && let Some(end) = end(text, at)
        {
            out.push(at..end);
            done = end;
        }
    }
}

/// The end of the longest number whose check digits are right.
fn end(text: &str, start: usize) -> Option<usize> {
    let head: [u8; GROUP] = std::array::from_fn(|it| byte(text, start.saturating_add(it)));
    let [a, b, c, d] = head;
    if !(a.is_ascii_uppercase() && b.is_ascii_uppercase()) {
        return None;
    }
    if !(c.is_ascii_digit() && d.is_ascii_digit()) {
        return None;
    }
    let (mut rest, mut best) = (0, None);
    let mut at = start.saturating_add(GROUP);
    for length in GROUP.saturating_add(1)..=LENGTH_MAX {
        if length % GROUP == 1 && byte(text, at) == b' ' {
            at = at.saturating_add(1);
        }
        let Some(next) = remainder(rest, byte(text, at)) else { break };
        (rest, at) = (next, at.saturating_add(1));
        let checked = head.iter().try_fold(rest, |rest, it| remainder(rest, *it));
        if length >= LENGTH_MIN && checked == Some(1) && free_after(text, at, is_word) {
            best = Some(at);
        }
    }
    best
}

/// The remainder by 97 with one more character, of which letters count two digits.
fn remainder(rest: u32, it: u8) -> Option<u32> {
    let value = char::from(it).to_digit(36).filter(|_| !it.is_ascii_lowercase())?;
    let shift = if value > 9 { 100_u32 } else { 10 };
    rest.checked_mul(shift)?.checked_add(value)?.checked_rem(97)
}
