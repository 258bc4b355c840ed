//! Questions as text and as JSON.

use lawbook_report::{quote, shown};
use lawbook_rule::params::Node;

use super::question::{Choice, Question, Want, Why};

/// A question with its options, as people read it.
pub fn question(question: &Question) -> String {
    let mut out = format!("{} [{}]\n", shown(&question.text), shown(&question.id));
    for (letter, choice) in question.lettered() {
        let recommended = match &choice.reason {
            Some(reason) => format!(" (recommended: {})", shown(reason)),
            None => String::new(),
        };
        out.push_str(&format!("  {letter}. {}{recommended}\n", shown(&choice.text)));
    }
    out.trim_end().to_owned()
}

/// A value as it is typed.
pub fn value(node: &Node) -> String {
    let one = std::slice::from_ref(node);
    let items = if node.words().is_some() { one } else { node.items() };
    let words: Vec<&str> = items.iter().filter_map(Node::words).collect();
    words.join(", ")
}

/// All questions as one JSON object.
pub fn json(questions: &[Question], found: &[String]) -> String {
    let all: Vec<String> = questions.iter().map(one).collect();
    let found: Vec<String> = found.iter().map(|it| quote(it)).collect();
    format!(
        "{{\"schema\":\"lawbook.questions/1\",\"questions\":[{}],\"found\":[{}]}}\n",
        all.join(","),
        found.join(",")
    )
}

fn one(question: &Question) -> String {
    let options: Vec<String> = question.lettered().map(|it| option(it.0, it.1)).collect();
    format!(
        "{{\"id\":{},\"question\":{},\"options\":[{}]}}",
        quote(&question.id),
        quote(&question.text),
        options.join(",")
    )
}

fn option(letter: char, choice: &Choice) -> String {
    let wants: Vec<String> = choice.wants.iter().map(want).collect();
    let (why, needed) = match &choice.why {
        Why::None => ("null".to_owned(), false),
        Why::Default(words) => (quote(words), false),
        Why::Owner => ("null".to_owned(), true),
    };
    format!(
        "{{\"letter\":{},\"text\":{},\"recommended\":{},\"reason\":{},\"wants\":[{}],\"why\":{why},\
         \"why_required\":{needed}}}",
        quote(&letter.to_string()),
        quote(&choice.text),
        choice.reason.is_some(),
        choice.reason.as_deref().map_or("null".to_owned(), quote),
        wants.join(","),
    )
}

fn want(want: &Want) -> String {
    // What stands there is made by this program, so every number in it is clear.
    let default = want.default.as_ref().map(|it| it.json(&mut Vec::new()));
    format!(
        "{{\"name\":{},\"ask\":{},\"form\":{},\"default\":{}}}",
        quote(want.name),
        quote(&want.ask),
        quote(want.form.name()),
        default.unwrap_or_else(|| "null".to_owned()),
    )
}
