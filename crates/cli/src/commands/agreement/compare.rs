//! Verdicts beside labels, for the whole policy and rule by rule.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_diag::Mode;
use lawbook_rule::Rule;
use lawbook_stats::{Agreement, Truth};
use lawbook_trace::Session;

use crate::commands::check::Judge;
use crate::labels::{Labels, Says};
use crate::policies::Policies;

/// A policy, counted from 0, and a rule of it.
pub type RuleKey = (usize, Arc<str>);

/// What was seen of the traces so far.
pub struct Compare {
    labelled: BTreeSet<String>,
    seen: BTreeMap<String, Seen>,
    traces: u64,
    /// Traces without a label, and in how many of them each rule found something.
    unlabelled: u64,
    elsewhere: BTreeMap<RuleKey, u64>,
}

/// What the policy makes of one trace.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The rules that found something that counts.
    pub flagged: BTreeSet<RuleKey>,
    /// The rules that could not be judged.
    pub untold: BTreeSet<RuleKey>,
    /// The rules that had something to judge.
    pub tried: BTreeSet<RuleKey>,
}

/// Verdicts and labels, compared.
#[derive(Clone, Debug, Default)]
pub struct Agreed {
    /// Traces that were read.
    pub traces: u64,
    /// The whole policy.
    pub overall: Compared,
    /// Rule by rule, in the order of the policies.
    pub rules: Vec<OfRule>,
    /// Good labels that are older than the failure mode.
    pub waiting: Vec<String>,
    /// Problems of another sort.
    pub others: u64,
    /// Labels that say nothing.
    pub skipped: u64,
    /// Labels whose trace was not read.
    pub missing: Vec<String>,
    /// Traces without a label.
    pub unlabelled: u64,
    /// What the policy makes of each labelled trace.
    pub seen: BTreeMap<String, Seen>,
}

/// Verdicts beside labels.
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// The counts.
    pub counts: Agreement,
    /// Problem traces that are flagged.
    pub caught: Vec<String>,
    /// Problem traces that pass.
    pub missed: Vec<String>,
    /// Good traces that are flagged.
    pub wrongly: Vec<String>,
    /// Traces that could not be judged, which are not counted.
    pub unjudged: Vec<String>,
}

/// What was compared of one rule.
#[derive(Clone, Debug)]
pub struct OfRule {
    /// The policy and the rule.
    pub key: RuleKey,
    /// The rule's kind.
    pub kind: &'static str,
    /// Whether it only observes, so that it stands in no call's way.
    pub observes: bool,
    /// The rule alone.
    pub compared: Compared,
    /// Good and problem traces in which it had something to judge.
    pub tried: (u64, u64),
    /// Traces without a label in which it found something.
    pub elsewhere: u64,
}

/// How a rule stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It had something to judge and flagged no good trace.
    Proven,
    /// It flagged a good trace.
    FlaggedGood,
    /// It had nothing to judge in any labelled trace, so it was not right, it was not asked.
    Untried,
    /// It only observes, so nothing that it finds counts and nothing can be proven of it.
    Observed,
}

impl OfRule {
    fn new(key: RuleKey, kind: &'static str) -> Self {
        let compared = Compared::default();
        OfRule { key, kind, observes: true, compared, tried: (0, 0), elsewhere: 0 }
    }

    /// How it stood.
    #[must_use]
    pub fn standing(&self) -> Standing {
        if self.observes {
            Standing::Observed
        } else if !self.compared.wrongly.is_empty() {
            Standing::FlaggedGood
        } else if self.tried == (0, 0) && self.compared.caught.is_empty() {
            Standing::Untried
        } else {
            Standing::Proven
        }
    }
}

impl Compare {
    /// Nothing seen yet.
    #[must_use]
    pub fn new(labels: &Labels) -> Self {
        Compare {
            labelled: labels.labels.iter().map(|it| it.id.clone()).collect(),
            seen: BTreeMap::new(),
            traces: 0,
            unlabelled: 0,
            elsewhere: BTreeMap::new(),
        }
    }

    /// Takes in a trace. Traces of one id are one.
    pub fn session(&mut self, judge: &Judge, session: &Session<'_>) {
        self.traces = self.traces.saturating_add(1);
        let judged = judge.all(session);
        let counting = judged.findings.iter().filter(|it| it.counts());
        let flagged: BTreeSet<RuleKey> = counting.map(|it| (it.layer, it.rule.clone())).collect();
        if !self.labelled.contains(&*session.id) {
            self.unlabelled = self.unlabelled.saturating_add(1);
            for rule in flagged {
                let sum = self.elsewhere.entry(rule).or_default();
                *sum = sum.saturating_add(1);
            }
            return;
        }
        let seen = self.seen.entry(session.id.to_string()).or_default();
        seen.flagged.extend(flagged);
        let untold = judged.unknown.iter().filter(|it| it.counts);
        seen.untold.extend(untold.map(|it| (it.layer, it.rule.clone())));
        seen.tried.extend(judge.tried(session));
    }

    /// Compares what was seen with the labels, in their order.
    #[must_use]
    pub fn close(self, labels: &Labels, policies: &Policies) -> Agreed {
        let mut agreed =
            Agreed { traces: self.traces, unlabelled: self.unlabelled, ..Agreed::default() };
        // Rules that a policy states for each of its tools may share an id, and are one here.
        let mut known = BTreeSet::new();
        for (layer, policy) in policies.layers.iter().enumerate() {
            for rule in &policy.rules {
                let key = (layer, rule.id.clone());
                if known.insert(key.clone()) {
                    agreed.rules.push(OfRule::new(key, rule.body.name()));
                }
            }
        }
        for rule in &mut agreed.rules {
            let enforced = |it: &&Rule| it.id == rule.key.1 && it.mode == Mode::Enforce;
            let layer = policies.layers.get(rule.key.0);
            rule.observes = !layer.is_some_and(|it| it.rules.iter().any(|it| enforced(&it)));
            rule.elsewhere = self.elsewhere.get(&rule.key).copied().unwrap_or_default();
        }
        for label in &labels.labels {
            let Some(seen) = self.seen.get(&label.id) else {
                agreed.missing.push(label.id.clone());
                continue;
            };
            match labels.says(label) {
                Says::Truth(truth) => agreed.compare(&label.id, truth, seen),
                Says::Waits => agreed.waiting.push(label.id.clone()),
                Says::Other => agreed.others = agreed.others.saturating_add(1),
                Says::Nothing => agreed.skipped = agreed.skipped.saturating_add(1),
            }
        }
        agreed.seen = self.seen;
        agreed
    }
}

impl Agreed {
    fn compare(&mut self, id: &str, truth: Truth, seen: &Seen) {
        let (flagged, untold) = (!seen.flagged.is_empty(), !seen.untold.is_empty());
        self.overall.add(id, truth, flagged, untold);
        for rule in &mut self.rules {
            let flagged = seen.flagged.contains(&rule.key);
            rule.compared.add(id, truth, flagged, seen.untold.contains(&rule.key));
            let tried = match truth {
                Truth::Good => &mut rule.tried.0,
                Truth::Problem => &mut rule.tried.1,
            };
            *tried = tried.saturating_add(u64::from(flagged || seen.tried.contains(&rule.key)));
        }
    }

    /// The rules that stood so, in order.
    pub fn standing(&self, standing: Standing) -> impl Iterator<Item = &OfRule> {
        self.rules.iter().filter(move |it| it.standing() == standing)
    }
}

impl Compared {
    /// Takes in a trace. What is not flagged and could not be judged whole is no pass.
    fn add(&mut self, id: &str, truth: Truth, flagged: bool, untold: bool) {
        if !flagged && untold {
            return self.unjudged.push(id.to_owned());
        }
        self.counts.add(truth, flagged);
        match (truth, flagged) {
            (Truth::Good, false) => {}
            (Truth::Good, true) => self.wrongly.push(id.to_owned()),
            (Truth::Problem, true) => self.caught.push(id.to_owned()),
            (Truth::Problem, false) => self.missed.push(id.to_owned()),
        }
    }
}
