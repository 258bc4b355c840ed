//! What traces lack that a policy would need.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::Problem;
use lawbook_engine::{Engine, check};
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_event::{ArgsState, Hindsight, Skeleton, What};
use lawbook_rule::{Name, Policy, Profile, Tools};
use lawbook_trace::{Level, Session};

use super::{Remark, Seen};
use crate::policies::{Policies, now};

/// What was noticed so far.
pub struct Survey {
    policies: Policies,
    /// The policies in the reading that knows unknowns.
    engine: Engine,
    limit: u64,
    seen: Seen,
    remarks: Vec<Remark>,
    tools: BTreeSet<String>,
    results: u64,
    structured: u64,
    unrecorded: u64,
    cut: u64,
    user_words: u64,
    answers: u64,
    attributes: BTreeSet<String>,
    /// How often each rule could not be judged, with one of its reasons.
    unknown: BTreeMap<String, (u64, String)>,
}

impl Survey {
    /// A survey that has seen nothing. A limit of 0 is none.
    pub fn new(policies: Policies, limit: u64) -> Self {
        let strict = if policies.strict.is_empty() { &policies.layers } else { &policies.strict };
        Survey {
            engine: Engine::new(strict.clone(), now()),
            policies,
            limit,
            seen: Seen { formats: Vec::new(), looked: 0, sessions: 0, calls: 0 },
            remarks: Vec::new(),
            tools: BTreeSet::new(),
            results: 0,
            structured: 0,
            unrecorded: 0,
            cut: 0,
            user_words: 0,
            answers: 0,
            attributes: BTreeSet::new(),
            unknown: BTreeMap::new(),
        }
    }

    /// Looks at a session.
    pub fn session(&mut self, session: &Session<'_>) {
        self.seen.sessions = self.seen.sessions.saturating_add(1);
        if self.limit > 0 && self.seen.looked >= self.limit {
            return;
        }
        self.seen.looked = self.seen.looked.saturating_add(1);
        self.seen.calls = self.seen.calls.saturating_add(u64::from(session.calls));
        if !self.seen.formats.contains(&session.format) {
            self.seen.formats.push(session.format);
        }
        for note in &session.notes {
            let level = if note.level == Level::Error { "error" } else { "warning" };
            self.remark(level, &session.id, note.message.clone());
        }
        if session.calls == 0 {
            self.remark("warning", &session.id, "the session holds no call".to_owned());
        }
        self.events(session);
        for unknown in check(&self.engine, &session.events).unknowns {
            let one = self.unknown.entry(unknown.rule.to_string()).or_default();
            one.0 = one.0.saturating_add(1);
            if one.1.is_empty() {
                one.1 = unknown.message;
            }
        }
    }

    fn events(&mut self, session: &Session<'_>) {
        let mut spoke = false;
        for event in &session.events {
            match &event.what {
                What::Start(start) => self.attributes.extend(keys(&start.attributes)),
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

    /// Takes in what could not be read.
    pub fn problem(&mut self, problem: &Problem) {
        let place = problem.line.map(|it| format!(":{it}")).unwrap_or_default();
        self.remark("error", &format!("{}{place}", problem.source), problem.message.clone());
    }

    fn remark(&mut self, level: &'static str, about: &str, message: String) {
        self.remarks.push(Remark { level, about: about.to_owned(), message });
    }

    /// What was noticed, the whole input last.
    pub fn close(mut self) -> (Vec<Remark>, Seen) {
        if self.seen.sessions == 0 {
            self.remark("error", "input", "there are no traces".to_owned());
        } else if self.seen.calls == 0 {
            let message = "the traces hold no calls, so rules about tools have nothing to judge";
            self.remark("error", "input", message.to_owned());
        } else {
            self.lacking();
            self.rules();
        }
        (self.remarks, self.seen)
    }

    /// What the whole input lacks.
    fn lacking(&mut self) {
        let mut say = Vec::new();
        if self.unrecorded > 0 {
            say.push(format!("{} calls were recorded without their arguments", self.unrecorded));
        }
        if self.cut > 0 {
            say.push(format!("{} calls have arguments that were cut", self.cut));
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

    /// What rules would miss.
    fn rules(&mut self) {
        let mut say = Vec::new();
        for policy in &self.policies.layers {
            say.extend(self.policy(policy));
        }
        for (rule, (times, message)) in &self.unknown {
            say.push((rule.clone(), format!("could not be judged {times} times: {message}")));
        }
        for (rule, message) in say {
            self.remark("warning", &format!("rule {rule}"), message);
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

fn keys(object: &str) -> Vec<String> {
    match Document::parse(object, Grammar::Python, &Limits::DEFAULT) {
        Ok(document) => document.root().entries().map(|it| it.0.to_owned()).collect(),
        Err(_) => Vec::new(),
    }
}

fn structured(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
        && Document::parse(text, Grammar::Python, &Limits::DEFAULT).is_ok()
}
