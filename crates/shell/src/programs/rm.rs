//! rm: its options have two spellings.

use super::Program;
use crate::reading::{Grammar, flag, glued};

/// The program.
pub(super) static PROGRAM: Rm = Rm;

/// It removes files.
pub(super) struct Rm;

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-r -R --recursive"),
    flag("-f --force"),
    flag("-v --verbose"),
    flag("-d --dir"),
    flag("-i"),
    flag("-I"),
    glued("--interactive"),
    glued("--preserve-root"),
    flag("--no-preserve-root"),
    flag("--one-file-system"),
]);

impl Program for Rm {
    fn names(&self) -> &'static [&'static str] {
        &["rm", "grm"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn kin(&self) -> Option<&'static str> {
        Some("rm")
    }
}
