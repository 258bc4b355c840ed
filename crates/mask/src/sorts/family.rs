//! Keys of known services, told by what they begin with.

use std::ops::Range;

use super::token::{is_token, most};
use crate::Mode;
use crate::text::{byte, chars, free_after, is_word, run};

/// One family of keys.
struct Family {
    prefix: &'static str,
    class: fn(u8) -> bool,
    min: usize,
    max: usize,
    compatible: bool,
}

const fn known(prefix: &'static str, class: fn(u8) -> bool, min: usize, max: usize) -> Family {
    Family { prefix, class, min, max, compatible: true }
}

const fn added(prefix: &'static str, class: fn(u8) -> bool, min: usize, max: usize) -> Family {
    Family { prefix, class, min, max, compatible: false }
}

const FAMILIES: &[Family] = &[
    known("sk-", is_token, 16, 256),
    known("pk-", is_token, 16, 256),
    known("rk-", is_token, 16, 256),
    known("sk_live_", is_plain, 16, 256),
    known("sk_test_", is_plain, 16, 256),
    known("rk_live_", is_plain, 16, 256),
    known("rk_test_", is_plain, 16, 256),
    known("AKIA", is_upper, 16, 16),
    known("ghp_", is_plain, 30, 255),
    known("gho_", is_plain, 30, 255),
    known("ghu_", is_plain, 30, 255),
    known("ghs_", is_plain, 30, 255),
    known("ghr_", is_plain, 30, 255),
    known("xoxa-", is_dashed, 10, 255),
    known("xoxb-", is_dashed, 10, 255),
    known("xoxp-", is_dashed, 10, 255),
    known("xoxo-", is_dashed, 10, 255),
    known("xoxs-", is_dashed, 10, 255),
    known("xoxr-", is_dashed, 10, 255),
    known("xoxe-", is_dashed, 10, 255),
    known("xapp-", is_dashed, 10, 255),
    known("AIza", is_token, 35, 35),
    known("ya29.", is_token, 20, 2048),
    known("hf_", is_plain, 30, 64),
    added("ASIA", is_upper, 16, 16),
    added("github_pat_", is_token, 22, 255),
    added("glpat-", is_token, 20, 255),
    added("npm_", is_plain, 36, 36),
    added("pypi-", is_token, 50, 512),
];

/// Parts of a mail service's key, each with its bounds in characters. The reference takes letters of
/// every script for a part of it.
const MAILER: &str = "SG.";
const MAILER_PARTS: [(usize, usize); 2] = [(16, 64), (16, 128)];

/// Lower-case words that may stand between `sk-` and the key itself, and their length.
const WORDS_MAX: usize = 2;
const WORD_MAX: usize = 12;

/// Looks at every place where a word begins.
pub fn find(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    let mut before = None;
    let mut done = 0;
    for (at, it) in text.char_indices() {
        let starts = !before.is_some_and(bound) && at >= done;
        before = Some(it);
        if starts
            && it.is_ascii_alphabetic()
            && let Some(end) = end(text, at, mode)
        {
            out.push(at..end);
            done = end;
        }
    }
}

fn end(text: &str, at: usize, mode: Mode) -> Option<usize> {
    let rest = text.get(at..)?;
    let end = if rest.starts_with(MAILER) {
        mailer_end(text, at.saturating_add(MAILER.len()))
    } else {
        let family = FAMILIES.iter().filter(|it| it.compatible || mode == Mode::Builtin);
        let family = family.into_iter().find(|it| rest.starts_with(it.prefix))?;
        family.end(text, at.saturating_add(family.prefix.len()), mode)
    }?;
    free_after(text, end, bound).then_some(end)
}

impl Family {
    fn end(&self, text: &str, at: usize, mode: Mode) -> Option<usize> {
        let end = run(text, at, self.class);
        // A length that is fixed stays so: it is what tells the key from other words.
        let max = if self.min == self.max { self.max } else { most(mode, self.max) };
        let fits = |from: usize| (self.min..=max).contains(&end.saturating_sub(from));
        let mut from = at;
        let worded = self.prefix.ends_with("k-");
        for _ in 0..=if worded { WORDS_MAX } else { 0 } {
            if fits(from) {
                return Some(end);
            }
            let word = run(text, from, |it| it.is_ascii_lowercase());
            let length = word.saturating_sub(from);
            if !(1..=WORD_MAX).contains(&length) || byte(text, word) != b'-' {
                return None;
            }
            from = word.saturating_add(1);
        }
        None
    }
}

fn mailer_end(text: &str, at: usize) -> Option<usize> {
    let [first, second] = MAILER_PARTS;
    let part = |at: usize, (min, max): (usize, usize)| {
        let (end, count) = chars(text, at, max, bound);
        (count >= min).then_some(end)
    };
    let point = part(at, first)?;
    let next = (byte(text, point) == b'.').then(|| point.saturating_add(1))?;
    part(next, second)
}

/// What parts a key from the words around it does not hold these.
fn bound(it: char) -> bool {
    is_word(it) || it == '-'
}

fn is_plain(it: u8) -> bool {
    it.is_ascii_alphanumeric()
}

fn is_upper(it: u8) -> bool {
    it.is_ascii_uppercase() || it.is_ascii_digit()
}

fn is_dashed(it: u8) -> bool {
    it.is_ascii_alphanumeric() || it == b'-'
}
