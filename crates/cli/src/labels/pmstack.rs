//! Labels out of a pmstack project, or of its reviews alone.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_event::Time;
use lawbook_event::json::Value;
use lawbook_stats::Truth;
use lawbook_trace::parse_time;

use super::{FailureMode, Label, Labels, Verdict, no_verdict, text_of, texts_of, verdict};

/// The name of this form.
pub const FORM: &str = "pmstack";

/// Whether an object is a project, or holds its reviews.
pub fn fits(root: Value<'_>) -> bool {
    let format = root.get("format").and_then(Value::as_str);
    format.is_some_and(|it| it.starts_with("pmstack.project/"))
        || root.get("reviews").is_some_and(Value::is_object)
}

/// Reads a project.
///
/// # Errors
/// For a verdict that is none.
pub fn read(source: &str, root: Value<'_>) -> Result<Labels, Problem> {
    let mut labels = Labels { source: source.to_owned(), form: FORM, ..Labels::default() };
    labels.modes = modes(root);
    labels.mode = root.get("modeId").and_then(Value::as_str).map(str::to_owned);
    for (id, review) in root.get("reviews").into_iter().flat_map(Value::entries) {
        let word = text_of(review, "verdict");
        let verdict = verdict(&word).ok_or_else(|| {
            Problem::new(source, "unknown_word", format!("trace `{id}`: {}", no_verdict(&word)))
        })?;
        let at = moment(review, "reviewedAt").or_else(|| moment(review, "at"));
        labels.labels.push(Label {
            id: id.to_owned(),
            verdict,
            modes: texts_of(review, "modes"),
            note: text_of(review, "note"),
            at,
            ..Label::default()
        });
    }
    let ids = labels.labels.iter().enumerate();
    let mut places: BTreeMap<String, usize> = ids.map(|it| (it.1.id.clone(), it.0)).collect();
    for (mode, traces) in root.get("labels").into_iter().flat_map(Value::entries) {
        for (id, said) in traces.entries() {
            let Some(truth) = truth(said) else { continue };
            let place = *places.entry(id.to_owned()).or_insert_with(|| {
                labels.labels.push(Label { id: id.to_owned(), ..Label::default() });
                labels.labels.len().saturating_sub(1)
            });
            if let Some(label) = labels.labels.get_mut(place) {
                label.explicit.insert(mode.to_owned(), truth);
            }
        }
    }
    Ok(labels)
}

/// What an explicit label says: `pass` or `fail`, alone or as the `label` or `verdict` of an object.
fn truth(said: Value<'_>) -> Option<Truth> {
    let inner = said.get("label").or_else(|| said.get("verdict"));
    let word = said.as_str().or_else(|| inner.and_then(Value::as_str))?;
    match verdict(word)? {
        Verdict::Good => Some(Truth::Good),
        Verdict::Problem => Some(Truth::Problem),
        Verdict::Skip => None,
    }
}

fn modes(root: Value<'_>) -> Vec<FailureMode> {
    let checks = root.get("checks").into_iter().flat_map(Value::items);
    let checked: Vec<String> = checks
        .filter(|it| it.get("type").and_then(Value::as_str) == Some("policy"))
        .map(|it| text_of(it, "modeId"))
        .collect();
    let mut modes: Vec<FailureMode> = Vec::new();
    for mode in root.get("modes").into_iter().flat_map(Value::items) {
        let id = text_of(mode, "id");
        let template = mode.get("template").and_then(Value::as_str) == Some("policy");
        let times = [moment(mode, "createdAt"), moment(mode, "definitionUpdatedAt")];
        let defined = times.into_iter().flatten().collect();
        modes.push(FailureMode { is_policy: template || checked.contains(&id), defined, id });
    }
    // The reviews of one failure mode alone name it and its time at the top.
    if let Some(id) = root.get("modeId").and_then(Value::as_str) {
        let defined = moment(root, "modeCreatedAt").into_iter().collect();
        modes.push(FailureMode { id: id.to_owned(), defined, is_policy: true });
    }
    modes
}

fn moment(value: Value<'_>, key: &str) -> Option<Time> {
    value.get(key).and_then(|it| parse_time(it.as_str().unwrap_or_else(|| it.raw())))
}
