//! Entries of the record, as this crate writes and reads them.
//!
//! An entry holds what folding needs and no more: numbers, ids of rules, digests under the agent's
//! own secret, and what rules took from the event. Texts lie apart and can be erased.

use std::collections::BTreeMap;

use lawbook_event::Time;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::Error;

/// The version of the entries that this crate writes.
pub const ENTRY_VERSION: u32 = 1;

/// The engine that entries name.
pub(crate) const ENGINE: &str = concat!("lawbook ", env!("CARGO_PKG_VERSION"));

/// What every entry begins with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Head<'a> {
    pub v: u32,
    pub agent: &'a str,
    /// The agent's own number of the entry, from 0.
    pub seq: u64,
    /// The leaf hash of the agent's previous entry in hexadecimal digits; zeros in its first.
    pub prev: &'a str,
    /// When, in nanoseconds since 1970, UTC.
    pub at: i64,
    /// The engine that decided.
    #[serde(borrow)]
    pub engine: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    pub kind: std::borrow::Cow<'a, str>,
    /// The keyed digest of the texts that lie apart.
    #[serde(default)]
    #[allow(dead_code, reason = "whoever verifies reads it; here it must have its shape")]
    pub text: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    pub body: &'a RawValue,
}

/// The same on its way into the record, with its body as it is.
#[derive(Clone, Copy, Serialize)]
struct Written<'a, B> {
    v: u32,
    agent: &'a str,
    seq: u64,
    prev: &'a str,
    at: i64,
    engine: &'a str,
    kind: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    body: B,
}

impl<'a> Written<'a, ()> {
    fn with<B>(self, kind: &'a str, body: B) -> Written<'a, B> {
        let Written { v, agent, seq, prev, at, engine, text, .. } = self;
        Written { v, agent, seq, prev, at, engine, kind, text, body }
    }
}

/// What an entry says, by its kind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Body {
    Genesis(Genesis),
    Policy(PolicyOf),
    Decision(Decision),
    Approval(Approval),
    Rejection(Rejection),
    Outcome(Outcome),
    Scar(Scarred),
    Terminate(Ended),
    Event(Heard),
    Folded(Folded),
    Redeemed(Redeemed),
    Erased(Erased),
    Clock(ClockRefused),
}

/// The agent begins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Genesis {
    /// The agent whose budget, scars and totals it takes over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub successor_of: Option<Heritage>,
}

/// What a successor takes over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heritage {
    pub agent: String,
    /// The leaf hash of the last entry of that agent.
    pub entry: String,
    /// What is left of its budget; none where it has none.
    pub remaining: Option<u64>,
    pub scar_score: u32,
    pub scars: u64,
    /// What is left of each budget of that agent's, by the id of its rule.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub budgets: BTreeMap<String, u64>,
    /// The score of each rule that adds up that agent's marks, by its id.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, u32>,
    /// Who stated another budget or score than that agent left, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<Stated>,
}

/// An operator's word that something else holds than what was left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stated {
    pub by: String,
    pub why: String,
}

/// The policy, for life.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolicyOf {
    pub name: String,
    pub dialect: String,
    pub profile: String,
    pub digest: String,
    pub text: String,
}

/// One decision: the request, the verdict, and everything that followed from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    pub action: u64,
    /// The caller's id of the request, as a keyed digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// The keyed digest of what was asked.
    pub asked: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The message that it shares with other calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    pub tool: String,
    /// What the caller says that it costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<u64>,
    /// What it costs.
    pub cost: u64,
    /// The moment from which on nobody can say yes any more, in nanoseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<i64>,
    /// How many people must say yes, where it waits.
    #[serde(default, skip_serializing_if = "is_zero_u32")]
    pub people: u32,
    /// How many attempts were turned away before this one, and are not recorded.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub turned_away: u64,
    pub said: Verdicts,
}

/// What the rules said and what followed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Verdicts {
    /// `allow`, `ask` or `deny`.
    pub verdict: String,
    /// The rules that object, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// The rules that could not tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charge: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scar: Option<String>,
    /// Why the agent ended with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<String>,
    /// What rules took, in base64.
    pub note: String,
}

/// A person's yes. The action runs once enough people have said it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Approval {
    pub action: u64,
    pub by: String,
    /// The digest of what that person saw.
    pub seen: String,
    /// What the rules said: `ask` while more people must say yes.
    pub said: Verdicts,
}

/// A person's no, or that the time for a yes is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rejection {
    pub action: u64,
    pub by: String,
    pub said: Verdicts,
}

/// What became of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outcome {
    pub action: u64,
    pub status: String,
    pub role: String,
    pub said: Verdicts,
}

/// A scar by an operator or a monitor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scarred {
    pub severity: String,
    pub reason: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<u64>,
    pub said: Verdicts,
}

/// The agent is ended by a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ended {
    pub by: String,
    pub reason: String,
    pub said: Verdicts,
}

/// Something that was said, or that a tool returned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Heard {
    /// `begin`, `user`, `agent`, `result` or `end`.
    pub sort: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<u64>,
    /// What the conversation began with, in base64 and under the agent's secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    pub said: Verdicts,
}

/// The id of a request that was joined to one that waits already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Folded {
    pub action: u64,
    /// The caller's id of the request, as a keyed digest.
    pub request: String,
    /// The keyed digest of what was asked.
    pub asked: String,
}

/// A grant was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Redeemed {
    pub action: u64,
    pub by: String,
}

/// Texts were erased.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Erased {
    /// The entry whose texts are gone; none for all texts of the agent so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<u64>,
    pub by: String,
    pub why: String,
}

/// The clock on the wall left the running time and was not followed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClockRefused {
    /// What it said, in nanoseconds since 1970.
    pub wall: i64,
}

fn is_zero_u32(number: &u32) -> bool {
    *number == 0
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// An entry that was read.
#[derive(Debug)]
pub(crate) struct Entry {
    pub at: Time,
    /// The engine that decided.
    pub engine: String,
    /// The keyed digest of its texts.
    pub text: Option<String>,
    pub body: Body,
}

/// How a body is written behind its head; none for a body of another kind.
type Write = fn(&Body, Written<'_, ()>) -> Option<Result<Vec<u8>, serde_json::Error>>;

/// One row for each kind of entry: its name, how it is read and how it is written.
struct Kind {
    name: &'static str,
    read: fn(&str) -> Result<Body, serde_json::Error>,
    write: Write,
}

macro_rules! kinds {
    ($($name:literal $body:ident),* $(,)?) => {
        &[$(Kind {
            name: $name,
            read: |text| serde_json::from_str(text).map(Body::$body),
            write: |body, head| match body {
                Body::$body(it) => Some(serde_json::to_vec(&head.with($name, it))),
                _ => None,
            },
        }),*]
    };
}

const KINDS: &[Kind] = kinds![
    "genesis" Genesis,
    "policy" Policy,
    "decision" Decision,
    "approval" Approval,
    "rejection" Rejection,
    "outcome" Outcome,
    "scar" Scar,
    "terminate" Terminate,
    "event" Event,
    "folded" Folded,
    "redeemed" Redeemed,
    "erased" Erased,
    "clock" Clock,
];

/// Writes an entry.
pub(crate) fn write(
    agent: &str,
    seq: u64,
    prev: &str,
    at: Time,
    text: Option<&str>,
    body: &Body,
) -> Result<Vec<u8>, Error> {
    let broken = |it: serde_json::Error| Error::new("unwritable", it.to_string());
    let (v, at, engine) = (ENTRY_VERSION, at.nanos, ENGINE);
    let head = Written { v, agent, seq, prev, at, engine, kind: "", text, body: () };
    let Some(written) = KINDS.iter().find_map(|it| (it.write)(body, head)) else {
        return Err(Error::new("unwritable", "the kind of the entry is not on the list"));
    };
    written.map_err(broken)
}

/// Reads an entry. What this version can't read is an error, never left out.
pub(crate) fn read(bytes: &[u8]) -> Result<Entry, Error> {
    head(bytes)?.entry()
}

/// Reads what an entry begins with, so that what is known already is not read whole.
pub(crate) fn head(bytes: &[u8]) -> Result<Head<'_>, Error> {
    let broken = |it: serde_json::Error| Error::new("unreadable_entry", it.to_string());
    let head: Head<'_> = serde_json::from_slice(bytes).map_err(broken)?;
    if head.v != ENTRY_VERSION {
        return Err(Error::new("other_version", format!("the entry is of version {}", head.v))
            .help("read it with the version of lawbook that wrote it, or a later one"));
    }
    Ok(head)
}

impl Head<'_> {
    /// Reads the rest.
    pub fn entry(self) -> Result<Entry, Error> {
        let Some(kind) = KINDS.iter().find(|it| it.name == self.kind) else {
            let message = format!("the kind `{}` is not known", self.kind);
            return Err(Error::new("unreadable_entry", message));
        };
        let broken = |it: serde_json::Error| Error::new("unreadable_entry", it.to_string());
        let body = (kind.read)(self.body.get()).map_err(broken)?;
        let at = Time { nanos: self.at };
        let (engine, text) = (self.engine.into_owned(), self.text.map(|it| it.into_owned()));
        Ok(Entry { at, engine, text, body })
    }
}

#[cfg(test)]
mod tests {
    use lawbook_event::Time;

    use super::{Body, Decision, ENGINE, Genesis, KINDS, Verdicts, read, write};

    #[test]
    fn an_entry_is_read_as_it_was_written() {
        let said = Verdicts {
            verdict: "deny".into(),
            rules: vec!["cap".into()],
            scar: Some("minor".into()),
            note: "AAEC".into(),
            ..Verdicts::default()
        };
        let decision =
            Decision { action: 7, tool: "pay".into(), cost: 3, said, ..Decision::default() };
        let at = Time { nanos: 1_767_225_600_123_456_789 };
        let bytes =
            write("desk-1", 9, "00ff", at, Some("aa"), &Body::Decision(decision.clone())).unwrap();
        let entry = read(&bytes).unwrap();
        assert_eq!((entry.at, &*entry.engine), (at, ENGINE));
        assert_eq!(entry.body, Body::Decision(decision));
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        let at = Time { nanos: 0 };
        let bytes = write("a", 0, "", at, None, &Body::Genesis(Genesis::default())).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        for (from, to, code) in [
            ("\"v\":1", "\"v\":2", "other_version"),
            ("genesis", "genasis", "unreadable_entry"),
            ("\"body\":{}", "\"body\":{\"x\":1}", "unreadable_entry"),
            ("\"at\":0", "\"at\":\"now\"", "unreadable_entry"),
            ("\"seq\":0", "\"seq\":-1", "unreadable_entry"),
        ] {
            assert_ne!(text.replace(from, to), text, "{from}");
            assert_eq!(read(text.replace(from, to).as_bytes()).unwrap_err().code(), code, "{from}");
        }
        assert_eq!(KINDS.len(), 13);
    }
}
