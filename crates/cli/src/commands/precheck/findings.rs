//! What traces lack that a policy would need.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::Problem;
use lawbook_engine::{Engine, check};
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_event::{ArgsState, Hindsight, Skeleton, What};
use lawbook_rule::{Name, Policy, Profile, Tools};
use lawbook_trace::{Level, Session};

use super::{Remark, Seen};
use crate::commands::check::{Sample, key};
use crate::policies::{Policies, now};
use crate::print::counted;

/// What was noticed so far.
pub struct Survey {
    policies: Policies,
    /// The policies in the reading that knows unknowns.
    engine: Engine,
    sample: Option<Sample>,
    /// What was noticed of the sessions of the sample, by number.
    kept: BTreeMap<u64, Look>,
    sessions: u64,
    all: Look,
}

/// What was noticed of some sessions.
#[derive(Default)]
struct Look {
    formats: Vec<&'static str>,
    looked: u64,
    calls: u64,
    remarks: Vec<Remark>,
    tools: BTreeSet<String>,
    results: u64,
    structured: u64,
    unrecorded: u64,
    cut: u64,
    user_words: u64,
    answers: u64,
    /// How often each rule could not be judged, with one of its reasons.
    unknown: BTreeMap<String, (u64, String)>,
}

impl Survey {
    /// A survey that has seen nothing.
    pub fn new(policies: Policies, sample: Option<Sample>) -> Self {
        let strict = if policies.strict.is_empty() { &policies.layers } else { &policies.strict };
        Survey {
            engine: Engine::new(strict.clone(), now()),
            policies,
            sample,
            kept: BTreeMap::new(),
            sessions: 0,
            all: Look::default(),
        }
    }

    /// Looks at a session.
    pub fn session(&mut self, session: &Session<'_>) {
        let number = self.sessions;
        self.sessions = number.saturating_add(1);
        let Some(sample) = &mut self.sample else {
            return self.all.session(session, &self.engine);
        };
        let key = key(&session.id, &session.source);
        if sample.bar().may_hold(key) {
            let mut look = Look::default();
            look.session(session, &self.engine);
            self.kept.insert(number, look);
            if let Some(out) = sample.take(key, number) {
                self.kept.remove(&out);
            }
        }
    }

    /// Takes in what could not be read.
    pub fn problem(&mut self, problem: &Problem) {
        let place = problem.line.map(|it| format!(":{it}")).unwrap_or_default();
        let about = format!("{}{place}", problem.source);
        self.all.remark("error", &about, problem.message.clone());
    }

    /// What was noticed, the whole input last.
    pub fn close(mut self) -> (Vec<Remark>, Seen) {
        for look in std::mem::take(&mut self.kept).into_values() {
            self.all.merge(look);
        }
        if self.sessions == 0 {
            self.all.remark("error", "input", "there are no traces".to_owned());
        } else if self.all.calls == 0 {
            let message = "the traces hold no calls, so rules about tools have nothing to judge";
            self.all.remark("error", "input", message.to_owned());
        } else {
            self.all.lacking();
            self.rules();
        }
        let seen = Seen {
            policies: self.policies.lines.into_iter().map(|it| it.source).collect(),
            formats: self.all.formats,
            looked: self.all.looked,
            sessions: self.sessions,
            calls: self.all.calls,
        };
        (self.all.remarks, seen)
    }

    /// What rules would miss.
    fn rules(&mut self) {
        let mut say = Vec::new();
        for policy in &self.policies.layers {
            say.extend(self.all.policy(policy));
        }
        for (rule, (times, message)) in &self.all.unknown {
            let times = counted(*times, "time");
            say.push((rule.clone(), format!("could not be judged {times}: {message}")));
        }
        for (rule, message) in say {
            self.all.remark("warning", &format!("rule {rule}"), message);
        }
    }
}

impl Look {
    fn session(&mut self, session: &Session<'_>, engine: &Engine) {
        self.looked = self.looked.saturating_add(1);
        self.calls = self.calls.saturating_add(u64::from(session.calls));
        if !self.formats.contains(&session.format) {
            self.formats.push(session.format);
        }
        for note in &session.notes {
            let level = if note.level == Level::Error { "error" } else { "warning" };
            self.remark(level, &session.id, note.message.clone());
        }
        if session.calls == 0 {
            self.remark("warning", &session.id, "the session holds no call".to_owned());
        }
        self.events(session);
        for unknown in check(engine, &session.events).unknowns {
            self.unknown(unknown.rule.to_string(), 1, unknown.message);
        }
    }

    fn unknown(&mut self, rule: String, times: u64, message: String) {
        let one = self.unknown.entry(rule).or_default();
        one.0 = one.0.saturating_add(times);
        if one.1.is_empty() {
            one.1 = message;
        }
    }

    /// Takes in what was noticed of later sessions.
    fn merge(&mut self, later: Look) {
        for (sum, more) in [
            (&mut self.looked, later.looked),
            (&mut self.calls, later.calls),
            (&mut self.results, later.results),
            (&mut self.structured, later.structured),
            (&mut self.unrecorded, later.unrecorded),
            (&mut self.cut, later.cut),
            (&mut self.user_words, later.user_words),
            (&mut self.answers, later.answers),
        ] {
            *sum = sum.saturating_add(more);
        }
        for format in later.formats {
            if !self.formats.contains(&format) {
                self.formats.push(format);
            }
        }
        self.remarks.extend(later.remarks);
        self.tools.extend(later.tools);
        for (rule, (times, message)) in later.unknown {
            self.unknown(rule, times, message);
        }
    }

    fn events(&mut self, session: &Session<'_>) {
        let mut spoke = false;
        for event in &session.events {
            match &event.what {
                What::User(_) => spoke = true,
                What::End(end) => {
                    self.answers = self.answers.saturating_add(u64::from(!end.answer.is_empty()));
                }
                What::Call(call) => {
                    self.tools.insert(call.tool.to_string());
                    match call.args.state {
                        ArgsState::Whole => {}
                        ArgsState::Unrecorded => {
                            self.unrecorded = self.unrecorded.saturating_add(1)
                        }
                        ArgsState::Cut => self.cut = self.cut.saturating_add(1),
                    }
                    if call.tool.is_empty() || call.tool == "unknown" {
                        let message = format!("the call at step {} has no tool name", call.step);
                        self.remark("error", &session.id, message);
                    }
                    if let Some(Hindsight::Answered(answer)) = &call.hindsight {
                        self.results = self.results.saturating_add(u64::from(answer.recorded));
                        self.structured =
                            self.structured.saturating_add(u64::from(structured(&answer.text)));
                    }
                }
                _ => {}
            }
        }
        self.user_words = self.user_words.saturating_add(u64::from(spoke));
    }

    fn remark(&mut self, level: &'static str, about: &str, message: String) {
        self.remarks.push(Remark { level, about: about.to_owned(), message });
    }

    /// What the whole input lacks.
    fn lacking(&mut self) {
        let mut say = Vec::new();
        if self.unrecorded > 0 {
            let (verb, its) = if self.unrecorded == 1 { ("was", "its") } else { ("were", "their") };
            let calls = counted(self.unrecorded, "call");
            say.push(format!("{calls} {verb} recorded without {its} arguments"));
        }
        if self.cut > 0 {
            let verb = if self.cut == 1 { "has" } else { "have" };
            say.push(format!("{} {verb} arguments that were cut", counted(self.cut, "call")));
        }
        if self.results == 0 {
            say.push("no result of any call was recorded".to_owned());
        }
        if self.user_words == 0 {
            say.push("no words of a user were recorded".to_owned());
        }
        if self.answers == 0 {
            say.push("no session has a final answer".to_owned());
        }
        for message in say {
            self.remark("warning", "input", message);
        }
    }

    fn policy(&self, policy: &Policy) -> Vec<(String, String)> {
        let mut say = Vec::new();
        for rule in &policy.rules {
            let roles = rule.body.roles(policy.manner);
            let quiet = |place: usize| {
                roles.get(place).is_some_and(|it| {
                    matches!(it.tools, Tools::Named(names) if !names.is_empty())
                        && !self.tools.iter().any(|tool| {
                            let skeleton = Skeleton::new(tool);
                            it.tools.covers(&Name { text: tool, skeleton: &skeleton }, it.names)
                        })
                })
            };
            let id = || rule.id.to_string();
            if quiet(0) {
                say.push((id(), "no recorded call is of its tools".to_owned()));
            } else if (1..roles.len()).any(quiet) {
                say.push((id(), "a tool that it looks back for was never called".to_owned()));
            }
            let rests = rule.body.watches().answers;
            if rests && policy.profile == Profile::Compatible && self.structured == 0 {
                let message = "no recorded result is a JSON object or list, which it may need";
                say.push((id(), message.to_owned()));
            }
        }
        say
    }
}

fn structured(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && Document::parse(text, Grammar::Python, &Limits::DEFAULT).is_ok()
}
