//! Who is on the line must be known before certain calls.

use lawbook_dialect::DraftRule;
use lawbook_rule::Access;
use lawbook_rule::params::Node;

use super::super::making::Making;
use super::super::question::{Choice, Form, Given, Question};
use super::super::seen::{Seen, names_someone, some, speaks_of};
use super::{Questions, Requirement};

/// How the names of tools begin that find out who somebody is.
const VERIFYING: &[&str] = &["verif", "identi", "authent", "login", "otp"];

/// Who is on the line must be known before certain calls.
pub struct Identity;

impl Requirement for Identity {
    fn name(&self) -> &'static str {
        "identity"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let listed = making.draft.tools.iter().map(|it| &it.name);
        let verifies = listed.clone().find(|it| speaks_of(it, VERIFYING)).cloned();
        let user = &making.user;
        let text = format!("Before which calls must the agent know who the {user} is?");
        let question = Question::new("identity", text).starting();
        let why = format!("anybody can claim to be the {user}");
        Questions::Ask(vec![
            match verifies {
                None => unseen(question, &why),
                Some(first) => {
                    let others: Vec<String> = listed.filter(|it| **it != first).cloned().collect();
                    let personal = personal(seen, &first, &others, &making.writes());
                    with_tool(question, seen, first, personal, &why)
                }
            }
            .or_not("Before none")
            .or_later(),
        ])
    }
}

/// The tools that speak of somebody: those that take what the verifying tool takes, and changes.
fn personal(seen: &Seen, first: &str, tools: &[String], writes: &[String]) -> Vec<String> {
    let shared = |tool: &&String| {
        seen.tools.get(*tool).is_some_and(|it| {
            it.args.keys().any(|arg| names_someone(arg) && seen.carrying(arg).contains(&first))
        })
    };
    tools.iter().filter(|it| writes.contains(it) || shared(it)).cloned().collect()
}

fn with_tool(
    question: Question,
    seen: &Seen,
    first: String,
    personal: Vec<String>,
    why: &str,
) -> Question {
    let own = Choice::new(format!("`{first}` before those that I name"), {
        let shared = shared_arg(seen, &first, &personal);
        let first = first.clone();
        move |given: &Given, making: &mut Making| {
            let tools = given.texts("tools");
            making.list(&tools, None);
            add(making, &first, &tools, shared.as_ref(), &given.why);
        }
    })
    .wants("tools", Form::Texts, "the tools")
    .why(why);
    if personal.is_empty() {
        return question.option(own.because(format!("`{first}` is there to be used")));
    }
    let calls = seen.tools.get(&first).map_or(0, |it| it.sessions);
    let reason = format!("`{first}` was called in {calls} of {} sessions", seen.sessions);
    let shared = shared_arg(seen, &first, &personal);
    let text = format!("`{first}` succeeds before each of: {}", some(&personal));
    let all = Choice::new(text, move |given, making| {
        add(making, &first, &personal, shared.as_ref(), &given.why);
    });
    question.option(all.because(reason).why(why)).option(own)
}

fn add(making: &mut Making, first: &str, tools: &[String], shared: Option<&String>, why: &str) {
    let same = shared.map(|it| ("same_arg", Node::text(it.as_str())));
    let params =
        [("tools", Node::texts(tools.iter().map(String::as_str))), ("first", Node::texts([first]))];
    let rule = DraftRule::new("verify-first", "require_before", params.into_iter().chain(same));
    making.rule(rule.why(why));
}

/// An argument that names somebody and that all calls of all these tools carry.
fn shared_arg(seen: &Seen, first: &str, tools: &[String]) -> Option<String> {
    let carries =
        |tool: &str, arg: &str| seen.tools.get(tool).is_some_and(|it| it.always().contains(&arg));
    let args = seen.tools.get(first)?.always();
    let mut shared = args.into_iter().filter(|it| names_someone(it));
    shared.find(|arg| tools.iter().all(|it| carries(it, arg))).map(str::to_owned)
}

fn unseen(question: Question, why: &str) -> Question {
    let named = Choice::new("A tool that I name, before those that I name", |given, making| {
        let first = given.word("first").to_owned();
        let tools = given.texts("tools");
        making.list(std::slice::from_ref(&first), Some(Access::Read));
        making.list(&tools, None);
        add(making, &first, &tools, None, &given.why);
    })
    .because("no tool that is listed finds out who somebody is, by its name")
    .wants("first", Form::Text, "the tool that finds out who it is")
    .wants("tools", Form::Texts, "the tools that need it")
    .why(why);
    question.option(named)
}
