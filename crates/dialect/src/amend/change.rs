//! A change of a policy's tree, and how it is told.

use lawbook_diag::Span;
use lawbook_event::json::write_string;
use lawbook_rule::params::{Form, Node, NodeEntry, Scalar};

use super::Edit;
use crate::fmt::written;

/// One step on the way to a value.
#[derive(Clone, Debug)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// An item of a list.
    Item(usize),
}

/// A value that is put in a place.
#[derive(Clone, Debug)]
pub struct Change {
    /// The way to the map or list.
    pub at: Vec<Step>,
    /// The key that is set; none where the value is added to a list.
    pub key: Option<String>,
    /// The value.
    pub value: Node,
}

impl Change {
    /// Sets a key of a map.
    pub fn set(at: Vec<Step>, key: &str, value: Node) -> Self {
        Change { at, key: Some(key.to_owned()), value }
    }

    /// Adds a value to a list.
    pub fn append(at: Vec<Step>, value: Node) -> Self {
        Change { at, key: None, value }
    }

    /// The edit that this is, in a tree; none where it has no place there.
    pub fn edit(&self, root: &Node, json: bool) -> Option<Edit> {
        let mut edited = root.clone();
        self.apply(&mut edited)?;
        let mut faults = Vec::new();
        let policy = edited.json(&mut faults);
        faults.is_empty().then(|| Edit { at: told(&self.at), write: self.write(json), policy })
    }

    fn apply(&self, root: &mut Node) -> Option<()> {
        let mut here = root;
        for step in &self.at {
            here = match step {
                Step::Item(place) => match &mut here.form {
                    Form::List(items) => items.get_mut(*place)?,
                    Form::Map(_) | Form::Scalar { .. } => return None,
                },
                Step::Key(key) => of_key(here, key)?,
            };
        }
        match (&self.key, &mut here.form) {
            (Some(key), _) => *of_key(here, key)? = self.value.clone(),
            (None, Form::List(items)) => items.push(self.value.clone()),
            (None, _) => return None,
        }
        Some(())
    }

    fn write(&self, json: bool) -> String {
        let value = flow(&self.value, json);
        match &self.key {
            Some(key) => format!("{}: {value}", flow(&text(key), json)),
            None if json => value,
            None => format!("- {value}"),
        }
    }
}

/// The value of a key, which is made where it is not there.
fn of_key<'n>(node: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    if node.scalar() == Some(Scalar::Null) {
        node.form = Form::Map(Vec::new());
    }
    let Form::Map(entries) = &mut node.form else { return None };
    let place = entries.iter().position(|it| it.key == key).unwrap_or(entries.len());
    if place == entries.len() {
        let value = map([]);
        entries.push(NodeEntry { key: key.to_owned(), key_span: Span::default(), value });
    }
    entries.get_mut(place).map(|it| &mut it.value)
}

/// The way as a person reads it.
fn told(steps: &[Step]) -> String {
    let mut out = String::new();
    for step in steps {
        match step {
            Step::Item(place) => out.push_str(&format!("[{place}]")),
            Step::Key(key) => {
                out.push_str(if out.is_empty() { "" } else { "." });
                out.push_str(key);
            }
        }
    }
    out
}

/// A value on one line, in the language of the file. Values here are a few levels deep.
fn flow(node: &Node, json: bool) -> String {
    match &node.form {
        Form::List(items) => {
            let items: Vec<String> = items.iter().map(|it| flow(it, json)).collect();
            format!("[{}]", items.join(", "))
        }
        Form::Map(entries) => {
            let entry = |it: &NodeEntry| {
                format!("{}: {}", flow(&text(&it.key), json), flow(&it.value, json))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries.join(", "))
        }
        Form::Scalar { .. } if !json => written(node, true),
        Form::Scalar { text, .. } => match node.scalar() {
            Some(Scalar::Text(_)) => {
                let mut out = String::new();
                write_string(&mut out, text);
                out
            }
            _ => text.clone(),
        },
    }
}

/// A text.
pub fn text(text: &str) -> Node {
    scalar(text, true)
}

/// A number, or `true` and `false`.
pub fn bare(text: &str) -> Node {
    scalar(text, false)
}

/// A list.
pub fn list(items: impl IntoIterator<Item = Node>) -> Node {
    Node { span: Span::default(), form: Form::List(items.into_iter().collect()) }
}

/// A map.
pub fn map<const N: usize>(entries: [(&str, Node); N]) -> Node {
    let entry = |(key, value): (&str, Node)| NodeEntry {
        key: key.to_owned(),
        key_span: Span::default(),
        value,
    };
    Node { span: Span::default(), form: Form::Map(entries.into_iter().map(entry).collect()) }
}

fn scalar(text: &str, quoted: bool) -> Node {
    Node { span: Span::default(), form: Form::Scalar { text: text.to_owned(), quoted } }
}

/// The way to a rule of a list, and the rule: the one whose `id` this is.
pub fn rule<'n>(root: &'n Node, id: &str) -> Option<(Vec<Step>, &'n Node)> {
    let rules = root.get("rules")?.items();
    let (place, rule) =
        rules.iter().enumerate().find(|it| it.1.get("id").and_then(Node::words) == Some(id))?;
    Some((vec![Step::Key("rules".to_owned()), Step::Item(place)], rule))
}

/// Takes a tool out of the list of tools of a map, where others remain.
pub fn narrowed(at: &[Step], map: &Node, tool: Option<&str>) -> Option<Change> {
    let items = map.get("tools")?.items();
    let others: Vec<Node> = items.iter().filter(|it| it.words() != tool).cloned().collect();
    let fits = !others.is_empty() && others.len() < items.len();
    fits.then(|| Change::set(at.to_vec(), "tools", list(others)))
}

/// A value that reads as a number: its text as a number's.
pub fn number(value: Option<&str>) -> Option<Node> {
    let value = value?;
    let inner = value.strip_prefix('"').and_then(|it| it.strip_suffix('"')).unwrap_or(value);
    let node = bare(inner.trim());
    matches!(node.scalar(), Some(Scalar::Number(_))).then_some(node)
}

/// A plain value as a policy writes it; none for lists, maps and texts with escapes.
pub fn plain(value: Option<&str>) -> Option<Node> {
    let value = value?;
    match value.strip_prefix('"').and_then(|it| it.strip_suffix('"')) {
        Some(inner) => (!inner.contains('\\')).then(|| text(inner)),
        None => {
            let node = bare(value);
            let fits = matches!(node.scalar(), Some(Scalar::Number(_) | Scalar::Bool(_)));
            fits.then_some(node)
        }
    }
}

/// The next whole number, and the calls that there are: how far a cap could be raised.
pub fn raised(max: Option<&Node>, calls: u64) -> Vec<Node> {
    let next = max.and_then(Node::words).and_then(|it| it.parse::<u64>().ok());
    let next = next.map(|it| it.saturating_add(1)).filter(|it| *it <= calls);
    let mut out: Vec<u64> = next.into_iter().chain([calls]).collect();
    out.dedup();
    out.into_iter().map(|it| bare(&it.to_string())).collect()
}
