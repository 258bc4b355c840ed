//! Checks of a whole run beside the rules: loops, repeats, errors left alone, wrong answers.
//!
//! A check is no rule: it reads a finished run and says whether something is wrong with it.

mod check;
mod checks;

pub use check::{Check, Group, Told};
pub use checks::{CHECKS, named};
