//! Labels as JSON lines: one object for each trace.

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_trace::parse_time;

use super::own::{FORM, KEYS};
use super::{Label, Labels, no_verdict, text_of, texts_of, verdict};

/// Reads all lines; everything that is wrong is told with its line.
pub fn read(source: &str, text: &str) -> Result<Labels, Vec<Problem>> {
    let mut labels = Labels { source: source.to_owned(), form: FORM, ..Labels::default() };
    let mut problems = Vec::new();
    for (number, line) in (1_u32..).zip(text.lines()).filter(|it| !it.1.trim().is_empty()) {
        let read = Document::parse(line, Grammar::Strict, &Limits::DEFAULT)
            .map_err(|error| format!("this is no JSON: {error}"))
            .and_then(|document| label(document.root()));
        match read {
            Ok(label) => labels.labels.push(label),
            Err(message) => {
                problems.push(Problem::new(source, "no_label", message).at(number, 1));
            }
        }
    }
    if problems.is_empty() { Ok(labels) } else { Err(problems) }
}

fn label(value: Value<'_>) -> Result<Label, String> {
    if let Some((key, _)) = value.entries().find(|it| !KEYS.contains(&it.0)) {
        return Err(format!("unknown key `{key}` in a label; known: {}", KEYS.join(", ")));
    }
    let id = text_of(value, "id");
    let word = text_of(value, "verdict");
    let at = text_of(value, "at");
    let verdict = verdict(&word).ok_or_else(|| no_verdict(&word))?;
    let time = parse_time(&at);
    match (id.is_empty(), time.is_none() && !at.is_empty()) {
        (true, _) => Err("a label needs the `id` of its trace".to_owned()),
        (_, true) => Err(format!("`at` is `{at}`, which is no time")),
        _ => Ok(Label {
            id,
            verdict,
            modes: texts_of(value, "modes"),
            note: text_of(value, "note"),
            at: time,
            split: text_of(value, "split"),
            ..Label::default()
        }),
    }
}
