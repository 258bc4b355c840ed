//! What rules say of an agent's whole life: how far their memory reaches, whom they count apart,
//! what a call costs.

use lawbook_event::{Semantics, Severity};

use crate::{Asked, Key, Keys, Said, Session, SessionPath, SessionValue};

/// How far the memory of a rule reaches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// One session.
    #[default]
    Session,
    /// All sessions of an agent, from its first call to its end.
    Agent,
}

/// Who has a budget or a score of their own.
#[derive(Clone, Debug, PartialEq)]
pub enum Share {
    /// The agent. When nothing is left, the agent has ended, for everybody.
    Agent,
    /// Each session. When nothing is left, this session gets no more.
    Session,
    /// Whoever stands at this place of a session, over all sessions of the agent. When nothing is
    /// left, this one gets no more. What a model writes is no such place: it could name anybody.
    Subject(SessionPath),
}

impl Share {
    /// How far a memory reaches that is kept for it.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match self {
            Share::Agent | Share::Subject(_) => Scope::Agent,
            Share::Session => Scope::Session,
        }
    }

    /// The key that a session counts under; none where nobody stands at the place.
    #[must_use]
    pub fn key(&self, session: &Session, values: &dyn Semantics, keys: Keys<'_>) -> Option<Key> {
        let Share::Subject(path) = self else { return Some(Key::shared()) };
        match session.value(path, values)? {
            SessionValue::Text(text) => (!text.is_empty()).then(|| keys.key(text)),
            SessionValue::Json(value) => values.key(value).map(|it| keys.key(&it)),
            SessionValue::Count(_) => None,
        }
    }

    /// The same for a call that is judged; that nobody stands there is said.
    pub(crate) fn asked_key(&self, asked: &Asked<'_>, said: &mut Said) -> Option<Key> {
        let key = self.key(asked.session, asked.manner.values, asked.args.keys());
        if let (None, Share::Subject(path)) = (&key, self) {
            let message = format!("whom the call is for is unknown: `{}`", path.text());
            said.gap("subject", message);
        }
        key
    }
}

/// What a call takes from a budget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Charge {
    /// In credits.
    pub cost: u64,
    /// What is left after it, in credits.
    pub remaining: u64,
    /// Whether it is the agent's own budget.
    pub of_agent: bool,
    /// Why the agent has ended with it, if it has.
    pub ends: Option<String>,
}

/// How a budget stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// The whole budget, in credits.
    pub credits: u64,
    /// What was spent of it, in credits.
    pub spent: u64,
}

impl Account {
    /// What is left, in credits.
    ///
    /// ```
    /// use lawbook_rule::Account;
    ///
    /// assert_eq!(Account { credits: 5, spent: 3 }.remaining(), 2);
    /// assert_eq!(Account { credits: 5, spent: 8 }.remaining(), 0);
    /// ```
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.credits.saturating_sub(self.spent)
    }
}

/// What an objection asks of the people who may say yes to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asks {
    /// How many different people must say yes.
    pub people: u32,
    /// How long the yes may take, in seconds; for ever, if nothing is said.
    pub expires_secs: Option<f64>,
    /// How many calls of the agent may wait for people at once; the engine's own bound, if nothing
    /// is said.
    pub waiting_max: Option<u32>,
}

/// A mark that a call or a person left on an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scar {
    /// How bad it was.
    pub severity: Severity,
    /// Why, in words.
    pub reason: String,
    /// The step that it is about, if it is about one.
    pub step: Option<u32>,
}
