//! Addresses of mail.

use std::ops::Range;

use super::token::most;
use crate::Mode;
use crate::text::{byte, run};

/// Bounds of faultgate's reading.
const LOCAL_MAX: usize = 64;
const LABEL_MAX: usize = 63;
const LABELS_MAX: usize = 9;

/// Letters of the last label.
const TOP_MIN: usize = 2;
const TOP_MAX: usize = 24;

/// Looks at every `@`.
pub fn find(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    let mut done = 0;
    for (at, _) in text.match_indices('@') {
        let start = local_start(text, at, done);
        let length = at.saturating_sub(start);
        if length == 0 || length > most(mode, LOCAL_MAX) || at < done {
            continue;
        }
        if let Some(end) = domain_end(text, at.saturating_add(1), mode) {
            out.push(start..end);
            done = end;
        }
    }
}

fn local_start(text: &str, at: usize, from: usize) -> usize {
    let before = text.as_bytes().get(from..at).unwrap_or_default();
    at.saturating_sub(before.iter().rev().take_while(|it| is_local(**it)).count())
}

/// The end of the longest domain: labels, then one that is a top label by its letters.
fn domain_end(text: &str, at: usize, mode: Mode) -> Option<usize> {
    let (mut from, mut best) = (at, None);
    for label in 0..=most(mode, LABELS_MAX) {
        let end = run(text, from, is_label);
        let length = end.saturating_sub(from);
        let letters = run(text, from, |it| it.is_ascii_alphabetic()) == end;
        if label > 0 && letters && (TOP_MIN..=TOP_MAX).contains(&length) {
            best = Some(end);
        }
        if length == 0 || length > most(mode, LABEL_MAX) || byte(text, end) != b'.' {
            break;
        }
        from = end.saturating_add(1);
    }
    best
}

fn is_local(it: u8) -> bool {
    it.is_ascii_alphanumeric() || b"._%+-".contains(&it)
}

fn is_label(it: u8) -> bool {
    it.is_ascii_alphanumeric() || it == b'-'
}
