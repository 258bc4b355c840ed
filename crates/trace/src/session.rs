//! A recorded session as a reader hands it on.

use std::borrow::Cow;

use lawbook_event::{Event, Reading, Readings};

/// One recorded session.
#[derive(Clone, Debug)]
pub struct Session<'d> {
    /// Its own id; the source where the recording names none.
    pub id: Cow<'d, str>,
    /// Where it stands: `FILE:LINE`, `FILE#/json/pointer`, or the file itself.
    pub source: String,
    /// The name of the reader.
    pub format: &'static str,
    /// The calls of the full reading, whichever reading was wanted.
    pub calls: u32,
    /// What happened, under the full reading; under the one that is wanted where it is alone.
    pub events: Vec<Event<'d>>,
    /// What the system of this format makes of it, where that is wanted beside another reading.
    /// No format is read by two such systems.
    pub own: Option<(Reading, Vec<Event<'d>>)>,
    /// What the reader noticed.
    pub notes: Vec<Note>,
}

impl<'d> Session<'d> {
    /// The events of one reading; the full one where this format has no such reading.
    #[must_use]
    pub fn under(&self, reading: Reading) -> &[Event<'d>] {
        match &self.own {
            Some((own, events)) if *own == reading => events,
            _ => &self.events,
        }
    }

    /// Adds what the system of this format makes of the session, or puts it in the place of the
    /// full reading where nothing else is wanted.
    pub(crate) fn add_own(&mut self, reading: Reading, wanted: Readings, events: Vec<Event<'d>>) {
        if wanted.only(reading) {
            self.events = events;
        } else if wanted.has(reading) {
            self.own = Some((reading, events));
        }
    }
}

/// Something worth knowing about a session that stops nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// How much it matters.
    pub level: Level,
    /// What was noticed.
    pub message: String,
}

/// How much a note matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The reading may miss something.
    Warning,
    /// The recording is broken here.
    Error,
}

impl Note {
    /// A note that the reading may miss something.
    #[must_use]
    pub fn warning(message: impl Into<String>) -> Self {
        Note { level: Level::Warning, message: message.into() }
    }

    /// A note that the recording is broken.
    #[must_use]
    pub fn error(message: impl Into<String>) -> Self {
        Note { level: Level::Error, message: message.into() }
    }
}

/// The name of an input, as the user gave it; `-` is standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name.
    pub name: String,
}

impl Source {
    /// An input of this name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Source { name: name.into() }
    }

    /// A place in this input: the line where records stand on lines, else a JSON pointer.
    #[must_use]
    pub fn place(&self, line: Option<u32>, pointer: &str) -> String {
        match (line, pointer) {
            (Some(line), "") => format!("{}:{line}", self.name),
            (Some(line), pointer) => format!("{}:{line}#{pointer}", self.name),
            (None, "") => self.name.clone(),
            (None, pointer) => format!("{}#{pointer}", self.name),
        }
    }
}
