//! What pmstack makes of a trace, as JSON, for policies that name paths of it.

use std::borrow::Cow;

use lawbook_event::JAVASCRIPT;
use lawbook_event::json::{Document, Grammar, Kind, Limits, Value, Writer};

use super::content::{self, text_of_result};
use super::key::Key;
use super::log::Logged;
use super::pairing::Pairing;
use super::step::{Step, Steps, Who};
use super::trace::Trace;
use super::walk;
use crate::parse_time;

/// How many UTF-16 units of the first words a title has.
const TITLE_UNITS: usize = 60;

/// The JSON of the normalised trace. Metadata is left out: paths look at the trace itself first,
/// and it has all of them.
pub fn write<'d>(trace: &Trace<'d>, id: &str, responses: bool) -> String {
    let (lists, _) = trace.lists();
    let mut steps = Collected::default();
    let all = lists.iter().flat_map(|it| it.items()).enumerate();
    all.for_each(|(at, message)| walk::message(at, message, &mut steps));
    let output = trace.output(responses);
    let last = if output.is_some() { None } else { steps.last_said() };
    let mut writer = Writer::new();
    writer.object().key("id").string(id);
    writer.key("title").string(&title(trace, id, responses, &steps));
    writer.key("shape").string(trace.form(responses).word());
    match trace.input(responses) {
        Some(input) => writer.key("input").string(&input),
        None => writer.key("input").null(),
    };
    writer.key("output");
    match (output, last.and_then(|it| steps.taken.get(it))) {
        (Some(output), _) => typed(&mut writer, output, Some("out")),
        (None, Some(Taken { at, step: Step::Said { text, .. }, .. })) => {
            let step = format!("m{at}");
            writer.object().key("type").string("text").key("text").string(text);
            writer.key("stepId").string(&step).end_object();
        }
        _ => _ = writer.null(),
    }
    writer.key("steps").array();
    let names = steps.pairing.names();
    let mut names = names.into_iter();
    for (place, taken) in steps.taken.iter().enumerate() {
        let mut line = taken.line(&mut names);
        line.is_output = last == Some(place);
        line.write(&mut writer);
    }
    for (at, entry) in trace.steps().into_iter().flat_map(Value::items).enumerate() {
        if let Some(line) = Line::of_log(at, entry) {
            line.write(&mut writer);
        }
    }
    if let Some(output) = output {
        Line::of_output(output).write(&mut writer);
    }
    writer.end_array().end_object();
    writer.finish()
}

/// The steps of all messages.
#[derive(Default)]
struct Collected<'d> {
    taken: Vec<Taken<'d>>,
    pairing: Pairing<'d>,
}

struct Taken<'d> {
    at: usize,
    message: Value<'d>,
    step: Step<'d>,
}

impl<'d> Steps<'d> for Collected<'d> {
    fn step(&mut self, at: usize, message: Value<'d>, step: Step<'d>) {
        match &step {
            Step::Call { request, .. } => self.pairing.call(*request),
            Step::Result { returned, .. } => self.pairing.result(*returned),
            Step::Said { .. } | Step::Blank | Step::Note { .. } => {}
        }
        self.taken.push(Taken { at, message, step });
    }
}

impl Collected<'_> {
    /// The agent's last words.
    fn last_said(&self) -> Option<usize> {
        let is_said = |it: &Taken<'_>| matches!(it.step, Step::Said { who: Who::Agent(_), .. });
        self.taken.iter().rposition(is_said)
    }

    fn first_asked(&self) -> Option<&str> {
        self.taken.iter().find_map(|it| match &it.step {
            Step::Said { who: Who::User, text } => Some(&**text),
            _ => None,
        })
    }
}

fn title<'d>(trace: &Trace<'d>, id: &str, responses: bool, steps: &Collected<'d>) -> String {
    let own = trace.get("title").and_then(Value::as_str).map(|it| JAVASCRIPT.trim(it));
    if let Some(own) = own.filter(|it| !it.is_empty()) {
        return own.to_owned();
    }
    let input = trace.input(responses).filter(|it| !JAVASCRIPT.trim(it).is_empty());
    match (steps.first_asked(), input) {
        (Some(text), _) => clipped(text),
        (None, Some(input)) => clipped(&input),
        (None, None) => id.to_owned(),
    }
}

/// A text on one line, cut with a mark where it is too long.
fn clipped(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.encode_utf16().count() <= TITLE_UNITS {
        return line;
    }
    let mut units = 1_usize;
    let fits = |it: &char| {
        units = units.saturating_add(it.len_utf16());
        units <= TITLE_UNITS
    };
    let mut cut = line.chars().take_while(fits).collect::<String>().trim_end().to_owned();
    cut.push('…');
    cut
}

/// A step as it stands in the JSON.
struct Line<'d> {
    id: String,
    kind: &'static str,
    role: Option<Cow<'d, str>>,
    name: Key<'d>,
    text: Cow<'d, str>,
    data: Data<'d>,
    status: Option<Cow<'d, str>>,
    times: [Option<String>; 2],
    call_id: Key<'d>,
    is_seen: bool,
    is_output: bool,
}

/// What a step holds beside its text.
enum Data<'d> {
    Nothing,
    Value(Value<'d>),
    /// A text, or the value where it is the JSON of a list or an object.
    Parsed(&'d str),
    Log(Value<'d>),
    Output(Value<'d>),
}

impl<'d> Line<'d> {
    fn new(id: String, kind: &'static str, role: &'d str) -> Self {
        Line {
            id,
            kind,
            role: Some(Cow::Borrowed(role)),
            name: Key::Null,
            text: Cow::Borrowed(""),
            data: Data::Nothing,
            status: None,
            times: [None, None],
            call_id: Key::Null,
            is_seen: false,
            is_output: false,
        }
    }

    fn of_log(at: usize, entry: Value<'d>) -> Option<Self> {
        let logged = Logged::read(entry)?;
        let text = logged.output.or(logged.input).map(as_text).unwrap_or_default();
        Some(Line {
            role: None,
            name: logged.name,
            text,
            data: Data::Log(entry),
            status: logged.status(),
            times: [
                time(entry, &["time", "start_time", "startTime"]),
                time(entry, &["endTime", "end_time"]),
            ],
            ..Line::new(format!("s{at}"), logged.kind, "")
        })
    }

    fn of_output(output: Value<'d>) -> Self {
        Line {
            text: content::text(output),
            data: Data::Output(output),
            is_seen: true,
            is_output: true,
            ..Line::new("out".to_owned(), "output", "assistant")
        }
    }

    fn write(&self, writer: &mut Writer) {
        writer.object().key("id").string(&self.id).key("kind").string(self.kind);
        let texts = [("role", self.role.as_deref()), ("name", self.name.text())];
        texts.iter().for_each(|(key, text)| nullable(writer, key, *text));
        writer.key("text").string(&self.text).key("data");
        match self.data {
            Data::Nothing => _ = writer.null(),
            Data::Value(value) => _ = writer.raw(value.raw()),
            Data::Parsed(text) => parsed(writer, text),
            Data::Log(entry) => {
                writer.object();
                entry.entries().for_each(|(key, value)| _ = writer.key(key).raw(value.raw()));
                writer.key("rawId").raw(entry.get("id").map_or("null", Value::raw)).end_object();
            }
            Data::Output(output) => typed(writer, output, None),
        }
        nullable(writer, "status", self.status.as_deref());
        for (key, time) in ["time", "endTime"].iter().zip(&self.times) {
            writer.key(key).raw(time.as_deref().unwrap_or("null"));
        }
        nullable(writer, "callId", self.call_id.text());
        writer.key("stage").null();
        writer.key("customerVisible").bool(self.is_seen);
        writer.key("isOutput").bool(self.is_output).end_object();
    }
}

impl<'d> Taken<'d> {
    /// `names` are those of the results that are left.
    fn line(&self, names: &mut impl Iterator<Item = Key<'d>>) -> Line<'d> {
        let (at, message) = (self.at, self.message);
        let times = [time(message, &["time", "timestamp"]), None];
        match &self.step {
            Step::Said { who, text } => {
                let (kind, role) = match who {
                    Who::User => ("user", Cow::Borrowed("user")),
                    Who::System => ("system", Cow::Borrowed("system")),
                    Who::Agent(word) => ("assistant", Cow::Owned(word.to_lowercase())),
                };
                Line {
                    role: Some(role),
                    text: text.clone(),
                    times: [
                        time(message, &["time", "timestamp", "start", "start_time"]),
                        time(message, &["endTime", "end_time", "end"]),
                    ],
                    is_seen: *who != Who::System,
                    ..Line::new(format!("m{at}"), kind, "")
                }
            }
            Step::Blank => Line {
                text: message.as_str().map_or(Cow::Borrowed(""), Cow::Borrowed),
                is_seen: true,
                ..Line::new(format!("m{at}"), "user", "user")
            },
            Step::Note { nth, source } => Line {
                text: note(*source),
                ..Line::new(numbered(at, 't', *nth), "note", "assistant")
            },
            Step::Call { nth, request } => Line {
                name: request.name,
                text: content::args(request.args).text,
                data: request.args.map_or(Data::Nothing, data),
                times,
                call_id: request.id,
                ..Line::new(numbered(at, 'c', Some(*nth)), "tool_call", "assistant")
            },
            Step::Result { nth, returned } => Line {
                name: names.next().unwrap_or(Key::Null),
                text: returned.content.map(result_text).unwrap_or_default(),
                data: returned.content.map_or(Data::Nothing, result_data),
                status: returned.failed.then_some(Cow::Borrowed("error")),
                times,
                call_id: returned.id,
                ..Line::new(numbered(at, 'r', *nth), "tool_result", "tool")
            },
        }
    }
}

fn numbered(at: usize, kind: char, nth: Option<usize>) -> String {
    nth.map_or_else(|| format!("m{at}"), |nth| format!("m{at}.{kind}{nth}"))
}

fn note(source: Value<'_>) -> Cow<'_, str> {
    if let Some(thinking) = source.get("type").and_then(Value::as_str)
        && thinking != "reasoning"
    {
        let text = source.get("thinking").and_then(Value::as_str);
        return Cow::Borrowed(text.unwrap_or("(hidden reasoning)"));
    }
    match source.get("summary").filter(|it| it.is_array()) {
        Some(list) => text_of_result(list),
        None => source.get("content").map(result_text).unwrap_or_default(),
    }
}

fn result_text(content: Value<'_>) -> Cow<'_, str> {
    if content.is_array() { text_of_result(content) } else { content::text(content) }
}

fn result_data(content: Value<'_>) -> Data<'_> {
    match content.as_str() {
        Some(text) if document(text).is_none() => Data::Nothing,
        _ => data(content),
    }
}

fn data(value: Value<'_>) -> Data<'_> {
    value.as_str().map_or(Data::Value(value), Data::Parsed)
}

fn as_text(value: Value<'_>) -> Cow<'_, str> {
    value.as_str().map_or_else(|| content::json(value), Cow::Borrowed)
}

fn document(text: &str) -> Option<Document<'_>> {
    let text = JAVASCRIPT.trim(text);
    if !text.starts_with(['{', '[']) {
        return None;
    }
    Document::parse(text, Grammar::Strict, &Limits::DEFAULT).ok()
}

fn parsed(writer: &mut Writer, text: &str) {
    match document(text) {
        Some(document) => writer.raw(document.text()),
        None => writer.string(text),
    };
}

fn nullable(writer: &mut Writer, key: &str, text: Option<&str>) {
    match text {
        Some(text) => writer.key(key).string(text),
        None => writer.key(key).null(),
    };
}

/// An output with its type, and the step that it is where one is named.
fn typed(writer: &mut Writer, output: Value<'_>, step: Option<&str>) {
    writer.object();
    match output.kind() {
        Kind::Object if output.get("type").is_some_and(|it| it.as_str().is_some()) => {
            output.entries().for_each(|(key, value)| _ = writer.key(key).raw(value.raw()));
        }
        Kind::Array | Kind::Object => {
            writer.key("type").string("data").key("value").raw(output.raw());
        }
        _ => {
            writer.key("type").string("text").key("text").string(&JAVASCRIPT.text(output));
        }
    }
    if let Some(step) = step {
        writer.key("stepId").string(step);
    }
    writer.end_object();
}

/// The first time that stands under one of the keys, in milliseconds; small numbers are seconds.
fn time(object: Value<'_>, keys: &[&str]) -> Option<String> {
    const SECONDS_MAX: f64 = 1e11;
    let value = keys.iter().find_map(|key| object.get(key).filter(|it| !it.is_null()))?;
    let number = value.number_text().or_else(|| value.as_str().map(str::trim));
    if let Some(number) = number.and_then(|it| it.parse::<f64>().ok()).filter(|it| it.is_finite()) {
        let millis = if number > SECONDS_MAX { number } else { number * 1000.0 };
        return Some(millis.to_string());
    }
    let time = parse_time(value.as_str()?)?;
    Some(time.nanos.div_euclid(1_000_000).to_string())
}
