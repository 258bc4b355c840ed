//! Above which amounts somebody must have approved.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, speaks_of};
use super::amounts::{Amount, amounts};
use super::{Questions, Requirement, ask_or};

/// How the names of tools that ask somebody begin.
const ASKING: &[&str] = &["approv", "supervis", "manager", "escalat", "authoriz", "signoff"];

/// Above which amounts somebody must have approved.
pub struct Approvals;

impl Requirement for Approvals {
    fn name(&self) -> &'static str {
        "approvals"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let asker = seen.tools.keys().find(|it| speaks_of(it, ASKING));
        let amounts = amounts(seen, making).into_iter().filter(|it| Some(&it.tool) != asker);
        let questions = amounts.map(|it| question(seen, it, asker)).collect();
        ask_or(questions, "no call that changes something carries an amount")
    }
}

fn question(seen: &Seen, amount: Amount, asker: Option<&String>) -> Question {
    let Amount { tool, arg, range, calls } = amount;
    let question = Question::new(
        format!("approvals.{tool}.{arg}"),
        format!(
            "Above which `{arg}` of `{tool}` must somebody have approved? (seen: {range} in {calls})"
        ),
    );
    let shared = asker.and_then(|it| shared(seen, &tool, it));
    let (rule_tool, rule_arg) = (tool.clone(), arg.clone());
    let above = Choice::new(
        match asker {
            Some(asker) => format!("Above a limit, only after `{asker}` went through"),
            None => "Above a limit, only after another tool went through".to_owned(),
        },
        move |given, making| {
            let by = given.word("by").to_owned();
            making.list(std::slice::from_ref(&by), Some(lawbook_rule::Access::Read));
            let bind = shared.clone().map(|it| ("bind", Node::texts([it])));
            let params = [
                ("tools", Node::texts([rule_tool.as_str()])),
                ("arg", Node::text(rule_arg.as_str())),
                ("max", given.node("max")),
                ("by", Node::text(by)),
            ];
            let id = format!("{rule_tool}.{rule_arg}.approved");
            let params = params.into_iter().chain(bind);
            making.rule(DraftRule::new(id, "approval_above", params).why(given.why.as_str()));
        },
    )
    .wants("max", Form::Number, "the highest amount that needs nobody")
    .wants("by", Form::Text, "the tool that asks for the approval")
    .owners_why();
    let never = "No amount needs it";
    match asker {
        Some(asker) => {
            let reason = format!("the agent has `{asker}` to ask with");
            question.option(above.or(Node::text(asker.as_str())).because(reason)).or_not(never)
        }
        None => {
            let not = Choice::does_not_apply(never)
                .because("the traces show no tool that asks anybody; a highest amount comes next");
            question.option(not).option(above)
        }
    }
    .or_later()
}

/// An argument that names somebody and that both tools take.
fn shared(seen: &Seen, tool: &str, asker: &str) -> Option<String> {
    let (tool, asker) = (seen.tools.get(tool)?, seen.tools.get(asker)?);
    let names = |it: &&&str| super::super::seen::names_someone(it);
    let all = tool.always();
    all.iter().filter(names).find(|it| asker.always().contains(it)).map(|it| (*it).to_owned())
}
