//! bwrap: options with one or two values stand before the command.

use super::{Call, Found, Program, Run};
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Bwrap = Bwrap;

/// It runs a command in a place that its options make.
pub(super) struct Bwrap;

/// Options with two values.
const TWO: &[&str] = &[
    "--bind",
    "--bind-data",
    "--bind-try",
    "--chmod",
    "--dev-bind",
    "--dev-bind-try",
    "--file",
    "--ro-bind",
    "--ro-bind-data",
    "--ro-bind-try",
    "--setenv",
    "--symlink",
];

/// Options with none.
const NONE: &[&str] = &[
    "--",
    "--as-pid-1",
    "--clearenv",
    "--die-with-parent",
    "--disable-userns",
    "--new-session",
    "--share-net",
];

impl Program for Bwrap {
    fn names(&self) -> &'static [&'static str] {
        &["bwrap"]
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let mut at = 0_usize;
        while let Some(text) = call.words.get(at).map(crate::Word::shown) {
            let takes = match text.as_str() {
                it if !it.starts_with("--") => break,
                it if TWO.contains(&it) => 3,
                it if NONE.contains(&it) || it.starts_with("--unshare-") => 1,
                _ => 2,
            };
            at = at.saturating_add(takes);
        }
        let words = call.words.get(at..).unwrap_or_default().to_vec();
        let Some(first) = words.first() else { return };
        let message = format!("`bwrap` runs `{}`", first.shown());
        found.effects.push(Effect::new(EffectKind::Executes, first.shown(), message));
        found.runs.push(Run::Words { words, operand: None });
    }
}
