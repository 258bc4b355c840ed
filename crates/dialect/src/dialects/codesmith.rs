//! The dialect `codesmith`: the TOML policy of CodeSmith, `[rules.GROUP]` with patterns that allow
//! and patterns that deny.

use lawbook_rule::params::Node;
use lawbook_shell::{Pick, Rule, Rules, Verdict};

use crate::dialects::tree;
use crate::permissions::{Permissions, Told, escaped, glob, leading, regex};

/// The keys of a file.
pub(crate) const KEYS: &[&str] = &["rules"];

const LISTS: &[&str] = &["allow", "deny"];

/// What parts commands.
const SEPARATORS: &[char] = &['|', '&', ';', '\n'];

/// Reads a file.
pub(crate) fn read(text: &str, told: &mut Told) -> Option<Permissions> {
    let root = tree::read_toml(text, &mut told.faults)?;
    told.known_keys(&root, "the policy", KEYS);
    let mut entries = Vec::new();
    for group in root.get("rules").map(Node::entries).unwrap_or_default() {
        let inside = format!("the group `{}`", group.key);
        if !told.is_map(&group.value, &inside) {
            continue;
        }
        told.known_keys(&group.value, &inside, LISTS);
        for (list, verdict) in [("deny", Verdict::Deny), ("allow", Verdict::Allow)] {
            for pattern in told.texts(&group.value, list) {
                entries.extend(rule(pattern, verdict, told));
            }
        }
    }
    Some(Permissions {
        dialect: "codesmith",
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

fn rule(node: &Node, verdict: Verdict, told: &mut Told) -> Option<Rule> {
    let text = node.words()?.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() {
        told.wrong(node, "wrong_value", "a blank pattern".to_owned(), "name a program, or `*`");
        return None;
    }
    if text.contains(SEPARATORS) {
        let message = format!("`{text}` names several commands, and a rule speaks of one");
        let help = "write one pattern for each command; all of them must be allowed";
        match verdict {
            // In its own system too a pattern with a separator denies nothing.
            Verdict::Deny => told.not_carried(node.span, message, help),
            _ => told.warn(node.span, "not_carried", message, help),
        }
        return None;
    }
    let matcher = match text.strip_suffix(" *") {
        // A star behind a space stands for at least one argument.
        Some(lead) if verdict == Verdict::Allow => {
            let lead = escaped(lead).replace(r"\*", ".*");
            regex(&format!(r"\A{lead} .*\z"))
        }
        _ if text.contains('*') => Ok(glob(&text, false, verdict)),
        _ => leading(&text, verdict),
    };
    match matcher {
        Ok(matcher) => Some(Rule { matcher, verdict, text }),
        Err(error) => {
            told.wrong(node, "wrong_value", error.message, &error.help);
            None
        }
    }
}
