//! HTTP cassettes: recorded exchanges with the APIs of models, in YAML or JSON.

mod body;
mod exchange;
mod stream;

use std::borrow::Cow;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::RecordingPart;
use lawbook_event::json::{Value, Writer};

use crate::attr;
use crate::dialog::{self, Message, Role};
use crate::entries::{LOOKED_AT, object, text};
use crate::measures::Ended;
use crate::reader::document_notes;
use crate::run::{Node, Run, Turn, Work};
use crate::tell::{Earlier, tell};
use crate::{Note, Part, Reader, Readings, Session, Shape, Source, Untold};
use exchange::Exchange;

/// The reader.
pub struct HttpCassette;

impl Reader for HttpCassette {
    fn name(&self) -> &'static str {
        "http_cassette"
    }

    fn page(&self) -> &'static str {
        include_str!("http_cassette.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        let looked: Vec<_> = exchange::exchanges(root).take(LOOKED_AT).collect();
        !looked.is_empty() && looked.iter().all(Exchange::is_whole)
    }

    fn shape(&self) -> Shape {
        Shape::Independent
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut problems = Vec::new();
        let earlier = Arc::new(Earlier::default());
        for part in parts {
            let place = source.place(part.line, "");
            let measured = wanted.has_part(RecordingPart::Measures);
            let mut told = Told { measured, ..Told::default() };
            for (number, exchange) in exchange::exchanges(part.document.root()).enumerate() {
                told.exchange(number, &exchange, source);
            }
            if told.run.nodes.is_empty() && told.unread.is_empty() {
                problems.push(nothing(source, part.line));
                continue;
            }
            let unread = told.unread.len();
            problems.extend(told.unread);
            let mut run = told.run;
            run.id = Cow::Owned(place.clone());
            let (events, calls, mut notes) = tell(run, earlier.next());
            if unread > 0 {
                notes.push(Note::error(format!("{unread} body/bodies could not be read")));
            }
            notes.extend(document_notes(std::slice::from_ref(part)));
            let id = Cow::Owned(place.clone());
            let format = self.name();
            let session = Session { id, source: place, format, calls, events, own: None, notes };
            out(session.into());
        }
        problems
    }
}

fn nothing(source: &Source, line: Option<u32>) -> Problem {
    let message = "no exchange here is one with the API of a model";
    let problem = Problem::new(source.name.clone(), "no_messages", message)
        .help("give a recording of OpenAI, Anthropic or Gemini requests");
    problem.on_line(line)
}

/// What was read so far of one cassette.
#[derive(Default)]
struct Told<'d> {
    run: Run<'d>,
    /// Whether what it used is wanted.
    measured: bool,
    /// Bodies that can't be read.
    unread: Vec<Problem>,
}

impl Told<'_> {
    fn exchange(&mut self, number: usize, exchange: &Exchange<'_>, source: &Source) {
        let Some(asked) = self.body(number, "request", exchange.asked(), source) else { return };
        let Some(request) = attr::parse_container(&asked) else { return };
        let Some(messages) = messages_of(request.root()) else { return };
        if self.run.attributes.is_empty() {
            self.run.attributes = attributes(request.root());
        }
        let input = dialog::messages(messages, Role::User);
        let answered = self.body(number, "response", exchange.answered(), source);
        if self.measured {
            let usage = answered.as_deref().map(stream::usage).unwrap_or_default();
            self.run.ended.push(Ended { tokens: usage.tokens, ..Ended::default() });
        }
        let output = answered.map(|it| stream::messages(&it)).unwrap_or_default();
        self.run.nodes.push(Node {
            id: Cow::Owned(format!("m{number}")),
            parent: None,
            start: 0,
            end: 0,
            work: Work::Model(Turn { input, output }),
        });
    }

    /// The text of one side, if there is any.
    fn body<'b>(
        &mut self,
        number: usize,
        side: &str,
        body: Option<body::Body<'b>>,
        source: &Source,
    ) -> Option<Cow<'b, str>> {
        match body?.text(source) {
            Ok(text) => Some(text),
            Err(why) => {
                let message = format!("exchange {number}: the body of the {side} {why}");
                let problem = Problem::new(source.name.clone(), "body_unreadable", message)
                    .help("record it again with bodies unpacked");
                self.unread.push(problem);
                None
            }
        }
    }
}

/// The messages in the body of a request to a model.
fn messages_of(body: Value<'_>) -> Option<Value<'_>> {
    let list = |key: &str| body.get(key).filter(|it| it.is_array());
    let input =
        || body.get("input").filter(|it| it.as_str().is_some() && body.get("model").is_some());
    list("messages").or_else(|| list("contents")).or_else(|| list("input")).or_else(input)
}

/// The end user whom a request names.
fn attributes(body: Value<'_>) -> String {
    let inside = || object(body, "metadata").and_then(|it| text(it, "user_id"));
    let user = text(body, "user").or_else(|| text(body, "safety_identifier")).or_else(inside);
    let Some(user) = user else { return String::new() };
    let mut writer = Writer::new();
    writer.object().key("enduser.id").string(user).end_object();
    writer.finish()
}

/// What a model said in the body of its response.
fn said(body: Value<'_>) -> Vec<Message> {
    let list = |key: &str| body.get(key).filter(|it| it.is_array());
    let content = || list("content").is_some() && text(body, "role").is_some();
    if let Some(candidates) = list("candidates").or_else(|| list("choices")) {
        // Other candidates are what the model could have said too.
        return candidates.item(0).map(|it| dialog::messages(it, Role::Agent)).unwrap_or_default();
    }
    match list("output") {
        Some(output) => dialog::messages(output, Role::Agent),
        None if content() => dialog::messages(body, Role::Agent),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
