//! Which tools only look, and which change something.

use lawbook_rule::Access as ToolAccess;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, some};
use super::{Questions, Requirement};

/// Which tools only look, and which change something.
pub struct Access;

impl Requirement for Access {
    fn name(&self) -> &'static str {
        "access"
    }

    fn questions(&self, _seen: &Seen, making: &Making) -> Questions {
        if making.draft.tools.is_empty() {
            return Questions::Found("no tool is listed yet".to_owned());
        }
        let none = |it: Vec<String>| if it.is_empty() { "none".to_owned() } else { some(&it) };
        let reads = none(making.with(ToolAccess::Read));
        let guessed = format!("These: {}. The rest only looks: {reads}", none(making.writes()));
        Questions::Ask(vec![
            Question::new("access", "Which of the tools change something?")
                .starting()
                .option(
                    Choice::new(guessed, |_, _| {})
                        .because("that is what their names say; look for one that misleads"),
                )
                .option(
                    Choice::new("Those that I name; the rest only looks", |given, making| {
                        let writes = given.texts("writes");
                        making.list(&writes, Some(ToolAccess::Write));
                        for tool in &mut making.draft.tools {
                            let is_write = writes.contains(&tool.name);
                            let access =
                                if is_write { ToolAccess::Write } else { ToolAccess::Read };
                            tool.access = Some(access);
                        }
                    })
                    .wants(
                        "writes",
                        Form::Texts,
                        "the tools that change something",
                    ),
                )
                .option(Choice::new("All of them", |_, making| {
                    for tool in &mut making.draft.tools {
                        tool.access = Some(ToolAccess::Write);
                    }
                }))
                .or_later(),
        ])
    }
}
