//! What the exports of tracing products have in common.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_event::json::Value;
use lawbook_event::{Args, ArgsState, RecordingPart, RootEnd, TurnEnd};

use crate::attr::{Attr, Attrs};
use crate::dialog::{self, Message, Role};
use crate::faultgate::{self, Span, wanted_text};
use crate::measures::Ended;
use crate::reader::document_notes;
use crate::run::{Run, Turn};
use crate::tell::{Before, Earlier, tell};
use crate::{Note, Part, Reading, Readings, Session, Source, Untold, attr, cut, time};

/// How a record ended, in the words that spans have for it.
pub fn turn_end<'d>(
    name: &'d str,
    finish: Option<Cow<'d, str>>,
    error: Option<Cow<'d, str>>,
) -> TurnEnd<'d> {
    let failed = error.is_some().then_some(Cow::Borrowed("Span status error: Code 2"));
    TurnEnd {
        name: Cow::Borrowed(name),
        finish: finish.into_iter().collect(),
        message: error.unwrap_or_default(),
        error: failed,
        ..TurnEnd::default()
    }
}

/// Keys of an object that hold its records, as faultgate looks for them.
const LIST_KEYS: [&str; 6] = ["data", "runs", "events", "traces", "spans", "observations"];
/// Keys of metadata that name the end user, best first.
const USER_KEYS: [&str; 4] = ["enduser.id", "user.id", "user_id", "userId"];

/// A record and its place.
#[derive(Clone, Copy, Debug)]
pub struct Item<'d> {
    /// The record, an object.
    pub value: Value<'d>,
    /// The line of its document.
    pub line: Option<u32>,
    /// The key of the list in its document, and the place in the list.
    place: (Option<&'static str>, Option<usize>),
}

impl Item<'_> {
    /// Where the record stands.
    pub fn source(&self, source: &Source) -> String {
        let pointer = match self.place {
            (Some(key), Some(at)) => format!("/{key}/{at}"),
            (None, Some(at)) => format!("/{at}"),
            _ => String::new(),
        };
        source.place(self.line, &pointer)
    }
}

/// The records as faultgate finds them in its only document.
fn faultgate_items<'d>(parts: &'d [Part<'d>]) -> Vec<Item<'d>> {
    let root = parts.iter().map(|part| part.document.root());
    let lists = root.map(|root| keyed_list(root).map_or(root, |(_, list)| list));
    let objects = lists.flat_map(|list| list.items().chain((!list.is_array()).then_some(list)));
    objects
        .filter(|value| value.is_object())
        .map(|value| Item { value, line: None, place: (None, None) })
        .collect()
}

fn keyed_list<'d>(root: Value<'d>) -> Option<(&'static str, Value<'d>)> {
    LIST_KEYS.iter().find_map(|key| Some((*key, root.get(key).filter(|it| it.is_array())?)))
}

/// Keys that only records have; a list inside a record is no list of records.
const RECORD_KEYS: [&str; 6] =
    ["run_type", "observations", "span_attributes", "root_span_id", "traceId", "trace_id"];

/// The records of a document: a list, the list in an object, or the object itself. What does not
/// fit the format is a problem.
fn items<'d>(
    parts: &'d [Part<'d>],
    source: &Source,
    fits: impl Fn(Value<'d>) -> bool,
) -> (Vec<Item<'d>>, Vec<Problem>) {
    let (mut items, mut problems) = (Vec::new(), Vec::new());
    for part in parts {
        let (key, list) = list_of(part.document.root());
        let (mut found, mut odd) = (0_usize, 0_usize);
        let alone = (!list.is_array()).then_some((None, list));
        let listed = list.items().enumerate().map(|(at, value)| (Some(at), value));
        for (at, value) in alone.into_iter().chain(listed) {
            found = found.saturating_add(1);
            if value.is_object() && fits(value) {
                items.push(Item { value, line: part.line, place: (key, at) });
            } else {
                odd = odd.saturating_add(1);
            }
        }
        if odd > 0 {
            let message = format!("{odd} of {found} record(s) are not of this format");
            let problem = Problem::new(source.name.clone(), "not_a_record", message)
                .help("name another format with `--trace-format`, or export again");
            problems.push(problem.on_line(part.line));
        }
    }
    (items, problems)
}

fn list_of<'d>(root: Value<'d>) -> (Option<&'static str>, Value<'d>) {
    let record = RECORD_KEYS.iter().any(|key| root.get(key).is_some());
    match keyed_list(root).filter(|_| !record) {
        Some((key, list)) => (Some(key), list),
        None => (None, root),
    }
}

/// The first object that detection looks at.
pub fn first_record<'d>(root: Value<'d>) -> Option<Value<'d>> {
    let (_, list) = list_of(root);
    if list.is_array() {
        list.items().find(|it| it.is_object())
    } else {
        Some(list).filter(|it| it.is_object())
    }
}

/// The first of these keys that is there and not null.
pub fn get<'d>(value: Value<'d>, keys: &[&str]) -> Option<Value<'d>> {
    keys.iter().find_map(|key| value.get(key).filter(|it| !it.is_null()))
}

/// The text of the first of these keys that holds text.
pub fn text<'d>(value: Value<'d>, keys: &[&str]) -> Option<&'d str> {
    get(value, keys).and_then(Value::as_str)
}

/// An id as text.
pub fn id<'d>(value: Value<'d>, keys: &[&str]) -> Option<&'d str> {
    let found = get(value, keys)?;
    found.as_str().or_else(|| found.number_text()).filter(|it| !it.is_empty())
}

/// A time in nanoseconds; 0 when there is none.
pub fn nanos(value: Option<Value<'_>>) -> i64 {
    let text = value.and_then(|it| it.as_str().or_else(|| it.number_text()));
    text.and_then(time::parse_time).map_or(0, |time| time.nanos.max(0))
}

/// Records by a key, in the order in which the keys first come.
pub fn grouped<'d>(
    items: Vec<Item<'d>>,
    key: impl Fn(&Item<'d>) -> &'d str,
) -> Vec<(&'d str, Vec<Item<'d>>)> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut groups: Vec<(&'d str, Vec<Item<'d>>)> = Vec::new();
    for item in items {
        let key = key(&item);
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}

/// The messages in a payload that may be JSON inside text.
pub fn messages(payload: Option<Value<'_>>, speaker: Role) -> Vec<Message> {
    let Some(payload) = payload else { return Vec::new() };
    match payload.as_str() {
        Some(words) => match attr::parse_deep(words) {
            Some(document) => dialog::messages(document.root(), speaker),
            None => dialog::messages(payload, speaker),
        },
        None => dialog::messages(payload, speaker),
    }
}

/// The turn of a record. Where a run on top of its trace writes no messages, its words count.
pub fn turn(input: Option<Value<'_>>, output: Option<Value<'_>>, top: bool) -> Turn {
    let side = |payload: Option<Value<'_>>, role: Role| {
        let said = messages(payload, role);
        match words(payload, role).filter(|_| top && said.is_empty()) {
            Some(words) => vec![Message::text(role, words)],
            None => said,
        }
    };
    Turn { input: side(input, Role::User), output: side(output, Role::Agent) }
}

/// The words of one side of a whole run.
pub fn words(payload: Option<Value<'_>>, role: Role) -> Option<String> {
    let payload = payload.filter(|it| !it.is_null())?;
    let word = if role == Role::User { "user" } else { "assistant" };
    if let Some(text) = payload.as_str().map(attr::unquoted)
        && attr::parse_container(&text).is_none()
    {
        return (!text.trim().is_empty()).then(|| text.into_owned());
    }
    let inner = payload.as_str().and_then(attr::parse_deep);
    let root = inner.as_ref().map_or(payload, |it| it.root());
    let said = wanted_text(Some(root), word);
    // A payload that is no dialogue is shown as it is only where nothing better is in it.
    let mut texts = dialog::messages(root, role)
        .into_iter()
        .rev()
        .filter(|message| message.role == role)
        .flat_map(|message| message.items)
        .filter_map(|item| match item {
            dialog::Item::Text(text) => Some(text),
            _ => None,
        });
    let mut best = texts.next().unwrap_or(said);
    if best.is_empty() && role == Role::Agent && dialog::is_bare(root) {
        root.raw().clone_into(&mut best);
    }
    (!best.trim().is_empty()).then_some(best)
}

/// The arguments of a tool's record: the text, or the JSON inside.
pub fn args<'d>(payload: Option<Value<'d>>) -> Args<'d> {
    let Some(payload) = payload.filter(|it| !it.is_null()) else {
        return Args { text: Cow::Borrowed(""), state: ArgsState::Unrecorded };
    };
    let text = match payload.as_str() {
        Some(words) => attr::unquoted(words),
        None => Cow::Borrowed(payload.raw()),
    };
    Args { state: cut::state(&text), text }
}

/// The result of a tool's record as text; a single key `output` is taken off.
pub fn result<'d>(payload: Option<Value<'d>>) -> Option<Cow<'d, str>> {
    let payload = payload.filter(|it| !it.is_null())?;
    let inner =
        payload.get("output").filter(|it| payload.len() == 1 && !it.is_null()).unwrap_or(payload);
    match inner.as_str() {
        Some(words) => (!lawbook_event::is_hidden(words)).then_some(Cow::Borrowed(words)),
        None => dialog::result(Some(inner)).map(Cow::Owned),
    }
}

/// The user of a session: named outright, or in its metadata.
pub fn user<'d>(given: Option<Value<'d>>, metadata: Option<Value<'d>>) -> Option<Attr<'d>> {
    let named =
        |it: Value<'d>| it.as_str().is_some_and(|it| !it.is_empty()) || it.number_text().is_some();
    let given = given.filter(|it| named(*it));
    let inside = || USER_KEYS.iter().find_map(|key| metadata?.get(key).filter(|it| named(*it)));
    given.or_else(inside).map(Attr::of)
}

/// The attributes of a session: what its metadata holds, and its user as `enduser.id`.
pub fn attributes<'d>(
    user: Option<Attr<'d>>,
    metadata: Option<Value<'d>>,
    more: &[(&'static str, Option<Value<'d>>)],
) -> String {
    let mut attrs = Attrs::default();
    for (key, value) in more {
        if let Some(value) = value.filter(|it| !it.is_null()) {
            attrs.set(*key, Attr::of(value));
        }
    }
    for (key, value) in metadata.into_iter().flat_map(Value::entries) {
        attrs.set_missing(key, Attr::of(value));
    }
    if let Some(user) = user {
        attrs.set_missing("enduser.id", user);
    }
    attrs.to_json(|_| true)
}

/// Tells a run, with faultgate's reading where one is given.
fn session<'d>(
    run: Run<'d>,
    place: String,
    format: &'static str,
    (wanted, model): (Readings, Option<faultgate::Trace<'d>>),
    before: Before<'d>,
) -> Session<'d> {
    let id = run.id.clone();
    let untimed = run.nodes.iter().filter(|node| node.start == 0).count();
    let (events, calls, mut notes) = tell(run, before);
    if untimed > 0 {
        notes.push(Note::error(format!("{untimed} record(s) have no start time")));
    }
    let mut session = Session { id, source: place, format, calls, events, own: None, notes };
    if let Some(model) = model {
        session.add_own(Reading::Faultgate, wanted, faultgate::tell(&model, wanted));
    }
    session
}

/// Whether faultgate reads this input at all: one plain document, and its reading is wanted.
fn wants_faultgate(parts: &[Part<'_>], wanted: Readings) -> bool {
    wanted.has(Reading::Faultgate) && matches!(parts, [part] if part.plain)
}

/// How the records of one format become runs.
pub struct Records {
    /// Which records are of the format.
    pub fits: fn(Value<'_>) -> bool,
    /// The trace that a record belongs to.
    pub trace_id: fn(Value<'_>) -> &str,
    /// What the records of a trace say, read in full; the last is the place of the first record.
    pub run: for<'d> fn(&'d str, &[Item<'d>], &str) -> Run<'d>,
    /// How a record of a node ended, in the order of the nodes of the run.
    pub ended: for<'d> fn(&[Item<'d>]) -> Vec<Ended<'d>>,
    /// The same as faultgate reads it, by trace; none where it refuses the document.
    pub strict: for<'d> fn(&[Item<'d>]) -> Option<BTreeMap<&'d str, faultgate::Trace<'d>>>,
}

impl Records {
    /// Reads documents that are lists of records.
    pub fn find<'d>(
        &self,
        format: &'static str,
        parts: &'d [Part<'d>],
        wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let (items, problems) = items(parts, source, self.fits);
        let strict = wants_faultgate(parts, wanted).then(|| (self.strict)(&faultgate_items(parts)));
        let mut strict = strict.flatten().unwrap_or_default();
        let notes = document_notes(parts);
        let earlier = Arc::new(Earlier::default());
        for (id, records) in grouped(items, |item| (self.trace_id)(item.value)) {
            let place = records.first().map_or_else(|| source.name.clone(), |it| it.source(source));
            let mut run = (self.run)(id, &records, &place);
            if wanted.has_part(RecordingPart::Measures) {
                run.ended = (self.ended)(&records);
            }
            let model = (wanted, strict.remove(id));
            let mut session = session(run, place, format, model, earlier.next());
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        problems
    }
}

/// The root of a run that has no times or status of its own.
pub fn root_end<'d>(error: Option<Cow<'d, str>>, ended: bool) -> RootEnd<'d> {
    RootEnd::Span { error, ended }
}

/// The root's attributes as faultgate makes them.
pub fn faultgate_root<'d>(
    prompt: Option<Value<'_>>,
    answer: Option<Value<'_>>,
    metadata: Option<Value<'_>>,
    user: Option<Value<'_>>,
) -> Attrs<'d> {
    let mut attrs = Attrs::default();
    attrs.set("gen_ai.operation.name", Attr::text("invoke_agent"));
    said(&mut attrs, "gen_ai.input.messages", "user", prompt);
    said(&mut attrs, "gen_ai.output.messages", "assistant", answer);
    let metadata = metadata.filter(|it| it.is_object());
    let truthy = |it: &Value<'_>| lawbook_event::python::is_true(*it);
    let shown = |it: Value<'_>| Attr::Text(lawbook_event::python::text(it).into_owned().into());
    if let Some(scenario) = metadata.and_then(|it| it.get("scenario")).filter(truthy) {
        attrs.set("faultgate.scenario", shown(scenario));
    }
    let inside = || USER_KEYS.iter().find_map(|key| metadata?.get(key).filter(truthy));
    if let Some(user) = user.filter(truthy).or_else(inside) {
        attrs.set("enduser.id", shown(user));
    }
    attrs
}

/// Sets a messages attribute that holds one message of one role, if there are words.
pub fn said(attrs: &mut Attrs<'_>, key: &'static str, role: &str, payload: Option<Value<'_>>) {
    let words = wanted_text(payload, role);
    if !words.is_empty() {
        let mut json = format!("[{{\"role\": \"{role}\", \"content\": ");
        lawbook_event::json::write_string(&mut json, &words);
        json.push_str("}]");
        attrs.set(key, Attr::Text(Cow::Owned(json)));
    }
}

/// The attributes of a tool's span as faultgate makes them.
pub fn faultgate_tool<'d>(
    name: Cow<'d, str>,
    args: Option<Value<'_>>,
    result: Option<Value<'_>>,
    error: Option<&str>,
) -> Attrs<'d> {
    let mut attrs = Attrs::default();
    let result = faultgate::error_first(faultgate::tool_payload(result), error);
    attrs.set("gen_ai.operation.name", Attr::text("execute_tool"));
    attrs.set("gen_ai.tool.name", Attr::Text(name));
    attrs.set("gen_ai.tool.call.arguments", Attr::Text(faultgate::tool_payload(args).into()));
    attrs.set("gen_ai.tool.call.result", Attr::Text(result.into()));
    attrs
}

/// A span of faultgate's model.
pub fn faultgate_span<'d>(
    id: Cow<'d, str>,
    parent: Option<Cow<'d, str>>,
    name: Cow<'d, str>,
    times: (i128, i128),
    attrs: Attrs<'d>,
    error: Option<Cow<'d, str>>,
) -> Span<'d> {
    let code = if error.is_some() { 2 } else { 0 };
    let message = error.unwrap_or_default();
    Span { id, parent, name, start: times.0, end: times.1, attrs, code, message }
}

/// Sets what faultgate takes over of the tokens of a record, in and out, and of its cost.
pub fn faultgate_used<'d>(
    attrs: &mut Attrs<'d>,
    tokens: [Option<Value<'d>>; 2],
    cost: Option<Value<'d>>,
) {
    let keys = ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"];
    for (key, value) in keys.into_iter().zip(tokens) {
        if let Some(value) = value.filter(|it| it.number_text().is_some()) {
            attrs.set(key, Attr::of(value));
        }
    }
    // A truth is a number to Python, and tokens alone are asked whether they are one.
    if let Some(cost) = cost.filter(|it| it.number_text().is_some() || it.as_bool().is_some()) {
        attrs.set("faultgate.cost_usd", Attr::of(cost));
    }
}

/// Sets why a model stopped, where the record says it.
pub fn faultgate_finish(attrs: &mut Attrs<'_>, finish: Option<Cow<'_, str>>) {
    let Some(finish) = finish else { return };
    let mut json = String::from("[");
    lawbook_event::json::write_string(&mut json, &finish);
    json.push(']');
    attrs.set("gen_ai.response.finish_reasons", Attr::Json(Cow::Owned(json)));
}
