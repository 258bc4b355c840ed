//! Who asks is not who grants.

use lawbook_dialect::DraftRule;
use lawbook_rule::Access;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, some, words};
use super::{Questions, Requirement};

/// The first words of tools that grant something.
const GRANTING: &[&str] =
    &["approve", "grant", "authorize", "permit", "promote", "assign", "elevate"];

/// Who asks is not who grants.
pub struct Duties;

impl Requirement for Duties {
    fn name(&self) -> &'static str {
        "duties"
    }

    fn questions(&self, _seen: &Seen, making: &Making) -> Questions {
        let grants =
            |it: &&str| words(it).first().is_some_and(|it| GRANTING.contains(&it.as_str()));
        let listed = making.draft.tools.iter().map(|it| it.name.as_str()).filter(grants);
        let granting: Vec<String> = listed.map(str::to_owned).collect();
        if granting.is_empty() {
            let found = "no tool that is listed grants approvals or rights, by its name";
            return Questions::Found(found.to_owned());
        }
        let text = "Which tools that grant something must the agent never call itself?";
        let all = granting.clone();
        Questions::Ask(vec![
            Question::new("duties", text)
                .option(
                    Choice::new(some(&granting), move |given, making| {
                        forbid(making, "never-grants", &all, &given.why);
                    })
                    .because("an agent that grants what it asks for is asked by nobody")
                    .why("who asks for an approval must not be the one who gives it"),
                )
                .option(
                    Choice::new("Those that I name", |given, making| {
                        let tools = given.texts("tools");
                        forbid(making, "never-grants", &tools, &given.why);
                    })
                    .wants("tools", Form::Texts, "the tools")
                    .owners_why(),
                )
                .or_not("It may grant")
                .or_later(),
        ])
    }
}

/// These tools stay off, whatever the table says.
pub fn forbid(making: &mut Making, id: &str, tools: &[String], why: &str) {
    making.list(tools, Some(Access::Write));
    let params = [("tools", Node::texts(tools.iter().map(String::as_str)))];
    making.rule(DraftRule::new(id, "never", params).why(why));
}
