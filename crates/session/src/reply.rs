//! What an agent, and whoever asks for it, is told.

use lawbook_diag::Verdict;
use lawbook_event::Time;

use crate::text::Finding;

pub use lawbook_engine::Standing;

/// What an agent asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The caller's own id of the request. The same id again is the same request: it gets the
    /// recorded answer and is charged once.
    pub id: Option<String>,
    /// The conversation that it stands in; the agent's own, if none is named.
    pub session: Option<String>,
    /// The message of the model that it shares with other requests: calls of one batch never help
    /// each other.
    pub batch: Option<String>,
    /// The server that offers the tool.
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// The arguments as text, byte for byte as the tool will receive them.
    pub args: String,
    /// What the caller says that it costs, in credits.
    pub cost: Option<u64>,
}

/// Where an action stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It may run.
    Allowed,
    /// A person must say yes first.
    Pending,
    /// It may not run.
    Denied,
    /// It ran, and somebody said what it came to.
    Completed,
}

impl Status {
    /// The word that lineage's interface uses.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Status::Allowed => "allowed",
            Status::Pending => "pending_approval",
            Status::Denied => "denied",
            Status::Completed => "completed",
        }
    }
}

/// The answer to a request, an approval or a rejection.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The action, as in `act-4`.
    pub action: String,
    /// The verdict of the moment that the answer was recorded at.
    pub verdict: Verdict,
    /// What was held against it. Empty where the answer is repeated and its texts were erased.
    pub findings: Vec<Finding>,
    /// The rules that object, in their order; the first is the code of a denial.
    pub rules: Vec<String>,
    /// The rules that could not tell.
    pub unknown: Vec<String>,
    /// The same for the model.
    pub reply: Option<String>,
    /// What it cost, in credits.
    pub cost: u64,
    /// Where the action stands now.
    pub status: Status,
    /// Whether a backend has used its grant.
    pub redeemed: bool,
    /// Whether a host has told what it returned: it ran.
    pub ran: bool,
    /// Whether the answer was recorded before: the id of the request was used for it.
    pub repeated: bool,
    /// Whether the id of the request was joined to an action that was asked for before. Such an id
    /// learns how that action stands and is no licence to run it: the id that asked first is, or a
    /// grant.
    pub joined: bool,
    /// The digest that an approval must name, where the action waits.
    pub binding: Option<String>,
    /// When the time for a yes is over, where the action waits and has one.
    pub expires: Option<Time>,
    /// How many more people must say yes.
    pub people_missing: u32,
    /// How the agent stands now.
    pub standing: Standing,
    /// Notes on what was not followed or can't be told.
    pub notes: Vec<String>,
}

/// An action that waits for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The agent.
    pub agent: String,
    /// The action, as in `act-4`.
    pub action: String,
    /// The conversation.
    pub session: Option<String>,
    /// The server that offers the tool.
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// The exact arguments; none where they were erased, and then nobody can say yes.
    pub args: Option<String>,
    /// What it will cost, in credits.
    pub cost: u64,
    /// Since when it waits.
    pub since: Time,
    /// When the time for a yes is over.
    pub expires: Option<Time>,
    /// How many people must say yes.
    pub people: u32,
    /// Who has said yes.
    pub approved_by: Vec<String>,
    /// What asks for a person: the ids of the rules.
    pub rules: Vec<String>,
    /// The digest that an approval must name; none where the arguments were erased.
    pub binding: Option<String>,
}

/// An action, looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// The action, as in `act-4`.
    pub action: String,
    /// The conversation.
    pub session: Option<String>,
    /// The server that offers the tool.
    pub server: Option<String>,
    /// The tool.
    pub tool: String,
    /// The exact arguments; none where they were erased.
    pub args: Option<String>,
    /// The verdict that was recorded when it was asked for.
    pub verdict: Verdict,
    /// Where it stands.
    pub status: Status,
    /// What it cost, in credits.
    pub cost: u64,
    /// The index of its entry in the ledger.
    pub entry: u64,
}

/// What the rules said of something that was told to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Heeded {
    /// The strictest of all that counts.
    pub verdict: Verdict,
    /// What was held against it.
    pub findings: Vec<Finding>,
    /// The rules that object, in their order.
    pub rules: Vec<String>,
    /// The rules that could not tell.
    pub unknown: Vec<String>,
    /// How the agent stands now.
    pub standing: Standing,
}
