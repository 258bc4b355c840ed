//! Edits that clear a finding, each shown to do so by judging its session again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use lawbook_diag::Finding;
use lawbook_dialect::{Amender, Cause, Edit};
use lawbook_engine::{Checked, Engine, check};
use lawbook_event::json::{Document, Grammar, Kind, Limits, Value};
use lawbook_event::{Call, EXACT, Event, Path, Reading, What};
use lawbook_rule::Policy;
use lawbook_trace::Session;

use super::{Proposal, REVIEW_ENTRIES_MAX};
use crate::commands::Guess;
use crate::policies::{Policies, PolicyArgs, PolicyFile, Selection, now};

/// Edited policies that are kept, since many findings share one.
const KEPT: usize = 1_000;

/// The edited policies by the place of the policy and the edit; none where the edit gives none.
type Kept = BTreeMap<(usize, Edit), Option<Arc<Engine>>>;

/// Finds the smallest edit that clears a finding.
pub struct Editor {
    layers: Vec<Layer>,
    args: PolicyArgs,
    selection: Selection,
    guess: Guess,
    kept: Mutex<Kept>,
    /// Findings that edits were worked out for, so that a run ends however much it finds.
    worked: AtomicUsize,
}

struct Layer {
    file: PolicyFile,
    amender: Option<Amender>,
    policy: Arc<Policy>,
    engine: Engine,
}

impl Editor {
    /// Edits of these policies.
    #[must_use]
    pub fn new(policies: &Policies, args: &PolicyArgs, selection: &Selection) -> Self {
        let files = policies.files.iter().zip(&policies.layers);
        let layers = files.map(|(file, policy)| Layer {
            file: file.clone(),
            amender: Amender::new(policy.dialect, &file.bytes),
            policy: policy.clone(),
            engine: Engine::new(vec![policy.clone()], now()),
        });
        Editor {
            layers: layers.collect(),
            args: args.clone(),
            selection: selection.clone(),
            guess: Guess::of(policies),
            kept: Mutex::default(),
            worked: AtomicUsize::new(0),
        }
    }

    /// The first edit that clears a finding and adds none.
    #[must_use]
    pub fn edit(&self, session: &Session<'_>, finding: &Finding) -> Option<Proposal> {
        let layer = self.layers.get(finding.layer)?;
        let amender = layer.amender.as_ref()?;
        if self.worked.fetch_add(1, Ordering::Relaxed) >= REVIEW_ENTRIES_MAX {
            return None;
        }
        let reading: Reading = layer.policy.reading;
        let events = session.under(reading);
        let facts = Facts::of(events, finding);
        let access = finding.tool.as_deref().map_or(lawbook_rule::Access::Write, |tool| {
            let known = layer.policy.tools.get(tool).copied().flatten();
            known.unwrap_or_else(|| self.guess.access(tool))
        });
        let cause = Cause {
            rule: &finding.rule,
            tool: finding.tool.as_deref(),
            access,
            value: facts.value.as_deref(),
            words: facts.words.as_deref(),
            calls: facts.calls,
            details: &facts.details,
        };
        let before = check(&layer.engine, events);
        let clears = |it: &Edit| {
            let engine = self.engine(finding.layer, layer, it);
            engine.is_some_and(|it| clears(finding, &before, &check(&it, events)))
        };
        let edit = amender.edits(&cause).into_iter().find(clears)?;
        Some(Proposal { policy: layer.file.source.clone(), at: edit.at, write: edit.write })
    }

    fn engine(&self, place: usize, layer: &Layer, edit: &Edit) -> Option<Arc<Engine>> {
        let key = (place, edit.clone());
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = kept().get(&key) {
            return engine.clone();
        }
        let bytes = edit.policy.clone().into_bytes();
        let file = PolicyFile { source: layer.file.source.clone(), bytes };
        let policy = self.args.again(&file, layer.policy.dialect, &self.selection);
        let engine = policy.map(|it| Arc::new(Engine::new(vec![Arc::new(it)], now())));
        let mut kept = kept();
        if kept.len() < KEPT {
            kept.insert(key, engine.clone());
        }
        engine
    }
}

/// Whether the finding is gone, nothing new is found, and nothing became unknown in its place.
fn clears(finding: &Finding, before: &Checked, after: &Checked) -> bool {
    type Place = (Arc<str>, Option<String>, Option<String>);
    let place = |it: &Finding| (it.rule.clone(), it.step_id.clone(), it.tool.clone());
    let open = |it: &Checked| -> BTreeSet<Place> {
        it.findings.iter().filter(|it| super::merge::is_open(it)).map(place).collect()
    };
    let untold = |it: &Checked| -> BTreeSet<Place> {
        it.unknowns.iter().map(|it| (it.rule.clone(), it.step_id.clone(), None)).collect()
    };
    let after_open = open(after);
    !after_open.contains(&place(finding))
        && after_open.is_subset(&open(before))
        && untold(after).is_subset(&untold(before))
}

/// What an edit rests on, out of the events of a session.
#[derive(Default)]
struct Facts {
    value: Option<String>,
    words: Option<String>,
    calls: u64,
    details: Vec<(String, String)>,
}

impl Facts {
    fn of(events: &[Event<'_>], finding: &Finding) -> Self {
        let mut facts = Facts::default();
        for event in events {
            match &event.what {
                What::Start(start) => facts.details = details(&start.metadata),
                What::User(text) if !text.text.trim().is_empty() => {
                    facts.words = Some(text.text.clone().into_owned());
                }
                What::Call(call) => {
                    let same = finding.tool.as_deref().is_none_or(|it| it == &*call.tool);
                    facts.calls = facts.calls.saturating_add(u64::from(same));
                    if finding.step == Some(call.step) {
                        facts.value = value(call, finding.path.as_deref());
                        break;
                    }
                }
                _ => {}
            }
        }
        facts
    }
}

/// The argument of a call at a path, as JSON text.
fn value(call: &Call<'_>, path: Option<&str>) -> Option<String> {
    let document = Document::parse(&call.args.text, Grammar::Python, &Limits::DEFAULT).ok()?;
    let found = EXACT.path(document.root(), &Path::parse(path?))?;
    Some(found.raw().to_owned())
}

/// The plain values of metadata by path, two levels deep.
fn details(metadata: &str) -> Vec<(String, String)> {
    let Ok(document) = Document::parse(metadata, Grammar::Python, &Limits::DEFAULT) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    for (key, value) in document.root().entries() {
        out.extend(plain(value).map(|it| (key.to_owned(), it)));
        for (inner, value) in value.entries() {
            out.extend(plain(value).map(|it| (format!("{key}.{inner}"), it)));
        }
    }
    out
}

fn plain(value: Value<'_>) -> Option<String> {
    match value.kind() {
        Kind::String => value.as_str().map(str::to_owned),
        Kind::Number => Some(value.raw().to_owned()),
        Kind::Null | Kind::Bool | Kind::Array | Kind::Object => None,
    }
}
