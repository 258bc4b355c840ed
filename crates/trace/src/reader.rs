//! What every reader of a trace format can do.

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::{Buffers, Document, Grammar, Value};

use crate::container::{Limits, json_problem};
use crate::{Note, Readings, Session, Source};

/// How the sessions of a format stand in a file of JSON lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Every line is a whole session, or several.
    Independent,
    /// Lines belong together, as spans of one trace do.
    Gathered,
}

/// One JSON document of an input.
#[derive(Debug)]
pub struct Part<'t> {
    /// The document.
    pub document: Document<'t>,
    /// Its line, where the input holds more than one document.
    pub line: Option<u32>,
    /// Whether the input is a single plain document, which is all that faultgate reads.
    pub plain: bool,
}

/// What is worth knowing about the documents of an input as such.
pub(crate) fn document_notes(parts: &[Part<'_>]) -> Vec<Note> {
    let repeated = parts.iter().find_map(|part| part.document.duplicate_key());
    let note = |(key, _): (&str, usize)| {
        Note::warning(format!("`{key}` stands twice in one object; the last one is read"))
    };
    repeated.map(note).into_iter().collect()
}

impl std::fmt::Debug for dyn Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A session that was found and may still have to be told, on any thread.
///
/// A session whose history holds calls of one before it waits until that one is told, so those of
/// an input are told in their order, or on other threads than those before.
pub struct Untold<'d>(Stage<'d>);

enum Stage<'d> {
    Told(Session<'d>),
    Found(Box<dyn FnOnce() -> Session<'d> + Send + 'd>),
}

impl<'d> Untold<'d> {
    /// A session that this makes.
    pub(crate) fn new(tell: impl FnOnce() -> Session<'d> + Send + 'd) -> Self {
        Untold(Stage::Found(Box::new(tell)))
    }

    /// Tells it.
    #[must_use]
    pub fn tell(self) -> Session<'d> {
        match self.0 {
            Stage::Told(session) => session,
            Stage::Found(tell) => tell(),
        }
    }
}

impl<'d> From<Session<'d>> for Untold<'d> {
    fn from(session: Session<'d>) -> Self {
        Untold(Stage::Told(session))
    }
}

impl std::fmt::Debug for Untold<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Untold")
    }
}

/// A reader of one trace format.
pub trait Reader: Sync {
    /// The name, as `--trace-format` takes it.
    fn name(&self) -> &'static str;

    /// The names of the formats that it tells apart, which `--trace-format` takes too.
    fn names(&self) -> &'static [&'static str] {
        &[]
    }

    /// The page that says what it reads and what it cannot see.
    fn page(&self) -> &'static str;

    /// Whether a document, or one line, looks like this format.
    fn sniff(&self, root: Value<'_>) -> bool;

    /// Whether it reads a document of an input whose format is known to be this one.
    fn accepts(&self, root: Value<'_>) -> bool {
        self.sniff(root)
    }

    /// How sessions stand in a file of lines.
    fn shape(&self) -> Shape;

    /// How the sessions stand in a file of lines whose first line is this one.
    fn shape_of(&self, _first: Value<'_>) -> Shape {
        self.shape()
    }

    /// Finds the sessions of the documents of one input and hands them on, in order. What could not
    /// be read comes back as problems.
    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem>;

    /// The same, each told at once.
    fn read<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Session<'d>),
    ) -> Vec<Problem> {
        self.find(parts, wanted, source, &mut |it| out(it.tell()))
    }

    /// Reads one line of a file of independent lines, with allocations that are kept for the next.
    fn read_line(
        &self,
        line: &str,
        number: u32,
        buffers: &mut Buffers,
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Session<'_>),
    ) -> Vec<Problem> {
        let limits = Limits::default().json;
        match Document::parse_with(Cow::Borrowed(line), Grammar::Python, &limits, buffers) {
            Ok(document) => {
                let parts = [Part { document, line: Some(number), plain: false }];
                let problems = self.read(&parts, wanted, source, &mut |session| out(session));
                let [part] = parts;
                *buffers = part.document.reuse();
                problems
            }
            Err(error) => vec![json_problem(source, &error, number)],
        }
    }
}
