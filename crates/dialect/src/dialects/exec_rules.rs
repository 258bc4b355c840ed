//! The dialect `exec_rules`: the `.rules` files of Codex and CodeSmith, read as data.

mod example;
mod literal;
mod reader;
mod rule;
mod token;

use lawbook_shell::{Pick, Rules, Verdict};

use crate::permissions::{Permissions, Told};

/// The names that a file may call.
pub(crate) const KEYS: &[&str] = &["prefix_rule", "host_executable", "network_rule"];

/// Reads a file.
pub(crate) fn read(text: &str, told: &mut Told) -> Option<Permissions> {
    let mut entries = Vec::new();
    for call in reader::calls(text, &mut told.faults) {
        match call.name.as_str() {
            "prefix_rule" => rule::prefix_rule(&call, &mut entries, told),
            "host_executable" => rule::host_executable(&call, told),
            "network_rule" => rule::network_rule(&call, told),
            name => {
                let message = format!("`{name}` can't be read");
                told.wrong_at(call.span, "unknown_call", message, "take it away, or write rules");
            }
        }
    }
    Some(Permissions {
        dialect: "exec_rules",
        commands: Rules {
            entries,
            pick: Pick::Strictest,
            otherwise: Verdict::Ask,
            ..Rules::default()
        },
        powershell: None,
        lists: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
