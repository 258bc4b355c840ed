//! Which tools the agent may call, and what becomes of one that nobody listed.

use lawbook_diag::Verdict;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, some};
use super::{Questions, Requirement};
use crate::commands::tools::Guess;

/// Which tools the agent may call.
pub struct Tools;

impl Requirement for Tools {
    fn name(&self) -> &'static str {
        "tools"
    }

    fn questions(&self, seen: &Seen, _making: &Making) -> Questions {
        let question = Question::new("tools", "Which tools may the agent call?").starting();
        let names: Vec<String> = seen.tools.keys().cloned().collect();
        Questions::Ask(vec![if names.is_empty() {
            unseen(question)
        } else {
            of_traces(question, names)
        }])
    }
}

fn of_traces(question: Question, names: Vec<String>) -> Question {
    let count = names.len();
    let text = format!("Only the {count} that the traces call: {}", some(&names));
    let listed = |default: Verdict| {
        let names = names.clone();
        move |making: &mut Making| {
            making.draft.default = Some(default);
            names.iter().for_each(|it| {
                making.list(std::slice::from_ref(it), Some(Guess::default().access(it)))
            });
        }
    };
    let (deny, ask, allow) = (listed(Verdict::Deny), listed(Verdict::Ask), listed(Verdict::Allow));
    question
        .option(
            Choice::new(text, move |_, making| deny(making))
                .because("a tool that nobody listed is a change that nobody looked at"),
        )
        .option(Choice::new(
            format!("These {count}, and a person is asked before any other"),
            move |_, making| ask(making),
        ))
        .option(Choice::new(
            format!("These {count}, and any other that engineers add"),
            move |_, making| allow(making),
        ))
        .or_later()
}

fn unseen(question: Question) -> Question {
    question
        .option(
            Choice::new("Only those that I list", |given, making| {
                making.draft.default = Some(Verdict::Deny);
                for name in given.texts("tools") {
                    making.list(std::slice::from_ref(&name), Some(Guess::default().access(&name)));
                }
            })
            .because("a tool that nobody listed is a change that nobody looked at")
            .wants("tools", Form::Texts, "their names"),
        )
        .option(Choice::new("Any tool, listed or not", |_, making| {
            making.draft.default = Some(Verdict::Allow);
        }))
        .or_later()
}
