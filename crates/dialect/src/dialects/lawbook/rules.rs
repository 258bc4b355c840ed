//! The rules of a policy: what all of them take, and the one kind that each names.

use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::{Mode, Span, Verdict, nearest};
use lawbook_event::Severity;
use lawbook_rule::kinds::KINDS;
use lawbook_rule::params::{Defaults, Definition, Fault, Form, Node, NodeEntry, Params};
use lawbook_rule::{Condition, OnUnknown, Rule};

use super::fields::{LATER_KINDS, RULE};
use super::{lower, when};

/// Ids that the engine gives to findings of its own.
const RESERVED: &[&str] = &["terminated", "ran_anyway", "waiver"];

/// Lowers the list of rules and adds them to those of the shorthands.
pub(super) fn add(
    list: Option<&Node>,
    text: &str,
    defaults: &Defaults,
    mode: Mode,
    rules: &mut Vec<Rule>,
    faults: &mut Vec<Fault>,
) {
    let Some(list) = list else { return };
    if !matches!(list.form, Form::List(_)) {
        let message = format!("`rules` must be a list of rules, not {}", list.what());
        faults.push(
            Fault::new(list.span, "wrong_shape", message).help("start each rule with `- id: …`"),
        );
    }
    let shorthands = rules.iter().map(|it| (it.id.to_string(), None)).collect();
    let mut ids = Ids { seen: shorthands, text };
    for node in list.items() {
        if !matches!(node.form, Form::Map(_)) {
            let message = format!("a rule is a map with an `id` and a kind, not {}", node.what());
            faults.push(Fault::new(node.span, "wrong_shape", message));
            continue;
        }
        let id = ids.id(node, faults);
        let kind = kind(node, &id, faults);
        let condition = condition(node, text, faults);
        let unmet = kind.map_or(Verdict::Deny, |it| it.0.verdict());
        let body = kind.and_then(|(kind, entry)| {
            let (name, fields) = (kind.name(), kind.fields());
            kind.build(&mut Params::new(name, &entry.value, fields, defaults, faults))
        });
        let Some(body) = body else { continue };
        if let (true, Some(when)) = (body.watches().scars, node.get("when")) {
            let message = "marks are added up whatever the call is, so `scars` takes no `when`";
            let fault = Fault::new(when.span, "bad_rule", message);
            faults.push(fault.help("take it away"));
        }
        let words = |key: &str| node.get(key).and_then(Node::words).map(Arc::<str>::from);
        rules.push(Rule {
            why: words("why"),
            tell: words("tell"),
            when: condition,
            verdict: match node.get("verdict").and_then(Node::words) {
                Some("ask") => Verdict::Ask,
                Some("deny") => Verdict::Deny,
                _ => unmet,
            },
            scar: node.get("scar").and_then(Node::words).and_then(Severity::of),
            mode: if node.get("mode").is_some() { lower::mode(node) } else { mode },
            on_unknown: match node.get("on_unknown").and_then(Node::words) {
                Some("ask") => OnUnknown::Ask,
                Some("deny") => OnUnknown::Deny,
                Some("note") => OnUnknown::Note,
                _ => OnUnknown::OwnVerdict,
            },
            ..lower::rule(id, mode, body)
        });
    }
}

/// The ids that are taken, with their places.
struct Ids<'t> {
    seen: BTreeMap<String, Option<Span>>,
    text: &'t str,
}

impl Ids<'_> {
    fn id(&mut self, rule: &Node, faults: &mut Vec<Fault>) -> String {
        let Some(node) = rule.get("id") else { return String::new() };
        let Some(id) = node.words() else { return String::new() };
        let fits = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || b"._-".contains(&it);
        if !id.bytes().all(fits) {
            let message = format!("id `{id}` may hold only `a-z`, `0-9`, `.`, `_` and `-`");
            faults.push(Fault::new(node.span, "bad_id", message));
        }
        if RESERVED.contains(&id) {
            let message = format!("id `{id}` is the engine's own");
            faults.push(Fault::new(node.span, "bad_id", message).help("give the rule another id"));
        }
        if let Some(first) = self.seen.get(id) {
            let whose = match first {
                Some(span) => format!("on line {}", lawbook_diag::place(self.text, span.start).0),
                None => "of a shorthand".to_owned(),
            };
            let message = format!("id `{id}` is taken by the rule {whose}");
            faults.push(
                Fault::new(node.span, "duplicate_id", message)
                    .help("give each rule an id of its own"),
            );
        } else {
            self.seen.insert(id.to_owned(), Some(node.span));
        }
        id.to_owned()
    }
}

type Found<'n> = (&'static dyn Definition, &'n NodeEntry);

/// The kind that a rule names. Tells all keys that have no place on a rule.
fn kind<'n>(rule: &'n Node, id: &str, faults: &mut Vec<Fault>) -> Option<Found<'n>> {
    let mut found: Option<Found<'n>> = None;
    let mut odd = false;
    for entry in rule.entries() {
        let key = entry.key.as_str();
        if let Some(field) = RULE.iter().find(|it| it.name == key) {
            field.shape.check(field.name, &entry.value, faults);
        } else if let Some(kind) = KINDS.iter().find(|it| it.name() == key) {
            if let Some((first, _)) = found {
                let message =
                    format!("a rule has one kind; this one is `{}` already", first.name());
                let fault = Fault::new(entry.key_span, "second_kind", message);
                faults.push(fault.help("make it a rule of its own"));
            } else {
                found = Some((*kind, entry));
            }
        } else {
            odd = true;
            faults.push(odd_key(entry, id));
        }
    }
    for field in RULE.iter().filter(|it| it.required && rule.get(it.name).is_none()) {
        let message = format!("a rule needs `{}`: {}", field.name, field.shape.words());
        faults.push(Fault::new(rule.span, "missing_key", message));
    }
    if found.is_none() && !odd {
        let message = format!("rule `{id}` names no kind");
        let kinds: Vec<&str> = KINDS.iter().map(|it| it.name()).collect();
        let help = format!("kinds: {}", kinds.join(", "));
        faults.push(Fault::new(rule.span, "missing_key", message).help(help));
    }
    found
}

fn odd_key(entry: &NodeEntry, id: &str) -> Fault {
    let key = entry.key.as_str();
    if LATER_KINDS.contains(&key) {
        return lower::later(entry.key_span, key);
    }
    let own = RULE.iter().map(|it| it.name);
    let known: Vec<&str> = own.chain(KINDS.iter().map(|it| it.name())).collect();
    let inside = KINDS.iter().find(|it| it.fields().iter().any(|field| field.name == key));
    let fault = Fault::unknown_key(entry, &format!("rule `{id}`"), &known);
    match (nearest(key, known.iter().copied()), inside) {
        (None, Some(_)) => fault.help(format!("`{key}` stands inside the kind, not beside it")),
        _ => fault,
    }
}

fn condition(rule: &Node, text: &str, faults: &mut Vec<Fault>) -> Option<Condition> {
    let node = rule.get("when")?;
    // That nothing stands there has been told with the shape.
    let words = node.words().filter(|it| !it.trim().is_empty())?;
    match when::parse(words) {
        Ok(condition) => Some(condition),
        Err(told) => {
            let from = when_starts(node, words, text);
            faults.extend(told.into_iter().map(|it| {
                let span = match from {
                    Some(from) => Span {
                        start: from.saturating_add(it.span.start),
                        end: from.saturating_add(it.span.end),
                    },
                    None => node.span,
                };
                Fault { span, ..it }
            }));
            None
        }
    }
}

/// The byte at which a condition starts in the file; none where the file writes it otherwise, with
/// escapes or over several lines.
fn when_starts(node: &Node, words: &str, text: &str) -> Option<usize> {
    let written = text.get(node.span.start..)?;
    let quote = usize::from(written.starts_with(['"', '\'']));
    written.get(quote..)?.starts_with(words).then(|| node.span.start.saturating_add(quote))
}
