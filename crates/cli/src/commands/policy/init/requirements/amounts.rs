//! Amounts have a lowest and a highest value.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Given, Question};
use super::super::seen::{Seen, names_someone};
use super::{Questions, Requirement, ask_or, seen_writes};
use crate::print::counted;

/// Amounts have a lowest and a highest value.
pub struct Amounts;

/// An argument that was seen to hold nothing but numbers.
pub struct Amount {
    /// The tool.
    pub tool: String,
    /// The argument.
    pub arg: String,
    /// The range that was seen.
    pub range: String,
    /// In how many calls.
    pub calls: String,
}

/// The amounts in calls that change something.
pub fn amounts(seen: &Seen, making: &Making) -> Vec<Amount> {
    let mut out = Vec::new();
    for (tool, was) in seen_writes(seen, making) {
        for (arg, args) in was.args.iter().filter(|it| !names_someone(it.0)) {
            if let Some(range) = args.amount() {
                let calls = counted(args.carried, "call");
                out.push(Amount { tool: tool.clone(), arg: arg.clone(), range, calls });
            }
        }
    }
    out
}

impl Requirement for Amounts {
    fn name(&self) -> &'static str {
        "amounts"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let questions = amounts(seen, making).into_iter().map(question).collect();
        ask_or(questions, "no call that changes something carries an amount")
    }
}

fn question(amount: Amount) -> Question {
    let Amount { tool, arg, range, calls } = amount;
    let limited = |bounds: &'static [&'static str]| {
        let (tool, arg) = (tool.clone(), arg.clone());
        move |given: &Given, making: &mut Making| {
            let bounds = bounds.iter().map(|it| (*it, given.node(it)));
            let head = [("tools", Node::texts([tool.as_str()])), ("arg", Node::text(arg.as_str()))];
            let params = head.into_iter().chain(bounds);
            let rule = DraftRule::new(format!("{tool}.{arg}.limit"), "arg_range", params);
            making.rule(rule.why(given.why.as_str()));
        }
    };
    let text = format!("How high may `{arg}` of `{tool}` be? (seen: {range} in {calls})");
    let reason = format!("{range} is what was seen so far, and nothing keeps it there");
    Question::new(format!("amounts.{tool}.{arg}"), text)
        .option(
            Choice::new("At most a number", limited(&["max"]))
                .because(reason)
                .wants("max", Form::Number, "the highest amount")
                .owners_why(),
        )
        .option(
            Choice::new("Between two numbers", limited(&["min", "max"]))
                .wants("min", Form::Number, "the lowest amount")
                .wants("max", Form::Number, "the highest amount")
                .owners_why(),
        )
        .or_not("As high as the agent likes")
        .or_later()
}
