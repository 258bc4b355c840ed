//! What belongs to the life of an agent: how bad a thing was, what a call came to, and whose word
//! that is.

/// How bad a thing was that an agent did.
///
/// The weights are those of lineage 0.3.0. Scores are sums of them that stop at the largest `u32`.
///
/// ```
/// use lawbook_event::Severity;
///
/// assert_eq!(Severity::Severe.weight(), 10);
/// assert_eq!(Severity::Moderate.add_to(u32::MAX), u32::MAX);
/// assert!(Severity::Fatal > Severity::Minor);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A slip: 1.
    Minor,
    /// 3.
    Moderate,
    /// 10.
    Severe,
    /// It ends the agent whatever the limit: 2^32 - 1.
    Fatal,
}

impl Severity {
    /// All of them, the mildest first.
    pub const ALL: [Severity; 4] =
        [Severity::Minor, Severity::Moderate, Severity::Severe, Severity::Fatal];

    /// What it adds to a score.
    #[must_use]
    pub fn weight(self) -> u32 {
        match self {
            Severity::Minor => 1,
            Severity::Moderate => 3,
            Severity::Severe => 10,
            Severity::Fatal => u32::MAX,
        }
    }

    /// A score with this added; it stops at the largest number.
    #[must_use]
    pub fn add_to(self, score: u32) -> u32 {
        score.saturating_add(self.weight())
    }

    /// The word that policies, cases and records use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Minor => "minor",
            Severity::Moderate => "moderate",
            Severity::Severe => "severe",
            Severity::Fatal => "fatal",
        }
    }

    /// The severity of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Severity::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// What a call came to, as somebody says afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It did what it should.
    Success,
    /// It did not.
    Failure,
    /// It did harm.
    Harmful,
}

impl Effect {
    /// The word that cases and records use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Effect::Success => "success",
            Effect::Failure => "failure",
            Effect::Harmful => "harmful",
        }
    }

    /// The effect of a word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Effect::Success, Effect::Failure, Effect::Harmful].into_iter().find(|it| it.word() == word)
    }

    /// The mark that it leaves on the agent, if it leaves one.
    #[must_use]
    pub fn scar(self) -> Option<Severity> {
        match self {
            Effect::Success => None,
            Effect::Failure => Some(Severity::Minor),
            Effect::Harmful => Some(Severity::Severe),
        }
    }
}

/// Whose word an outcome is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The agent's own. It may not speak of harm.
    Agent,
    /// An operator's.
    Operator,
}

impl Actor {
    /// The word that cases and records use.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Actor::Agent => "agent",
            Actor::Operator => "operator",
        }
    }
}
