//! One trace as a session.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::{RecordingPart, RootEnd};

use super::any;
use super::collect::{Found, Place, first};
use super::ended;
use super::kind::{self, Kind};
use super::logs::{self, Said};
use super::notes;
use super::record::{self, Record};
use super::turn;
use crate::attr::Attr;
use crate::dialog::{Item, Role};
use crate::run::{Node, Run, Turn, Work};
use crate::tell::Before;
use crate::{Note, Readings, Session, Source, Untold, encoding};

/// Attributes that hold content or describe the exporter, and say nothing of the session.
const NOT_SESSION: [&str; 12] = [
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.prompt",
    "gen_ai.completion",
    "gen_ai.system_instructions",
    "gen_ai.tool.definitions",
    "input.value",
    "output.value",
    "metadata",
    "pydantic_ai.all_messages",
    "gcp.vertex.agent.llm_request",
    "gcp.vertex.agent.llm_response",
];
/// Which conversation it is; any span may say it as long as all that do agree. Whose it is only the
/// root and its resource may say: a span inside tells of whoever it ran for.
const CONVERSATION_KEYS: [&str; 3] =
    ["session.id", "gen_ai.conversation.id", "gcp.vertex.agent.session_id"];

/// The session of a trace under the full reading.
pub fn session<'d>(
    found: &Found<'d>,
    place: String,
    format: &'static str,
    wanted: Readings,
    before: Before<'d>,
) -> Session<'d> {
    let records =
        found.spans.iter().enumerate().map(|(nth, it)| Record::read(it.raw, nth)).collect();
    let said = found.logs.iter().filter_map(|log| logs::said(*log)).collect();
    let trace = Trace { id: found.raw_id, place, records, said, wanted };
    tell(trace, format, before)
}

/// Spans of one trace and what was logged beside them, wherever they were written.
#[derive(Debug)]
pub struct Trace<'d> {
    /// Its id; empty when spans name none.
    pub id: &'d str,
    /// Where it stands.
    pub place: String,
    /// Its spans.
    pub records: Vec<Record<'d>>,
    /// Its log records.
    pub said: Vec<Said<'d>>,
    /// The readings that are wanted.
    pub wanted: Readings,
}

/// The session of a trace.
fn tell<'d>(trace: Trace<'d>, format: &'static str, before: Before<'d>) -> Session<'d> {
    let Trace { id, place, records, said, wanted } = trace;
    let records = once(records);
    let ids = ids(&records);
    let mut notes = notes::notes(&records, &ids);
    let kinds: Vec<Kind> = records.iter().map(kind::kind).collect();
    let by_span = by_span(&said, &records, &kinds, &mut notes);
    let root = root(&records, &ids);
    let nodes: Vec<Node<'d>> = records
        .iter()
        .zip(&kinds)
        .enumerate()
        .map(|(at, (record, kind))| {
            let said = by_span.get(record.id.as_ref()).map(Vec::as_slice).unwrap_or_default();
            node(record, *kind, said, root == Some(at))
        })
        .collect();
    let id = match id {
        "" => Cow::Owned(place.clone()),
        id => encoding::hex_id(id, 16),
    };
    let answer = root.and_then(|at| nodes.get(at)).and_then(last_words);
    let root = root.and_then(|at| records.get(at));
    let run = Run {
        id: id.clone(),
        nodes,
        attributes: attributes(root, &records),
        metadata: root.map(metadata).unwrap_or_default(),
        dropped: records.iter().any(dropped),
        prompt: Vec::new(),
        answer,
        termination: root
            .and_then(|root| root.attrs.text("faultgate.termination"))
            .unwrap_or_default()
            .to_owned(),
        root: root.map_or(RootEnd::Missing, root_end),
        ended: match wanted.has_part(RecordingPart::Measures) {
            true => records.iter().map(ended::ended).collect(),
            false => Vec::new(),
        },
    };
    let (events, calls, told) = crate::tell::tell(run, before);
    notes.extend(told);
    Session { id, source: place, format, calls, events, own: None, notes }
}

/// The session of a trace, to be told, with what is known of its document.
pub fn untold<'d>(
    trace: Trace<'d>,
    format: &'static str,
    notes: Vec<Note>,
    before: Before<'d>,
) -> Untold<'d> {
    Untold::new(move || {
        let mut session = tell(trace, format, before);
        session.notes.extend(notes);
        session
    })
}

/// All spans. One that was exported twice counts once.
fn once(mut records: Vec<Record<'_>>) -> Vec<Record<'_>> {
    if ids(&records).windows(2).any(|pair| pair.first() == pair.last()) {
        let mut seen = BTreeMap::new();
        records.retain(|record| {
            let text = record.raw.value.raw();
            let first = *seen.entry(record.id.clone()).or_insert(text);
            // The first of an id lies where it was found; any other may only look the same.
            std::ptr::eq(first, text) || first != text
        });
    }
    records
}

/// The ids of all spans, sorted.
fn ids<'r>(records: &'r [Record<'_>]) -> Vec<&'r str> {
    let mut ids: Vec<&str> = records.iter().map(|record| record.id.as_ref()).collect();
    ids.sort_unstable();
    ids
}

/// Log events by span. Those that name none belong to the only model, if there is one only.
fn by_span<'s, 'd>(
    said: &'s [Said<'d>],
    records: &[Record<'d>],
    kinds: &[Kind],
    notes: &mut Vec<Note>,
) -> BTreeMap<Cow<'d, str>, Vec<&'s Said<'d>>> {
    let mut models = records.iter().zip(kinds).filter(|(_, kind)| **kind == Kind::Model);
    let only = match (models.next(), models.next()) {
        (Some((model, _)), None) => Some(model.id.clone()),
        _ => None,
    };
    let mut by_span: BTreeMap<Cow<'d, str>, Vec<&Said<'d>>> = BTreeMap::new();
    let mut lost = 0_usize;
    for event in said.iter().filter(|event| logs::speaks(&event.name)) {
        match event.span.clone().or_else(|| only.clone()) {
            Some(span) => by_span.entry(span).or_default().push(event),
            None => lost = lost.saturating_add(1),
        }
    }
    if lost > 0 {
        notes.push(Note::warning(format!("{lost} log event(s) with messages name no span")));
    }
    by_span
}

fn node<'d>(record: &Record<'d>, kind: Kind, said: &[&Said<'d>], root: bool) -> Node<'d> {
    let work = match kind {
        Kind::Tool => Work::Tool(Box::new(kind::tool(record))),
        Kind::Model => model(record, turn::turn(record, said, root)),
        Kind::Agent => Work::Agent(turn::turn(record, said, root)),
        Kind::Detail => {
            let (error, stopped) = kind::detail(record);
            Work::Detail { error, stopped }
        }
        Kind::Other if !said.is_empty() => Work::Model(turn::turn(record, said, root)),
        Kind::Other => Work::Other,
    };
    Node {
        id: record.id.clone(),
        parent: record.parent.clone(),
        start: record.start,
        end: record.end,
        work,
    }
}

/// A turn of a model. One that failed and holds nothing said nothing.
fn model<'d>(record: &Record<'d>, turn: Turn) -> Work<'d> {
    match turn.input.is_empty() && turn.output.is_empty() && record.failed == Some(true) {
        true => Work::Other,
        false => Work::Model(turn),
    }
}

/// The place of the span on top of a trace: without a parent in the file, an agent before others,
/// the earliest.
fn root(records: &[Record<'_>], ids: &[&str]) -> Option<usize> {
    let tops = records.iter().enumerate().filter(|(_, record)| {
        record.parent.as_deref().is_none_or(|parent| ids.binary_search(&parent).is_err())
    });
    let rank = |record: &Record<'_>| {
        let agent = matches!(
            record.attrs.text("gen_ai.operation.name"),
            Some("invoke_agent" | "invoke_workflow")
        );
        (record.parent.is_some(), !agent, record.start)
    };
    tops.min_by_key(|(_, record)| rank(record)).map(|(at, _)| at)
}

/// Whether the recorder left out some of a span, or of the resource that it comes from.
fn dropped(record: &Record<'_>) -> bool {
    record.dropped || record.raw.resource.is_some_and(record::drops)
}

fn root_end<'d>(root: &Record<'d>) -> RootEnd<'d> {
    let kind = root.attrs.text("error.type").filter(|kind| !kind.is_empty());
    let error = match (root.failed, kind) {
        (Some(true), _) => Some(Cow::Borrowed("Span status error: Code 2")),
        (_, Some(kind)) => Some(Cow::Owned(format!("Span error: {kind}"))),
        _ => None,
    };
    RootEnd::Span { error, ended: root.end != 0 }
}

/// The agent's words at the end of a turn.
fn last_words(node: &Node<'_>) -> Option<String> {
    let (Work::Agent(Turn { output, .. }) | Work::Model(Turn { output, .. })) = &node.work else {
        return None;
    };
    let last =
        output.iter().rev().find(|message| matches!(message.role, Role::Agent | Role::Other))?;
    let texts: Vec<&str> = last
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Where a trace stands.
pub fn place(found: &Found<'_>, source: &Source) -> String {
    match found.place {
        Some(Place { line, keys: [root, scopes], at: [r, s, k] }) => {
            source.place(line, &format!("/{root}/{r}/{scopes}/{s}/spans/{k}"))
        }
        None => source.place(None, ""),
    }
}

/// The root's attributes, those of its resource, and which conversation it is.
fn attributes(root: Option<&Record<'_>>, records: &[Record<'_>]) -> String {
    let mut all = root.map(|root| root.attrs.clone()).unwrap_or_default();
    let resource = root.and_then(|root| root.raw.resource);
    let resource = any::attributes(resource.and_then(|it| first(it, &["attributes", "tags"])));
    for (key, value) in resource.iter() {
        all.set_missing(key.to_owned(), value.clone());
    }
    for key in CONVERSATION_KEYS {
        if let Some(conversation) = agreed(records, key) {
            all.set_missing(key, conversation.clone());
        }
    }
    all.to_json(|key| !NOT_SESSION.contains(&key) && !key.starts_with("llm."))
}

/// The value of an attribute when every span that has it has the same.
fn agreed<'r, 'd>(records: &'r [Record<'d>], key: &str) -> Option<&'r Attr<'d>> {
    let mut values = records.iter().filter_map(|record| record.attrs.get(key));
    let value = values.next()?;
    values.all(|other| other == value).then_some(value)
}

fn metadata(root: &Record<'_>) -> String {
    let metadata = root.attrs.get("metadata");
    let object = metadata.filter(|it| it.document().is_some_and(|it| it.root().is_object()));
    object.map(|it| it.plain().into_owned()).unwrap_or_default()
}
