//! The policies made ready, each with the reading of traces that it is judged over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_engine::{Engine, check, tried};
use lawbook_event::{Event, RecordingPart};
use lawbook_report::StrictView;
use lawbook_rule::Policy;
use lawbook_trace::{Reading, Readings, Session};

use crate::policies::{Policies, now};

/// The policies made ready.
pub struct Judge {
    parts: Vec<Part>,
    /// The readings that are wanted of a document.
    wanted: Readings,
    /// The same policies in the strict reading, where they were judged as their own system does.
    strict: Option<Engine>,
}

/// Policies that are judged over the same reading.
struct Part {
    engine: Engine,
    reading: Reading,
    /// The place of each of its policies in the order given.
    layers: Vec<usize>,
}

/// What is held against a session.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// The findings.
    pub findings: Vec<Finding>,
    /// What could not be told.
    pub unknown: Vec<Unknown>,
    /// What the strict reading adds.
    pub strict: StrictView,
}

impl Judge {
    /// Makes policies ready.
    #[must_use]
    pub fn new(policies: &Policies) -> Self {
        let now = now();
        let mut parts: Vec<Part> = Vec::new();
        for reading in [Reading::Faultgate, Reading::Pmstack, Reading::Full] {
            let of = policies.layers.iter().enumerate().filter(|it| it.1.reading == reading);
            let (layers, own): (Vec<usize>, Vec<Arc<Policy>>) =
                of.map(|(place, policy)| (place, policy.clone())).unzip();
            if !own.is_empty() {
                parts.push(Part { engine: Engine::new(own, now), reading, layers });
            }
        }
        let wanted = wanted(policies);
        let strict =
            (!policies.strict.is_empty()).then(|| Engine::new(policies.strict.clone(), now));
        Judge { parts, wanted, strict }
    }

    /// Whether policies were judged as their own system does, and so differently than they could.
    #[must_use]
    pub fn has_strict(&self) -> bool {
        self.strict.is_some()
    }

    /// The readings that are wanted of a document.
    #[must_use]
    pub fn wanted(&self) -> Readings {
        self.wanted
    }

    /// The reading that says what the session itself is.
    #[must_use]
    pub fn reading(&self) -> Reading {
        self.parts.first().map_or(Reading::Full, |it| it.reading)
    }

    /// What all policies hold against a session.
    #[must_use]
    pub fn all(&self, session: &Session<'_>) -> Judged {
        let mut judged = Judged::default();
        for part in &self.parts {
            judged.add(part, session.under(part.reading));
        }
        self.add_strict(&mut judged, session.under(Reading::Full));
        self.sort(&mut judged);
        judged
    }

    /// The rules that had something to judge in a session, each with its policy.
    #[must_use]
    pub fn tried(&self, session: &Session<'_>) -> BTreeSet<(usize, Arc<str>)> {
        let of = |part: &Part| {
            let places = part.layers.clone();
            let tried = tried(&part.engine, session.under(part.reading)).into_iter();
            tried.map(move |(layer, rule)| (places.get(layer).copied().unwrap_or(layer), rule))
        };
        self.parts.iter().flat_map(of).collect()
    }

    /// Policies that are judged over different readings are judged apart; their findings stand
    /// together all the same.
    fn sort(&self, judged: &mut Judged) {
        if self.parts.len() > 1 {
            judged.findings.sort_by_key(|it| (it.step.unwrap_or(u32::MAX), it.layer));
            judged.unknown.sort_by_key(|it| (it.step.unwrap_or(u32::MAX), it.layer));
        }
    }

    fn add_strict(&self, judged: &mut Judged, events: &[Event<'_>]) {
        let Some(strict) = &self.strict else { return };
        let checked = check(strict, events);
        let mut more: BTreeMap<&str, i64> = BTreeMap::new();
        for finding in checked.findings.iter().filter(|it| it.counts()) {
            let sum = more.entry(&finding.rule).or_default();
            *sum = sum.saturating_add(1);
        }
        for finding in judged.findings.iter().filter(|it| it.counts()) {
            let sum = more.entry(&finding.rule).or_default();
            *sum = sum.saturating_sub(1);
        }
        let findings = more.values().filter_map(|it| u64::try_from(*it).ok()).sum();
        let unknown = checked.unknowns.iter().filter(|it| it.counts).count();
        judged.strict =
            StrictView { findings, unknown: u64::try_from(unknown).unwrap_or(u64::MAX) };
    }
}

/// The readings that policies are judged over, without what none of them looks at.
fn wanted(policies: &Policies) -> Readings {
    let strict = (!policies.strict.is_empty()).then_some(Reading::Full);
    let own = policies.layers.iter().map(|it| it.reading);
    let readings = own.chain(strict).fold(Readings::default(), Readings::and);
    let parts = [RecordingPart::Itself, RecordingPart::Normalised].into_iter();
    let unseen = parts.filter(|part| !policies.layers.iter().any(|it| it.looks_at(*part)));
    unseen.fold(readings, Readings::without)
}

impl Judged {
    fn add(&mut self, part: &Part, events: &[Event<'_>]) {
        let checked = check(&part.engine, events);
        let place = |layer: usize| part.layers.get(layer).copied().unwrap_or(layer);
        self.findings.extend(
            checked.findings.into_iter().map(|it| Finding { layer: place(it.layer), ..it }),
        );
        self.unknown.extend(
            checked.unknowns.into_iter().map(|it| Unknown { layer: place(it.layer), ..it }),
        );
    }

    /// The strictest verdict of the findings that count.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let counting = self.findings.iter().filter(|it| it.counts());
        counting.map(|it| it.verdict).max().unwrap_or_default()
    }
}
