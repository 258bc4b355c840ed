//! What happens to agents in a story, beside their calls.

use lawbook_event::{Actor, Effect, Severity};

/// What happens to an agent beside its calls.
#[derive(Clone, Debug, PartialEq)]
pub enum OfAgents {
    /// Somebody says what a call came to.
    Outcome {
        /// The call.
        id: String,
        /// What it came to.
        effect: Effect,
        /// Whose word that is.
        by: Actor,
        /// In words.
        detail: String,
    },
    /// Somebody marks the agent.
    Scar {
        /// How bad it was.
        severity: Severity,
        /// Why.
        reason: String,
        /// The call that it is about.
        of: Option<String>,
    },
    /// An operator ends the agent.
    Terminate {
        /// Why.
        reason: String,
        /// Who.
        by: String,
    },
    /// The door is closed and opened again.
    Restart,
    /// A fact becomes known.
    Fact,
}

impl OfAgents {
    /// The key that it stands under.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            OfAgents::Outcome { .. } => "outcome",
            OfAgents::Scar { .. } => "scar",
            OfAgents::Terminate { .. } => "terminate",
            OfAgents::Restart => "restart",
            OfAgents::Fact => "fact",
        }
    }
}

/// The severity of a word.
pub fn severity(word: &str) -> Result<Severity, String> {
    Severity::of(word).ok_or_else(|| {
        let words: Vec<&str> = Severity::ALL.iter().map(|it| it.word()).collect();
        format!("`{word}` is no severity; write {}", words.join(", "))
    })
}

/// The effect of a word.
pub fn effect(word: Option<&str>) -> Result<Effect, String> {
    let word = word.ok_or("an outcome needs `status`: `success`, `failure` or `harmful`")?;
    Effect::of(word)
        .ok_or_else(|| format!("`{word}` is no outcome; write `success`, `failure` or `harmful`"))
}

/// Whose word an outcome is; the agent's, if nothing is said.
pub fn actor(word: Option<&str>) -> Result<Actor, String> {
    match word {
        None | Some("agent") => Ok(Actor::Agent),
        Some("operator") => Ok(Actor::Operator),
        Some(other) => Err(format!("`{other}` is no role; write `agent` or `operator`")),
    }
}
