//! dd: its words `name=value` are options in any order, and one of them names what it writes.

use super::Program;
use crate::reading::{Grammar, valued};

/// The program.
pub(super) static PROGRAM: Dd = Dd;

/// It writes what `of` names.
pub(super) struct Dd;

static GRAMMAR: Grammar = Grammar::assigning(&[valued("of").writes(), valued("if")]);

impl Program for Dd {
    fn names(&self) -> &'static [&'static str] {
        &["dd", "gdd", "dcfldd", "dc3dd"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn kin(&self) -> Option<&'static str> {
        Some("dd")
    }
}
