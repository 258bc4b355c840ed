//! Sensitive data stays out of calls.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, Tool, some};
use super::{Questions, Requirement};
use crate::print::counted;

/// What a card number looks like, before the check of its digits.
pub const CARD: &str = r"\b(?:\d[ -]?){13,19}\b";

/// What an e-mail address looks like.
pub const ADDRESS: &str = r"[\w.+-]+@[\w-]+\.[\w.-]*\w";

/// Sensitive data stays out of calls.
pub struct Sensitive;

impl Requirement for Sensitive {
    fn name(&self) -> &'static str {
        "sensitive"
    }

    fn questions(&self, seen: &Seen, _making: &Making) -> Questions {
        let mut questions = vec![cards(seen)];
        questions.extend(addresses(seen));
        Questions::Ask(questions)
    }
}

/// The tools whose calls hold what is counted, and how many do.
fn holding(seen: &Seen, count: impl Fn(&Tool) -> u64) -> (Vec<String>, u64) {
    let tools = seen.tools.iter().map(|it| (it.0, count(it.1))).filter(|it| it.1 > 0);
    (tools.clone().map(|it| it.0.clone()).collect(), tools.map(|it| it.1).sum())
}

fn no_cards(why: &str) -> DraftRule {
    let params = [("pattern", Node::texts([CARD])), ("luhn", Node::bare("true"))];
    DraftRule::new("no-card-numbers", "arg_never_matches", params).why(why)
}

fn cards(seen: &Seen) -> Question {
    let (tools, calls) = holding(seen, |it| it.cards);
    let reason = match calls {
        0 => "none was seen, and the first would be one too many".to_owned(),
        1 => format!("1 call of {} holds one already", some(&tools)),
        _ => format!("{} of {} hold one already", counted(calls, "call"), some(&tools)),
    };
    let why = "card numbers belong in the payment system and nowhere else";
    Question::new("sensitive", "What must no call to a tool carry?")
        .starting()
        .option(
            Choice::new("A card number", |given, making| making.rule(no_cards(&given.why)))
                .because(reason)
                .why(why),
        )
        .option(
            Choice::new("A card number, or what fits patterns of our own", |given, making| {
                making.rule(no_cards("card numbers have no business in a call"));
                let params = [("pattern", Node::texts(given.texts("patterns")))];
                let rule = DraftRule::new("no-sensitive-data", "arg_never_matches", params);
                making.rule(rule.why(given.why.as_str()));
            })
            .wants("patterns", Form::Patterns, "what else must not be there")
            .owners_why(),
        )
        .or_not("Nothing is off")
        .or_later()
}

fn addresses(seen: &Seen) -> Option<Question> {
    let (tools, calls) = holding(seen, |it| it.addresses);
    if calls == 0 {
        return None;
    }
    let text = format!(
        "E-mail addresses stand in {} of {}. May they?",
        counted(calls, "call"),
        some(&tools)
    );
    let not = Choice::does_not_apply("Yes, these tools need them")
        .because("a look-up by address is what they are mostly for");
    let off = Choice::new("Not in calls of tools that I name", |given, making| {
        let tools = given.texts("tools");
        making.list(&tools, None);
        let params = [("tools", Node::texts(tools)), ("pattern", Node::texts([ADDRESS]))];
        let rule = DraftRule::new("no-addresses", "arg_never_matches", params);
        making.rule(rule.why(given.why.as_str()));
    })
    .wants("tools", Form::Texts, "the tools that must not get one")
    .owners_why();
    Some(Question::new("sensitive.addresses", text).option(not).option(off).or_later())
}
