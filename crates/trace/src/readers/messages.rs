//! Lists of messages in any shape: OpenAI, Anthropic, Responses items, plain chat, logs of steps.

mod blocks;
mod content;
mod exchange;
mod items;
mod log;
mod message;
mod pmstack;
mod project;
mod shape;
mod sniff;
mod start;
mod stream;
mod teller;

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use lawbook_event::{End, Event, Start};

use crate::chat::Chat;
use crate::reader::document_notes;
use crate::{Note, Part, Reader, Reading, Readings, Session, Shape, Source, Untold, measures};
use exchange::Conversations;
use pmstack::{Ids, Trace};
use project::FieldMap;
pub use project::{traces_file, with_traces};
use shape::{Found, Thing};
use teller::Teller;

/// The reader.
pub struct Messages;

/// The shapes of message lists, as reports name them; `csv` is no shape, but a name that people
/// give.
const NAMES: &[&str] = &[
    "openai_chat",
    "openai_responses",
    "anthropic_messages",
    "chat",
    "steps",
    "pmstack_project",
    "csv",
];

impl Reader for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn names(&self) -> &'static [&'static str] {
        NAMES
    }

    fn page(&self) -> &'static str {
        include_str!("messages.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        sniff::sniff(root)
    }

    fn shape(&self) -> Shape {
        Shape::Independent
    }

    fn shape_of(&self, root: Value<'_>) -> Shape {
        let is_whole = !matches!(
            shape::of_object(root, &FieldMap::default()),
            Some(Thing::Exchange(_) | Thing::Message(_))
        );
        if is_whole && !shape::is_message(root) { Shape::Independent } else { Shape::Gathered }
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut reading = Read { wanted, source, ids: Ids::default(), out };
        let mut problems = Vec::new();
        let mut log = Conversations::default();
        let mut lines = Lines::default();
        for part in parts {
            if lines.take(part) {
                continue;
            }
            lines.close(&mut reading);
            problems.extend(reading.part(part, &mut log));
        }
        lines.close(&mut reading);
        log.close().for_each(|(found, place)| reading.session(found, place, &[], None));
        problems
    }
}

/// What is read, and who takes it.
struct Read<'r, 'd> {
    wanted: Readings,
    source: &'r Source,
    ids: Ids,
    out: &'r mut dyn FnMut(Untold<'d>),
}

impl<'d> Read<'_, 'd> {
    /// Reads a document. What could not be read comes back as problems.
    fn part(&mut self, part: &'d Part<'d>, log: &mut Conversations<'d>) -> Vec<Problem> {
        let root = part.document.root();
        if let Some(what) = project::other(root) {
            let problem =
                self.problem(part, "", "no_traces", &format!("this is {what}, not a recording"));
            return vec![problem.help("give the traces; `--policy` takes a policy")];
        }
        let is_project = project::is_project(root);
        let format = is_project.then_some("pmstack_project");
        let map = if is_project { FieldMap::of_project(root) } else { FieldMap::default() };
        let lenient = self.wanted.has(Reading::Pmstack);
        let (mut problems, mut found) = (Vec::new(), false);
        let mut take = |thing, pointer: &str| {
            found = found || !matches!(thing, Thing::Unknown);
            let place = self.source.place(part.line, pointer);
            let parts = std::slice::from_ref(part);
            match thing {
                Thing::Session(one) => self.session(one, place, parts, format),
                Thing::Exchange(one) => log.add(one, place),
                Thing::Message(one) => {
                    let one = Found { messages: vec![one], ..Found::default() };
                    self.session(one, place, parts, format);
                }
                Thing::Unknown => problems.push(self.nothing(part, pointer)),
            }
        };
        match root.get("traces").filter(|it| is_project && it.is_array()) {
            Some(traces) => shape::list(traces, "/traces", &map, lenient, &mut take),
            None if is_project => {}
            None => shape::things(root, &map, lenient, &mut take),
        }
        if !found && problems.is_empty() {
            problems.push(self.nothing(part, ""));
        }
        problems
    }

    fn nothing(&self, part: &Part<'_>, pointer: &str) -> Problem {
        self.problem(part, pointer, "no_messages", "there is no list of messages here")
            .help("give a list of messages, or an object with `messages`")
    }

    fn problem(&self, part: &Part<'_>, pointer: &str, code: &'static str, text: &str) -> Problem {
        let problem = Problem::new(self.source.place(None, pointer), code, text);
        problem.on_line(part.line)
    }

    fn session(
        &mut self,
        found: Found<'d>,
        place: String,
        parts: &'d [Part<'d>],
        format: Option<&'static str>,
    ) {
        let (mut start, termination) = start::start(found.object, &place);
        let mapped = found.mapped.id.and_then(|it| it.as_str().or_else(|| it.number_text()));
        if let Some(id) = mapped {
            start.id = Cow::Borrowed(id);
        }
        let own = found.is_pmstacks && self.wanted.has(Reading::Pmstack);
        let mut renamed = None;
        if let Some(object) = found.object.filter(|_| own) {
            let id = pmstack::own_id(object, found.mapped.id);
            start.id = self.ids.give(id.clone());
            renamed = (start.id != id).then_some(id);
        }
        let id = start.id.clone();
        let (events, calls, mut notes, shape) = full(&found, start, termination);
        notes.extend(document_notes(parts));
        notes.extend(
            renamed.map(|it| Note::warning(format!("the id `{it}` stands on several traces"))),
        );
        let mut session = Session {
            id,
            source: place,
            format: format.unwrap_or_else(|| shape.name()),
            calls,
            events,
            own: None,
            notes,
        };
        if own {
            let trace = Trace { object: found.object, mapped: found.mapped };
            let events = pmstack::events(&trace, &session.id, self.wanted);
            session.add_own(Reading::Pmstack, self.wanted, events);
        }
        (self.out)(session.into());
    }
}

/// The full reading of a session.
fn full<'d>(
    found: &Found<'d>,
    start: Start<'d>,
    termination: Cow<'d, str>,
) -> (Vec<Event<'d>>, u32, Vec<Note>, teller::Shape) {
    let lists = found.messages.iter();
    let messages = lists.clone().map(|it| it.len()).fold(0, usize::saturating_add);
    let mut teller = Teller::new(Chat::new(start, messages));
    if let Some(input) = found.input {
        teller.chat.user(None, Cow::Borrowed("input"), Cow::Borrowed(input));
    }
    if found.object.is_some_and(goes_on) {
        teller
            .chat
            .note(Note::warning("earlier items of the conversation are not in the recording"));
    }
    for list in lists {
        if list.is_array() {
            list.items().for_each(|message| teller.message(message));
        } else {
            teller.message(*list);
        }
    }
    teller.settle();
    let log = found.steps.into_iter().flat_map(Value::items).enumerate();
    log.for_each(|(nth, entry)| log::tell(&mut teller, nth, entry));
    let answer = found.output.map_or(Cow::Borrowed(""), Cow::Borrowed);
    teller.chat.used(found.usage);
    let whole = measures::used(found.object.and_then(|it| it.get("usage")));
    let usage = measures::or(teller.chat.usage(), whole);
    teller.finish(End { answer, termination, usage, ..End::default() })
}

/// Whether an object names an earlier response that it goes on from.
fn goes_on(object: Value<'_>) -> bool {
    object.get("previous_response_id").is_some_and(|it| it.as_str().is_some())
}

/// A session whose messages stand on lines of their own.
#[derive(Default)]
struct Lines<'d> {
    messages: Vec<Value<'d>>,
    line: Option<u32>,
}

impl<'d> Lines<'d> {
    /// Takes the document of a line, if it is a message.
    fn take(&mut self, part: &'d Part<'d>) -> bool {
        let root = part.document.root();
        let is_message = part.line.is_some()
            && shape::is_message(root)
            && shape::of_object(root, &FieldMap::default()).is_none();
        if is_message {
            self.line = self.line.or(part.line);
            self.messages.push(root);
        }
        is_message
    }

    fn close(&mut self, reading: &mut Read<'_, 'd>) {
        let Lines { messages, line } = std::mem::take(self);
        if !messages.is_empty() {
            let place = reading.source.place(line, "");
            reading.session(Found { messages, ..Found::default() }, place, &[], None);
        }
    }
}

#[cfg(test)]
mod tests;
