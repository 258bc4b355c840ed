//! Which calls need the user's yes first, and which words are one.

use super::super::making::Making;
use super::super::question::{Choice, Form, Question};
use super::super::seen::{Seen, some};
use super::{Questions, Requirement};

/// Which calls need the user's yes first, and which words are one.
pub struct Consent;

impl Requirement for Consent {
    fn name(&self) -> &'static str {
        "consent"
    }

    fn questions(&self, seen: &Seen, making: &Making) -> Questions {
        let mut questions = vec![calls(seen, making)];
        if !making.confirmed().is_empty() {
            questions.push(words(seen, making));
        }
        Questions::Ask(questions)
    }
}

fn calls(seen: &Seen, making: &Making) -> Question {
    let user = making.user.as_str();
    let text = format!("Before which calls must the {user} have said yes?");
    let why = format!("what changes something for the {user} is the {user}'s to decide");
    let question = Question::new("consent", text).starting();
    let named = Choice::new("Before these only", |given: &_, making: &mut Making| {
        let tools = given.texts("tools");
        making.list(&tools, Some(lawbook_rule::Access::Write));
        making.ask_first(&tools, &given.why);
    })
    .wants("tools", Form::Texts, "the tools")
    .why(why.clone());
    let writes = making.writes();
    let question = if writes.is_empty() {
        question.option(named.because("no tool of the table changes something, as far as it says"))
    } else {
        let all = format!("Before every call that changes something: {}", some(&writes));
        let reason = share(seen, &writes, user);
        let every = Choice::new(all, move |given, making| making.ask_first(&writes, &given.why));
        question.option(every.because(reason).why(why)).option(named)
    };
    question.or_not("Before none").or_later()
}

/// What the traces say of yeses before these calls.
fn share(seen: &Seen, writes: &[String], user: &str) -> String {
    let tools: Vec<_> = writes.iter().filter_map(|it| seen.tools.get(it)).collect();
    let calls: u64 = tools.iter().map(|it| it.calls).sum();
    let without: u64 = tools.iter().map(|it| it.without_yes).sum();
    if calls == 0 {
        return format!("a change is the {user}'s to decide");
    }
    let with = calls.saturating_sub(without);
    format!("in the traces a clear yes stands before {with} of {calls} such calls")
}

fn words(seen: &Seen, making: &Making) -> Question {
    let text = format!("Which words of the {} are a yes?", making.user);
    let share = share(seen, &making.confirmed(), &making.user);
    Question::new("consent.words", text)
        .option(
            Choice::new("The usual ones, in a message that asks and doubts nothing", |_, _| {})
                .because(format!("they need no upkeep; {share}")),
        )
        .option(
            Choice::new("Our own", |given, making| {
                making.draft.consent = Some(given.texts("patterns"));
            })
            .wants(
                "patterns",
                Form::Patterns,
                "what a yes looks like, in either case",
            ),
        )
        .or_later()
}
