//! Every span and log record of an input, by trace.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::json::{Kind, Names, Value};

use super::record;
use super::strict::{self, Loads};
use crate::{Part, Source};

/// Keys of lists, in camel and snake case.
const ROOTS: [&str; 3] = ["resourceSpans", "resource_spans", "batches"];
const LOG_ROOTS: [&str; 2] = ["resourceLogs", "resource_logs"];
const SCOPES: [&str; 4] =
    ["scopeSpans", "scope_spans", "instrumentationLibrarySpans", "instrumentation_library_spans"];
const LOG_SCOPES: [&str; 2] = ["scopeLogs", "scope_logs"];
const RECORDS: [&str; 2] = ["logRecords", "log_records"];

/// One trace as it was found.
#[derive(Debug)]
pub struct Found<'d> {
    /// Its id as it is written; empty when spans name none.
    pub raw_id: &'d str,
    /// Where the first of its spans stands; nothing without spans.
    pub place: Option<Place>,
    /// Its spans, in the order of the input.
    pub spans: Vec<FoundSpan<'d>>,
    /// Its log records.
    pub logs: Vec<Value<'d>>,
    /// When the first of its spans began, in nanoseconds; 0 where one does not say; none without
    /// spans.
    start: Option<i64>,
}

/// Where a span stands.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The line of its document.
    pub line: Option<u32>,
    /// The keys of the lists of resources and scopes that it stands in.
    pub keys: [&'static str; 2],
    /// Its place: resource, scope, span.
    pub at: [usize; 3],
}

/// A span as it was found.
#[derive(Clone, Copy, Debug)]
pub struct FoundSpan<'d> {
    /// The span and its surroundings.
    pub raw: RawSpan<'d>,
    /// Whether it stands where faultgate looks for spans.
    pub seen: bool,
}

/// A span and its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct RawSpan<'d> {
    /// The span.
    pub value: Value<'d>,
    /// The resource that it came from.
    pub resource: Option<Value<'d>>,
}

/// The value of the first of these keys that is there.
pub fn first<'d>(value: Value<'d>, keys: &[&str]) -> Option<Value<'d>> {
    keys.iter().find_map(|key| value.get(key)).filter(|it| !it.is_null())
}

const PAIR: Names<2> = Names::new(["key", "value"]);

/// The key and the value of an attribute.
pub fn pair<'d>(entry: Value<'d>) -> (Option<Value<'d>>, Option<Value<'d>>) {
    let [key, value] = entry.members(&PAIR);
    (key, value)
}

/// Whether a document is OTLP.
pub fn is_otlp(root: Value<'_>) -> bool {
    documents(root).any(|document| {
        document.is_object()
            && ROOTS.iter().chain(&LOG_ROOTS).any(|key| {
                let found = document.get(key);
                // A Tempo export shares its key with others, so its shape is looked at too.
                let odd = *key == "batches";
                found.is_some_and(|it| {
                    !odd || it.items().any(|batch| first(batch, &SCOPES).is_some())
                })
            })
    })
}

/// The documents of a value: itself, the items of a list, or what a wrapper holds.
fn documents(root: Value<'_>) -> impl Iterator<Item = Value<'_>> {
    let one = if root.is_array() { None } else { Some(wrapped(root).unwrap_or(root)) };
    one.into_iter().chain(root.items())
}

/// The document inside a wrapper.
pub fn wrapped(root: Value<'_>) -> Option<Value<'_>> {
    root.get("trace").filter(|it| it.is_object())
}

/// Whether any span of a document fits.
pub fn any_span(root: Value<'_>, fits: impl Fn(Value<'_>) -> bool) -> bool {
    let roots = documents(root).filter_map(|it| first(it, &ROOTS)).flat_map(Value::items);
    let scopes = roots.filter_map(|it| first(it, &SCOPES)).flat_map(Value::items);
    scopes.filter_map(|it| it.get("spans")).flat_map(Value::items).any(fits)
}

/// Collects the spans and logs of all documents. Traces come in the order of their first start.
/// Whether faultgate loads them is asked along the way.
pub fn collect<'d>(
    parts: &'d [Part<'d>],
    source: &Source,
    loads: &mut Loads<'d>,
) -> (Vec<Found<'d>>, Vec<Problem>) {
    let mut collector = Collector {
        traces: Vec::new(),
        places: BTreeMap::new(),
        last: 0,
        problems: Vec::new(),
        unsaid: 0,
        source,
        loads,
    };
    for part in parts {
        let root = part.document.root();
        // Faultgate looks into no wrapper.
        let in_sight = wrapped(root).is_none();
        for document in documents(root) {
            collector.document(document, part.line, in_sight);
        }
    }
    let Collector { mut traces, mut problems, unsaid, .. } = collector;
    if unsaid > 0 {
        let message = format!("{unsaid} more things are no OTLP");
        problems.push(Problem::new(source.name.clone(), "not_otlp", message));
    }
    traces.sort_by_key(|trace| trace.start);
    (traces, problems)
}

struct Collector<'s, 'd> {
    traces: Vec<Found<'d>>,
    places: BTreeMap<&'d str, usize>,
    /// The trace of the span before: most exporters write those of one trace together.
    last: usize,
    problems: Vec<Problem>,
    /// Problems beyond the first ones.
    unsaid: usize,
    source: &'s Source,
    loads: &'s mut Loads<'d>,
}

/// How many problems of one input are named one by one.
const PROBLEMS_MAX: usize = 100;

impl<'d> Collector<'_, 'd> {
    fn document(&mut self, document: Value<'d>, line: Option<u32>, in_sight: bool) {
        if let Some((root_key, root)) = keyed(document, &ROOTS) {
            self.list(root, root_key, line, &mut |all, r, resource_spans| {
                let resource = resource_spans.get("resource");
                let Some((scope_key, scopes)) = keyed(resource_spans, &SCOPES) else { return };
                let keys = [root_key, scope_key];
                let seen = in_sight && keys == strict::KEYS;
                all.list(scopes, scope_key, line, &mut |all, s, scope| {
                    let Some((key, spans)) = keyed(scope, &["spans"]) else { return };
                    all.list(spans, key, line, &mut |all, k, value| {
                        let raw = RawSpan { value, resource };
                        all.span(FoundSpan { raw, seen }, Place { line, keys, at: [r, s, k] });
                    });
                });
            });
        }
        if ROOTS.iter().chain(&LOG_ROOTS).all(|key| document.get(key).is_none()) {
            self.problem(line, document, "there are no spans here".to_owned());
        }
        let logs = first(document, &LOG_ROOTS).into_iter().flat_map(Value::items);
        let scopes = logs.filter_map(|it| first(it, &LOG_SCOPES)).flat_map(Value::items);
        let records = scopes.filter_map(|it| first(it, &RECORDS)).flat_map(Value::items);
        for record in records.filter(|it| it.is_object()) {
            let place = self.trace(marks(record).0);
            if let Some(trace) = self.traces.get_mut(place) {
                trace.logs.push(record);
            }
        }
    }

    /// Hands on the objects of a list. Anything else in it, or instead of it, is a problem.
    fn list(
        &mut self,
        list: Value<'d>,
        key: &str,
        line: Option<u32>,
        take: &mut impl FnMut(&mut Self, usize, Value<'d>),
    ) {
        if !list.is_array() {
            return self.problem(line, list, format!("`{key}` is not a list"));
        }
        for (at, item) in list.items().enumerate() {
            match item.kind() {
                Kind::Object => take(self, at, item),
                _ => self.problem(
                    line,
                    item,
                    format!("`{key}` holds something that is not an object"),
                ),
            }
        }
    }

    fn problem(&mut self, line: Option<u32>, value: Value<'d>, message: String) {
        if self.problems.len() >= PROBLEMS_MAX {
            self.unsaid = self.unsaid.saturating_add(1);
            return;
        }
        let (inner, column) = lawbook_diag::place(value.document().text(), value.offset());
        let line = line.map_or(inner, |line| line.saturating_add(inner).saturating_sub(1));
        self.problems.push(
            Problem::new(self.source.name.clone(), "not_otlp", message)
                .at(line, column)
                .help("export the traces again as OTLP/JSON"),
        );
    }

    fn span(&mut self, span: FoundSpan<'d>, place: Place) {
        let (trace_id, start) = marks(span.raw.value);
        if span.seen {
            self.loads.ask(span.raw.value);
        }
        let trace = self.trace(trace_id);
        if let Some(trace) = self.traces.get_mut(trace) {
            let start = record::nanos(start);
            trace.start = Some(trace.start.map_or(start, |it| it.min(start)));
            trace.place.get_or_insert(place);
            trace.spans.push(span);
        }
    }

    /// The place of a trace among all; a new one is made for a new id.
    fn trace(&mut self, raw_id: &'d str) -> usize {
        if self.traces.get(self.last).is_some_and(|it| it.raw_id == raw_id) {
            return self.last;
        }
        let next = self.traces.len();
        self.last = *self.places.entry(raw_id).or_insert(next);
        if self.last == next {
            // Traces of one input are often equally long. Each gives its length to the next one only,
            // so all that room together is no more than there are spans.
            let room = self.traces.last().map_or(0, |before| before.spans.len());
            self.traces.push(Found {
                raw_id,
                place: None,
                spans: Vec::with_capacity(room),
                logs: Vec::new(),
                start: None,
            });
        }
        self.last
    }
}

fn keyed<'d>(value: Value<'d>, keys: &[&'static str]) -> Option<(&'static str, Value<'d>)> {
    keys.iter().find_map(|key| Some((*key, value.get(key)?)))
}

/// What a span or log record is gathered by, in camel and in snake case.
const MARKS: Names<4> =
    Names::new(["traceId", "trace_id", "startTimeUnixNano", "start_time_unix_nano"]);

/// The id of the trace of a span or log record, and its start.
fn marks(record: Value<'_>) -> (&str, Option<Value<'_>>) {
    let [id, id_snake, start, start_snake] = record.members(&MARKS);
    let id = found([id, id_snake]).and_then(Value::as_str).unwrap_or("");
    (id, found([start, start_snake]))
}

/// The field of two names, in camel and in snake case.
pub fn found<'d>([camel, snake]: [Option<Value<'d>>; 2]) -> Option<Value<'d>> {
    camel.or(snake).filter(|it| !it.is_null())
}
