//! What every change must say.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, some};
use super::{Questions, Requirement, seen_writes};

/// What every change must say.
pub struct RecordedArgs;

impl Requirement for RecordedArgs {
    fn name(&self) -> &'static str {
        "recorded_args"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        if making.writes().is_empty() {
            return Questions::Found("no tool of the table changes something".to_owned());
        }
        let question = Question::new("recorded_args", "Which arguments must every change carry?");
        let carried: Vec<(String, Vec<String>)> = seen_writes(seen, making)
            .into_iter()
            .map(|(tool, was)| (tool, was.always().into_iter().map(str::to_owned).collect()))
            .filter(|it: &(String, Vec<String>)| !it.1.is_empty())
            .collect();
        let own = Choice::new("Those that I name, in every change", |given, making| {
            let writes = making.writes();
            carry(making, "changes.carry", &writes, &given.texts("args"), &given.why);
        })
        .wants("args", Form::Texts, "the arguments")
        .owners_why();
        Questions::Ask(vec![
            match carried.is_empty() {
                true => question.option(own.because("the traces show none that all calls carry")),
                false => question.option(as_seen(carried)).option(own),
            }
            .or_not("None")
            .or_later(),
        ])
    }
}

fn as_seen(carried: Vec<(String, Vec<String>)>) -> Choice {
    let shown: Vec<String> =
        carried.iter().map(|(tool, args)| format!("{tool}: {}", some(args))).collect();
    Choice::new(
        format!("What each carried in every call: {}", shown.join("; ")),
        move |given, making| {
            for (tool, args) in &carried {
                let id = format!("{tool}.carries");
                carry(making, &id, std::slice::from_ref(tool), args, &given.why);
            }
        },
    )
    .because("what was never left out is what the system behind relies on")
    .why("a change that does not say what it is about can't be traced back")
}

fn carry(making: &mut Making, id: &str, tools: &[String], args: &[String], why: &str) {
    let params = [
        ("tools", Node::texts(tools.iter().map(String::as_str))),
        ("args", Node::texts(args.iter().map(String::as_str))),
    ];
    making.rule(DraftRule::new(id, "arg_required", params).why(why));
}
