//! The list of commands, in the order of the help.

mod peers;
mod test;
mod tidy;

use crate::repo::Repo;

/// One command.
pub struct Command {
    /// The word after `cargo xtask`.
    pub name: &'static str,
    /// What it does, for the help.
    pub about: &'static str,
    /// Runs it; true when everything passed.
    pub run: fn(&Repo, &[String]) -> Result<bool, String>,
}

/// Every command.
pub const COMMANDS: &[Command] = &[test::COMMAND, peers::COMMAND, tidy::COMMAND];
