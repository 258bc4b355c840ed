//! The arguments of one call, parsed once for all rules.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use compact_str::CompactString;
use lawbook_event::json::{Document, Grammar, JsonErrorKind, Limits, Value};
use lawbook_event::{Args, ArgsState, Path, Semantics, is_cut};
use lawbook_shell::{Analysis, Shell, analyse};

use crate::{Key, Keys, Surroundings};

/// What is wrong with a text that holds no object.
pub(crate) const NO_OBJECT: &str = "are not a JSON object";

/// How arguments and results are read: as deep as Python's reader goes before it gives up, so that
/// a compatible policy reads what its system reads.
pub(crate) const LIMITS: Limits = Limits { depth_max: 990, ..Limits::DEFAULT };

/// The arguments of one call.
///
/// They are parsed when the first rule asks, by the widest grammar; each semantics then says
/// whether it trusts what was parsed. Text that holds JSON text is decoded once more, as every
/// system does that was seen to encode twice.
#[derive(Debug)]
pub struct Arguments<'c> {
    args: &'c Args<'c>,
    /// How keys are made.
    made: Keys<'c>,
    /// The document holds the text itself, so that the lifetime of the call stays free to shrink.
    parsed: OnceCell<Parsed>,
    /// The keys that rules have asked for, since many ask for the same one.
    keys: RefCell<Vec<Asked>>,
    /// The commands that rules have looked at, each read once.
    commands: RefCell<Vec<(Shell, String, Rc<Analysis>)>>,
    /// Whether a rule has looked at them since [`Arguments::forget_looks`].
    looked: Cell<bool>,
}

#[derive(Debug)]
struct Asked {
    path: CompactString,
    values: &'static str,
    folded: bool,
    key: KeyAt,
    /// The text that a sealed key stands for.
    plain: Option<CompactString>,
}

/// What a rule finds where the key of a value should be.
#[derive(Clone, Debug)]
pub enum KeyAt {
    /// The key.
    Key(Key),
    /// No value stands there, or one without an identity, or the arguments can't be read.
    Unreadable,
    /// The recording doesn't tell.
    Unrecorded,
}

#[derive(Debug)]
enum Parsed {
    Empty,
    Document(Decoded),
    Unreadable(&'static str),
}

/// What a rule finds where an object of arguments should be.
#[derive(Clone, Copy, Debug)]
pub enum Fields<'d> {
    /// The object.
    Object(Value<'d>),
    /// No arguments at all: an object without members.
    Empty,
    /// Text that is no object, or one that can't be trusted; the word says why.
    Unreadable(&'static str),
    /// The recording carries no arguments, or only a part of them.
    Unrecorded,
}

/// What a rule finds where one argument should be.
#[derive(Clone, Copy, Debug)]
pub enum Found<'d> {
    /// The value.
    Value(Value<'d>),
    /// Nothing stands there.
    Absent,
    /// The arguments can't be read; the word says why.
    Unreadable(&'static str),
    /// The recording doesn't tell.
    Unrecorded,
}

impl<'c> Arguments<'c> {
    /// The arguments of a call, not yet parsed, and how keys are made of them.
    #[must_use]
    pub fn new(args: &'c Args<'c>, made: Keys<'c>) -> Self {
        let (keys, commands) = (RefCell::default(), RefCell::default());
        Arguments { args, made, parsed: OnceCell::new(), keys, commands, looked: Cell::new(false) }
    }

    /// How keys are made.
    #[must_use]
    pub fn keys(&self) -> Keys<'c> {
        self.made
    }

    /// The text as the tool received it; none where the recording doesn't carry it.
    #[must_use]
    pub fn text(&self) -> Option<&'c str> {
        self.looked.set(true);
        (self.args.state != ArgsState::Unrecorded).then_some(&*self.args.text)
    }

    /// Whether the text is all of it.
    #[must_use]
    pub fn state(&self) -> ArgsState {
        self.args.state
    }

    /// Forgets that a rule has looked, before the next one does.
    pub fn forget_looks(&self) {
        self.looked.set(false);
    }

    /// Whether a rule has looked at arguments of which some value is not all there. What stands
    /// there it has judged; what is missing could still count against the call.
    #[must_use]
    pub fn looked_into_gaps(&self) -> bool {
        self.looked.get() && self.has_gaps()
    }

    /// Whether the text stands there as an object, and values in it do not.
    #[must_use]
    pub fn has_gaps(&self) -> bool {
        self.args.state == ArgsState::Cut
            && matches!(self.parsed(), Parsed::Document(it) if it.root().is_object())
    }

    /// Whether a value of the arguments is not all there. A system that reads such a value as it
    /// stands does so in its own reading.
    #[must_use]
    pub fn is_gap(&self, values: &dyn Semantics, value: Value<'_>) -> bool {
        values.tells_gaps() && self.has_gaps() && value.as_str().is_some_and(is_cut)
    }

    fn parsed(&self) -> &Parsed {
        self.parsed.get_or_init(|| parse(&self.args.text))
    }

    /// The arguments as an object.
    #[must_use]
    pub fn fields(&self, values: &dyn Semantics) -> Fields<'_> {
        self.looked.set(true);
        if self.args.state != ArgsState::Whole && !self.has_gaps() {
            return Fields::Unrecorded;
        }
        let decoded = match self.parsed() {
            Parsed::Empty => return Fields::Empty,
            Parsed::Unreadable(NO_OBJECT) if values.is_lenient() => return Fields::Empty,
            Parsed::Unreadable(why) => return Fields::Unreadable(why),
            Parsed::Document(decoded) => decoded,
        };
        if values.is_lenient() {
            let root = decoded.root_for(values);
            let root = root.filter(|it| it.is_object() || it.is_array());
            return root.map_or(Fields::Empty, Fields::Object);
        }
        if let Some(why) = values.refuses(&decoded.document) {
            return Fields::Unreadable(why);
        }
        let root = decoded.document.root();
        if root.is_object() { Fields::Object(root) } else { Fields::Unreadable(NO_OBJECT) }
    }

    /// The key of one argument; without a path, the key that all calls share.
    #[must_use]
    pub fn key(&self, values: &dyn Semantics, path: Option<&Path>) -> KeyAt {
        self.key_as(values, path, false)
    }

    /// The key of one argument for caps: spellings that differ only in dress are one.
    #[must_use]
    pub fn cap_key(&self, values: &dyn Semantics, path: Option<&Path>) -> KeyAt {
        self.key_as(values, path, true)
    }

    fn key_as(&self, values: &dyn Semantics, path: Option<&Path>, folded: bool) -> KeyAt {
        let Some(path) = path else { return KeyAt::Key(Key::shared()) };
        self.looked.set(true);
        let (text, name) = (path.text(), values.name());
        // Names of semantics are constants, so one address is one name; two addresses of one name
        // would only make the key twice.
        let same =
            |it: &&Asked| it.folded == folded && std::ptr::eq(it.values, name) && it.path == text;
        if let Some(known) = self.keys.borrow().iter().find(same) {
            return known.key.clone();
        }
        let (key, plain) = self.read_key(values, path, folded);
        let path = CompactString::new(text);
        let asked = Asked { path, values: name, folded, key: key.clone(), plain };
        self.keys.borrow_mut().push(asked);
        key
    }

    /// The text of a key that these arguments gave: messages may name what the call itself holds.
    #[must_use]
    pub fn plain(&self, key: &Key) -> CompactString {
        if let Some(text) = key.text() {
            return CompactString::new(text);
        }
        let keys = self.keys.borrow();
        let plain = keys.iter().filter_map(|it| Some((&it.key, it.plain.as_ref()?)));
        let mut same = plain.filter(|(it, _)| matches!(it, KeyAt::Key(it) if it == key));
        same.next().map(|it| it.1.clone()).unwrap_or_default()
    }

    /// What a command in these arguments can reach.
    #[must_use]
    pub fn analysis(&self, text: &str, here: &Surroundings) -> Rc<Analysis> {
        let mut commands = self.commands.borrow_mut();
        let same = |it: &&(Shell, String, _)| it.0 == here.shell && it.1 == text;
        if let Some((_, _, known)) = commands.iter().find(same) {
            return known.clone();
        }
        let analysis = Rc::new(analyse(text, &here.world()));
        commands.push((here.shell, text.to_owned(), analysis.clone()));
        analysis
    }

    /// A key that is no argument's, made once for all rules that ask for it by this name.
    pub(crate) fn own_key(&self, name: &'static str, make: impl FnOnce(Keys<'c>) -> Key) -> Key {
        let mut keys = self.keys.borrow_mut();
        let same = |it: &&Asked| it.values == name && it.path.is_empty();
        if let Some(KeyAt::Key(known)) = keys.iter().find(same).map(|it| &it.key) {
            return known.clone();
        }
        let key = make(self.made);
        let (path, kept) = (CompactString::default(), KeyAt::Key(key.clone()));
        keys.push(Asked { path, values: name, folded: false, key: kept, plain: None });
        key
    }

    fn read_key(
        &self,
        values: &dyn Semantics,
        path: &Path,
        folded: bool,
    ) -> (KeyAt, Option<CompactString>) {
        let value = match self.find(values, path) {
            Found::Value(value) => value,
            Found::Absent | Found::Unreadable(_) => return (KeyAt::Unreadable, None),
            Found::Unrecorded => return (KeyAt::Unrecorded, None),
        };
        let text = if folded { values.cap_key(value) } else { values.key(value) };
        let Some(text) = text else { return (KeyAt::Unreadable, None) };
        let plain = self.made.is_sealed().then(|| CompactString::new(&text));
        (KeyAt::Key(self.made.key(&text)), plain)
    }

    /// One argument.
    #[must_use]
    pub fn find(&self, values: &dyn Semantics, path: &Path) -> Found<'_> {
        match self.fields(values) {
            Fields::Object(root) => match values.path(root, path) {
                Some(value) if self.is_gap(values, value) => Found::Unrecorded,
                found => found.map_or(Found::Absent, Found::Value),
            },
            Fields::Empty => Found::Absent,
            Fields::Unreadable(why) => Found::Unreadable(why),
            Fields::Unrecorded => Found::Unrecorded,
        }
    }
}

fn parse(text: &str) -> Parsed {
    if text.trim().is_empty() {
        return Parsed::Empty;
    }
    decoded(text).map_or_else(Parsed::Unreadable, Parsed::Document)
}

/// The JSON that a text holds.
#[derive(Debug)]
pub(crate) struct Decoded {
    document: Document<'static>,
    /// It stood in a text of JSON.
    twice: bool,
}

impl Decoded {
    /// The value, if these semantics take the text for JSON and trust it.
    pub(crate) fn root_for(&self, values: &dyn Semantics) -> Option<Value<'_>> {
        let odd = self.twice || self.document.non_finite_literal();
        let refused = values.refuses(&self.document).is_some() || (odd && values.is_lenient());
        (!refused).then(|| self.document.root())
    }

    /// The value, whoever reads it.
    pub(crate) fn root(&self) -> Value<'_> {
        self.document.root()
    }
}

/// The JSON that a text holds, decoded once more where that is a text of JSON.
///
/// # Errors
/// What is wrong with the text, as the end of a sentence on arguments.
pub(crate) fn decoded(text: &str) -> Result<Decoded, &'static str> {
    let parse = |text: &str| {
        let parsed = Document::parse_owned(text.to_owned(), Grammar::Python, &LIMITS);
        parsed.map_err(|error| match error.kind {
            JsonErrorKind::Depth => "are nested too deep",
            JsonErrorKind::Bytes | JsonErrorKind::Nodes => "are too large",
            _ => NO_OBJECT,
        })
    };
    let document = parse(text)?;
    match document.root().as_str() {
        Some(inner) => parse(inner).map(|document| Decoded { document, twice: true }),
        None => Ok(Decoded { document, twice: false }),
    }
}
