//! What agent and user said last, and whether it is a yes to a call.

use lawbook_event::json::Value;

use crate::spoken::{Figures, MONEY, NAMED_MAX, Wording, is_identifier, number};
use crate::{Asked, Fields, Keys};

/// The words that a confirmation rests on.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// The newest message of the agent that asks something.
    question: Option<Message>,
    /// The newest one after it that asks nothing.
    statement: Option<Message>,
    /// The newest one, as long as its message may still hold a call.
    pending: Option<Message>,
    /// The same of a message whose words are not all recorded.
    pending_cut: Option<u64>,
    /// The newest message after the question whose words are not all recorded: it may ask anything.
    agent_cut: Option<u64>,
    /// The user's newest message, if its words are not all recorded.
    user_cut: Option<u64>,
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
    amounts: Figures,
}

#[derive(Clone, Debug)]
struct Message {
    number: u64,
    words: Wording,
}

crate::coded!(Words {
    question,
    statement,
    pending,
    pending_cut,
    agent_cut,
    user_cut,
    called,
    yes,
    spent
});
crate::coded!(Yes { number, amounts });
crate::coded!(Message { number, words });

/// How a call stands by what was said.
#[derive(Debug)]
pub(super) enum Standing<'w> {
    /// Nothing that the agent said proposes it.
    NeverProposed,
    /// The proposal has served a call, and there is no new one.
    Spent,
    /// The user did not say yes to the proposal.
    Unanswered,
    /// Whether it was proposed, or answered with a yes, stands in words that are not recorded.
    Untold,
    /// The user said yes to this.
    Confirmed(&'w Wording),
}

impl Words {
    /// Whether words of the agent in this message tell what a call does: those beside a call ask
    /// for nothing.
    pub(super) fn narrates(&self, number: u64) -> bool {
        self.called == Some(number)
    }

    /// Takes in what the agent said.
    pub(super) fn agent(&mut self, words: Wording, number: u64) {
        self.settle(number);
        match &mut self.pending {
            Some(pending) => pending.words.push(words),
            None => self.pending = Some(Message { number, words }),
        }
    }

    /// Takes in what the user said: with a yes, the amounts of money beside it.
    pub(super) fn user(&mut self, yes: Option<Figures>, number: u64) {
        self.settle(number);
        self.yes = yes.map(|amounts| Yes { number, amounts });
        self.user_cut = None;
    }

    /// Takes in that the agent said something of which not all is recorded.
    pub(super) fn unheard_agent(&mut self, number: u64) {
        self.settle(number);
        self.pending_cut = Some(number);
    }

    /// Takes in that the user said something of which not all is recorded.
    pub(super) fn unheard_user(&mut self, number: u64) {
        self.settle(number);
        self.user_cut = Some(number);
    }

    /// Takes in a call of any tool, which makes narration of its message's words.
    pub(super) fn called(&mut self, number: u64) {
        self.settle(number);
        (self.pending, self.pending_cut) = (None, None);
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
        if self.may_have_asked(asked) {
            return Standing::Untold;
        }
        let Some(proposal) = self.proposal(asked) else { return Standing::NeverProposed };
        if spends && self.spent.is_some_and(|it| proposal.number <= it) {
            return Standing::Spent;
        }
        if self.user_cut.is_some_and(|it| it > proposal.number) {
            return Standing::Untold;
        }
        let answers = |it: &&Yes| it.number > proposal.number && !it.amends(&proposal.words);
        if self.yes.as_ref().filter(answers).is_none() {
            return Standing::Unanswered;
        }
        Standing::Confirmed(&proposal.words)
    }

    /// Words whose message is over held no call: they ask or state something.
    fn settle(&mut self, number: u64) {
        match self.pending.take_if(|it| it.number != number) {
            Some(over) if over.words.asks() => {
                (self.question, self.statement, self.agent_cut) = (Some(over), None, None);
            }
            Some(over) => self.statement = Some(over),
            None => {}
        }
        let over = self.pending_cut.take_if(|it| *it != number);
        self.agent_cut = over.or(self.agent_cut);
    }

    /// Whether words that are not recorded may be the newest question.
    fn may_have_asked(&self, asked: &Asked<'_>) -> bool {
        let is_over = |number: u64| number != asked.message;
        let asks_now =
            self.pending.as_ref().is_some_and(|it| is_over(it.number) && it.words.asks());
        self.pending_cut.is_some_and(is_over) || (self.agent_cut.is_some() && !asks_now)
    }

    /// The newest question, unless a later statement names something of the call that the question
    /// does not: that is another proposal.
    fn proposal(&self, asked: &Asked<'_>) -> Option<&Message> {
        let pending = self.pending.as_ref().filter(|it| it.number != asked.message);
        let (question, statement) = match pending {
            Some(over) if over.words.asks() => (Some(over), None),
            Some(over) => (self.question.as_ref(), Some(over)),
            None => (self.question.as_ref(), self.statement.as_ref()),
        };
        let before = question.map(|it| &it.words);
        statement.filter(|it| names_more(&it.words, before, asked)).or(question)
    }
}

impl Yes {
    /// Whether it names an amount that was not proposed: that is another offer.
    fn amends(&self, proposal: &Wording) -> bool {
        !self.amounts.is_empty() && !self.amounts.are_within(&proposal.prices())
    }
}

/// Words behind an amount of money.
const CURRENCIES: [&str; 9] =
    ["dollar", "dollars", "bucks", "euro", "euros", "pounds", "usd", "eur", "gbp"];

/// The amounts of money that a text names.
pub(super) fn amounts(text: &str, keys: Keys<'_>) -> Figures {
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
    Figures::of(amounts, keys)
}

/// Whether words name a value of the call's arguments that earlier ones do not. Of words that are
/// not all kept it may be so.
fn names_more(words: &Wording, before: Option<&Wording>, asked: &Asked<'_>) -> bool {
    let Fields::Object(root) = asked.args.fields(asked.manner.values) else { return false };
    if words.is_cut() {
        return true;
    }
    let keys = asked.args.keys();
    let mut left = vec![root];
    let mut seen = 0_usize;
    while let Some(value) = left.pop() {
        let named_before = |it: &str| before.is_some_and(|before| before.hold(it, keys));
        let named = |it: &str| words.hold(it, keys) && !named_before(it);
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

/// Whether the call has a number that is none of those in words which name numbers, or an
/// identifier where the words name others.
pub(super) fn names_others(words: &Wording, asked: &Asked<'_>) -> bool {
    let Fields::Object(root) = asked.args.fields(asked.manner.values) else { return false };
    let (keys, numbers) = (asked.args.keys(), words.numbers());
    let names_some = words.name_identifiers();
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
            Some(own) => !numbers.is_empty() && !numbers.contain(own, keys),
            None => names_some && is_identifier(own) && !words.hold(own, keys),
        };
        if other {
            return true;
        }
    }
    false
}
