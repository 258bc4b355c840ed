//! A call touches the record of the user in the conversation and no other.

use std::collections::BTreeSet;

use lawbook_dialect::DraftRule;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Given, Question};
use super::super::seen::{Origin, Seen, Tally, names_someone, some, speaks_of};
use super::{Questions, Requirement, ask_or, seen_writes};

/// How the names of arguments begin that say whose record it is.
const WHOSE: &[&str] = &["customer", "account", "user", "client", "member", "patient", "employee"];

/// The places that are offered for one argument.
const OFFERED_MAX: usize = 2;

/// A call touches the record of the user in the conversation and no other.
pub struct OwnRecord;

impl Requirement for OwnRecord {
    fn name(&self) -> &'static str {
        "own_record"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let writes = seen_writes(seen, making);
        let all = writes.iter().flat_map(|it| it.1.args.keys()).filter(|it| names_someone(it));
        let args: BTreeSet<&String> =
            all.filter(|it| speaks_of(it, WHOSE) || !seen.origins(it).is_empty()).collect();
        let question = |arg: &String| {
            let with = writes.iter().filter(|it| it.1.args.contains_key(arg));
            question(seen, arg, with.map(|it| it.0.clone()).collect(), &making.user)
        };
        ask_or(args.into_iter().map(question).collect(), "no change names whose record it is")
    }
}

fn question(seen: &Seen, arg: &str, tools: Vec<String>, user: &str) -> Question {
    let why = format!("nobody may touch the records of another {user}");
    let text = format!("Where must `{arg}` of {} come from?", some(&tools));
    let mut question = Question::new(format!("own_record.{arg}"), text);
    for (place, (origin, tally)) in seen.origins(arg).into_iter().take(OFFERED_MAX).enumerate() {
        let choice = equals(arg, &tools, origin).why(why.as_str());
        question = question.option(match place {
            0 => choice.because(counted(tally)),
            _ => choice,
        });
    }
    let own = {
        let (arg, tools) = (arg.to_owned(), tools.clone());
        Choice::new("It equals a place in the session that I name", move |given, making| {
            let source = ("session", Node::text(given.word("session")));
            add(making, &arg, &tools, source, given);
        })
    };
    let own = own
        .wants("session", Form::Text, "an attribute by its whole name, or `session.metadata.NAME`")
        .why(why);
    let own = match question.options.is_empty() {
        true => own.because("the traces hold no place that it equals; the host knows one"),
        false => own,
    };
    question.option(own).or_not("From anywhere").or_later()
}

fn counted(tally: Tally) -> String {
    format!("so it was in {} of the {} calls that tell", tally.held, tally.told)
}

fn equals(arg: &str, tools: &[String], origin: &Origin) -> Choice {
    let (text, source) = match origin {
        Origin::Session(place) => {
            (format!("It equals `{place}` of the session"), ("session", Node::text(place.as_str())))
        }
        Origin::Result(tool, path) => {
            let result = [("tool", Node::text(tool.as_str())), ("path", Node::text(path.as_str()))];
            (format!("It equals `{path}` that `{tool}` returned"), ("result", Node::map(result)))
        }
    };
    let (arg, tools) = (arg.to_owned(), tools.to_vec());
    Choice::new(text, move |given, making| add(making, &arg, &tools, source.clone(), given))
}

fn add(
    making: &mut Making,
    arg: &str,
    tools: &[String],
    source: (&'static str, Node),
    given: &Given,
) {
    let names = Node::texts(tools.iter().map(String::as_str));
    let params = [("tools", names), ("arg", Node::text(arg)), source];
    making.rule(DraftRule::new(format!("own-{arg}"), "arg_equals", params).why(given.why.as_str()));
}
