//! Whether an answer to a request for approval says yes. Only words that say so count: an answer
//! that merely looks like a success does not.

use super::structural::read;
use super::{Answer, Approval, State, declared};
use crate::json::Value;

/// Members that say yes by `true` and no by `false`.
const FLAGS: [&str; 9] = [
    "approved",
    "is_approved",
    "isApproved",
    "granted",
    "authorized",
    "authorised",
    "accepted",
    "confirmed",
    "allowed",
];

/// Members that take a yes back by `true`.
const TAKEN_BACK: [&str; 7] =
    ["revoked", "expired", "cancelled", "canceled", "denied", "rejected", "refused"];

/// Members that make a yes depend on something else.
const CONDITIONS: [&str; 2] = ["conditions", "requires"];

/// Members that hold the answer as a word.
const WORDS: [&str; 9] = [
    "status",
    "state",
    "result",
    "outcome",
    "decision",
    "approval",
    "approval_status",
    "approvalStatus",
    "verdict",
];

/// Members that hold the whole answer of somebody else.
const WRAPPERS: [&str; 5] = ["result", "response", "output", "data", "approval"];

/// How many answers inside answers are looked into.
const WRAPPED_MAX: usize = 8;

const GRANTED: [&str; 6] =
    ["approved", "granted", "authorized", "authorised", "accepted", "confirmed"];

const REFUSED: [&str; 20] = [
    "canceled",
    "cancelled",
    "denied",
    "deny",
    "declined",
    "disapproved",
    "expired",
    "forbidden",
    "no",
    "not approved",
    "not authorised",
    "not authorized",
    "not granted",
    "not_approved",
    "refused",
    "rejected",
    "revoked",
    "unapproved",
    "unauthorised",
    "unauthorized",
];

/// Words that tell how the request went and not what the answer is.
const TECHNICAL: [&str; 7] =
    ["ok", "success", "succeeded", "done", "complete", "completed", "finished"];

pub(super) fn approval(answer: &Answer<'_>) -> Approval {
    let said = of_part(&answer.text);
    match declared::state(answer) {
        _ if said.refused => Approval::Refused,
        // What went wrong with a request is not told from a no.
        State::Failed => Approval::Refused,
        State::Unknown => Approval::Unknown,
        State::Ok if said.granted && !said.other => Approval::Granted,
        State::Ok | State::Pending => Approval::Neither,
    }
}

/// What the parts of an answer say together.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    granted: bool,
    refused: bool,
    /// Something that is neither, and might take back a yes: `pending`, `escalated`.
    other: bool,
}

impl Said {
    fn take(&mut self, said: Said) {
        self.granted |= said.granted;
        self.refused |= said.refused;
        self.other |= said.other;
    }
}

fn of_part(text: &str) -> Said {
    let text = text.trim();
    match if text.starts_with(['{', '[', '"']) { read(text) } else { None } {
        Some(document) => of_json(document.root()),
        None => of_word(text),
    }
}

fn of_json(value: Value<'_>) -> Said {
    if let Some(text) = value.as_str() {
        return of_word(text);
    }
    let mut sum = of_object(value);
    let content = value.get("content").filter(|it| it.is_array()).unwrap_or(value);
    for part in content.items().filter_map(|part| part.get("text")?.as_str()) {
        sum.take(match if part.trim().starts_with('{') { read(part.trim()) } else { None } {
            Some(document) => of_object(document.root()),
            None => of_word(part),
        });
    }
    sum
}

/// An object and the answers that it wraps.
fn of_object(object: Value<'_>) -> Said {
    let mut sum = Said::default();
    let mut left = vec![object];
    for _ in 0..WRAPPED_MAX {
        let Some(value) = left.pop() else { break };
        for (key, member) in value.entries() {
            if FLAGS.contains(&key)
                && let Some(says) = member.as_bool()
            {
                sum.take(Said { granted: says, refused: !says, other: false });
            }
            sum.refused |= TAKEN_BACK.contains(&key) && member.as_bool() == Some(true);
            sum.refused |= key == "valid" && member.as_bool() == Some(false);
            sum.other |= CONDITIONS.contains(&key) && member.is_array() && !member.is_empty();
            if WORDS.contains(&key)
                && let Some(word) = member.as_str()
            {
                sum.take(of_word(word));
            }
            if WRAPPERS.contains(&key) && member.is_object() {
                left.push(member);
            }
        }
    }
    sum
}

fn of_word(word: &str) -> Said {
    let word = word.trim().trim_end_matches(['.', '!']).to_lowercase();
    let is = |words: &[&str]| words.contains(&&*word);
    let (granted, refused) = (is(&GRANTED), is(&REFUSED));
    let other = !granted && !refused && !word.is_empty() && !is(&TECHNICAL);
    Said { granted, refused, other }
}
