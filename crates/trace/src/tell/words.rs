//! Which words are new: histories repeat what was said.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Kin;
use crate::Note;
use crate::said::Said;

/// How many tellings of one text are compared.
const SAME_TEXT_MAX: usize = 64;

/// The words that were told so far.
#[derive(Debug, Default)]
pub struct Words<'d> {
    /// How often the user said a text.
    user: BTreeMap<String, u32>,
    /// How often the history at hand has it so far.
    in_walk: BTreeMap<String, u32>,
    /// Who said a text of the agent.
    agent: BTreeMap<String, Vec<usize>>,
    /// What tools returned.
    tools: Said<'d>,
}

impl<'d> Words<'d> {
    /// A new history begins.
    pub fn begin_walk(&mut self) {
        self.in_walk.clear();
    }

    /// Whether the user said this for the first time, or once more than was told. What a tool
    /// returned before is never the user's.
    pub fn user_is_new(&mut self, text: &str) -> bool {
        let seen = self.in_walk.entry(text.to_owned()).or_default();
        *seen = seen.saturating_add(1);
        let told = self.user.entry(text.to_owned()).or_default();
        if *seen <= *told {
            return false;
        }
        *told = *seen;
        !self.tools.contains(text)
    }

    /// Whether the agent said this at node `at`, and no turn inside or around it said it already.
    pub fn agent_is_new(&mut self, text: &str, at: usize, agent: bool, kin: &Kin) -> bool {
        if text.trim().is_empty() {
            return false;
        }
        let told = self.agent.entry(text.to_owned()).or_default();
        let related = told.iter().rev().take(SAME_TEXT_MAX).any(|other| kin.related(*other, at));
        if related || (agent && !told.is_empty()) {
            return false;
        }
        told.push(at);
        true
    }

    /// Notes what a tool returned.
    pub fn tool_said(&mut self, text: Cow<'d, str>) {
        self.tools.add(text);
    }

    /// Tells of words that could not be compared with all that tools returned.
    pub fn note(&self) -> Option<Note> {
        self.tools.note()
    }
}
