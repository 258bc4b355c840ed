//! A recorded session as a reader hands it on.

use std::borrow::Cow;

use lawbook_event::Event;

/// Which reading of the bytes is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The best reading there is.
    Full,
    /// What faultgate makes of the same bytes, faults included.
    Faultgate,
    /// The best reading, with what faultgate makes of the same bytes beside it.
    Both,
}

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
    /// What happened, under the wanted reading; full where the format is not faultgate's.
    pub events: Vec<Event<'d>>,
    /// What faultgate makes of it, where both readings are wanted and they differ.
    pub faultgate: Option<Vec<Event<'d>>>,
    /// What the reader noticed.
    pub notes: Vec<Note>,
}

impl<'d> Session<'d> {
    /// The events of one reading.
    #[must_use]
    pub fn under(&self, reading: Reading) -> &[Event<'d>] {
        match (&self.faultgate, reading) {
            (Some(events), Reading::Faultgate) => events,
            _ => &self.events,
        }
    }

    /// Adds what faultgate makes of the session, or puts it in the place of the full reading.
    pub(crate) fn add_faultgate(&mut self, reading: Reading, events: Vec<Event<'d>>) {
        match reading {
            Reading::Full => {}
            Reading::Faultgate => self.events = events,
            Reading::Both => self.faultgate = Some(events),
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
