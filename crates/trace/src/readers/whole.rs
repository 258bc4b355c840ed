//! Documents that hold whole sessions: finding them, and handing them on with their places.

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use lawbook_event::{End, Start};

use crate::chat::Chat;
use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Session, Shape, Source, Untold};

/// What takes the sessions of a document, each with its JSON pointer.
pub type Take<'t, 'd> = dyn FnMut(&str, Value<'d>) + 't;

/// The reader of a format whose documents hold whole sessions.
pub struct Documents {
    /// The name of the format.
    pub name: &'static str,
    /// Its page.
    pub page: &'static str,
    /// Whether a document is of this format.
    pub fits: fn(Value<'_>) -> bool,
    /// What is said of a document that holds none.
    pub missing: &'static str,
    /// Hands on the sessions of a document.
    pub find: for<'d> fn(Value<'d>, &mut Take<'_, 'd>),
    /// Tells a session; the last is its place.
    pub tell: for<'d> fn(Found<'d>, &str) -> Told<'d>,
}

/// A session as it was found.
#[derive(Clone, Copy, Debug)]
pub struct Found<'d> {
    /// The session.
    pub value: Value<'d>,
    /// The document that it stands in.
    pub root: Value<'d>,
}

/// A session that is being told.
pub struct Told<'d> {
    /// Its id.
    id: Cow<'d, str>,
    /// What happens in it.
    pub chat: Chat<'d>,
    /// What is known at its end.
    pub end: End<'d>,
}

impl<'d> Told<'d> {
    /// A session that starts, of about this many messages.
    pub fn new(start: Start<'d>, messages: usize) -> Self {
        Told { id: start.id.clone(), chat: Chat::new(start, messages), end: End::default() }
    }

    /// The session.
    pub fn finish(self, format: &'static str, source: String) -> Session<'d> {
        let (events, calls, notes) = self.chat.finish(self.end);
        Session { id: self.id, source, format, calls, events, own: None, notes }
    }
}

impl Reader for Documents {
    fn name(&self) -> &'static str {
        self.name
    }

    fn page(&self) -> &'static str {
        self.page
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        (self.fits)(root)
    }

    fn shape(&self) -> Shape {
        Shape::Independent
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        _wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        for part in parts {
            let (root, mut found) = (part.document.root(), false);
            (self.find)(root, &mut |pointer, value| {
                found = true;
                let place = source.place(part.line, pointer);
                let (tell, name) = (self.tell, self.name);
                out(Untold::new(move || {
                    let told = tell(Found { value, root }, &place);
                    let mut session = told.finish(name, place);
                    session.notes.extend(document_notes(std::slice::from_ref(part)));
                    session
                }));
            });
            // A document without a session is a problem.
            if !found {
                problems.push(missing(source, part, self.missing));
            }
        }
        problems
    }
}

/// The problem of a document that holds no session.
pub fn missing(source: &Source, part: &Part<'_>, message: &str) -> Problem {
    let problem = Problem::new(source.name.clone(), "no_session", message)
        .help("name another format with `--trace-format`, or export again");
    problem.on_line(part.line)
}

/// Keys of an object that hold a list of sessions.
pub const LIST_KEYS: [&str; 6] =
    ["sessions", "conversations", "traces", "results", "data", "items"];

/// The sessions that fit: the document itself, the items of a list, or those of a list in an object.
pub fn each<'d>(root: Value<'d>, fits: fn(Value<'_>) -> bool, out: &mut Take<'_, 'd>) {
    if fits(root) {
        out("", root);
        return;
    }
    let keyed =
        || LIST_KEYS.iter().find_map(|key| Some((*key, root.get(key).filter(|it| it.is_array())?)));
    let (base, list) = match keyed() {
        Some((key, list)) => (format!("/{key}"), list),
        None => (String::new(), root),
    };
    for (at, item) in list.items().enumerate().filter(|(_, item)| fits(*item)) {
        out(&format!("{base}/{at}"), item);
    }
}

/// Whether the first session of a document fits.
pub fn first_fits(root: Value<'_>, fits: fn(Value<'_>) -> bool) -> bool {
    if fits(root) {
        return true;
    }
    let keyed = LIST_KEYS.iter().find_map(|key| root.get(key).filter(|it| it.is_array()));
    let first = keyed.unwrap_or(root).items().find(|it| it.is_object() || it.is_array());
    first.is_some_and(fits)
}

/// The attributes of a session as a JSON object: those of these keys that a record has.
pub fn attributes<'d>(record: Value<'d>, keys: &[&'static str]) -> Cow<'d, str> {
    let list: Vec<_> = keys.iter().map(|key| (*key, record.get(key))).collect();
    Cow::Owned(super::export::attributes(None, None, &list))
}
