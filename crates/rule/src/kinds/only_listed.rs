//! `only_listed`: only listed tools are called, with an entry's own verdict where it has one.

use std::collections::BTreeSet;

use lawbook_diag::Verdict;
use lawbook_event::{Path, Pattern, PatternUse, Skeleton};

use crate::params::{Definition, Field, Params, Shape};
use crate::tools::Name;
use crate::{
    Asked, Body, Fields, Found, Kind, Manner, NameMatch, Objection, Role, Said, ToolName, Tools,
};

/// Only listed tools are called.
#[derive(Debug)]
pub struct OnlyListed {
    /// Every tool.
    pub tools: Tools,
    /// Names that are allowed, whatever their arguments.
    pub allowed: BTreeSet<String>,
    /// Entries with more to say, in order.
    pub entries: Vec<Entry>,
    /// Which of several matching entries decides.
    pub pick: Pick,
    /// What becomes of a tool that no entry names.
    pub otherwise: Verdict,
}

/// One entry of the list.
#[derive(Debug)]
pub struct Entry {
    /// The tools that it speaks of.
    pub tools: Tools,
    /// An argument and what it must look like for the entry to match.
    pub arg: Option<(Path, Pattern)>,
    /// What it says.
    pub verdict: Verdict,
}

/// Which of several matching entries decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The strictest.
    Strictest,
    /// The first.
    First,
    /// The last.
    Last,
}

impl Default for OnlyListed {
    fn default() -> Self {
        OnlyListed {
            tools: Tools::Every,
            allowed: BTreeSet::new(),
            entries: Vec::new(),
            pick: Pick::Strictest,
            otherwise: Verdict::Deny,
        }
    }
}

impl Kind for OnlyListed {
    type Memory = ();
    const NAME: &'static str = "only_listed";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let verdict = match self.hidden(asked) {
            Some(Hidden::Unrecorded(path)) => {
                return crate::argument::unrecorded(asked, path, said);
            }
            // What can't be read may be what nothing here matches.
            Some(Hidden::Unreadable) => self.verdict(asked).max(self.otherwise),
            None => self.verdict(asked),
        };
        if verdict == Verdict::Allow {
            return;
        }
        let tool = asked.manner.values.quote(&asked.call.tool);
        let message = match verdict {
            Verdict::Ask => format!("tool {tool} needs a person's yes"),
            Verdict::Allow | Verdict::Deny => format!("tool {tool} not in allowlist"),
        };
        said.object(Objection { verdict: Some(verdict), ..Objection::new(message) });
    }

    fn permits(&self, asked: &Asked<'_>) -> Option<bool> {
        let hidden = self.hidden(asked).is_some();
        Some(!hidden && self.listed(asked) == Some(Verdict::Allow))
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

/// Why an entry can't be compared with the arguments of a call.
enum Hidden<'p> {
    Unreadable,
    Unrecorded(&'p Path),
}

impl OnlyListed {
    /// Whether an entry for this tool looks at an argument that doesn't show.
    fn hidden(&self, asked: &Asked<'_>) -> Option<Hidden<'_>> {
        if self.entries.iter().all(|it| it.arg.is_none()) {
            return None;
        }
        let skeleton = Skeleton::new(&asked.call.tool);
        let name = Name { text: &asked.call.tool, skeleton: &skeleton };
        let covering = self.entries.iter().filter(|it| it.covers(&name, asked.manner));
        let (path, _) = covering.filter_map(|it| it.arg.as_ref()).next()?;
        match asked.args.find(asked.manner.values, path) {
            Found::Unreadable(_) => Some(Hidden::Unreadable),
            Found::Unrecorded => Some(Hidden::Unrecorded(path)),
            Found::Value(_) | Found::Absent => None,
        }
    }

    /// Allows a tool, whatever its arguments.
    pub fn allow(&mut self, name: ToolName) {
        if name.is_literal() {
            self.allowed.insert(name.text().to_owned());
        } else {
            let tools = Tools::Named(vec![name]);
            self.entries.push(Entry { tools, arg: None, verdict: Verdict::Allow });
        }
    }

    fn verdict(&self, asked: &Asked<'_>) -> Verdict {
        self.listed(asked).unwrap_or(self.otherwise)
    }

    /// What the list says of a call; nothing where no entry speaks of it.
    fn listed(&self, asked: &Asked<'_>) -> Option<Verdict> {
        let tool = &*asked.call.tool;
        if self.entries.is_empty() {
            return self.allowed.contains(tool).then_some(Verdict::Allow);
        }
        let skeleton = Skeleton::new(tool);
        let name = Name { text: tool, skeleton: &skeleton };
        let mut matching = self.entries.iter().filter(|it| it.matches(&name, asked));
        let picked = match self.pick {
            Pick::First => matching.next().map(|it| it.verdict),
            Pick::Last => matching.next_back().map(|it| it.verdict),
            Pick::Strictest => matching.map(|it| it.verdict).max(),
        };
        let plain = self.allowed.contains(tool).then_some(Verdict::Allow);
        match self.pick {
            Pick::Strictest => picked.max(plain),
            Pick::First | Pick::Last => picked.or(plain),
        }
    }
}

impl Entry {
    fn covers(&self, name: &Name<'_>, manner: Manner) -> bool {
        let how = match self.verdict {
            Verdict::Allow => NameMatch::Exact,
            Verdict::Ask | Verdict::Deny => manner.names,
        };
        self.tools.covers(name, how)
    }

    fn matches(&self, name: &Name<'_>, asked: &Asked<'_>) -> bool {
        if !self.covers(name, asked.manner) {
            return false;
        }
        let Some((path, pattern)) = &self.arg else { return true };
        let values = asked.manner.values;
        let root = match asked.args.fields(values) {
            Fields::Object(root) => root,
            Fields::Empty => return false,
            // What can't be read is taken for what forbids and never for what permits.
            Fields::Unreadable(_) | Fields::Unrecorded => return self.verdict != Verdict::Allow,
        };
        let mut found = Vec::new();
        values.each(root, path, &mut found);
        let mut matching = found.iter().map(|it| pattern.is_match(&values.text(*it)));
        // One value is enough to forbid; to permit, all of them must be as the entry says.
        match self.verdict {
            Verdict::Allow => !found.is_empty() && matching.all(|it| it),
            Verdict::Ask | Verdict::Deny => matching.any(|it| it),
        }
    }
}

const FIELDS: &[Field] = &[
    Field::optional(
        "tools",
        Shape::Tools,
        "Tools that are allowed, whatever their arguments; `*` stands for any run of characters.",
    ),
    Field::optional(
        "entries",
        Shape::Entries(ENTRY),
        "Entries with a verdict of their own, in order.",
    ),
    Field::optional(
        "pick",
        Shape::OneOf(&["strictest", "first", "last"]),
        "Which of several entries that match decides; `strictest` if left out.",
    ),
    Field::optional(
        "otherwise",
        Shape::OneOf(&["deny", "ask"]),
        "What becomes of a call that nothing here matches; `deny` if left out.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        OnlyListed::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("only_listed.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let pick = match params.text("pick") {
            Some("first") => Pick::First,
            Some("last") => Pick::Last,
            _ => Pick::Strictest,
        };
        let otherwise = match params.text("otherwise") {
            Some("ask") => Verdict::Ask,
            _ => Verdict::Deny,
        };
        let mut listed = OnlyListed { pick, otherwise, ..OnlyListed::default() };
        if !params.has("tools") && !params.has("entries") {
            params.refuse("", "needs `tools` or `entries`", "list the tools that may be called");
        }
        if let Tools::Named(names) = params.named_tools("tools") {
            names.into_iter().for_each(|it| listed.allow(it));
        }
        listed.entries.extend(params.each("entries", entry));
        Some(Box::new(listed))
    }
}

const ENTRY: &[Field] = &[
    Field::required("tools", Shape::Tools, "The tools it speaks of."),
    Field::required("verdict", Shape::OneOf(&["allow", "ask", "deny"]), "What it says."),
    Field::optional("arg", Shape::Path, "An argument that must look like `matches`."),
    Field::optional("matches", Shape::Patterns, "The pattern that the argument must match."),
];

fn entry(params: &mut Params<'_>) -> Option<Entry> {
    let tools = params.named_tools("tools");
    let verdict = match params.text("verdict")? {
        "allow" => Verdict::Allow,
        "ask" => Verdict::Ask,
        _ => Verdict::Deny,
    };
    if params.has("arg") != params.has("matches") {
        params.refuse("", "`arg` and `matches` go together", "write both, or neither");
    }
    let what_for = match verdict {
        Verdict::Allow => PatternUse::Allow,
        Verdict::Ask | Verdict::Deny => PatternUse::Deny,
    };
    let mut patterns = params.patterns("matches", false, what_for);
    if patterns.len() > 1 {
        params.refuse("matches", "an entry takes one pattern", "write one entry for each");
    }
    let arg = params.path("arg").zip(patterns.pop());
    Some(Entry { tools, arg, verdict })
}
