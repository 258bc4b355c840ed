//! One rule of a file, and what it adds to the lists that judge.

use std::sync::Arc;

use lawbook_diag::Verdict;
use lawbook_event::{EXACT, PatternUse};
use lawbook_rule::kinds::{Entry, Wanted};
use lawbook_rule::params::{Node, Scalar};
use lawbook_rule::{ToolName, Tools};
use lawbook_shell::{Matcher, Rule};

use super::texts;
use crate::permissions::{Told, everything, leading, regex};

const KEYS: &[&str] = &[
    "toolName",
    "subagent",
    "mcpName",
    "toolAnnotations",
    "argsPattern",
    "commandPrefix",
    "commandRegex",
    "decision",
    "priority",
    "denyMessage",
    "deny_message",
    "modes",
    "interactive",
    "allowRedirection",
    "allow_redirection",
    "name",
    "source",
];

const MODES: &[&str] = &["default", "autoEdit", "plan", "yolo"];

const SHELL: &str = "run_shell_command";

/// How the text of a command begins in the arguments of a call.
const COMMAND: &str = "\"command\":\"";

/// The largest priority.
const PRIORITY_MAX: u32 = 999;

/// The rules of a file, by what they speak of, in the order in which they decide.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub commands: Vec<Rule>,
    pub tools: Vec<Entry>,
    /// What asks or denies by the arguments of a command.
    pub arguments: Vec<Entry>,
}

/// A rule.
pub(super) struct OneRule<'n> {
    node: &'n Node,
    tools: Vec<String>,
    prefixes: Vec<&'n str>,
    regex: Option<&'n str>,
    args: Option<&'n str>,
    verdict: Verdict,
    pub priority: u32,
}

/// Reads a rule; none if it can't be read or does not hold in the mode that is meant.
pub(super) fn read<'n>(node: &'n Node, told: &mut Told) -> Option<OneRule<'n>> {
    if !told.is_map(node, "a rule") {
        return None;
    }
    told.known_keys(node, "a rule", KEYS);
    let verdict = decision(node, told)?;
    let priority = priority(node, told)?;
    let tools = tools(node, told)?;
    let prefixes = texts(node, "commandPrefix", told);
    let text = |key: &str| node.get(key).and_then(Node::words);
    let rule = OneRule {
        node,
        tools,
        prefixes,
        regex: text("commandRegex"),
        args: text("argsPattern"),
        verdict,
        priority,
    };
    let both = ["commandPrefix", "commandRegex", "argsPattern"];
    let there = both.into_iter().filter(|it| node.get(it).is_some());
    if there.clone().count() > 1 {
        let keys = there.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(" and ");
        let message = format!("{keys} stand in one rule");
        told.wrong(node, "wrong_shape", message, "keep one of them");
        return None;
    }
    rule.holds(told).then_some(rule)
}

fn decision(node: &Node, told: &mut Told) -> Option<Verdict> {
    match node.get("decision").and_then(Node::words) {
        Some("allow") => Some(Verdict::Allow),
        Some("ask_user") => Some(Verdict::Ask),
        Some("deny") => Some(Verdict::Deny),
        found => {
            let at = node.get("decision").unwrap_or(node);
            let message = match found {
                Some(other) => format!("`{other}` is no decision"),
                None => "a rule needs `decision`".to_owned(),
            };
            told.wrong(at, "wrong_value", message, "write allow, deny or ask_user");
            None
        }
    }
}

fn priority(node: &Node, told: &mut Told) -> Option<u32> {
    let at = node.get("priority");
    let number = at.and_then(Node::words).and_then(|it| it.parse().ok());
    let found = number.filter(|it| *it <= PRIORITY_MAX);
    if found.is_none() {
        let message = format!("a rule needs a `priority` from 0 to {PRIORITY_MAX}");
        told.wrong(at.unwrap_or(node), "wrong_value", message, "the highest one decides");
    }
    found
}

/// The names of a rule's tools, as calls carry them.
fn tools(node: &Node, told: &mut Told) -> Option<Vec<String>> {
    let names = texts(node, "toolName", told);
    let is_command = node.get("commandPrefix").is_some() || node.get("commandRegex").is_some();
    let server = node.get("mcpName").and_then(Node::words);
    if let Some(server) = server {
        let names = if names.is_empty() { vec!["*"] } else { names };
        // Servers are written in front of their tools in more than one way.
        let each = |name: &str| {
            [
                format!("mcp_{server}_{name}"),
                format!("mcp__{server}__{name}"),
                format!("{server}__{name}"),
            ]
        };
        return Some(names.into_iter().flat_map(each).collect());
    }
    if is_command {
        let other = names.iter().any(|it| *it != SHELL);
        if other {
            let message = format!("a rule over commands is one over `{SHELL}`");
            told.wrong(node, "wrong_shape", message, &format!("write `toolName = \"{SHELL}\"`"));
            return None;
        }
        return Some(vec![SHELL.to_owned()]);
    }
    if names.is_empty() {
        let annotated = node.get("toolAnnotations").is_some();
        if annotated {
            return Some(Vec::new());
        }
        let message = "a rule names no tool".to_owned();
        told.wrong(node, "missing_key", message, "add `toolName`; `*` stands for every tool");
        return None;
    }
    Some(names.into_iter().map(str::to_owned).collect())
}

impl OneRule<'_> {
    /// Whether a rule holds for a person at the terminal in the mode `default`; what does not is
    /// told.
    fn holds(&self, told: &mut Told) -> bool {
        let at = |key: &str| self.node.get(key).map_or(self.node.span, |it| it.span);
        let modes = told.texts(self.node, "modes");
        for mode in &modes {
            if !mode.words().is_some_and(|it| MODES.contains(&it)) {
                let message = "this mode is none that is known".to_owned();
                told.wrong(mode, "wrong_value", message, "write default, autoEdit, plan or yolo");
            }
        }
        if !modes.is_empty() && !modes.iter().any(|it| it.words() == Some("default")) {
            let message = "a rule for other modes than `default` is left out";
            let help = "a policy here speaks of one mode: `default`";
            self.left_out(at("modes"), message, help, told);
            return false;
        }
        if flag(self.node, "interactive") == Some(false) {
            let message = "a rule for runs without a person is left out";
            let help = "with `--unattended` what asks is denied";
            self.left_out(at("interactive"), message, help, told);
            return false;
        }
        for (key, what) in [
            ("subagent", "a rule for one subagent is left out"),
            ("toolAnnotations", "a rule by what tools say of themselves is left out"),
        ] {
            if self.node.get(key).is_some() {
                self.left_out(at(key), what, "name the tools it means", told);
                return false;
            }
        }
        for key in ["allowRedirection", "allow_redirection"] {
            if flag(self.node, key) == Some(true) {
                let message = "a redirection that writes a file asks all the same";
                let help = "a native policy names the folders in which commands may write";
                told.note(at(key), "not_carried", message, help);
            }
        }
        true
    }

    fn left_out(&self, at: lawbook_diag::Span, message: &str, help: &str, told: &mut Told) {
        match self.verdict {
            Verdict::Allow => told.warn(at, "not_carried", message, help),
            Verdict::Ask | Verdict::Deny => told.not_carried(at, message, help),
        }
    }

    fn shell_verdict(&self) -> lawbook_shell::Verdict {
        match self.verdict {
            Verdict::Allow => lawbook_shell::Verdict::Allow,
            Verdict::Ask => lawbook_shell::Verdict::Ask,
            Verdict::Deny => lawbook_shell::Verdict::Deny,
        }
    }

    /// Adds what a rule says, behind all that decides before it.
    pub fn add(&self, lists: &mut Lists, told: &mut Told) {
        let (shells, others): (Vec<&String>, Vec<&String>) =
            self.tools.iter().partition(|it| *it == SHELL);
        let every = others.iter().any(|it| *it == "*");
        if !shells.is_empty() || every {
            self.add_commands(lists, told);
        }
        if others.is_empty() {
            return;
        }
        let names = || Tools::Named(others.iter().map(|it| ToolName::new(it.as_str())).collect());
        let Some(args) = self.args else {
            return lists.tools.push(self.entry(names(), None));
        };
        if let Some(wants) = self.whole(args, told) {
            lists.tools.push(self.entry(names(), Some(wants)));
        }
    }

    fn add_commands(&self, lists: &mut Lists, told: &mut Told) {
        let mut add = |text: String, matcher: Matcher| {
            let verdict = self.shell_verdict();
            lists.commands.push(Rule { matcher, verdict, text });
        };
        for prefix in &self.prefixes {
            match leading(prefix.trim(), self.shell_verdict()) {
                Ok(matcher) => add(format!("{SHELL}({prefix})"), matcher),
                Err(error) => {
                    told.wrong(self.node, "wrong_value", error.message, &error.help);
                }
            }
        }
        let command = self.args.and_then(|it| {
            it.trim_start_matches('^').trim_start_matches(r"\{").strip_prefix(COMMAND)
        });
        if let Some(pattern) = self.regex.or(command) {
            match regex(&format!(r"\A(?:{pattern})")) {
                Ok(matcher) => add(format!("{SHELL}(/{pattern}/)"), matcher),
                Err(error) => {
                    told.wrong(self.node, "wrong_value", error.message, &error.help);
                }
            }
        } else if let Some(args) = self.args {
            self.add_arguments(args, lists, told);
        } else if self.prefixes.is_empty() {
            add(self.tools.join(", "), everything());
        }
    }

    /// A pattern over all arguments of a command: what asks or denies holds beside the others.
    fn add_arguments(&self, args: &str, lists: &mut Lists, told: &mut Told) {
        if self.verdict == Verdict::Allow {
            let message = "a pattern over the arguments of a command allows nothing here";
            let help = "write `commandPrefix` or `commandRegex`";
            return told.warn(self.node.span, "not_carried", message, help);
        }
        if let Some(wants) = self.whole(args, told) {
            let tools = Tools::Named(vec![ToolName::literal(SHELL)]);
            lists.arguments.push(self.entry(tools, Some(wants)));
        }
    }

    fn whole(&self, args: &str, told: &mut Told) -> Option<Wanted> {
        let what_for =
            if self.verdict == Verdict::Allow { PatternUse::Allow } else { PatternUse::Deny };
        match EXACT.pattern(args, false, what_for) {
            Ok(pattern) => Some(Wanted::Whole(pattern)),
            Err(error) => {
                let at = self.node.get("argsPattern").unwrap_or(self.node);
                let message = format!("`argsPattern` can't be read: {error}");
                told.wrong(at, "wrong_value", message, "write it without look-around");
                None
            }
        }
    }

    fn entry(&self, tools: Tools, wants: Option<Wanted>) -> Entry {
        let mut text = self.tools.first().cloned().unwrap_or_default();
        if let Some(args) = self.args {
            text = format!("{text}(/{args}/)");
        }
        Entry { tools, wants, verdict: self.verdict, text: Some(Arc::from(text)) }
    }
}

fn flag(node: &Node, key: &str) -> Option<bool> {
    match node.get(key)?.scalar()? {
        Scalar::Bool(truth) => Some(truth),
        Scalar::Null | Scalar::Number(_) | Scalar::Unclear(_) | Scalar::Text(_) => None,
    }
}
