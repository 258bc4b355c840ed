//! Tokens that are known by their form: signed tokens of three parts, and what follows `bearer`.

use std::ops::Range;

use crate::Mode;
use crate::text::{byte, find_from, free_before, is_word, run};

/// Bytes that a part of a signed token has at least, and in faultgate's reading at most.
const PART_MIN: usize = 8;
const PART_MAX: usize = 4096;

/// Bytes that a bearer token has at least, and in faultgate's reading at most.
const BEARER_MIN: usize = 16;
const BEARER_MAX: usize = 4096;

const SIGNED: &str = "eyJ";

/// Whether it can stand in a token.
pub fn is_token(it: u8) -> bool {
    it.is_ascii_alphanumeric() || it == b'_' || it == b'-'
}

/// How many bytes there may be at most.
pub fn most(mode: Mode, compatible: usize) -> usize {
    if mode == Mode::Compatible { compatible } else { usize::MAX }
}

/// Signed tokens: three parts, the first of which is an object's beginning.
pub fn find_signed(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(start) = find_from(text, SIGNED, from) {
        from = start.saturating_add(SIGNED.len());
        let apart = |it: char| is_word(it) || it == '.' || it == '-';
        if !free_before(text, start, apart) {
            continue;
        }
        if let Some(end) = signed_end(text, from, most(mode, PART_MAX)) {
            out.push(start..end);
            from = end;
        }
    }
}

fn signed_end(text: &str, at: usize, most: usize) -> Option<usize> {
    let inner = |at: usize| {
        let end = run(text, at, is_token);
        let fits = (PART_MIN..=most).contains(&end.saturating_sub(at)) && byte(text, end) == b'.';
        fits.then(|| end.saturating_add(1))
    };
    let last = inner(at).and_then(inner)?;
    let end = run(text, last, is_token).min(last.saturating_add(most));
    (end.saturating_sub(last) >= PART_MIN).then_some(end)
}

/// What follows the word `bearer` and a space.
pub fn find_bearer(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    for (space, _) in text.match_indices(' ') {
        let word = space.checked_sub(6).and_then(|it| text.as_bytes().get(it..space));
        if !word.is_some_and(|it| it.eq_ignore_ascii_case(b"bearer")) {
            continue;
        }
        let start = space.saturating_add(1);
        let end = run(text, start, is_bearer).min(start.saturating_add(most(mode, BEARER_MAX)));
        if end.saturating_sub(start) >= BEARER_MIN {
            out.push(start..run(text, end, |it| it == b'='));
        }
    }
}

fn is_bearer(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"._~+/-".contains(&it)
}
