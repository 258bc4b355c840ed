//! The interview: one question after another, drawn from what was seen and answered so far.
//!
//! It reads no file and no terminal: whoever holds it asks, and hands in the answers.

use std::collections::BTreeSet;

use lawbook_rule::params::Node;

use super::making::Making;
use super::question::{Answer, Given, Question, Then, Why};
use super::requirements::{Questions, REQUIREMENTS};
use super::seen::Seen;
use super::{owner, uncovered};

/// An interview under way.
pub struct Interview<'s> {
    seen: &'s Seen,
    making: Making,
    stage: usize,
    done: BTreeSet<String>,
    /// What was found instead of asking, and not yet said.
    found: Vec<String>,
}

impl<'s> Interview<'s> {
    /// An interview that has not begun.
    pub fn new(seen: &'s Seen, user: &str) -> Self {
        let making = Making::of(user);
        Interview { seen, making, stage: 0, done: BTreeSet::new(), found: Vec::new() }
    }

    /// The next question, if there is one left.
    pub fn next(&mut self) -> Option<Question> {
        loop {
            let questions = self.stage()?;
            let next = questions.into_iter().find(|it| !self.done.contains(&it.id));
            let Some(question) = next else {
                self.stage = self.stage.saturating_add(1);
                continue;
            };
            self.done.insert(question.id.clone());
            if self.making.is_starter {
                self.confirm_later(&question);
                continue;
            }
            return Some(question);
        }
    }

    /// The questions of the stage that the interview is at: the owner, then the requirements, then
    /// what no rule covers. None after the last.
    fn stage(&mut self) -> Option<Vec<Question>> {
        let Some(place) = self.stage.checked_sub(1) else { return Some(vec![owner::question()]) };
        let Some(requirement) = REQUIREMENTS.get(place) else {
            return (place == REQUIREMENTS.len()).then(uncovered::questions);
        };
        match requirement.questions(self.seen, &self.making) {
            Questions::Ask(questions) => Some(questions),
            Questions::Found(found) => {
                if self.done.insert(requirement.name().to_owned()) {
                    self.making.decided.push(format!("{}: {found}", requirement.name()));
                    self.found.push(format!("{}: {found}", requirement.name()));
                }
                Some(Vec::new())
            }
        }
    }

    /// What was found instead of asking since this was last asked.
    pub fn found(&mut self) -> Vec<String> {
        std::mem::take(&mut self.found)
    }

    /// Takes in an answer.
    ///
    /// # Errors
    /// With everything that is wrong with it; the question may then be answered again.
    pub fn take(&mut self, question: &Question, answer: &Answer) -> Result<(), Vec<String>> {
        let Some(choice) = question.choice(&answer.letter) else {
            let letters: Vec<String> = question.lettered().map(|it| it.0.to_string()).collect();
            return Err(vec![format!("`{}` is none of {}", answer.letter, letters.join(", "))]);
        };
        let mut given = Given::default();
        let mut wrong = Vec::new();
        for want in &choice.wants {
            match answer.values.get(want.name).or(want.default.as_ref()) {
                None => wrong.push(format!("`{}` is missing: {}", want.name, want.ask)),
                Some(node) => match want.form.wrong(node) {
                    Some(what) => wrong.push(format!("`{}`: {what}", want.name)),
                    None => drop(given.values.insert(want.name.to_owned(), node.clone())),
                },
            }
        }
        let odd =
            answer.values.keys().filter(|it| !choice.wants.iter().any(|want| want.name == **it));
        wrong.extend(odd.map(|it| format!("option {} takes no `{it}`", answer.letter)));
        let words = answer.why.as_deref().map(str::trim).filter(|it| !it.is_empty());
        given.why = match (&choice.why, words) {
            (_, Some(words)) => words.to_owned(),
            (Why::Default(words), None) => words.clone(),
            (Why::None, None) => String::new(),
            (Why::Owner, None) => {
                wrong.push("`why` is missing: the reason, in the owner's words".to_owned());
                String::new()
            }
        };
        if !wrong.is_empty() {
            return Err(wrong);
        }
        match &choice.then {
            Then::ToConfirm => self.confirm_later(question),
            Then::DoesNotApply => {
                self.making.decided.push(format!("{}: does not apply", question.id));
            }
            Then::Changes(effect) => {
                self.making.decided.push(format!("{}: {}", question.id, choice.text));
                self.making.under(question.text.clone(), |making| effect(&given, making));
            }
        }
        Ok(())
    }

    /// The owner will say it: what is recommended holds until then, where it needs no words of the
    /// owner.
    pub fn confirm_later(&mut self, question: &Question) {
        let owner = self.making.owner();
        self.making.open.push(format!("{}: {}", question.id, question.text));
        let holds = question.starts || !self.making.is_starter;
        let recommended = question.options.first().filter(|it| holds && it.is_whole());
        let Some(choice) = recommended else { return };
        let Then::Changes(effect) = &choice.then else { return };
        let mut given = Given::default();
        for want in &choice.wants {
            given.values.extend(want.default.clone().map(|it| (want.name.to_owned(), it)));
        }
        if let Why::Default(words) = &choice.why {
            given.why.clone_from(words);
        }
        let comment = format!("{} To confirm with {owner}.", question.text);
        self.making.under(comment, |making| effect(&given, making));
    }

    /// The policy, once there is no question left.
    pub fn policy(self) -> Making {
        self.making
    }
}

/// A list that stands where nothing else is given.
pub fn list(names: &[String]) -> Node {
    Node::texts(names.iter().map(String::as_str))
}
