//! Arguments that take one of a few values.

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Arg, Seen, names_someone, some, speaks_of};
use super::{Questions, Requirement, ask_or, seen_writes};

/// The most values that look like a list.
const LISTED_MAX: usize = 8;

/// The longest value that looks like one of a list, in characters.
const VALUE_CHARS_MAX: usize = 40;

/// How the names of arguments begin that hold a moment, which is never one of a list.
const MOMENTS: &[&str] = &["date", "time", "day", "until", "since"];

/// Arguments that take one of a few values.
pub struct Values;

impl Requirement for Values {
    fn name(&self) -> &'static str {
        "values"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let mut questions = Vec::new();
        for (tool, was) in seen_writes(seen, making) {
            let is_value = |arg: &str| !names_someone(arg) && !speaks_of(arg, MOMENTS);
            for (arg, args) in was.args.iter().filter(|it| is_value(it.0)) {
                if let Some(values) = listed(args) {
                    questions.push(question(&tool, arg, values, args.carried));
                }
            }
        }
        ask_or(questions, "no argument of a change takes only a few values")
    }
}

/// The values of an argument that looks like one of a list: few, short, and used again in several
/// sessions.
fn listed(arg: &Arg) -> Option<Vec<String>> {
    let values: Vec<String> = arg.texts.counts.keys().cloned().collect();
    let total = arg.texts.total();
    let again = u64::try_from(values.len()).is_ok_and(|it| it.saturating_mul(2) <= total);
    let short = values.iter().all(|it| !it.contains('@') && it.chars().count() <= VALUE_CHARS_MAX);
    let is_list =
        arg.texts.are_shared() && (1..=LISTED_MAX).contains(&values.len()) && total == arg.carried;
    (is_list && again && short).then_some(values)
}

fn question(tool: &str, arg: &str, values: Vec<String>, carried: u64) -> Question {
    let only = |tool: &str, arg: &str, values: Node| {
        let params = [("tools", Node::texts([tool])), ("arg", Node::text(arg)), ("values", values)];
        DraftRule::new(format!("{tool}.{arg}.values"), "arg_in", params)
    };
    let why = format!("`{arg}` means something for these values only");
    let reason = format!("all {carried} calls use one of them");
    let seen = format!("Only what was seen: {}", some(&values));
    let (one, other) = ((tool.to_owned(), arg.to_owned()), (tool.to_owned(), arg.to_owned()));
    Question::new(
        format!("values.{tool}.{arg}"),
        format!("Which values may `{arg}` of `{tool}` have?"),
    )
    .option(
        Choice::new(seen, move |given, making| {
            let values = Node::texts(values.iter().map(String::as_str));
            making.rule(only(&one.0, &one.1, values).why(given.why.as_str()));
        })
        .because(reason)
        .why(why),
    )
    .option(
        Choice::new("A list of our own", move |given, making| {
            let values = Node::texts(given.texts("values"));
            making.rule(only(&other.0, &other.1, values).why(given.why.as_str()));
        })
        .wants("values", Form::Texts, "the values")
        .owners_why(),
    )
    .or_not("Any")
    .or_later()
}
