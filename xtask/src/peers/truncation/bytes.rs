//! What can be cut in the bytes of a recording, in any format: texts that stand there as JSON
//! strings are replaced by what an exporter leaves of them.

use lawbook_event::{Event, Hindsight, What};
use serde_json::Value;

/// Shorter texts may stand there for something else.
const CHARS_MIN: usize = 6;
/// How many texts of each sort are cut, the last ones first.
const TEXTS_MAX: usize = 3;

/// The file with one text cut, for each text: what it is, and the bytes that are left.
pub fn of(whole: &[u8], events: &[Event<'_>]) -> Vec<(&'static str, Vec<u8>)> {
    let Ok(whole) = std::str::from_utf8(whole) else { return Vec::new() };
    let mut all = Vec::new();
    all.extend(torn(whole).map(|it| (super::TORN, it.into_bytes())));
    for (sort, texts) in texts(events) {
        let fit = texts.into_iter().filter(|it| it.chars().count() >= CHARS_MIN);
        for text in fit.rev().take(TEXTS_MAX) {
            let half: String = text.chars().take(text.chars().count() / 2).collect();
            let [marked, hidden] = sort;
            let left =
                [(marked, format!("{half} [truncated]")), (hidden, "<redacted>".to_string())];
            for (what, left) in left {
                all.extend(replaced(whole, &text, &left).map(|it| (what, it.into_bytes())));
            }
        }
    }
    all
}

/// The texts of a session by their sort: what a cut of one is called, and one that hides it.
fn texts(events: &[Event<'_>]) -> [([&'static str; 2], Vec<String>); 6] {
    let (mut args, mut values, mut results) = (Vec::new(), Vec::new(), Vec::new());
    let (mut words, mut facts, mut returned) = (Vec::new(), Vec::new(), Vec::new());
    for event in events {
        match &event.what {
            What::Start(start) => {
                facts.extend(leaves(&start.attributes));
                facts.extend(leaves(&start.metadata));
            }
            What::User(text) | What::Agent(text) => words.push(text.text.to_string()),
            What::Call(call) => {
                args.push(call.args.text.to_string());
                values.extend(leaves(&call.args.text));
                if let Some(Hindsight::Answered(answer)) = &call.hindsight {
                    results.push(answer.text.to_string());
                    returned.extend(leaves(&answer.text));
                }
            }
            _ => {}
        }
    }
    [
        (["arguments marked", "arguments hidden"], args),
        (["an argument marked", "an argument hidden"], values),
        (["result marked", "result hidden"], results),
        (["a value of a result marked", "a value of a result hidden"], returned),
        (["words marked", "words hidden"], words),
        (["an attribute marked", "an attribute hidden"], facts),
    ]
}

/// The texts that a JSON object holds directly.
fn leaves(object: &str) -> Vec<String> {
    let object: Value = serde_json::from_str(object).unwrap_or_default();
    let members = object.as_object().into_iter().flatten();
    members.filter_map(|it| it.1.as_str().map(str::to_string)).collect()
}

/// A file of lines that breaks off inside a line; nothing where it is one document.
fn torn(whole: &str) -> Option<String> {
    let lines: Vec<&str> = whole.lines().collect();
    let records = lines.iter().all(|it| it.starts_with('{') && it.ends_with('}'));
    let kept = lines.len() * 2 / 3;
    let next = lines.get(kept).filter(|_| records && lines.len() > 2)?;
    let half: String = next.chars().take(next.chars().count() / 2).collect();
    Some(format!("{}\n{half}", lines[..kept].join("\n")))
}

/// The file with every telling of a text replaced, also where it stands in JSON inside a text;
/// nothing where it stands nowhere as it is.
fn replaced(whole: &str, text: &str, left: &str) -> Option<String> {
    let written = |it: &str| Value::from(it).to_string();
    let inside = |it: &str| {
        let twice = written(&written(it));
        let bare = twice.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        bare.unwrap_or_default().to_string()
    };
    let told = [(written(text), written(left)), (inside(text), inside(left))];
    let cut = told.iter().fold(whole.to_string(), |cut, it| values_replaced(&cut, &it.0, &it.1));
    (cut != whole).then_some(cut)
}

/// The same, but for keys of objects: exporters cut values.
fn values_replaced(whole: &str, text: &str, left: &str) -> String {
    let mut out = String::with_capacity(whole.len());
    let mut rest = whole;
    while let Some((before, after)) = rest.split_once(text) {
        let is_key = after.trim_start().starts_with(':');
        out.push_str(before);
        out.push_str(if is_key { text } else { left });
        rest = after;
    }
    out + rest
}
