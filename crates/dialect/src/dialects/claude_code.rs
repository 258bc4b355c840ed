//! The dialect `claude_code`: `permissions` of Claude Code's `settings.json`.

mod defaults;
mod files;
mod rule;

use lawbook_diag::Verdict;
use lawbook_rule::Tools;
use lawbook_rule::kinds::{OnlyListed, PickEntry};
use lawbook_rule::params::Node;
use lawbook_shell::{Pick, Rules};

use crate::dialects::tree;
use crate::permissions::{Permissions, Told, no_shells};
use rule::Lists;

/// The keys that a file may have, as far as they have to do with permissions.
pub(crate) const KEYS: &[&str] = &["permissions"];

const PERMISSIONS: &[&str] = &[
    "allow",
    "ask",
    "deny",
    "defaultMode",
    "additionalDirectories",
    "disableBypassPermissionsMode",
    "disableAutoMode",
    "skipDangerousModePermissionPrompt",
];

/// How Claude Code treats what no rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Default,
    AcceptEdits,
    Plan,
    DontAsk,
    Bypass,
}

impl Mode {
    fn otherwise(self) -> Verdict {
        match self {
            Mode::Default | Mode::AcceptEdits => Verdict::Ask,
            Mode::Plan | Mode::DontAsk => Verdict::Deny,
            Mode::Bypass => Verdict::Allow,
        }
    }
}

/// Reads a file.
pub(crate) fn read(text: &str, told: &mut Told) -> Option<Permissions> {
    let root = tree::read_jsonc(text, &mut told.faults)?;
    let permissions = root.get("permissions")?;
    if !told.is_map(permissions, "`permissions`") {
        return None;
    }
    told.known_keys(permissions, "`permissions`", PERMISSIONS);
    let mode = mode(permissions, told);
    let mut lists = Lists::default();
    for (key, verdict) in
        [("deny", Verdict::Deny), ("ask", Verdict::Ask), ("allow", Verdict::Allow)]
    {
        for node in told.texts(permissions, key) {
            rule::read(node, verdict, &mut lists, told);
        }
    }
    let folders = files::folders(permissions, told);
    defaults::add(mode, &folders, &mut lists);
    let rules = |entries| Rules {
        entries,
        pick: Pick::Strictest,
        otherwise: match mode.otherwise() {
            Verdict::Allow => lawbook_shell::Verdict::Allow,
            Verdict::Ask => lawbook_shell::Verdict::Ask,
            Verdict::Deny => lawbook_shell::Verdict::Deny,
        },
        write_roots: defaults::write_roots(mode, &folders),
    };
    let listed = OnlyListed {
        tools: no_shells(),
        entries: lists.tools,
        pick: PickEntry::Strictest,
        otherwise: mode.otherwise(),
        ..OnlyListed::default()
    };
    let mut all = vec![("tools", listed)];
    if !lists.everywhere.is_empty() {
        // What names every tool, or an argument of a tool that runs commands, holds beside.
        let entries = lists.everywhere;
        let otherwise = Verdict::Allow;
        let list = OnlyListed { tools: Tools::Every, entries, otherwise, ..OnlyListed::default() };
        all.push(("everywhere", list));
    }
    Some(Permissions {
        dialect: "claude_code",
        commands: rules(lists.commands),
        powershell: Some(rules(lists.powershell)),
        lists: all,
    })
}

fn mode(permissions: &Node, told: &mut Told) -> Mode {
    let Some(node) = permissions.get("defaultMode") else { return Mode::Default };
    match node.words() {
        Some("default" | "manual") => Mode::Default,
        Some("acceptEdits") => Mode::AcceptEdits,
        Some("plan") => Mode::Plan,
        Some("dontAsk") => Mode::DontAsk,
        Some("bypassPermissions") => {
            let message = "`bypassPermissions` lets run what no rule asks for or denies";
            told.warn(node.span, "allows_all", message, "`default` asks instead");
            Mode::Bypass
        }
        Some("auto") => {
            let message = "`auto` lets a model decide; here what no rule matches is asked for";
            told.note(node.span, "not_carried", message, "list what may run without asking");
            Mode::Default
        }
        _ => {
            let message = "`defaultMode` is none that is known".to_owned();
            let help = "write default, acceptEdits, plan, dontAsk or bypassPermissions";
            told.wrong(node, "wrong_value", message, help);
            Mode::Default
        }
    }
}
