//! What traces show: the facts that questions and recommendations are drawn from.

use std::collections::BTreeMap;

use lawbook_event::Number;

use crate::masking;

/// How many different values of one argument are told apart.
pub const VALUES_SEEN_MAX: usize = 50;

/// How many arguments of one tool are looked at.
pub const ARGS_SEEN_MAX: usize = 100;

/// How many tools are looked at.
pub const TOOLS_SEEN_MAX: usize = 1_000;

/// What traces show.
#[derive(Debug, Default)]
pub struct Seen {
    /// Sessions.
    pub sessions: u64,
    /// Calls.
    pub calls: u64,
    /// Calls of which the result is recorded.
    pub answered: u64,
    /// Calls of which the arguments are recorded.
    pub with_args: u64,
    /// The tools.
    pub tools: BTreeMap<String, Tool>,
    /// The metadata of sessions.
    pub metadata: BTreeMap<String, Values>,
    /// How often an argument had the value of another place, by argument and place.
    pub equal: BTreeMap<(String, Origin), Tally>,
}

/// A place that an argument may have its value from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The session, under this name of a place.
    Session(String),
    /// The newest earlier result of a tool, under this key.
    Result(String, String),
}

/// How often something held.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// It held.
    pub held: u64,
    /// It could be told.
    pub told: u64,
}

/// What was seen of a tool.
#[derive(Debug, Default)]
pub struct Tool {
    /// Its calls.
    pub calls: u64,
    /// The sessions that call it.
    pub sessions: u64,
    /// The most calls in one session.
    pub most: u64,
    /// Calls that came without a clear yes of the user.
    pub without_yes: u64,
    /// Calls that carry what looks like a card number.
    pub cards: u64,
    /// Calls that carry what looks like an e-mail address.
    pub addresses: u64,
    /// Its arguments by their paths.
    pub args: BTreeMap<String, Arg>,
}

/// What was seen of an argument.
#[derive(Debug, Default)]
pub struct Arg {
    /// Calls that carry it with a value.
    pub carried: u64,
    /// Calls in which it is a number.
    pub numbers: u64,
    /// The lowest and the highest number.
    pub range: Option<(Number, Number)>,
    /// The texts.
    pub texts: Values,
}

/// How many sessions must show a value before a policy may propose it: what fewer show may be
/// somebody's own.
pub const SESSIONS_MIN: u64 = 5;

/// How often a value was seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uses {
    /// Times, repeated ones of one session too.
    pub times: u64,
    /// Sessions.
    pub sessions: u64,
    /// The number of the last of them.
    last: u64,
}

/// Different values with their counts.
#[derive(Debug, Default)]
pub struct Values {
    /// The counts.
    pub counts: BTreeMap<String, Uses>,
    /// There were more than are kept.
    pub more: bool,
}

impl Values {
    /// Counts a value of a session, which are numbered from 1. One that may not leave is not kept,
    /// so that no policy proposes it.
    pub fn add(&mut self, value: &str, session: u64) {
        if masking::mask().changes(value) {
            self.more = true;
            return;
        }
        if self.counts.len() >= VALUES_SEEN_MAX && !self.counts.contains_key(value) {
            self.more = true;
            return;
        }
        let uses = self.counts.entry(value.to_owned()).or_default();
        uses.times = uses.times.saturating_add(1);
        if uses.last != session {
            uses.last = session;
            uses.sessions = uses.sessions.saturating_add(1);
        }
    }

    /// Whether enough sessions show each of them for a policy to propose them.
    pub fn are_shared(&self) -> bool {
        !self.more && self.counts.values().all(|it| it.sessions >= SESSIONS_MIN)
    }

    /// How many values were counted, repeated ones too.
    pub fn total(&self) -> u64 {
        self.counts.values().map(|it| it.times).sum()
    }
}

impl Seen {
    /// Whether the traces show nothing.
    pub fn is_empty(&self) -> bool {
        self.calls == 0
    }

    /// Where the values of an argument come from, the likeliest first.
    pub fn origins(&self, arg: &str) -> Vec<(&Origin, Tally)> {
        let mut found: Vec<(&Origin, Tally)> = self
            .equal
            .iter()
            .filter(|((name, _), tally)| name == arg && tally.held > 0 && tally.mostly())
            .map(|((_, origin), tally)| (origin, *tally))
            .collect();
        found.sort_by_key(|(_, tally)| std::cmp::Reverse((tally.held, tally.told)));
        found
    }

    /// The tools that were seen with an argument.
    pub fn carrying(&self, arg: &str) -> Vec<&str> {
        let with = self.tools.iter().filter(|it| it.1.args.contains_key(arg));
        with.map(|it| it.0.as_str()).collect()
    }
}

impl Tally {
    /// Whether it held in four of five.
    pub fn mostly(self) -> bool {
        self.held.saturating_mul(5) >= self.told.saturating_mul(4)
    }
}

impl Tool {
    /// The arguments that every call carried.
    pub fn always(&self) -> Vec<&str> {
        let all = self.args.iter().filter(|it| it.1.carried == self.calls && self.calls > 0);
        all.map(|it| it.0.as_str()).collect()
    }
}

impl Arg {
    /// The range of its numbers, where it is nothing but a number.
    pub fn amount(&self) -> Option<String> {
        let (low, high) = self.range.as_ref()?;
        let is_number = self.numbers == self.carried && self.numbers > 0;
        is_number.then(|| format!("{} to {}", low.display(), high.display()))
    }

    /// Takes in a number.
    pub fn number(&mut self, number: &Number) {
        self.numbers = self.numbers.saturating_add(1);
        let (low, high) = match self.range.take() {
            None => (number.clone(), number.clone()),
            Some((low, high)) => (
                if number.compare(&low).is_lt() { number.clone() } else { low },
                if number.compare(&high).is_gt() { number.clone() } else { high },
            ),
        };
        self.range = Some((low, high));
    }
}

/// The words that a name is made of, in lower case.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (lower && c.is_uppercase()) {
            words.push(String::new());
        }
        lower = c.is_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|it| !it.is_empty());
    words
}

/// Whether one of the words of a name starts so.
pub fn speaks_of(name: &str, starts: &[&str]) -> bool {
    words(name).iter().any(|word| starts.iter().any(|it| word.starts_with(it)))
}

/// Whether an argument says who or what is meant.
pub fn names_someone(arg: &str) -> bool {
    const NAMING: &[&str] =
        &["id", "ids", "account", "customer", "user", "order", "email", "phone", "number", "zip"];
    words(arg).last().is_some_and(|it| NAMING.contains(&it.as_str()))
}

/// Names in a sentence: the first few, and how many more.
pub fn some(names: &[String]) -> String {
    const NAMED_MAX: usize = 8;
    let shown: Vec<&str> = names.iter().take(NAMED_MAX).map(String::as_str).collect();
    match names.len().saturating_sub(NAMED_MAX) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{VALUES_SEEN_MAX, Values, names_someone, speaks_of, words};

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(words("issueCredit_v2"), ["issue", "credit", "v2"]);
        assert!(speaks_of("request_supervisor_approval", &["approv"]));
        assert!(!speaks_of("disapprove", &["approv"]));
        assert!(names_someone("customer_id") && names_someone("orderId"));
        assert!(!names_someone("amount") && !names_someone("paid"));
    }

    #[test]
    fn values_past_the_bound_are_known_to_be_more() {
        let mut values = Values::default();
        (0..VALUES_SEEN_MAX).for_each(|it| values.add(&it.to_string(), 1));
        assert!(!values.more);
        values.add("one more", 1);
        values.add("0", 1);
        assert!(values.more);
        assert_eq!((values.counts.len(), values.counts["0"].times), (VALUES_SEEN_MAX, 2));
    }
}
