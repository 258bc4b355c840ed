//! One worker: it judges the sessions of a piece and writes its part of the report.

use std::collections::{BTreeMap, VecDeque};

use lawbook_diag::Problem;
use lawbook_event::What;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_report::{Options, Reporter, SessionReport, StrictView, Summary};
use lawbook_trace::{Reading, Session};

use super::judge::{Judge, Judged};
use super::known::Known;
use super::sample::{Bar, key};

/// What workers share.
pub struct Shared {
    /// The policies.
    pub judge: Judge,
    /// What is known already.
    pub known: Known,
    /// The format of the report.
    pub reporter: &'static dyn Reporter,
    /// How it is written.
    pub options: Options,
    /// The attribute that sessions are grouped by.
    pub group_by: Option<String>,
    /// What sessions must be under to be in the sample.
    pub bar: Option<Bar>,
}

/// One worker.
pub struct Worker<'s> {
    shared: &'s Shared,
    /// Sessions of which one reading was judged and another is to come.
    waiting: Vec<Waiting>,
    /// Their places, by id.
    places: BTreeMap<String, VecDeque<usize>>,
    done: Done,
}

struct Waiting {
    id: String,
    source: String,
    format: &'static str,
    calls: u64,
    group: Option<String>,
    judged: Judged,
}

/// What became of a piece.
#[derive(Default)]
pub struct Done {
    /// The sessions: all as one part, or each apart where a sample is taken.
    pub parts: Vec<Part>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A part of the report.
#[derive(Default)]
pub struct Part {
    /// What is written of it; empty if nothing is.
    pub text: String,
    /// Its numbers.
    pub summary: Summary,
    /// What the strict reading adds.
    pub strict: StrictView,
    /// Findings that were known and left out.
    pub known: u64,
    /// The key of its session, where a sample is taken.
    pub key: u64,
}

impl<'s> Worker<'s> {
    /// A worker that has done nothing.
    pub fn new(shared: &'s Shared) -> Self {
        Worker { shared, waiting: Vec::new(), places: BTreeMap::new(), done: Done::default() }
    }

    /// Takes in a session under one reading, or under the only one.
    pub fn session(&mut self, reading: Option<Reading>, session: &Session<'_>) {
        let key = self.shared.bar.as_ref().map(|bar| (bar, key(&session.id, &session.source)));
        if key.is_some_and(|(bar, key)| !bar.may_hold(key)) {
            return;
        }
        match reading {
            Some(reading) if self.shared.judge.readings().faultgate => self.wait(reading, session),
            _ => {
                let mut judged = self.shared.judge.all(&session.events);
                let group = self.group(session);
                let calls = u64::from(session.calls);
                let about = (&*session.id, &*session.source, session.format, calls);
                self.emit(about, group.as_deref(), &mut judged);
            }
        }
    }

    fn wait(&mut self, reading: Reading, session: &Session<'_>) {
        let waiting = self.places.get_mut(&*session.id).and_then(|it| match reading {
            Reading::Faultgate => None,
            Reading::Full => it.pop_front(),
        });
        let place = match waiting {
            Some(place) => place,
            None => {
                let place = self.waiting.len();
                self.waiting.push(Waiting {
                    id: session.id.to_string(),
                    source: session.source.clone(),
                    format: session.format,
                    calls: u64::from(session.calls),
                    group: self.group(session),
                    judged: Judged::default(),
                });
                if reading == Reading::Faultgate {
                    self.places.entry(session.id.to_string()).or_default().push_back(place);
                }
                place
            }
        };
        if let Some(waiting) = self.waiting.get_mut(place) {
            self.shared.judge.add(&mut waiting.judged, reading, &session.events);
        }
    }

    /// What became of the piece.
    pub fn close(&mut self, problems: Vec<Problem>) -> Done {
        self.places.clear();
        for mut it in std::mem::take(&mut self.waiting) {
            self.shared.judge.sort(&mut it.judged);
            let about = (&*it.id, &*it.source, it.format, it.calls);
            self.emit(about, it.group.as_deref(), &mut it.judged);
        }
        Done { problems, ..std::mem::take(&mut self.done) }
    }

    fn emit(
        &mut self,
        (id, source, trace_format, calls): (&str, &str, &str, u64),
        group: Option<&str>,
        judged: &mut Judged,
    ) {
        let Shared { known, reporter, options, bar, .. } = self.shared;
        let known = known.leave_out(id, &mut judged.findings);
        let report = SessionReport {
            id,
            source,
            trace_format,
            calls,
            verdict: judged.verdict(),
            findings: &judged.findings,
            unknown: &judged.unknown,
        };
        if bar.is_some() || self.done.parts.is_empty() {
            self.done.parts.push(Part::default());
        }
        let Some(part) = self.done.parts.last_mut() else { return };
        if bar.is_some() {
            part.key = key(id, source);
        }
        part.known = part.known.saturating_add(known);
        part.summary.add(&report, group);
        part.strict.merge(judged.strict);
        if reporter.writes(&report) {
            if !part.text.is_empty() {
                part.text.push_str(reporter.between());
            }
            reporter.session(&report, *options, &mut part.text);
        }
    }

    /// The session's value of the attribute that sessions are grouped by.
    fn group(&self, session: &Session<'_>) -> Option<String> {
        let attribute = self.shared.group_by.as_deref()?;
        let start = session.events.iter().find_map(|it| match &it.what {
            What::Start(start) => Some(start),
            _ => None,
        });
        let found = start.and_then(|it| {
            value(&it.attributes, attribute).or_else(|| value(&it.metadata, attribute))
        });
        Some(found.unwrap_or_else(|| "(none)".to_owned()))
    }
}

/// The value of a whole key in the text of an object.
fn value(object: &str, key: &str) -> Option<String> {
    let document = Document::parse(object, Grammar::Python, &Limits::DEFAULT).ok()?;
    let value: Value<'_> = document.root().get(key)?;
    Some(value.as_str().map_or_else(|| value.raw().to_owned(), str::to_owned))
}
