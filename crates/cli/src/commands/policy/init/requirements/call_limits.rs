//! How often a tool may be called in one conversation.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, Tool};
use super::{Questions, Requirement, ask_or, seen_writes};
use crate::print::counted;

/// How often a tool may be called in one conversation.
pub struct CallLimits;

impl Requirement for CallLimits {
    fn name(&self) -> &'static str {
        "call_limits"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let writes = seen_writes(seen, making);
        let questions = writes.iter().map(|(tool, was)| question(tool, was)).collect();
        ask_or(questions, "no call that changes something was seen")
    }
}

fn question(tool: &str, was: &Tool) -> Question {
    let cap = |tool: &str, max: Node| {
        let params = [("tools", Node::texts([tool])), ("max", max), ("per", Node::text("session"))];
        DraftRule::new(format!("{tool}.calls"), "at_most", params)
    };
    let (most, first, second) = (was.most.to_string(), tool.to_owned(), tool.to_owned());
    let text = format!(
        "How often may `{tool}` be called in one conversation? (seen: at most {}, in {})",
        counted(was.most, "time"),
        counted(was.sessions, "session")
    );
    let why = format!("more than {} is a loop and no service", counted(was.most, "call"));
    Question::new(format!("call_limits.{tool}"), text)
        .option(
            Choice::new(
                format!("At most {}, the most that was seen", was.most),
                move |given, making| {
                    making.rule(cap(&first, Node::bare(most.as_str())).why(given.why.as_str()));
                },
            )
            .because("a loop that is wrong once is wrong many times")
            .why(why),
        )
        .option(
            Choice::new("At most a number that I say", move |given, making| {
                making.rule(cap(&second, given.node("max")).why(given.why.as_str()));
            })
            .wants("max", Form::Whole, "the most calls")
            .owners_why(),
        )
        .or_not("As often as it likes")
        .or_later()
}
