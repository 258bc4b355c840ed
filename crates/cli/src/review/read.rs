//! Reading a review file. A person has written in it, so a slip is told with its place and nothing
//! is guessed.

use std::collections::BTreeSet;

use lawbook_diag::Problem;
use lawbook_rule::params::Node;

use super::{
    Disposition, Entry, Key, Mark, Noted, Proposal, REVIEW_ENTRIES_MAX, Review, SCHEMA, State,
    named,
};
use crate::fields::Fields;

const TOP: &[&str] = &["schema", "policies", "findings", "notes"];
const POLICY: &[&str] = &["file", "digest"];
const FINDING: &[&str] = &[
    "id", "rule", "session", "step_id", "tool", "message", "why", "state", "edit", "mark", "note",
];
const EDIT: &[&str] = &["policy", "at", "write"];
const NOTE: &[&str] = &["trace", "said", "modes", "state", "disposition", "with"];

/// Reads a review file.
pub fn read(source: &str, text: &str) -> Result<Review, Vec<Problem>> {
    let mut fields = Fields::new(source, text);
    let root = fields.root()?;
    fields.schema(&root, SCHEMA, "write one with `lawbook check … --review FILE`")?;
    fields.known(&root, "the review", TOP);
    let mut review = Review::default();
    for node in fields.items(&root, "policies") {
        fields.known(node, "a policy", POLICY);
        review.policies.push((fields.text(node, "file"), fields.text(node, "digest")));
    }
    let findings = fields.items(&root, "findings");
    if findings.len() > REVIEW_ENTRIES_MAX {
        let message = format!("it holds more than {REVIEW_ENTRIES_MAX} findings");
        fields.wrong(&root, "review_entries_max", message);
    }
    let mut seen = BTreeSet::new();
    for node in findings.iter().take(REVIEW_ENTRIES_MAX) {
        let entry = finding(&mut fields, node);
        if seen.insert(entry.key.clone()) {
            review.findings.push(entry);
        } else {
            let message = format!("the finding `{}` stands twice", entry.key.id());
            fields.wrong(node, "repeated_entry", message);
        }
    }
    let mut traces = BTreeSet::new();
    for node in fields.items(&root, "notes") {
        let note = noted(&mut fields, node);
        if !traces.insert(note.trace.clone()) {
            let message = format!("the note on trace `{}` stands twice", note.trace);
            fields.wrong(node, "repeated_entry", message);
        }
        review.notes.push(note);
    }
    if fields.problems.is_empty() { Ok(review) } else { Err(fields.problems) }
}

fn finding(fields: &mut Fields, node: &Node) -> Entry {
    fields.known(node, "a finding", FINDING);
    let key = Key {
        rule: fields.text(node, "rule"),
        session: fields.text(node, "session"),
        step_id: fields.text(node, "step_id"),
        tool: fields.text(node, "tool"),
    };
    if key.rule.is_empty() || key.session.is_empty() {
        fields.wrong(node, "missing_key", "a finding needs a `rule` and a `session`");
    }
    let edit = node.get("edit").filter(|it| !it.entries().is_empty()).map(|it| {
        fields.known(it, "an edit", EDIT);
        Proposal {
            policy: fields.text(it, "policy"),
            at: fields.text(it, "at"),
            write: fields.text(it, "write"),
        }
    });
    Entry {
        message: fields.text(node, "message"),
        why: fields.text(node, "why"),
        mark: choice(fields, node, "mark", Mark::ALL),
        note: fields.text(node, "note"),
        state: choice(fields, node, "state", State::ALL),
        edit,
        key,
    }
}

fn noted(fields: &mut Fields, node: &Node) -> Noted {
    fields.known(node, "a note", NOTE);
    let trace = fields.text(node, "trace");
    if trace.is_empty() {
        fields.wrong(node, "missing_key", "a note needs a `trace`");
    }
    let states = &[(false, "passes"), (true, "found now")];
    Noted {
        trace,
        said: fields.text(node, "said"),
        modes: fields.texts(node, "modes"),
        disposition: choice(fields, node, "disposition", Disposition::ALL),
        with: fields.text(node, "with"),
        found: choice(fields, node, "state", states),
    }
}

/// One of a few words; nothing is the first of them.
fn choice<T: Copy + Default>(
    fields: &mut Fields,
    node: &Node,
    key: &str,
    all: &[(T, &'static str)],
) -> T {
    let word = fields.text(node, key);
    if word.is_empty() {
        return T::default();
    }
    named(all, &word).unwrap_or_else(|| {
        let words: Vec<&str> = all.iter().map(|it| it.1).filter(|it| !it.is_empty()).collect();
        let message =
            format!("`{key}` is `{word}` and must be empty or one of: {}", words.join(", "));
        fields.wrong(node.get(key).unwrap_or(node), "unknown_word", message);
        T::default()
    })
}
