//! The data of a policy as a tree in which every value and key knows its place.

use lawbook_diag::Span;

/// One value of a policy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Where it stands.
    pub span: Span,
    /// What it is.
    pub form: Form,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// A text, a number, `true`, `false` or nothing.
    Scalar {
        /// The text, escapes decoded.
        text: String,
        /// Whether it stood in quotes or in a block, so that it is text whatever it looks like.
        quoted: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// Keys with values, in the order of the file.
    Map(Vec<Entry>),
}

/// A key with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub value: Node,
}

/// Something wrong at a place of a policy, before it has a file and a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// A stable word for this sort of problem.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Node {
    /// A text that stands at no place, for policies that are written and not read.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Form::Scalar { text: text.into(), quoted: true }.into()
    }

    /// A number, a truth value or nothing, as it is to be written.
    #[must_use]
    pub fn bare(text: impl Into<String>) -> Self {
        Form::Scalar { text: text.into(), quoted: false }.into()
    }

    /// A list of texts.
    pub fn texts<S: Into<String>>(texts: impl IntoIterator<Item = S>) -> Self {
        Node::list(texts.into_iter().map(Node::text))
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Node>) -> Self {
        Form::List(items.into_iter().collect()).into()
    }

    /// Keys with values, in this order.
    pub fn map<S: Into<String>>(entries: impl IntoIterator<Item = (S, Node)>) -> Self {
        let entry =
            |(key, value): (S, Node)| Entry { key: key.into(), key_span: Span::default(), value };
        Form::Map(entries.into_iter().map(entry).collect()).into()
    }

    /// The entries of a map; none for anything else.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.form {
            Form::Map(entries) => entries,
            Form::Scalar { .. } | Form::List(_) => &[],
        }
    }

    /// The items of a list; none for anything else.
    #[must_use]
    pub fn items(&self) -> &[Node] {
        match &self.form {
            Form::List(items) => items,
            Form::Scalar { .. } | Form::Map(_) => &[],
        }
    }

    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|it| it.key == key).map(|it| &it.value)
    }

    /// What it is, in words.
    #[must_use]
    pub fn what(&self) -> &'static str {
        use super::Scalar;
        match (&self.form, self.scalar()) {
            (Form::List(_), _) => "a list",
            (Form::Map(_), _) => "a map",
            (_, Some(Scalar::Null) | None) => "nothing",
            (_, Some(Scalar::Bool(_))) => "true or false",
            (_, Some(Scalar::Number(_) | Scalar::Unclear(_))) => "a number",
            (_, Some(Scalar::Text(_))) => "text",
        }
    }
}

impl From<Form> for Node {
    fn from(form: Form) -> Self {
        Node { span: Span::default(), form }
    }
}

impl Fault {
    /// A problem at a place.
    #[must_use]
    pub fn new(span: Span, code: &'static str, message: impl Into<String>) -> Self {
        Fault { span, code, message: message.into(), help: None }
    }

    /// The same problem with the way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// A key that stands where none of this name may; `known` are the names that may.
    #[must_use]
    pub fn unknown_key(entry: &Entry, inside: &str, known: &[&str]) -> Self {
        let message = format!("unknown key `{}` in {inside}", entry.key);
        let fault = Fault::new(entry.key_span, "unknown_key", message);
        let joined = entry.key.split_once(':').filter(|(key, _)| known.contains(key));
        if let Some((key, rest)) = joined {
            return fault.help(format!("put a space after the colon: `{key}: {rest}`"));
        }
        let synonym = SYNONYMS.iter().find(|it| it.0 == entry.key && known.contains(&it.1));
        let nearest = || lawbook_diag::nearest(&entry.key, known.iter().copied());
        fault.help(match synonym.map(|it| it.1).or_else(nearest) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("known keys: {}", known.join(", ")),
        })
    }
}

/// Keys that other systems use, or people expect, each with the key that is meant.
const SYNONYMS: &[(&str, &str)] = &[
    ("allowed", "values"),
    ("allowed_values", "values"),
    ("argument", "arg"),
    ("arguments", "args"),
    ("before", "first"),
    ("condition", "when"),
    ("description", "why"),
    ("enum", "values"),
    ("field", "arg"),
    ("if", "when"),
    ("limit", "max"),
    ("max_value", "max"),
    ("maximum", "max"),
    ("message", "tell"),
    ("min_value", "min"),
    ("minimum", "min"),
    ("param", "arg"),
    ("parameter", "arg"),
    ("reason", "why"),
    ("regex", "pattern"),
    ("requires", "first"),
    ("tool", "tools"),
    ("tool_names", "tools"),
    ("version", "lawbook"),
];
