//! One rule, `Tool` or `Tool(specifier)`.

use std::sync::Arc;

use lawbook_diag::Verdict;
use lawbook_event::{EXACT, Path, Pattern, PatternUse};
use lawbook_rule::kinds::{Entry, Wanted};
use lawbook_rule::params::Node;
use lawbook_rule::{ToolName, Tools};
use lawbook_shell::{Glob, Matcher, Rule};

use super::files;
use crate::permissions::{Told, escaped, everything, glob};

/// The rules of a file, by what they speak of.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub commands: Vec<Rule>,
    pub powershell: Vec<Rule>,
    pub tools: Vec<Entry>,
    /// What holds for every tool, those that run commands among them.
    pub everywhere: Vec<Entry>,
}

/// The arguments that a tool matches by rules of its own, so that no rule names them.
const OWN: &[(&str, &str)] = &[
    ("Bash", "command"),
    ("PowerShell", "command"),
    ("Read", "file_path"),
    ("Edit", "file_path"),
    ("Write", "file_path"),
    ("Grep", "path"),
    ("Glob", "path"),
    ("NotebookEdit", "notebook_path"),
    ("WebFetch", "url"),
];

/// Tools whose specifier is the value of one argument.
const NAMED: &[(&str, &[&str], &str)] = &[
    ("Agent", &["Agent", "Task"], "subagent_type"),
    ("Task", &["Agent", "Task"], "subagent_type"),
    ("Skill", &["Skill"], "skill"),
    ("WebSearch", &["WebSearch"], "query"),
];

/// Reads a rule.
pub(super) fn read(node: &Node, verdict: Verdict, lists: &mut Lists, told: &mut Told) {
    let Some(text) = node.words().map(str::trim) else { return };
    let (tool, specifier) = match text.split_once('(') {
        None => (text, None),
        Some((tool, rest)) => match rest.strip_suffix(')') {
            Some(inner) => (tool, Some(inner.trim())),
            None => {
                let message = format!("`{text}` has no closing parenthesis");
                return told.wrong(node, "wrong_value", message, "write `Tool(specifier)`");
            }
        },
    };
    let rule = Written { node, text, verdict, tool };
    if tool.is_empty() || tool.contains(char::is_whitespace) {
        let message = format!("`{text}` names no tool");
        return told.wrong(node, "wrong_value", message, "write `Tool` or `Tool(specifier)`");
    }
    match specifier {
        None | Some("*") => rule.whole_tool(lists, told),
        Some("") => {
            let message = format!("`{text}` has nothing between its parentheses");
            told.wrong(node, "wrong_value", message, "take the parentheses away");
        }
        Some(inner) => rule.specified(inner, lists, told),
    }
}

/// A rule as it stands in the file.
pub(super) struct Written<'n> {
    node: &'n Node,
    text: &'n str,
    verdict: Verdict,
    tool: &'n str,
}

impl Written<'_> {
    fn forbids(&self) -> bool {
        self.verdict != Verdict::Allow
    }

    fn shell_verdict(&self) -> lawbook_shell::Verdict {
        match self.verdict {
            Verdict::Allow => lawbook_shell::Verdict::Allow,
            Verdict::Ask => lawbook_shell::Verdict::Ask,
            Verdict::Deny => lawbook_shell::Verdict::Deny,
        }
    }

    fn command(&self, matcher: Matcher) -> Rule {
        Rule { matcher, verdict: self.shell_verdict(), text: self.text.to_owned() }
    }

    fn entry(&self, tools: Tools, wants: Option<Wanted>) -> Entry {
        Entry { tools, wants, verdict: self.verdict, text: Some(Arc::from(self.text)) }
    }

    fn ignored(&self, told: &mut Told, message: String, help: &str) {
        if self.forbids() {
            told.not_carried(self.node.span, message, help);
        } else {
            told.warn(self.node.span, "no_effect", message, help);
        }
    }

    /// A rule on a tool, whatever its arguments.
    fn whole_tool(&self, lists: &mut Lists, told: &mut Told) {
        if self.tool.contains('*') && !self.forbids() && !names_server(self.tool) {
            let message = format!("`{}` allows nothing: its `*` names no server", self.text);
            return self.ignored(told, message, "write `mcp__SERVER__*`, or list the tools");
        }
        match self.tool {
            "Bash" => lists.commands.push(self.command(everything())),
            "PowerShell" => lists.powershell.push(self.command(everything())),
            // Whatever a `*` stands for, it may be a tool that runs commands.
            tool if tool.contains('*') && !tool.starts_with("mcp__") => {
                lists.everywhere.push(self.entry(tools([tool]), None));
            }
            tool => {
                let server = tool.strip_prefix("mcp__").filter(|it| !it.contains("__"));
                let whole = server.map(|it| format!("mcp__{it}__*"));
                let same: &[&str] = match tool {
                    "Agent" | "Task" => &["Agent", "Task"],
                    "Read" if self.forbids() => files::READERS,
                    "Edit" => files::EDITORS,
                    _ => &[],
                };
                let names = [tool].into_iter().chain(whole.as_deref());
                let names = names.chain(same.iter().copied().filter(|it| *it != tool));
                lists.tools.push(self.entry(tools(names), None));
            }
        }
    }

    fn specified(&self, inner: &str, lists: &mut Lists, told: &mut Told) {
        if self.tool.contains('*') {
            let message = format!("`{}` has a `*` in its tool and a specifier", self.text);
            return told.wrong(self.node, "wrong_value", message, "write one rule for each tool");
        }
        match self.tool {
            "Bash" | "PowerShell" if self.names_argument(inner).is_none() => {
                self.shell(inner, lists);
            }
            "Read" | "Edit" => files::rule(self, inner, lists, told),
            "Write" | "MultiEdit" | "NotebookEdit" | "Glob" | "Grep" | "LS"
                if self.names_argument(inner).is_none() =>
            {
                let instead =
                    if matches!(self.tool, "Glob" | "Grep" | "LS") { "Read" } else { "Edit" };
                let message =
                    format!("`{}` has no effect in Claude Code; `{instead}` rules do", self.text);
                told.warn(
                    self.node.span,
                    "no_effect",
                    message,
                    &format!("write `{instead}({inner})`; here it is held for this tool alone"),
                );
                // It says what is wanted, and to hold it costs nothing; to allow would.
                if self.forbids() {
                    files::rule(self, inner, lists, told);
                }
            }
            "WebFetch" if self.names_argument(inner).is_none() => self.domain(inner, lists, told),
            _ => self.argument(inner, lists, told),
        }
    }

    /// The parameter that a specifier names, where it is not one that the tool matches itself.
    fn names_argument<'i>(&self, inner: &'i str) -> Option<(&'i str, &'i str)> {
        let (name, value) = inner.split_once(':')?;
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
        let name = name.trim();
        let known = ["run_in_background", "timeout", "description", "command", "url", "file_path"];
        let own = ["Bash", "PowerShell", "WebFetch", "Write", "MultiEdit", "NotebookEdit", "Glob"];
        let is_named = !name.is_empty()
            && name.chars().all(is_name)
            && (known.contains(&name) || !own.contains(&self.tool));
        // `Bash(timeout:*)` speaks of the program.
        let is_named = is_named && !(own.contains(&self.tool) && value.trim() == "*");
        is_named.then_some((name, value.trim()))
    }

    fn shell(&self, inner: &str, lists: &mut Lists) {
        let text = match inner.strip_suffix(":*") {
            Some(lead) => format!("{lead} *"),
            None => inner.to_owned(),
        };
        let matcher = glob(&text, false, self.shell_verdict());
        if self.tool == "PowerShell" {
            lists.powershell.push(self.command(Matcher::Glob(Glob { text, question: false })));
        } else {
            lists.commands.push(self.command(matcher));
        }
    }

    fn domain(&self, inner: &str, lists: &mut Lists, told: &mut Told) {
        let Some(domain) = inner.strip_prefix("domain:").map(str::trim) else {
            let message = format!("`{}` names no domain", self.text);
            return told.wrong(self.node, "wrong_value", message, "write `WebFetch(domain:HOST)`");
        };
        let domain = domain.strip_suffix('.').unwrap_or(domain).to_ascii_lowercase();
        let source = if domain == "*" {
            ".*".to_owned()
        } else if let Some(parent) = domain.strip_prefix("*.") {
            format!(r".+\.{}", escaped(parent).replace(r"\*", "[^.]*"))
        } else {
            escaped(&domain).replace(r"\*", "[^.]*")
        };
        if let Some(pattern) = self.pattern(&source, told) {
            let wants = Wanted::Host(vec![Path::parse("url")], pattern);
            lists.tools.push(self.entry(tools(["WebFetch"]), Some(wants)));
        }
    }

    /// A rule on the value of one argument.
    fn argument(&self, inner: &str, lists: &mut Lists, told: &mut Told) {
        if let Some((_, names, arg)) = NAMED.iter().find(|it| it.0 == self.tool)
            && !inner.contains(':')
        {
            let source = escaped(inner).replace(r"\*", ".*");
            let Some(pattern) = self.pattern(&source, told) else { return };
            let wants = Wanted::Text(Path::parse(arg), pattern);
            lists.tools.push(self.entry(tools(names.iter().copied()), Some(wants)));
            return;
        }
        let Some((name, value)) = self.names_argument(inner) else {
            let message = format!("`{}`: `{inner}` is nothing that {} knows", self.text, self.tool);
            return self.ignored(told, message, "write `Tool(parameter:value)`");
        };
        if OWN.contains(&(self.tool, name)) {
            let message = format!("`{}` has no effect in Claude Code", self.text);
            let help = "write the pattern itself, as in `Bash(rm *)` or `WebFetch(domain:HOST)`";
            return self.ignored(told, message, help);
        }
        if !self.forbids() {
            let message = format!("`{}` allows nothing: one argument is not the call", self.text);
            return self.ignored(told, message, "allow the tool, and deny what it may not do");
        }
        let source = escaped(value).replace(r"\*", ".*");
        let Some(pattern) = self.pattern(&source, told) else { return };
        let wants = Wanted::Text(Path::parse(name), pattern);
        let names: &[&str] = match self.tool {
            "Agent" | "Task" => &["Agent", "Task"],
            _ => std::slice::from_ref(&self.tool),
        };
        let entry = self.entry(tools(names.iter().copied()), Some(wants));
        if matches!(self.tool, "Bash" | "PowerShell") {
            lists.everywhere.push(entry);
        } else {
            lists.tools.push(entry);
        }
    }

    fn pattern(&self, source: &str, told: &mut Told) -> Option<Pattern> {
        let what_for = if self.forbids() { PatternUse::Deny } else { PatternUse::Allow };
        let pattern = EXACT.pattern(&format!(r"(?s)\A{source}\z"), false, what_for);
        if pattern.is_err() {
            let message = format!("`{}` can't be read as a pattern", self.text);
            told.wrong(self.node, "wrong_value", message, "write it shorter");
        }
        pattern.ok()
    }
}

/// Tools by name.
pub(super) fn tools<'n>(names: impl IntoIterator<Item = &'n str>) -> Tools {
    Tools::Named(names.into_iter().map(ToolName::new).collect())
}

/// Whether a pattern over tools names the server that they come from.
fn names_server(tool: &str) -> bool {
    let Some((server, rest)) = tool.strip_prefix("mcp__").and_then(|it| it.split_once("__")) else {
        return false;
    };
    !server.is_empty() && !server.contains('*') && !rest.is_empty()
}

impl Written<'_> {
    /// Puts a rule over files into the list of tools.
    pub(super) fn put(&self, names: &[&str], wants: Wanted, lists: &mut Lists) {
        lists.tools.push(self.entry(tools(names.iter().copied()), Some(wants)));
    }

    pub(super) fn put_command(&self, matcher: Matcher, lists: &mut Lists) {
        lists.commands.push(self.command(matcher));
    }

    pub(super) fn tool(&self) -> &str {
        self.tool
    }

    pub(super) fn does_forbid(&self) -> bool {
        self.forbids()
    }

    pub(super) fn wrong(&self, told: &mut Told, message: String, help: &str) {
        told.wrong(self.node, "wrong_value", message, help);
    }
}
