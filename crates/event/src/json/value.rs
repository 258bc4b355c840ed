//! A value inside a document.

use super::Document;
use super::node::{Node, Tag};
use super::repeats::print_of;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, however it is written.
    Number,
    /// Text.
    String,
    /// A list.
    Array,
    /// A list of keys with values.
    Object,
}

/// A value of a document: two words that may be copied freely.
#[derive(Clone, Copy)]
pub struct Value<'d> {
    document: &'d Document<'d>,
    index: u32,
}

impl<'d> Value<'d> {
    #[inline]
    pub(super) fn new(document: &'d Document<'d>, index: u32) -> Self {
        Value { document, index }
    }

    #[inline]
    fn node(self) -> Node {
        self.document.node(self.index)
    }

    /// What it is.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.node().tag() {
            Tag::Null => Kind::Null,
            Tag::False | Tag::True => Kind::Bool,
            Tag::Number => Kind::Number,
            Tag::Plain | Tag::Decoded => Kind::String,
            Tag::Array => Kind::Array,
            Tag::Object => Kind::Object,
        }
    }

    /// Whether it is `null`.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether it is a list.
    #[must_use]
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// The truth value.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node().tag() {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// The text of a string, escapes decoded.
    #[inline]
    #[must_use]
    pub fn as_str(self) -> Option<&'d str> {
        let node = self.node();
        match node.tag() {
            Tag::Plain | Tag::Decoded => Some(self.document.string(node)),
            _ => None,
        }
    }

    /// The number as it is written.
    #[inline]
    #[must_use]
    pub fn number_text(self) -> Option<&'d str> {
        let node = self.node();
        (node.tag() == Tag::Number).then(|| self.document.slice(node.start, node.end))
    }

    /// How many items or entries it holds, repeated keys included; 0 when it is no container.
    #[must_use]
    pub fn len(self) -> usize {
        let node = self.node();
        match node.tag() {
            Tag::Array | Tag::Object => node.count() as usize,
            _ => 0,
        }
    }

    /// Whether it holds no item and no entry.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The items of a list, in order; none for anything else.
    #[must_use]
    pub fn items(self) -> Items<'d> {
        let node = self.node();
        let left = if node.tag() == Tag::Array { node.count() } else { 0 };
        Items { document: self.document, next: self.index.wrapping_add(1), left }
    }

    /// The item at a place of a list.
    #[must_use]
    pub fn item(self, place: usize) -> Option<Value<'d>> {
        self.items().nth(place)
    }

    /// The entries of an object, in the order of the text, repeated keys included.
    #[must_use]
    pub fn entries(self) -> Entries<'d> {
        let node = self.node();
        let left = if node.is_object() { node.count() } else { 0 };
        Entries { document: self.document, next: self.index.wrapping_add(1), left }
    }

    /// The value of a key. The last one counts, as in Python and JavaScript.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Value<'d>> {
        let print = print_of(key.as_bytes());
        let mut found = None;
        let mut entries = self.entries();
        while let Some((name, value)) = entries.step() {
            if name.may_be(print) && self.document.is_named(name, key) {
                found = Some(value);
                if self.document.repeated.is_none() {
                    break;
                }
            }
        }
        found
    }

    /// The values of several keys, found in one walk; of each the last one, as in [`Value::get`].
    ///
    /// ```
    /// use lawbook_event::json::{Document, Grammar, Limits, Names};
    ///
    /// const NAMES: Names<2> = Names::new(["id", "name"]);
    /// let text = r#"{"name": "pay", "at": 5}"#;
    /// let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap();
    /// let [id, name] = document.root().members(&NAMES);
    /// assert!(id.is_none());
    /// assert_eq!(name.and_then(|it| it.as_str()), Some("pay"));
    /// ```
    #[must_use]
    pub fn members<const N: usize>(self, names: &Names<N>) -> [Option<Value<'d>>; N] {
        let mut found = [None; N];
        let mut entries = self.entries();
        while let Some((name, value)) = entries.step() {
            let place = names.place(self.document, name);
            if let Some(found) = place.and_then(|it| found.get_mut(it)) {
                *found = Some(value);
            }
        }
        found
    }

    /// The exact text of the value.
    #[must_use]
    pub fn raw(self) -> &'d str {
        let node = self.node();
        self.document.slice(node.start, node.end)
    }

    /// Where it stands, in bytes from the start of the text.
    #[must_use]
    pub fn offset(self) -> usize {
        self.node().start as usize
    }

    /// The document it stands in.
    #[must_use]
    pub fn document(self) -> &'d Document<'d> {
        self.document
    }
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.raw())
    }
}

/// The items of a list.
#[derive(Clone, Debug)]
pub struct Items<'d> {
    document: &'d Document<'d>,
    next: u32,
    left: u32,
}

impl<'d> Iterator for Items<'d> {
    type Item = Value<'d>;

    #[inline]
    fn next(&mut self) -> Option<Value<'d>> {
        self.left = self.left.checked_sub(1)?;
        let value = Value::new(self.document, self.next);
        self.next = value.node().next(self.next);
        Some(value)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

/// Names of members, made ready to be looked for together.
#[derive(Clone, Copy, Debug)]
pub struct Names<const N: usize> {
    names: [&'static str; N],
    /// Their fingerprints.
    prints: [u32; N],
}

impl<const N: usize> Names<N> {
    /// Different names.
    #[must_use]
    pub const fn new(names: [&'static str; N]) -> Self {
        let mut prints = [0; N];
        let (mut left, mut rest): (&[&'static str], &mut [u32]) = (&names, &mut prints);
        while let Some((name, names)) = left.split_first()
            && let Some((print, prints)) = rest.split_first_mut()
        {
            *print = print_of(name.as_bytes());
            (left, rest) = (names, prints);
        }
        Names { names, prints }
    }

    /// The place of a key among the names.
    #[inline]
    fn place(&self, document: &Document<'_>, key: Node) -> Option<usize> {
        if key.tag() == Tag::Plain {
            let place = self.prints.iter().position(|it| *it == key.link)?;
            if self.names.get(place).is_some_and(|it| document.is_named(key, it)) {
                return Some(place);
            }
        }
        // Names of one fingerprint, and keys with escapes, are rare.
        self.names.iter().position(|it| document.string(key) == *it)
    }
}

/// The entries of an object.
#[derive(Clone, Debug)]
pub struct Entries<'d> {
    document: &'d Document<'d>,
    next: u32,
    left: u32,
}

impl<'d> Entries<'d> {
    /// The node of the next key, and the value.
    #[inline]
    fn step(&mut self) -> Option<(Node, Value<'d>)> {
        self.left = self.left.checked_sub(1)?;
        let key = self.document.node(self.next);
        let index = self.next.wrapping_add(1);
        let value = Value::new(self.document, index);
        self.next = value.node().next(index);
        Some((key, value))
    }
}

impl<'d> Iterator for Entries<'d> {
    type Item = (&'d str, Value<'d>);

    #[inline]
    fn next(&mut self) -> Option<(&'d str, Value<'d>)> {
        let (key, value) = self.step()?;
        Some((self.document.string(key), value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}
