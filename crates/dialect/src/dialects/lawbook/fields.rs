//! The keys of a native policy: at its top, in its tools table, on its rules and its waivers.

use lawbook_rule::params::{Field, Shape};

/// The keys at the top that are read; each is told of by [`TOP`] or has a reader of its own.
pub(crate) const KEYS: &[&str] = &[
    "lawbook",
    "name",
    "owner",
    "mode",
    "default",
    "user_word",
    "consent",
    "denied_patterns",
    "not_covered",
    "tools",
    "budget",
    "scars",
    "rate_limit",
    "rules",
    "waivers",
];

/// Keys at the top that later versions read.
pub(crate) const LATER_KEYS: &[&str] = &["facts", "tables"];

/// The keys at the top that hold plain values.
pub(crate) const TOP: &[Field] = &[
    Field::required("lawbook", Shape::OneOf(&["1"]), "The version of the format."),
    Field::optional("name", Shape::Text, "The policy's name."),
    Field::optional("owner", Shape::Text, "Who answers for it."),
    Field::optional(
        "mode",
        Shape::OneOf(&["enforce", "observe"]),
        "Whether findings count; `enforce` if left out.",
    ),
    Field::optional(
        "default",
        Shape::OneOf(&["deny", "ask", "allow"]),
        "What becomes of a tool that the table does not list.",
    ),
    Field::optional("user_word", Shape::Text, "What the user is called in messages."),
    Field::optional("consent", Shape::Patterns, "What counts as a yes of the user."),
    Field::optional(
        "denied_patterns",
        Shape::AnyPatterns,
        "What no argument may hold, in place of the default list; `[]` switches it off.",
    ),
    Field::optional("not_covered", Shape::Texts, "What the policy does not cover."),
    Field::optional("budget", Shape::Map(BUDGET), "So many credits and no more."),
    Field::optional("scars", Shape::Map(SCARS), "When marks are too many."),
    Field::optional(
        "rate_limit",
        Shape::Map(RATE_LIMIT),
        "At most so many calls of all tools within a time, over the agent's whole life.",
    ),
];

const PER: Field = Field::optional(
    "per",
    Shape::OneOf(&["agent", "session", "subject"]),
    "Whose it is; `agent` if left out.",
);
const SUBJECT: Field = Field::optional(
    "subject",
    Shape::SessionKey,
    "With `per: subject`: the place in the session that names whom the agent works for.",
);

/// The keys of the budget.
pub(crate) const BUDGET: &[Field] = &[
    Field::required("credits", Shape::Whole, "How many credits there are; never refilled."),
    PER,
    SUBJECT,
];

/// The keys of the limit on marks.
pub(crate) const SCARS: &[Field] = &[
    Field::required("limit", Shape::Whole, "The score from which on it is enough."),
    PER,
    SUBJECT,
    Field::optional("weights", Shape::Map(WEIGHTS), "What a mark adds to the score."),
];

const WEIGHTS: &[Field] = &[
    Field::optional("minor", Shape::Whole, "1 if left out."),
    Field::optional("moderate", Shape::Whole, "3 if left out."),
    Field::optional("severe", Shape::Whole, "10 if left out."),
];

/// The keys of the rate limit.
pub(crate) const RATE_LIMIT: &[Field] = &[
    Field::required("max_calls", Shape::Whole, "The most calls within the window."),
    Field::required("window", Shape::Duration, "How long a call counts."),
];

/// The keys of a tool in the table.
pub(crate) const TOOL: &[Field] = &[
    Field::optional("access", Shape::OneOf(&["read", "write"]), "What the tool does to the world."),
    Field::optional(
        "confirm",
        Shape::FlagOrMap,
        "Whether the user must say yes first; or the parameters of `confirm`.",
    ),
    Field::optional("max_calls", Shape::Whole, "The most calls in one session."),
    Field::optional("command", Shape::Path, "The argument that holds a shell command."),
    Field::optional(
        "cost",
        Shape::Cost,
        "What a call takes from a budget: credits, or the argument that says how many.",
    ),
    Field::optional(
        "approval",
        Shape::FlagOrMap,
        "Whether a person must say yes first; or the parameters of `approval`.",
    ),
];

/// The keys that every rule takes beside its kind.
pub(crate) const RULE: &[Field] = &[
    Field::required("id", Shape::Text, "Its id, unique in the policy: `[a-z0-9._-]`."),
    Field::optional("why", Shape::Text, "Why it is there, for its owner."),
    Field::optional("tell", Shape::Text, "What the model is told."),
    Field::optional("when", Shape::Text, "A condition; the rule says nothing where it fails."),
    Field::optional(
        "verdict",
        Shape::OneOf(&["deny", "ask"]),
        "What it asks for when it is not met; `deny` if left out.",
    ),
    Field::optional("mode", Shape::OneOf(&["enforce", "observe"]), "Whether its findings count."),
    Field::optional(
        "on_unknown",
        Shape::OneOf(&["ask", "deny", "note"]),
        "What missing evidence means; its verdict if left out.",
    ),
    Field::optional(
        "scar",
        Shape::OneOf(&["minor", "moderate", "severe", "fatal"]),
        "The mark that a call leaves on the agent which it refuses; none if left out.",
    ),
];

/// Rule kinds that later versions read.
pub(crate) const LATER_KINDS: &[&str] =
    &["after_never", "condition", "fact", "flow", "must_say", "one_subject", "total_at_most"];

/// The keys of a waiver.
pub(crate) const WAIVER: &[Field] = &[
    Field::required("rule", Shape::Text, "The rule whose findings it takes out."),
    Field::optional("match", Shape::Map(MATCH), "Which of them; all if left out."),
    Field::required("why", Shape::Text, "Why."),
    Field::required("by", Shape::Text, "Who says so."),
    Field::optional("until", Shape::Text, "The moment from which on it waives nothing."),
];

const MATCH: &[Field] = &[
    Field::optional("tool", Shape::Text, "The tool of the finding."),
    Field::optional("step_id", Shape::Text, "The step of the finding."),
    Field::optional("session", Shape::Text, "The session."),
];
