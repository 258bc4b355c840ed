//! Reading the files that a policy's owner fills in: every value has a place, and everything that
//! is wrong is told at once.

use std::path::Path;

use lawbook_diag::{Problem, nearest, place};
use lawbook_rule::params::{Form, Node, NodeEntry};

/// A file in YAML or JSON, and what is wrong with it so far.
pub struct Fields {
    /// Its name in problems.
    source: String,
    text: String,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
}

impl Fields {
    /// A file that is about to be read.
    pub fn new(source: impl Into<String>, text: impl Into<String>) -> Self {
        Fields { source: source.into(), text: text.into(), problems: Vec::new() }
    }

    /// The tree of the file, a map at its top.
    ///
    /// # Errors
    /// When there is none.
    pub fn root(&self) -> Result<Node, Vec<Problem>> {
        let root = lawbook_dialect::tree(&self.source, &self.text)?;
        match root.form {
            Form::Map(_) => Ok(root),
            Form::List(_) | Form::Scalar { .. } => {
                let message = format!("it is {} and not a map of keys", root.what());
                Err(vec![Problem::new(&self.source, "wrong_shape", message)])
            }
        }
    }

    /// Says that something is wrong at a value.
    pub fn wrong(&mut self, at: &Node, code: &'static str, message: impl Into<String>) {
        let problem = self.problem(at, code, message);
        self.problems.push(problem);
    }

    /// The problem of a value, with its place.
    pub fn problem(&self, at: &Node, code: &'static str, message: impl Into<String>) -> Problem {
        let (line, column) = place(&self.text, at.span.start);
        Problem::new(&self.source, code, message).at(line, column)
    }

    /// Tells every key that has no place in a map.
    pub fn known(&mut self, map: &Node, inside: &str, keys: &[&str]) {
        for entry in map.entries().iter().filter(|it| !keys.contains(&it.key.as_str())) {
            let problem = self.unknown(entry, inside, keys);
            self.problems.push(problem);
        }
    }

    fn unknown(&self, entry: &NodeEntry, inside: &str, keys: &[&str]) -> Problem {
        let (line, column) = place(&self.text, entry.key_span.start);
        let message = format!("unknown key `{}` in {inside}", entry.key);
        let help = match nearest(&entry.key, keys.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known keys: {}", keys.join(", ")),
        };
        Problem::new(&self.source, "unknown_key", message).at(line, column).help(help)
    }

    /// The items of a list; a value that is no list is told, and nothing is none.
    pub fn items<'n>(&mut self, map: &'n Node, key: &str) -> &'n [Node] {
        let Some(node) = map.get(key) else { return &[] };
        if !matches!(node.form, Form::List(_)) && node.words().is_some() {
            self.wrong(node, "wrong_shape", format!("`{key}` must be a list"));
        }
        node.items()
    }

    /// The text of a key; empty where it is not there or holds nothing.
    pub fn text(&mut self, map: &Node, key: &str) -> String {
        let Some(node) = map.get(key) else { return String::new() };
        if !matches!(node.form, Form::Scalar { .. }) {
            self.wrong(node, "wrong_shape", format!("`{key}` must be text"));
        }
        node.words().unwrap_or_default().to_owned()
    }

    /// The texts of a key: a list of them, or one.
    pub fn texts(&mut self, map: &Node, key: &str) -> Vec<String> {
        let Some(node) = map.get(key) else { return Vec::new() };
        let one = std::slice::from_ref(node);
        let items = if node.words().is_some() { one } else { node.items() };
        items.iter().filter_map(Node::words).map(str::to_owned).collect()
    }

    /// Whether the file says that it is of this form.
    ///
    /// # Errors
    /// When it says another, or none.
    pub fn schema(&self, root: &Node, wanted: &str, help: &str) -> Result<(), Vec<Problem>> {
        match root.get("schema").and_then(Node::words) {
            Some(found) if found == wanted => Ok(()),
            found => {
                let found = found.map_or("not there".to_owned(), |it| format!("`{it}`"));
                let message = format!("its `schema` is {found} and must be `{wanted}`");
                Err(vec![self.problem(root, "other_schema", message).help(help)])
            }
        }
    }
}

/// Reads a file as text.
///
/// # Errors
/// When it can't be read or is no text.
pub fn file_text(path: &Path) -> Result<String, Problem> {
    let name = path.display().to_string();
    std::fs::read_to_string(path).map_err(|error| {
        let problem = Problem::new(name, "unreadable", format!("it can't be read: {error}"));
        match crate::input::near(path) {
            Some(near) if error.kind() == std::io::ErrorKind::NotFound => {
                problem.help(format!("did you mean `{}`?", near.display()))
            }
            _ => problem,
        }
    })
}
