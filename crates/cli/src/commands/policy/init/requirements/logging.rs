//! Whether every call is recorded whole.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::Seen;
use super::{Questions, Requirement};

/// Whether every call is recorded whole.
pub struct Logging;

impl Requirement for Logging {
    fn name(&self) -> &'static str {
        "logging"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let what = "whether every call is recorded with its arguments and its result";
        let reason = match seen.calls {
            0 => "a rule can only judge what was recorded".to_owned(),
            calls => format!(
                "a rule can only judge what was recorded: {} of {calls} calls have arguments, {} a \
                 result",
                seen.with_args, seen.answered
            ),
        };
        let question = Question::new("logging", format!("Who checks {what}?")).option(
            Choice::new("The engineers who run the agent", move |given, making| {
                making.draft.not_covered.push(format!("{what}: {}", given.word("by")));
            })
            .because(reason)
            .wants("by", Form::Text, "who exactly, if there is a name")
            .or(Node::text("the engineers who run the agent")),
        );
        let audit =
            Choice::new("They do, and every change carries audit fields", move |given, making| {
                making.draft.not_covered.push(format!("{what}: the engineers who run the agent"));
                let params = [
                    ("tools", Node::texts(making.writes())),
                    ("args", Node::texts(given.texts("args"))),
                ];
                making.rule(
                    DraftRule::new("audit-fields", "arg_required", params).why(given.why.as_str()),
                );
            })
            .wants("args", Form::Texts, "the arguments, as `reason` or `ticket`")
            .owners_why();
        let question = if making.writes().is_empty() { question } else { question.option(audit) };
        Questions::Ask(vec![question.or_not("Nobody needs to").or_later()])
    }
}
