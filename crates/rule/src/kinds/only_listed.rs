//! `only_listed`: only listed tools are called, with an entry's own verdict where it has one.

mod wanted;

use std::collections::BTreeSet;
use std::sync::Arc;

use lawbook_diag::Verdict;
use lawbook_event::{PatternUse, Skeleton};

use crate::params::{Definition, Field, Params, Shape};
use crate::tools::Name;
use crate::{Asked, Body, Chosen, Kind, Manner, Objection, Role, Said, ToolName, Tools};

use wanted::Hidden;

pub use wanted::Wanted;

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
    /// What the arguments must look like for the entry to match.
    pub wants: Option<Wanted>,
    /// What it says.
    pub verdict: Verdict,
    /// The entry as its policy writes it, where findings name the entry and not the rule.
    pub text: Option<Arc<str>>,
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
    type Taken = ();
    const NAME: &'static str = "only_listed";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        let (verdict, entry) = match self.hidden(asked) {
            Some(Hidden::Unrecorded(path)) => return unrecorded(asked, path, said),
            // What can't be read may be what nothing here matches.
            Some(Hidden::Unreadable) => match self.verdict(asked) {
                (verdict, _) if verdict < self.otherwise => (self.otherwise, None),
                decided => decided,
            },
            None => self.verdict(asked),
        };
        if verdict == Verdict::Allow {
            return;
        }
        let tool = asked.manner.values.quote(&asked.call.tool);
        let text = entry.and_then(|it| it.text.as_ref());
        let message = match (verdict, text) {
            (Verdict::Ask, Some(text)) => format!("tool {tool} needs a person's yes by `{text}`"),
            (_, Some(text)) => format!("tool {tool} is denied by `{text}`"),
            (Verdict::Ask, None) => format!("tool {tool} needs a person's yes"),
            (_, None) => format!("tool {tool} not in allowlist"),
        };
        let verdict = Some(verdict);
        said.object(Objection { verdict, rule: text.cloned(), ..Objection::new(message) });
    }

    fn permits(&self, asked: &Asked<'_>) -> Option<bool> {
        let hidden = self.hidden(asked).is_some();
        Some(!hidden && self.listed(asked).is_some_and(|it| it.0 == Verdict::Allow))
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }
}

/// The gap that arguments leave which were not recorded.
fn unrecorded(asked: &Asked<'_>, path: Option<&lawbook_event::Path>, said: &mut Said) {
    match path {
        Some(path) => crate::argument::unrecorded(asked, path, said),
        None => said.gap(
            "arguments",
            format!("the arguments of `{}` were not recorded whole", asked.call.tool),
        ),
    }
}

impl OnlyListed {
    /// Whether an entry for this tool looks at an argument that doesn't show.
    fn hidden(&self, asked: &Asked<'_>) -> Option<Hidden<'_>> {
        if self.entries.iter().all(|it| it.wants.is_none()) {
            return None;
        }
        let skeleton = Skeleton::new(&asked.call.tool);
        let name = Name { text: &asked.call.tool, skeleton: &skeleton };
        let covering = self.entries.iter().filter(|it| it.covers(&name, asked));
        covering.filter_map(|it| it.wants.as_ref()).find_map(|it| it.hidden(asked))
    }

    /// Allows a tool, whatever its arguments.
    pub fn allow(&mut self, name: ToolName) {
        if name.is_literal() && !name.selects() {
            self.allowed.insert(name.text().to_owned());
        } else {
            let tools = Tools::Named(vec![name]);
            self.entries.push(Entry { tools, wants: None, verdict: Verdict::Allow, text: None });
        }
    }

    /// What becomes of a call, and the entry that says so.
    fn verdict(&self, asked: &Asked<'_>) -> (Verdict, Option<&Entry>) {
        self.listed(asked).unwrap_or((self.otherwise, None))
    }

    /// What the list says of a call; nothing where no entry speaks of it.
    fn listed(&self, asked: &Asked<'_>) -> Option<(Verdict, Option<&Entry>)> {
        let tool = &*asked.call.tool;
        let plain = self.allowed.contains(tool).then_some((Verdict::Allow, None));
        if self.entries.is_empty() {
            return plain;
        }
        let skeleton = Skeleton::new(tool);
        let name = Name { text: tool, skeleton: &skeleton };
        let mut matching = self.entries.iter().filter(|it| it.matches(&name, asked));
        let picked = match self.pick {
            Pick::First => matching.next(),
            Pick::Last => matching.next_back(),
            // The first of the strictest, so that one entry is named whatever else matches.
            Pick::Strictest => matching.fold(None, |best: Option<&Entry>, it| match best {
                Some(best) if best.verdict >= it.verdict => Some(best),
                _ => Some(it),
            }),
        };
        picked.map(|it| (it.verdict, Some(it))).or(plain)
    }
}

impl Entry {
    fn covers(&self, name: &Name<'_>, asked: &Asked<'_>) -> bool {
        match self.verdict {
            Verdict::Allow => self.tools.permits(name, asked),
            // What can't be told may be what is forbidden.
            Verdict::Ask | Verdict::Deny => {
                self.tools.chosen(name, asked.manner.names, asked) != Chosen::No
            }
        }
    }

    fn matches(&self, name: &Name<'_>, asked: &Asked<'_>) -> bool {
        self.covers(name, asked)
            && self.wants.as_ref().is_none_or(|it| it.is_met(asked, self.verdict))
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
        Shape::OneOf(&["deny", "ask", "allow"]),
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
            Some("allow") => Verdict::Allow,
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
    let wanted = params.path("arg").zip(patterns.pop());
    let wants = wanted.map(|(path, pattern)| Wanted::Text(path, pattern));
    Some(Entry { tools, wants, verdict, text: None })
}
