//! The calls of a file as rules over commands.

use lawbook_rule::params::{Node, Scalar};
use lawbook_shell::{Glob, Matcher, Prefix, Rule, Verdict};

use super::example::{matches, words};
use super::reader::Call;
use crate::permissions::{Told, escaped, regex};

/// How many rules the alternatives of one pattern may come to.
pub const ALTERNATIVES_MAX: usize = 256;

/// Values by parameter, in the order in which a call may give them without names.
struct Args<'c> {
    call: &'c Call,
    values: Vec<(&'static str, &'c Node)>,
}

impl<'c> Args<'c> {
    fn of(call: &'c Call, known: &[&'static str], told: &mut Told) -> Self {
        let mut values: Vec<(&'static str, &Node)> = Vec::new();
        for (place, (name, value)) in call.args.iter().enumerate() {
            let found = match name {
                Some(name) => known.iter().find(|it| *it == name),
                None => known.get(place),
            };
            let Some(found) = found else {
                let shown = name.as_deref().unwrap_or("one more value");
                let message = format!("unknown parameter `{shown}` of `{}`", call.name);
                let help = format!("known parameters: {}", known.join(", "));
                told.wrong(value, "unknown_key", message, &help);
                continue;
            };
            if values.iter().any(|it| it.0 == *found) {
                let message = format!("parameter `{found}` stands twice");
                told.wrong(value, "duplicate_key", message, "keep one of them");
                continue;
            }
            // `None` is what stands where nothing does.
            if value.words() != Some("None") || is_text(value) {
                values.push((found, value));
            }
        }
        Args { call, values }
    }

    fn get(&self, name: &str) -> Option<&'c Node> {
        self.values.iter().find(|it| it.0 == name).map(|it| it.1)
    }

    fn need(&self, name: &str, told: &mut Told) -> Option<&'c Node> {
        let found = self.get(name);
        if found.is_none() {
            let message = format!("`{}` needs `{name}`", self.call.name);
            told.wrong_at(self.call.span, "missing_key", message, &format!("add `{name} = …`"));
        }
        found
    }

    fn text(&self, name: &str, told: &mut Told) -> Option<&'c str> {
        let node = self.get(name)?;
        let text = node.words().filter(|it| is_text(node) && !it.trim().is_empty());
        if text.is_none() {
            let message = format!("`{name}` must be a text that is not blank");
            told.wrong(node, "wrong_shape", message, "write a text");
        }
        text
    }
}

fn is_text(node: &Node) -> bool {
    matches!(node.scalar(), Some(Scalar::Text(_)))
}

/// A rule over the words that lead a command.
pub(super) fn prefix_rule(call: &Call, entries: &mut Vec<Rule>, told: &mut Told) {
    const KNOWN: &[&str] = &["pattern", "decision", "match", "not_match", "justification"];
    let args = Args::of(call, KNOWN, told);
    let verdict = match args.text("decision", told) {
        None | Some("allow") => Verdict::Allow,
        Some("prompt") => Verdict::Ask,
        Some("forbidden") => Verdict::Deny,
        Some(other) => {
            let message = format!("`{other}` is no decision");
            if let Some(at) = args.get("decision") {
                told.wrong(at, "wrong_value", message, "write allow, prompt or forbidden");
            }
            return;
        }
    };
    let _ = args.text("justification", told);
    let Some(at) = args.need("pattern", told) else { return };
    let Some(pattern) = pattern(at, told) else { return };
    examples(&args, &pattern, told);
    let text = shown(&pattern);
    match matchers(&pattern, verdict) {
        Some(matchers) => {
            entries.extend(matchers.map(|it| Rule { matcher: it, verdict, text: text.clone() }));
        }
        None => {
            let message = format!("the pattern has more than {ALTERNATIVES_MAX} alternatives");
            told.wrong(at, "alternatives_max", message, "split it into several rules");
        }
    }
}

/// A pattern as alternatives, word by word.
fn pattern(at: &Node, told: &mut Told) -> Option<Vec<Vec<String>>> {
    let word = |node: &Node| match node.words() {
        Some(text) if is_text(node) => Some(vec![text.to_owned()]),
        Some(_) => None,
        None => {
            let texts = node.items().iter().map(|it| it.words().map(str::to_owned));
            texts.collect::<Option<Vec<_>>>().filter(|it| !it.is_empty())
        }
    };
    let mut whole = Vec::new();
    for node in at.items() {
        match word(node) {
            Some(words) => whole.push(words),
            None => {
                let message = "a word of a pattern is a text, or a list of texts".to_owned();
                told.wrong(node, "wrong_shape", message, "list the alternatives as texts");
                return None;
            }
        }
    }
    if whole.is_empty() {
        let message = "`pattern` must be a list of words that is not empty".to_owned();
        told.wrong(at, "wrong_shape", message, "name the program first");
        return None;
    }
    Some(whole)
}

/// Checks the examples of a rule, as its own system does when it loads the file.
fn examples(args: &Args<'_>, pattern: &[Vec<String>], told: &mut Told) {
    for (name, wanted) in [("match", true), ("not_match", false)] {
        let Some(list) = args.get(name) else { continue };
        if list.words().is_some() {
            let message = format!("`{name}` must be a list of examples");
            told.wrong(list, "wrong_shape", message, "put it in brackets");
        }
        for example in list.items() {
            match words(example) {
                Err(why) => told.wrong(example, "wrong_shape", why.to_owned(), "write a command"),
                Ok(command) if matches(pattern, &command) != wanted => {
                    let verb = if wanted { "does not match" } else { "matches" };
                    let command = command.join(" ");
                    let message = format!("the rule `{}` {verb} `{command}`", shown(pattern));
                    let help = format!("correct the pattern, or take the example out of `{name}`");
                    told.wrong(example, "failing_example", message, &help);
                }
                Ok(_) => {}
            }
        }
    }
}

/// The matchers that a pattern comes to; none if there are too many.
fn matchers(
    pattern: &[Vec<String>],
    verdict: Verdict,
) -> Option<impl Iterator<Item = Matcher> + use<>> {
    let is_option = |it: &String| it.starts_with('-');
    let options = pattern.iter().position(|it| it.iter().any(is_option));
    // Options behind all words may stand anywhere; one in front of a word belongs where it stands.
    let lead = options.unwrap_or(pattern.len());
    let trail = pattern.get(lead..).unwrap_or_default();
    let loose = lead > 0 && trail.iter().flatten().all(is_option);
    let kept = if loose && (trail.is_empty() || verdict != Verdict::Allow) { lead } else { 0 };
    let mut each: Vec<Vec<String>> = vec![Vec::new()];
    for words in pattern.get(kept..).unwrap_or_default() {
        if each.len().saturating_mul(words.len()) > ALTERNATIVES_MAX {
            return None;
        }
        let more = |so_far: &Vec<String>| {
            let so_far = so_far.clone();
            words.iter().map(move |it| so_far.iter().chain([it]).cloned().collect())
        };
        each = each.iter().flat_map(more).collect();
    }
    let words: Vec<Vec<String>> = pattern.get(..kept).unwrap_or_default().to_vec();
    Some(each.into_iter().map(move |rest| {
        if kept > 0 {
            return Matcher::Prefix(Prefix::new(words.clone(), rest));
        }
        exact(&rest.join(" "))
    }))
}

/// Words that lead a command, just as they stand.
fn exact(text: &str) -> Matcher {
    // A star is a character like any other here.
    match text.contains('*').then(|| regex(&format!(r"\A{}(?: .*)?\z", escaped(text)))) {
        Some(Ok(matcher)) => matcher,
        _ => Matcher::Glob(Glob { text: format!("{text} *"), question: false }),
    }
}

/// A pattern as reports name it.
fn shown(pattern: &[Vec<String>]) -> String {
    let word = |it: &Vec<String>| match it.as_slice() {
        [only] => only.clone(),
        several => format!("[{}]", several.join("|")),
    };
    pattern.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// The paths at which a program may be found under its name.
pub(super) fn host_executable(call: &Call, told: &mut Told) {
    let args = Args::of(call, &["name", "paths"], told);
    if args.need("name", told).is_none() {
        return;
    }
    let Some(name) = args.text("name", told) else { return };
    if args.need("paths", told).is_none() {
        return;
    }
    let message = format!("the paths of `{name}` are not carried over");
    let help = "a program named by a path fits a rule that allows only in the system's folders";
    told.note(call.span, "not_carried", message, help);
}

/// What a command may reach in the network.
pub(super) fn network_rule(call: &Call, told: &mut Told) {
    let args = Args::of(call, &["host", "protocol", "decision", "justification"], told);
    for name in ["host", "protocol", "decision"] {
        args.need(name, told);
    }
    let (Some(host), Some(_)) = (args.text("host", told), args.text("protocol", told)) else {
        return;
    };
    let message = format!("what a command reaches on `{host}` is not judged");
    let help = "the sandbox holds this; write a rule over the programs that go there";
    match args.text("decision", told) {
        Some("allow") => told.note(call.span, "not_carried", message, help),
        Some("deny" | "forbidden" | "ask" | "prompt") => told.not_carried(call.span, message, help),
        Some(other) => {
            let message = format!("`{other}` is no decision");
            told.wrong_at(call.span, "wrong_value", message, "write allow, deny or ask");
        }
        None => {}
    }
}
