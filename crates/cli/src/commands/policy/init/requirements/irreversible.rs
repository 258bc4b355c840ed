//! What can't be undone.

use lawbook_dialect::DraftRule;
use lawbook_rule::Access;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, speaks_of};
use super::duties::forbid;
use super::{Questions, Requirement, ask_or};

/// How the names of tools begin that destroy something.
const ENDING: &[&str] = &[
    "delet", "cancel", "clos", "remov", "wip", "purg", "drop", "terminat", "eras", "revok",
    "destroy",
];

/// How the names of tools begin that pass to a person.
const PASSING: &[&str] = &["transfer", "handoff", "escalat", "human"];

/// What can't be undone.
pub struct Irreversible;

impl Requirement for Irreversible {
    fn name(&self) -> &'static str {
        "irreversible"
    }

    fn questions(&self, _seen: &Seen, making: &Making) -> Questions {
        let writes = making.writes();
        let hand_off =
            making.draft.tools.iter().map(|it| &it.name).find(|it| speaks_of(it, PASSING));
        let ending = writes.iter().filter(|it| speaks_of(it, ENDING));
        let questions = ending.map(|it| question(it, hand_off, &making.user)).collect();
        ask_or(questions, "no tool that is listed ends or deletes something, by its name")
    }
}

fn question(tool: &str, hand_off: Option<&String>, user: &str) -> Question {
    let (asked, off, passed) = (tool.to_owned(), tool.to_owned(), tool.to_owned());
    let after = Choice::new("Only after it was passed to a person", move |given, making| {
        let first = given.word("first").to_owned();
        making.list(std::slice::from_ref(&first), Some(Access::Read));
        let params =
            [("tools", Node::texts([passed.as_str()])), ("first", Node::texts([first.as_str()]))];
        let rule = DraftRule::new(format!("{passed}.passed"), "require_before", params);
        making.rule(rule.why(given.why.as_str()));
    })
    .wants("first", Form::Text, "the tool that passes to a person")
    .why("what can't be undone is a person's to do");
    let after = match hand_off {
        Some(first) => after.or(Node::text(first.as_str())),
        None => after,
    };
    Question::new(
        format!("irreversible.{tool}"),
        format!("`{tool}` looks as if it can't be undone. When may the agent call it?"),
    )
    .option(
        Choice::new(format!("After the {user}'s yes, every time"), move |given, making| {
            making.ask_first(std::slice::from_ref(&asked), &given.why);
        })
        .because("it is the least that a change without a way back needs")
        .why("there is no way back"),
    )
    .option(
        Choice::new("Never", move |given, making| {
            let id = format!("{off}.never");
            forbid(making, &id, std::slice::from_ref(&off), &given.why);
        })
        .why("what can't be undone is a person's to do"),
    )
    .option(after)
    .or_not("Whenever the other rules allow it")
    .or_later()
}
