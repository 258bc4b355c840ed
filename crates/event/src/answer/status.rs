//! What pmstack reads out of a status word, and out of a text that is none.

use super::State;

/// Parts of a status word that mean failure; `_` stands for one space, `_`, `-` or nothing.
const FAILED: [&str; 15] = [
    "error",
    "fail",
    "denied",
    "declined",
    "reject",
    "invalid",
    "forbidden",
    "unauthori",
    "unverified",
    "mismatch",
    "time_out",
    "timed_out",
    "not_found",
    "unavailable",
    "refused",
];

/// Parts that mean that the work is not done yet, written alike.
const PENDING: [&str; 7] =
    ["pending", "queued", "awaiting", "waiting", "in_review", "in_progress", "processing"];

/// Words in a text that mean failure.
const FAILED_WORDS: [&str; 4] = ["error", "failed", "failure", "denied"];

/// Words in a text that mean that the work is not done yet.
const PENDING_WORDS: [&str; 2] = ["pending", "pending_approval"];

/// How a call stands by a status word: failed, pending, or else ok. Case does not count.
#[must_use]
pub fn status(word: &str) -> State {
    let word = word.as_bytes();
    let holds = |parts: &[&str]| {
        let mut rests = (0..word.len()).filter_map(|at| word.get(at..));
        rests.any(|rest| parts.iter().any(|part| starts_with(rest, part)))
    };
    match () {
        () if holds(&FAILED) || is_negation(word) => State::Failed,
        () if holds(&PENDING) => State::Pending,
        () => State::Ok,
    }
}

/// How a call stands by the first whole word of a text that tells, and that word; nothing when none
/// does. Letters are ASCII, as in JavaScript.
#[must_use]
pub fn first_word(text: &str) -> Option<(State, &str)> {
    let is_end = |it: char| !(it.is_ascii_alphanumeric() || it == '_');
    text.split(is_end).find_map(|word| {
        let is = |words: &[&str]| words.iter().any(|it| it.eq_ignore_ascii_case(word));
        let state = match () {
            () if is(&FAILED_WORDS) => State::Failed,
            () if is(&PENDING_WORDS) => State::Pending,
            () => return None,
        };
        Some((state, word))
    })
}

/// `not_approved`, `not delivered`.
fn is_negation(word: &[u8]) -> bool {
    word.get(..3).is_some_and(|it| it.eq_ignore_ascii_case(b"not"))
        && word.get(3).is_some_and(|it| b" _-".contains(it))
}

fn starts_with(text: &[u8], part: &str) -> bool {
    let mut text = text.iter().peekable();
    part.bytes().all(|wanted| {
        if wanted == b'_' {
            text.next_if(|it| b" _-".contains(it));
            return true;
        }
        text.next().is_some_and(|it| it.eq_ignore_ascii_case(&wanted))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_words() {
        let failed = "no_errors|Declined|TIMEOUT|timed out|time-out|not found|notfound|not-sent|\
                      failover ready|Unauthorised|mismatch|service unavailable";
        let pending = "in review|in-progress|inprogress|awaiting payment|Queued|processing";
        let ok = "ok|submitted|under_review|expired|cancelled|blocked|disapproved|deny|can not|\
                  notified|waitlisted|time  out|";
        for (words, wanted) in [(failed, State::Failed), (pending, State::Pending), (ok, State::Ok)]
        {
            for word in words.split('|') {
                assert_eq!(status(word), wanted, "{word}");
            }
        }
    }

    #[test]
    fn the_first_word_of_a_text_that_tells() {
        for (text, wanted) in [
            ("Payment failed", Some((State::Failed, "failed"))),
            ("0 Failed, 1 pending", Some((State::Failed, "Failed"))),
            ("pending_approval by desk 2", Some((State::Pending, "pending_approval"))),
            ("{\"status\":\"denied\"", Some((State::Failed, "denied"))),
            ("No errors", None),
            ("failed_before", None),
            ("éfailed", Some((State::Failed, "failed"))),
            ("", None),
        ] {
            assert_eq!(first_word(text), wanted, "{text}");
        }
    }
}
