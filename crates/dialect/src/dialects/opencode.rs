//! The dialect `opencode`: `permission` of `opencode.json`, where the last rule that matches
//! decides.

mod pattern;
mod permission;

use lawbook_diag::Verdict;
use lawbook_rule::Tools;
use lawbook_rule::kinds::{OnlyListed, PickEntry};
use lawbook_rule::params::{Form, Node};
use lawbook_shell::{Pick, Rules};

use crate::dialects::tree;
use crate::permissions::{Permissions, Told, no_shells};
use permission::Lists;

/// The keys that a file may have, as far as they have to do with permissions.
pub(crate) const KEYS: &[&str] = &["permission"];

/// Reads a file.
pub(crate) fn read(text: &str, told: &mut Told) -> Option<Permissions> {
    let root = tree::read_jsonc(text, &mut told.faults)?;
    let mut lists = Lists::default();
    permission::defaults(&mut lists);
    let found = root.get("permission")?;
    match &found.form {
        Form::Scalar { .. } => {
            if let Some(verdict) = permission::verdict(found, told) {
                permission::every_tool("permission", verdict, &mut lists);
            }
        }
        Form::Map(entries) => {
            for entry in entries {
                permission::read(entry, &mut lists, told);
            }
        }
        Form::List(_) => {
            let message = "`permission` must be a text or a map, not a list".to_owned();
            told.wrong(found, "wrong_shape", message, "write one of allow, ask and deny, or a map");
        }
    }
    elsewhere(&root, told);
    let listed = OnlyListed {
        tools: no_shells(),
        entries: lists.tools,
        pick: PickEntry::Last,
        otherwise: Verdict::Allow,
        ..OnlyListed::default()
    };
    let outside = OnlyListed {
        tools: Tools::Every,
        entries: lists.outside,
        pick: PickEntry::Last,
        otherwise: Verdict::Allow,
        ..OnlyListed::default()
    };
    Some(Permissions {
        dialect: "opencode",
        commands: Rules {
            entries: lists.commands,
            pick: Pick::Last,
            otherwise: lawbook_shell::Verdict::Allow,
            ..Rules::default()
        },
        powershell: None,
        lists: vec![("tools", listed), ("external_directory", outside)],
    })
}

/// What a file says of permissions in other places.
fn elsewhere(root: &Node, told: &mut Told) {
    for agents in ["agent", "mode"] {
        for agent in root.get(agents).map(Node::entries).unwrap_or_default() {
            for inner in agent.value.entries().iter().filter(|it| it.key == "permission") {
                let message = format!("the permissions of the agent `{}` alone", agent.key);
                let help = "write a policy for that agent; a later `--policy` tightens this one";
                told.not_carried(inner.key_span, message, help);
            }
        }
    }
    for entry in root.entries().iter().filter(|it| it.key == "tools") {
        let help = "write `\"TOOL\": \"deny\"` under `permission`";
        told.not_carried(entry.key_span, "`tools`, which switches tools on and off", help);
    }
}
