//! What there is to tell about a permission file.

use lawbook_diag::{Span, place};
use lawbook_rule::params::{Fault, Form, Node, Scalar};

use crate::dialects::problem;
use crate::lint::Lint;

/// What there is to tell about a permission file.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// What keeps it from being read.
    pub faults: Vec<Fault>,
    remarks: Vec<Remark>,
}

#[derive(Debug)]
struct Remark {
    fault: Fault,
    weight: Weight,
}

#[derive(Debug, PartialEq, Eq)]
enum Weight {
    /// Something that the file wants to stop is not stopped.
    Uncovered,
    /// Something is stricter than in its own system, or has no effect there either.
    Warning,
    /// Worth knowing.
    Note,
}

impl Told {
    /// Something that is wrong.
    pub fn wrong(&mut self, at: &Node, code: &'static str, message: String, help: &str) {
        self.wrong_at(at.span, code, message, help);
    }

    /// Something that is wrong at a place.
    pub fn wrong_at(&mut self, at: Span, code: &'static str, message: String, help: &str) {
        self.faults.push(Fault::new(at, code, message).help(help));
    }

    /// Refuses keys that are none; `inside` is what holds them.
    pub fn known_keys(&mut self, node: &Node, inside: &str, known: &[&str]) {
        let unknown = node.entries().iter().filter(|it| !known.contains(&it.key.as_str()));
        self.faults.extend(unknown.map(|it| Fault::unknown_key(it, inside, known)));
    }

    /// Whether a value is a map; told if it is none.
    pub fn is_map(&mut self, node: &Node, what: &str) -> bool {
        let is_map = matches!(node.form, Form::Map(_));
        if !is_map {
            let message = format!("{what} must be a map, not {}", node.what());
            self.wrong(node, "wrong_shape", message, "write keys with values");
        }
        is_map
    }

    /// The texts of the list under a key; what is none is told.
    pub fn texts<'n>(&mut self, node: &'n Node, key: &str) -> Vec<&'n Node> {
        let Some(list) = node.get(key) else { return Vec::new() };
        if !matches!(list.form, Form::List(_)) {
            let message = format!("`{key}` must be a list of texts, not {}", list.what());
            self.wrong(list, "wrong_shape", message, "put it in brackets");
        }
        let (texts, odd): (Vec<_>, Vec<_>) =
            list.items().iter().partition(|it| matches!(it.scalar(), Some(Scalar::Text(_))));
        for it in odd {
            let message = format!("`{key}` holds {}, and texts alone may stand there", it.what());
            self.wrong(it, "wrong_shape", message, "put it in quotes");
        }
        texts
    }

    /// A text or a list of texts under a key; what is neither is told.
    pub fn text_or_texts<'n>(&mut self, node: &'n Node, key: &str) -> Vec<&'n Node> {
        match node.get(key) {
            Some(one) if matches!(one.scalar(), Some(Scalar::Text(_))) => vec![one],
            _ => self.texts(node, key),
        }
    }

    /// Something that the file wants to stop and that is not carried over.
    pub fn uncovered(&self, text: &str) -> Vec<String> {
        let uncovered = self.remarks.iter().filter(|it| it.weight == Weight::Uncovered);
        let line = |it: &Remark| place(text, it.fault.span.start).0;
        uncovered.map(|it| format!("line {}: {}", line(it), it.fault.message)).collect()
    }

    /// Tells something that the file wants to stop and that is not carried over.
    pub fn not_carried(&mut self, at: Span, message: impl Into<String>, help: &str) {
        self.remark(at, "not_carried", message.into(), help, Weight::Uncovered);
    }

    /// Tells something that is stricter here, or that has no effect in its own system either.
    pub fn warn(&mut self, at: Span, code: &'static str, message: impl Into<String>, help: &str) {
        self.remark(at, code, message.into(), help, Weight::Warning);
    }

    /// Tells something worth knowing.
    pub fn note(&mut self, at: Span, code: &'static str, message: impl Into<String>, help: &str) {
        self.remark(at, code, message.into(), help, Weight::Note);
    }

    fn remark(&mut self, at: Span, code: &'static str, said: String, help: &str, weight: Weight) {
        let fault = Fault::new(at, code, said).help(help);
        self.remarks.push(Remark { fault, weight });
    }

    /// The remarks as lints, in the order of the text.
    pub fn lints(mut self, source: &str, text: &str) -> Vec<Lint> {
        self.remarks.sort_by_key(|it| it.fault.span.start);
        let lint = |it: Remark| Lint {
            note: it.weight == Weight::Note,
            problem: problem(source, text, it.fault),
        };
        self.remarks.into_iter().map(lint).collect()
    }
}
