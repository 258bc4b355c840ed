//! The hosts whose hooks are answered.

mod claude_code;
mod codex;
mod cursor;
mod gemini_cli;
mod opencode;

use crate::host::Host;

/// Every host, by name.
pub static HOSTS: &[&dyn Host] = &[
    &claude_code::ClaudeCode,
    &codex::Codex,
    &cursor::Cursor,
    &gemini_cli::GeminiCli,
    &opencode::Opencode,
];

/// The host of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static dyn Host> {
    HOSTS.iter().copied().find(|it| it.name() == name)
}

#[cfg(test)]
mod tests;
