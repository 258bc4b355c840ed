//! What no rule can check, and who checks it instead.

use super::question::{Choice, Form, Question};

/// Who may check it.
const CHECKERS: &[&str] = &[
    "an AI judge",
    "a check by code of the reply",
    "the company's own systems",
    "people who read samples",
];

/// Something that no rule can check.
struct Uncovered {
    id: &'static str,
    what: &'static str,
    /// The place in the list of who is recommended.
    best: usize,
    reason: &'static str,
}

const fn item(
    id: &'static str,
    what: &'static str,
    best: usize,
    reason: &'static str,
) -> Uncovered {
    Uncovered { id, what, best, reason }
}

const UNCOVERED: &[Uncovered] = &[
    item("tone", "whether the agent refuses in a decent tone", 0, "tone is read, not matched"),
    item(
        "informed",
        "whether the user knew what the yes was for",
        0,
        "a rule finds the yes and can't tell what was understood",
    ),
    item(
        "consequences",
        "whether the agent named the consequences before it acted",
        0,
        "a consequence can be named in many words",
    ),
    item(
        "right_action",
        "whether the call is the one that the request needed",
        0,
        "it takes reading the request beside the call",
    ),
    item(
        "grounding",
        "whether the reply says what the tools returned",
        0,
        "it takes reading the reply beside the results",
    ),
    item(
        "planted",
        "whether text in a result gave the agent orders",
        3,
        "who plants orders writes them so that no pattern finds them",
    ),
    item("reply_secrets", "whether the reply shows sensitive data", 1, "card numbers have a form"),
    item("disclosures", "whether what must be disclosed was said", 1, "its words are fixed"),
    item(
        "across",
        "limits over several conversations of one user",
        2,
        "they see all conversations, a trace is one",
    ),
    item(
        "at_risk",
        "whether somebody upset or at risk was passed to a person",
        3,
        "a mistake here is worse than the cost of reading",
    ),
];

/// One question for each.
pub fn questions() -> Vec<Question> {
    UNCOVERED.iter().map(question).collect()
}

fn question(of: &Uncovered) -> Question {
    let Uncovered { id, what, best, reason } = *of;
    let text = format!("No rule can check {what}. Who does?");
    let recommended = CHECKERS.get(best).copied().unwrap_or_default();
    let others = CHECKERS.iter().copied().filter(|it| *it != recommended);
    let noted = move |who: &'static str| {
        let text = capital(who);
        Choice::new(text, move |given, making| {
            let by = given.word("by");
            let who = if by.is_empty() { who } else { by };
            let who = if making.is_starter { "nobody yet" } else { who };
            making.draft.not_covered.push(format!("{what}: {who}"));
        })
    };
    let best = noted(recommended)
        .because(reason)
        .wants("by", Form::Text, "who exactly, if there is a name")
        .or(lawbook_rule::params::Node::text(recommended));
    let mut question = Question::new(format!("uncovered.{id}"), text).option(best).starting();
    for who in others {
        question = question.option(noted(who));
    }
    question.or_not("It does not apply here")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}
