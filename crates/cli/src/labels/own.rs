//! Labels in our own form, as one document in YAML or JSON.

use lawbook_diag::Problem;
use lawbook_rule::params::Node;
use lawbook_trace::parse_time;

use super::{FailureMode, Label, Labels, SCHEMA, no_verdict, verdict};
use crate::fields::Fields;

/// The name of this form.
pub const FORM: &str = "lawbook.labels/1";

const TOP: &[&str] = &["schema", "mode", "defined", "labels"];
/// The keys of one label.
pub const KEYS: &[&str] = &["id", "verdict", "modes", "note", "at", "split"];

/// Reads a document.
pub fn read(source: &str, text: &str) -> Result<Labels, Vec<Problem>> {
    let mut fields = Fields::new(source, text);
    let root = fields.root()?;
    let help = "labels are CSV with the columns id and verdict, JSON lines with the same keys, \
                YAML with `schema` and `labels`, or a pmstack project";
    fields.schema(&root, SCHEMA, help)?;
    fields.known(&root, "the labels", TOP);
    let mut labels = Labels { source: source.to_owned(), form: FORM, ..Labels::default() };
    let mode = fields.text(&root, "mode");
    if !mode.is_empty() {
        let defined = moment(&mut fields, &root, "defined");
        let mode =
            FailureMode { id: mode, defined: defined.into_iter().collect(), is_policy: true };
        labels.mode = Some(mode.id.clone());
        labels.modes.push(mode);
    }
    for node in fields.items(&root, "labels") {
        labels.labels.push(label(&mut fields, node));
    }
    if fields.problems.is_empty() { Ok(labels) } else { Err(fields.problems) }
}

fn label(fields: &mut Fields, node: &Node) -> Label {
    fields.known(node, "a label", KEYS);
    let id = fields.text(node, "id");
    if id.is_empty() {
        fields.wrong(node, "missing_key", "a label needs the `id` of its trace");
    }
    let word = fields.text(node, "verdict");
    let verdict = verdict(&word).unwrap_or_else(|| {
        fields.wrong(node.get("verdict").unwrap_or(node), "unknown_word", no_verdict(&word));
        super::Verdict::Skip
    });
    Label {
        id,
        verdict,
        modes: fields.texts(node, "modes"),
        note: fields.text(node, "note"),
        at: moment(fields, node, "at"),
        split: fields.text(node, "split"),
        ..Label::default()
    }
}

fn moment(fields: &mut Fields, node: &Node, key: &str) -> Option<lawbook_event::Time> {
    let text = fields.text(node, key);
    let time = parse_time(&text);
    if time.is_none() && !text.is_empty() {
        let at = node.get(key).unwrap_or(node);
        fields.wrong(at, "no_time", format!("`{key}` is `{text}`, which is no time"));
    }
    time
}
