//! Secrets and personal data out of whatever leaves: reports, answers, logs, stores.
//!
//! Rules see raw values; what is printed, sent or kept for people is masked first.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::panic,
        clippy::string_slice
    )
)]

mod digits;
mod hints;
mod keys;
mod marks;
mod sorts;
mod text;

use std::borrow::Cow;
use std::ops::Range;

use hints::Hints;
use sorts::{SORTS, Sort};

/// Passes over a text: what is masked can free the place beside it for another sort.
const PASSES_MAX: usize = 4;

/// What is masked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Everything that is known here.
    #[default]
    Builtin,
    /// What faultgate masks, and nothing else.
    Compatible,
    /// Nothing.
    Off,
}

/// How texts are masked before they leave.
#[derive(Clone, Default)]
pub struct Mask {
    mode: Mode,
    secret: Option<[u8; 32]>,
}

impl Mask {
    /// A mask of this mode, without a secret.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Mask { mode, secret: None }
    }

    /// Nothing is masked.
    #[must_use]
    pub const fn off() -> Self {
        Mask::new(Mode::Off)
    }

    /// The same mask with the secret that masked keys are told apart by.
    #[must_use]
    pub const fn keyed(self, secret: [u8; 32]) -> Self {
        Mask { mode: self.mode, secret: Some(secret) }
    }

    /// What is masked.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The text with a tag in the place of every secret and everything personal.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.mode {
            Mode::Off => Cow::Borrowed(text),
            Mode::Compatible => {
                pass(text, Mode::Compatible).map_or(Cow::Borrowed(text), Cow::Owned)
            }
            Mode::Builtin => settled(text),
        }
    }

    /// The name of a scenario, a session or another thing that must stay one and the same: where it
    /// is masked, a few digits of a digest tell it from others. The digest is keyed but in
    /// faultgate's own way of writing it; without a secret, there is none.
    #[must_use]
    pub fn key<'t>(&self, raw: &'t str) -> Cow<'t, str> {
        let Cow::Owned(masked) = self.text(raw) else { return Cow::Borrowed(raw) };
        let digest = match (self.mode, &self.secret) {
            (Mode::Compatible, _) => Some(keys::plain(raw)),
            (_, Some(secret)) => Some(keys::keyed(secret, raw)),
            (_, None) => None,
        };
        Cow::Owned(digest.map_or(masked.clone(), |it| format!("{masked}#{it}")))
    }

    /// Masks a text where it stands.
    pub fn apply(&self, text: &mut String) {
        if let Cow::Owned(masked) = self.text(text) {
            *text = masked;
        }
    }

    /// Whether masking would change the text.
    #[must_use]
    pub fn changes(&self, text: &str) -> bool {
        matches!(self.text(text), Cow::Owned(_))
    }
}

/// A secret is not shown by accident.
impl std::fmt::Debug for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mask").field("mode", &self.mode).finish_non_exhaustive()
    }
}

fn settled(text: &str) -> Cow<'_, str> {
    let mut out = Cow::Borrowed(text);
    for _ in 0..PASSES_MAX {
        match pass(&out, Mode::Builtin) {
            Some(masked) => out = Cow::Owned(masked),
            None => break,
        }
    }
    out
}

/// One pass of all sorts, each over what those before it left; nothing if nothing changed.
fn pass(text: &str, mode: Mode) -> Option<String> {
    let hints = Hints::of(text);
    let mut out: Option<String> = None;
    let mut found = Vec::new();
    let sorts = SORTS.iter().filter(|it| mode == Mode::Builtin || it.compatible);
    for sort in sorts.filter(|it| (it.may)(hints)) {
        let now = out.as_deref().unwrap_or(text);
        found.clear();
        (sort.find)(now, mode, &mut found);
        if !found.is_empty() {
            out = Some(replaced(now, sort, &found));
        }
    }
    out.filter(|it| it != text)
}

fn replaced(text: &str, sort: &Sort, found: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for range in found {
        out.push_str(text.get(done..range.start).unwrap_or_default());
        out.push_str(sort.tag);
        done = range.end;
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests;
