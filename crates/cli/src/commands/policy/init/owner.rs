//! The first question: who owns the rules.

use super::question::{Choice, Form, Question};

/// Who owns the rules.
pub fn question() -> Question {
    Question::new("owner", "Who decides what the agent may do with its tools?")
        .option(
            Choice::new("A person or a team, by name", |given, making| {
                making.draft.owner = Some(given.word("name").to_owned());
            })
            .because("a rule that nobody answers for is a rule that nobody can change")
            .wants("name", Form::Text, "the name of the person or team"),
        )
        .option(Choice::new("I do, until an owner has confirmed it", |_, making| {
            making.draft.owner = Some("its author, until an owner is named".to_owned());
            making.open.push("owner: who answers for the policy".to_owned());
        }))
        .option(Choice::new("Nobody yet", |_, making| {
            making.is_starter = true;
            making.open.push("owner: who answers for the policy".to_owned());
        }))
}
