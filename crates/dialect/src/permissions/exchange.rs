//! Permission files in conversions: read as native rules; none is written.

use lawbook_diag::{Problem, Verdict};
use lawbook_rule::Tools;
use lawbook_rule::kinds::{Entry, OnlyListed, PickEntry, Wanted};
use lawbook_rule::params::Node;
use lawbook_shell::{Matcher, Pick, Prefix, Rule, Rules};

use super::{Read, Told, escaped, lower, shells};
use crate::convert::{Origin, Sketch};
use crate::draft::DraftRule;

/// How many words the alternatives of one rule may come to.
const WORDS_MAX: usize = 256;

/// A file as native rules.
pub(crate) fn sketch(read: Read, source: &str, text: &str) -> Result<Sketch, Vec<Problem>> {
    let mut told = Told::default();
    let Some(permissions) = read(text, &mut told).filter(|_| told.faults.is_empty()) else {
        return Err(lower(read, source, text).1);
    };
    let mut sketch = Sketch::default();
    sketch.draft.default = Some(Verdict::Allow);
    sketch
        .notes
        .extend(told.uncovered(text).into_iter().map(|it| format!("not carried over: {it}")));
    sketch.commands("commands", permissions.commands, permissions.powershell.is_some());
    if let Some(rules) = permissions.powershell {
        sketch.commands("powershell", rules, true);
    }
    for (id, list) in permissions.lists {
        sketch.list(id, &list);
    }
    Ok(sketch)
}

impl Sketch {
    fn commands(&mut self, id: &str, rules: Rules, is_split: bool) {
        let mut entries = Vec::new();
        for rule in &rules.entries {
            let written = written(rule);
            let into = if written.is_empty() { Vec::new() } else { vec![id.to_owned()] };
            let why = "the rule has too many alternatives".to_owned();
            let differs = if written.is_empty() { vec![why] } else { Vec::new() };
            self.origin(&rule.text, into, differs);
            entries.extend(written);
        }
        let mut params = Vec::new();
        if is_split {
            params.push(("tools", Node::texts(tools(id == "powershell"))));
        }
        params.push(("entries", Node::list(entries)));
        params.push((
            "pick",
            Node::text(match rules.pick {
                Pick::Strictest => "strictest",
                Pick::First => "first",
                Pick::Last => "last",
            }),
        ));
        params.push(("default", Node::text(word(rules.otherwise))));
        if !rules.write_roots.is_empty() {
            params.push(("write_roots", Node::texts(rules.write_roots)));
        }
        self.draft.rules.push(DraftRule::new(id, "command", params));
    }

    fn list(&mut self, id: &str, list: &OnlyListed) {
        let mut entries = Vec::new();
        for entry in &list.entries {
            let made = written_entry(entry);
            if let Some(text) = &entry.text {
                let into = made.is_ok().then(|| id.to_owned()).into_iter().collect();
                let differs = made.as_ref().err().map(|it| (*it).to_owned()).into_iter().collect();
                self.origin(text, into, differs);
            } else if let Err(why) = &made {
                self.notes.push(format!("what the agent does without a rule: {why}"));
            }
            entries.extend(made.ok());
        }
        self.notes.dedup();
        if matches!(list.tools, Tools::EveryBut(_)) {
            // The rules over commands judge these; here they pass.
            let names = shells().names().iter().map(|it| it.text().to_owned()).collect::<Vec<_>>();
            let shells = entry_of(Node::texts(names), "allow", None);
            let front = if list.pick == PickEntry::First { 0 } else { entries.len() };
            entries.insert(front, shells);
        }
        if entries.is_empty() {
            return;
        }
        let pick = match list.pick {
            PickEntry::Strictest => "strictest",
            PickEntry::First => "first",
            PickEntry::Last => "last",
        };
        let params = [
            ("entries", Node::list(entries)),
            ("pick", Node::text(pick)),
            ("otherwise", Node::text(list.otherwise.word())),
        ];
        self.draft.rules.push(DraftRule::new(id, "only_listed", params));
    }

    fn origin(&mut self, rule: &str, into: Vec<String>, differs: Vec<String>) {
        self.origins.push(Origin { rule: rule.to_owned(), into, differs });
    }
}

/// The names of the tools that run commands: those of PowerShell, or all others.
fn tools(powershell: bool) -> Vec<String> {
    let names = shells();
    let wanted = |it: &&str| matches!(*it, "PowerShell" | "pwsh") == powershell;
    names.names().iter().map(|it| it.text()).filter(wanted).map(str::to_owned).collect()
}

/// The native entries that one rule comes to; none if there would be too many.
fn written(rule: &Rule) -> Vec<Node> {
    let verdict = || ("verdict", Node::text(word(rule.verdict)));
    let by_regex = |it: String| vec![Node::map([verdict(), ("regex", Node::text(it))])];
    match &rule.matcher {
        Matcher::Regex(pattern) => by_regex(pattern.as_str().to_owned()),
        Matcher::Glob(glob) if glob.question || !glob.text.contains('*') => {
            let source = escaped(&glob.text).replace(r"\*", ".*");
            let source = if glob.question { source.replace(r"\?", ".") } else { source };
            by_regex(format!(r"\A{source}\z"))
        }
        Matcher::Glob(glob) => {
            vec![Node::map([verdict(), ("command", Node::text(glob.text.as_str()))])]
        }
        Matcher::Prefix(prefix) => {
            let lines = lines(prefix).unwrap_or_default().into_iter();
            let entry = |line: String| {
                let flags = (!prefix.options().is_empty())
                    .then(|| ("flags", Node::texts(prefix.options().iter().map(String::as_str))));
                Node::map([verdict(), ("command", Node::text(line))].into_iter().chain(flags))
            };
            lines.map(entry).collect()
        }
    }
}

/// The lines that the alternatives of a prefix come to.
fn lines(prefix: &Prefix) -> Option<Vec<String>> {
    let mut lines = vec![String::new()];
    for words in prefix.words() {
        if lines.len().saturating_mul(words.len()) > WORDS_MAX {
            return None;
        }
        let longer = |line: &String| {
            let line = line.clone();
            words.iter().map(move |it| format!("{line} {it}").trim_start().to_owned())
        };
        lines = lines.iter().flat_map(longer).collect();
    }
    Some(lines)
}

/// An entry of a list as native parameters, or why it has no place.
fn written_entry(entry: &Entry) -> Result<Node, &'static str> {
    let names = || Node::texts(entry.tools.names().iter().map(|it| it.text().to_owned()));
    let verdict = entry.verdict.word();
    match &entry.wants {
        None => Ok(entry_of(names(), verdict, None)),
        Some(Wanted::Text(path, pattern)) => {
            Ok(entry_of(names(), verdict, Some((path.text(), pattern.source()))))
        }
        Some(Wanted::File(..)) => {
            Err("a native list has no patterns over files; see `path_within`")
        }
        Some(Wanted::Host(..)) => Err("a native list has no patterns over hosts; see `host_in`"),
        Some(Wanted::Whole(_)) => Err("a native list looks at one argument at a time"),
    }
}

fn entry_of(tools: Node, verdict: &str, arg: Option<(&str, &str)>) -> Node {
    let arg =
        arg.map(|(path, pattern)| [("arg", Node::text(path)), ("matches", Node::text(pattern))]);
    let plain = [("tools", tools), ("verdict", Node::text(verdict))];
    Node::map(plain.into_iter().chain(arg.into_iter().flatten()))
}

fn word(verdict: lawbook_shell::Verdict) -> &'static str {
    match verdict {
        lawbook_shell::Verdict::Allow => "allow",
        lawbook_shell::Verdict::Ask => "ask",
        lawbook_shell::Verdict::Deny => "deny",
    }
}
