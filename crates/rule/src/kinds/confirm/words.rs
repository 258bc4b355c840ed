//! What agent and user said last, and whether it is a yes to a call.

use lawbook_event::json::Value;

use crate::{Asked, Fields};

/// How many arguments of a call are looked for in what the agent said.
const NAMED_MAX: usize = 100;

/// The words that a confirmation rests on.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// The newest message of the agent that asks something.
    question: Option<Message>,
    /// The newest one after it that asks nothing.
    statement: Option<Message>,
    /// The newest one, as long as its message may still hold a call.
    pending: Option<Message>,
    /// The message of the newest call.
    called: Option<u64>,
    /// The message of the user's yes, unless the user has said something else since.
    yes: Option<Yes>,
    /// Proposals of this message and of earlier ones have served a call.
    spent: Option<u64>,
}

/// A yes of the user.
#[derive(Clone, Debug)]
struct Yes {
    number: u64,
    /// The amounts of money that it names.
    amounts: Vec<f64>,
}

#[derive(Clone, Debug)]
struct Message {
    number: u64,
    text: String,
}

/// How a call stands by what was said.
#[derive(Debug)]
pub(super) enum Standing<'w> {
    /// Nothing that the agent said proposes it.
    NeverProposed,
    /// The proposal has served a call, and there is no new one.
    Spent,
    /// The user did not say yes to the proposal.
    Unanswered,
    /// The user said yes to this.
    Confirmed(&'w str),
}

impl Words {
    /// Takes in what the agent said.
    pub(super) fn agent(&mut self, text: &str, number: u64) {
        self.settle(number);
        // Words beside a call tell what is done; they ask for nothing.
        if self.called == Some(number) {
            return;
        }
        match &mut self.pending {
            Some(pending) => {
                pending.text.push('\n');
                pending.text.push_str(text);
            }
            None => self.pending = Some(Message { number, text: text.to_owned() }),
        }
    }

    /// Takes in what the user said.
    pub(super) fn user(&mut self, text: &str, is_yes: bool, number: u64) {
        self.settle(number);
        self.yes = is_yes.then(|| Yes { number, amounts: amounts(text) });
    }

    /// Takes in a call of any tool, which makes narration of its message's words.
    pub(super) fn called(&mut self, number: u64) {
        self.settle(number);
        self.pending = None;
        self.called = Some(number);
    }

    /// Spends every proposal so far.
    pub(super) fn spend(&mut self, number: u64) {
        let said = [&self.question, &self.statement];
        let newest = said.into_iter().flatten().map(|it| it.number).max();
        self.spent = self.spent.max(newest).max(Some(number));
    }

    /// How a call stands.
    pub(super) fn standing(&self, asked: &Asked<'_>, spends: bool) -> Standing<'_> {
        let Some(proposal) = self.proposal(asked) else { return Standing::NeverProposed };
        if spends && self.spent.is_some_and(|it| proposal.number <= it) {
            return Standing::Spent;
        }
        let answers = |it: &&Yes| it.number > proposal.number && !it.amends(&proposal.text);
        if self.yes.as_ref().filter(answers).is_none() {
            return Standing::Unanswered;
        }
        Standing::Confirmed(&proposal.text)
    }

    /// Words whose message is over held no call: they ask or state something.
    fn settle(&mut self, number: u64) {
        let Some(over) = self.pending.take_if(|it| it.number != number) else { return };
        if asks(&over.text) {
            (self.question, self.statement) = (Some(over), None);
        } else {
            self.statement = Some(over);
        }
    }

    /// The newest question, unless a later statement names something of the call that the question
    /// does not: that is another proposal.
    fn proposal(&self, asked: &Asked<'_>) -> Option<&Message> {
        let pending = self.pending.as_ref().filter(|it| it.number != asked.message);
        let (question, statement) = match pending {
            Some(over) if asks(&over.text) => (Some(over), None),
            Some(over) => (self.question.as_ref(), Some(over)),
            None => (self.question.as_ref(), self.statement.as_ref()),
        };
        let before = question.map_or("", |it| &it.text);
        statement.filter(|it| names_more(&it.text, before, asked)).or(question)
    }
}

impl Yes {
    /// Whether it names an amount that was not proposed: that is another offer.
    fn amends(&self, proposal: &str) -> bool {
        if self.amounts.is_empty() {
            return false;
        }
        let edge = |it: char| !it.is_alphanumeric();
        let proposed = proposal.split(|it: char| it.is_whitespace() || MONEY.contains(&it));
        let proposed: Vec<f64> =
            proposed.filter_map(|it| number(it.trim_matches(edge))).take(NAMED_MAX).collect();
        self.amounts.iter().any(|it| !proposed.contains(it))
    }
}

/// Signs of currencies.
const MONEY: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// Words behind an amount of money.
const CURRENCIES: [&str; 9] =
    ["dollar", "dollars", "bucks", "euro", "euros", "pounds", "usd", "eur", "gbp"];

/// The amounts of money that a text names.
fn amounts(text: &str) -> Vec<f64> {
    let edge = |it: char| !it.is_alphanumeric() && !MONEY.contains(&it);
    let mut words = text.split_whitespace().map(|it| it.trim_matches(edge)).peekable();
    let mut amounts = Vec::new();
    while let Some(word) = words.next() {
        let bare = word.trim_matches(|it| MONEY.contains(&it));
        let currency = |it: &&str| CURRENCIES.contains(&it.to_ascii_lowercase().as_str());
        let is_money = bare.len() < word.len() || words.peek().is_some_and(currency);
        if let Some(amount) = number(bare).filter(|_| is_money && amounts.len() < NAMED_MAX) {
            amounts.push(amount);
        }
    }
    amounts
}

/// Whether a text asks something, in any script.
fn asks(text: &str) -> bool {
    text.contains(['?', '？', '؟', '՞', '⁇', '⁈', '⁉'])
}

/// Whether a text names a value of the call's arguments that an earlier one does not.
fn names_more(text: &str, before: &str, asked: &Asked<'_>) -> bool {
    let Fields::Object(root) = asked.args.fields(asked.manner.values) else { return false };
    let mut left = vec![root];
    let mut seen = 0_usize;
    while let Some(value) = left.pop() {
        let named = |it: &str| holds_token(text, it) && !holds_token(before, it);
        if value.as_str().or_else(|| value.number_text()).is_some_and(named) {
            return true;
        }
        seen = seen.saturating_add(1);
        if seen >= NAMED_MAX {
            return false;
        }
        left.extend(value.items());
        left.extend(value.entries().map(|it: (&str, Value<'_>)| it.1));
    }
    false
}

/// Whether the call has a number that is none of those in a text which names numbers, or an
/// identifier where the text names others.
pub(super) fn names_others(text: &str, asked: &Asked<'_>) -> bool {
    let Fields::Object(root) = asked.args.fields(asked.manner.values) else { return false };
    let edge = |it: char| !it.is_alphanumeric();
    let words = || text.split_whitespace().map(|it| it.trim_matches(edge));
    let numbers: Vec<f64> = words().filter_map(number).take(NAMED_MAX).collect();
    let names_some = words().any(is_identifier);
    let mut left = vec![root];
    let mut seen = 0_usize;
    while let Some(value) = left.pop() {
        seen = seen.saturating_add(1);
        if seen > NAMED_MAX {
            return false;
        }
        left.extend(value.items());
        left.extend(value.entries().map(|it: (&str, Value<'_>)| it.1));
        let Some(own) = value.as_str().or_else(|| value.number_text()) else { continue };
        let other = match number(own.trim()) {
            Some(own) => !numbers.is_empty() && !numbers.contains(&own),
            None => names_some && is_identifier(own) && !holds_token(text, own),
        };
        if other {
            return true;
        }
    }
    false
}

/// The number that a word is, with commas between its digits.
fn number(word: &str) -> Option<f64> {
    let digits = word.bytes().any(|it| it.is_ascii_digit());
    let plain = word.bytes().all(|it| it.is_ascii_digit() || it == b'.' || it == b',');
    if digits && plain { word.replace(',', "").parse().ok() } else { None }
}

/// A word such as `A-1` or `BW1042`: a letter first, digits in it, and no space.
fn is_identifier(word: &str) -> bool {
    word.starts_with(|it: char| it.is_alphabetic())
        && word.contains(|it: char| it.is_ascii_digit())
        && !word.contains(char::is_whitespace)
}

/// Whether a value is made of digits.
fn is_number(value: &str) -> bool {
    value.bytes().all(|it| it.is_ascii_digit() || it == b'.')
}

/// Whether a text holds a value as a run of whole tokens.
pub(super) fn holds_token(text: &str, value: &str) -> bool {
    let edge = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    !value.is_empty()
        && text.match_indices(value).any(|(at, found)| {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let end = at.saturating_add(found.len());
            let mut after = text.get(end..).unwrap_or_default().chars();
            let next = after.next();
            // `1` is not named by `A-1`: a piece of an identifier names nothing.
            let joined = matches!(before, Some('-' | '_' | '/' | '#' | '.'))
                && text
                    .get(..at)
                    .and_then(|it| it.chars().rev().nth(1))
                    .is_some_and(char::is_alphanumeric);
            // `80` is not named by `80.50`, nor by `1,80`.
            let number_goes_on = matches!(next, Some('.' | ','))
                && after.next().is_some_and(|it| it.is_ascii_digit());
            edge(before) && edge(next) && !number_goes_on && !(joined && is_number(value))
        })
}
