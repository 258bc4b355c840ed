//! Sessions as short lines of text, for tests.

use lawbook_event::{Answer, ArgsState, Event, Hindsight, Ran, RootEnd, What};

use crate::{Limits, Reading, Session, Source, named, read};

/// A session, told.
#[derive(Clone, Debug)]
pub struct Told {
    pub id: String,
    pub source: String,
    pub calls: u32,
    pub notes: Vec<String>,
    lines: Vec<String>,
}

impl Told {
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The lines that begin with a word after the message number.
    pub fn of(&self, word: &str) -> Vec<&str> {
        let fits = |line: &&String| line.split(' ').nth(1) == Some(word);
        self.lines.iter().filter(fits).map(String::as_str).collect()
    }
}

/// Every session of a text under the full reading; `format` may be empty.
pub fn told(format: &str, text: &str) -> Vec<Told> {
    told_as(format, text.as_bytes(), Reading::Full).0
}

/// Every session of some bytes, and the codes of the problems.
pub fn told_as(format: &str, bytes: &[u8], reading: Reading) -> (Vec<Told>, Vec<&'static str>) {
    let mut all = Vec::new();
    let source = Source::new("t");
    let problems =
        read(bytes, named(format), reading.into(), &source, &Limits::default(), &mut |session| {
            check(&session);
            all.push(tell(&session));
        });
    (all, problems.iter().map(|it| it.code).collect())
}

/// What must hold of every session.
pub fn check(session: &Session<'_>) {
    let events = &session.events;
    assert!(matches!(events.first().unwrap().what, What::Start(_)));
    assert!(matches!(events.last().unwrap().what, What::End(_)));
    let mut steps = 0;
    let mut answered = std::collections::BTreeSet::new();
    for (at, event) in events.iter().enumerate() {
        assert_eq!(event.place, at as u64);
        match &event.what {
            What::Call(call) => {
                steps += 1;
                assert_eq!(call.step, steps);
                assert!(call.hindsight.is_some());
            }
            What::Answer { step, .. } => {
                assert!((1..=steps).contains(step), "answer before its call");
                assert!(answered.insert(*step), "two answers for step {step}");
            }
            What::Start(_) => assert_eq!(at, 0),
            What::End(_) => assert_eq!(at + 1, events.len()),
            _ => {}
        }
    }
}

fn tell(session: &Session<'_>) -> Told {
    Told {
        id: session.id.to_string(),
        source: session.source.clone(),
        calls: session.calls,
        notes: session.notes.iter().map(|it| it.message.clone()).collect(),
        lines: session.events.iter().map(line).collect(),
    }
}

fn line(event: &Event<'_>) -> String {
    let message = event.message;
    match &event.what {
        What::Start(start) => {
            let mut line = "start".to_owned();
            for (name, text) in [("attributes", &start.attributes), ("metadata", &start.metadata)] {
                if !text.is_empty() {
                    line.push_str(&format!(" {name}={text}"));
                }
            }
            line
        }
        What::User(text) => format!("{message} user {} {}", text.id, text.text),
        What::Agent(text) => format!("{message} agent {} {}", text.id, text.text),
        What::Other => format!("{message} other"),
        What::Call(call) => {
            let id = call.id.as_deref().unwrap_or("-");
            let args = match call.args.state {
                ArgsState::Whole => call.args.text.to_string(),
                ArgsState::Unrecorded => "(unrecorded)".to_owned(),
                ArgsState::Cut => format!("(cut) {}", call.args.text),
            };
            let result = match &call.hindsight {
                Some(Hindsight::Answered(answer)) => answer_words(answer),
                _ => "nothing".to_owned(),
            };
            let ran = if call.ran == Ran::No { " (did not run)" } else { "" };
            let confirmed = if call.confirmed { " (confirmed)" } else { "" };
            let (step, place) = (call.step, &call.step_id);
            format!(
                "{message} call {step} {place} {id} {} {args} -> {result}{ran}{confirmed}",
                call.tool
            )
        }
        What::Answer { step, answer } => {
            format!("{message} answer {step} {}", answer_words(answer))
        }
        What::End(end) => {
            let root = match &end.root {
                RootEnd::NotSpans => String::new(),
                RootEnd::Missing => " (no root)".to_owned(),
                RootEnd::Span { error, ended } => {
                    format!(" (root error={} ended={ended})", error.as_deref().unwrap_or("-"))
                }
            };
            let termination = if end.termination.is_empty() {
                String::new()
            } else {
                format!(" !{}", end.termination)
            };
            format!("{message} end {}{termination}{root}", end.answer)
        }
        other => format!("{message} {other:?}"),
    }
}

fn answer_words(answer: &Answer<'_>) -> String {
    let mut words =
        if answer.recorded { answer.text.to_string() } else { "(unrecorded)".to_owned() };
    if let Some(error) = answer.error {
        words.push_str(if error { " (error)" } else { " (no error)" });
    }
    if let Some(span_error) = &answer.span_error {
        words.push_str(&format!(" ({span_error})"));
    }
    words
}

/// An OTLP document of spans that are written short: `start`, `end`, ids, `name`, `status`, and
/// everything else as attributes. One span after the other.
pub fn spans(list: &str) -> String {
    use lawbook_event::json::{Document, Grammar, Limits, Writer};
    let mut writer = Writer::new();
    writer.object().key("resourceSpans").array().object().key("scopeSpans").array().object();
    writer.key("spans").array();
    let mut rest = list.trim_start();
    while !rest.is_empty() {
        let parse = |text| Document::parse(text, Grammar::Strict, &Limits::DEFAULT);
        let end = parse(rest).map_or_else(|error| error.offset, |_| rest.len());
        let document = parse(&rest[..end]).unwrap();
        let span = document.root();
        writer.object();
        if span.get("traceId").is_none() {
            writer.key("traceId").string("trace");
        }
        for (key, value) in span.entries() {
            match key {
                "start" => writer.key("startTimeUnixNano").raw(value.raw()),
                "end" => writer.key("endTimeUnixNano").raw(value.raw()),
                "traceId" | "spanId" | "parentSpanId" | "name" | "status" => {
                    writer.key(key).raw(value.raw())
                }
                _ => continue,
            };
        }
        writer.key("attributes").array();
        const OWN: [&str; 7] =
            ["start", "end", "traceId", "spanId", "parentSpanId", "name", "status"];
        for (key, value) in span.entries().filter(|(key, _)| !OWN.contains(key)) {
            writer.object().key("key").string(key).key("value").object();
            let wrapper = if value.as_str().is_some() { "stringValue" } else { "doubleValue" };
            writer.key(wrapper).raw(value.raw()).end_object().end_object();
        }
        writer.end_array().end_object();
        rest = rest[end..].trim_start();
    }
    writer.end_array().end_object().end_array().end_object().end_array().end_object();
    writer.finish()
}
