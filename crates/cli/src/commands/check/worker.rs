//! One worker: it judges the sessions of a piece and writes its part of the report.

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_event::{Start, What};
use lawbook_report::{Header, SessionReport, StrictView, Summary};
use lawbook_trace::Session;

use super::judge::{Judge, Judged};
use super::keeping::Reviewing;
use super::known::Known;
use super::sample::{Bar, key};
use crate::masking;
use crate::policies::Selection;
use crate::reports::Form;
use crate::review::Gathered;

/// The group of sessions without the attribute that they are grouped by.
pub const UNGROUPED: &str = "(none)";

/// What workers share.
pub struct Shared {
    /// The policies.
    pub judge: Judge,
    /// What is known already.
    pub known: Known,
    /// Which rules are kept, the engine's own among them.
    pub selection: Selection,
    /// What stands before the sessions.
    pub header: Header,
    /// The reports that are written.
    pub forms: Vec<Form>,
    /// The attribute that sessions are grouped by.
    pub group_by: Option<String>,
    /// What sessions must be under to be in the sample.
    pub bar: Option<Bar>,
    /// The review that is kept beside the report.
    pub reviewing: Option<Reviewing>,
}

impl Shared {
    /// What becomes of these sessions.
    pub fn judged(&self, sessions: &[Session<'_>]) -> Done {
        let mut worker = Worker::new(self);
        sessions.iter().for_each(|it| worker.session(it));
        worker.close(Vec::new())
    }
}

/// One worker.
pub struct Worker<'s> {
    shared: &'s Shared,
    done: Done,
}

/// What became of a piece.
#[derive(Default)]
pub struct Done {
    /// The sessions: all as one part, or each apart where a sample is taken.
    pub parts: Vec<Part>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

impl Done {
    /// Adds what became of a later part of the piece.
    pub fn add(&mut self, later: Done) {
        self.parts.extend(later.parts);
        self.problems.extend(later.problems);
    }
}

/// A part of the report.
#[derive(Default)]
pub struct Part {
    /// What is written of it in each report; empty if nothing is.
    pub texts: Vec<String>,
    /// Its numbers.
    pub summary: Summary,
    /// What the strict reading adds.
    pub strict: StrictView,
    /// Findings that were known and left out.
    pub known: u64,
    /// The key of its session, where a sample is taken.
    pub key: u64,
    /// What the review should know.
    pub gathered: Gathered,
}

impl<'s> Worker<'s> {
    /// A worker that has done nothing.
    pub fn new(shared: &'s Shared) -> Self {
        Worker { shared, done: Done::default() }
    }

    /// Takes in a session.
    pub fn session(&mut self, session: &Session<'_>) {
        let key = self.shared.bar.as_ref().map(|bar| (bar, key(&session.id, &session.source)));
        if key.is_some_and(|(bar, key)| !bar.may_hold(key)) {
            return;
        }
        let mut judged = self.shared.judge.all(session);
        let group = self.group(session);
        self.emit(session, group.as_deref(), &mut judged);
    }

    /// What became of the piece.
    pub fn close(&mut self, problems: Vec<Problem>) -> Done {
        Done { problems, ..std::mem::take(&mut self.done) }
    }

    fn emit(&mut self, session: &Session<'_>, group: Option<&str>, judged: &mut Judged) {
        let id = masking::key(&session.id);
        let (id, source) = (&*id, &*session.source);
        let Shared { known, selection, header, forms, bar, reviewing, .. } = self.shared;
        judged.findings.retain(|it| selection.keeps(it));
        let gathered = reviewing.as_ref().map(|it| it.gather(session, judged));
        judged.findings.iter_mut().for_each(masking::finding);
        judged.unknown.iter_mut().for_each(masking::unknown);
        let known = known.leave_out(id, &mut judged.findings);
        let report = SessionReport {
            id,
            source,
            trace_format: session.format,
            calls: u64::from(session.calls),
            verdict: judged.verdict(),
            findings: &judged.findings,
            unknown: &judged.unknown,
            scenario: None,
            checks: &[],
        };
        if bar.is_some() || self.done.parts.is_empty() {
            let texts = vec![String::new(); forms.len()];
            self.done.parts.push(Part { texts, ..Part::default() });
        }
        let Some(part) = self.done.parts.last_mut() else { return };
        if bar.is_some() {
            part.key = key(&session.id, source);
        }
        part.known = part.known.saturating_add(known);
        part.gathered.add(gathered.unwrap_or_default());
        part.summary.add(&report, group);
        part.strict.merge(judged.strict);
        for (form, text) in forms.iter().zip(&mut part.texts) {
            form.session(header, &report, text);
        }
    }

    /// The session's value of the attribute that sessions are grouped by.
    fn group(&self, session: &Session<'_>) -> Option<String> {
        let attribute = self.shared.group_by.as_deref()?;
        let events = session.under(self.shared.judge.reading());
        let start = events.iter().find_map(|it| match &it.what {
            What::Start(start) => Some(start),
            _ => None,
        });
        let found = start.and_then(|it| attribute_of(it, attribute));
        let found = found.map(|it| masking::key(&it).into_owned());
        Some(found.unwrap_or_else(|| UNGROUPED.to_owned()))
    }
}

/// The value of an attribute, or of the metadata: by its whole name, or as conditions name it.
fn attribute_of(start: &Start<'_>, name: &str) -> Option<String> {
    let path = name.strip_prefix("session.").unwrap_or(name);
    let metadata = || path.strip_prefix("metadata.").and_then(|it| value(&start.metadata, it));
    value(&start.attributes, name)
        .or_else(|| value(&start.metadata, name))
        .or_else(|| value(&start.attributes, path))
        .or_else(metadata)
}

/// The value of a whole key in the text of an object.
fn value(object: &str, key: &str) -> Option<String> {
    let document = Document::parse(object, Grammar::Python, &Limits::DEFAULT).ok()?;
    let value: Value<'_> = document.root().get(key)?;
    Some(value.as_str().map_or_else(|| value.raw().to_owned(), str::to_owned))
}
