//! How spans ended and what the run used, as faultgate counts it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Kind;
use lawbook_event::{TurnEnd, Usage, python};

use super::steps::Step;
use super::{Span, Trace};
use crate::attr::{self, Attr};
use crate::measures::sum;

const TOKEN_KEYS: [&str; 2] = ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"];

/// How each span ended, in order.
pub fn turns<'d>(trace: &Trace<'d>, steps: &[Step<'d>]) -> Vec<TurnEnd<'d>> {
    let mut numbers: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (number, step) in (1_u32..).zip(steps) {
        if let Some(span) = trace.spans.get(step.span) {
            numbers.entry(span.id.as_ref()).or_default().push(number);
        }
    }
    let carried = |span: &Span<'d>| numbers.get(span.id.as_ref()).cloned().unwrap_or_default();
    trace.spans.iter().map(|span| turn(span, carried(span))).collect()
}

fn turn<'d>(span: &Span<'d>, steps: Vec<u32>) -> TurnEnd<'d> {
    TurnEnd {
        name: span.name.clone(),
        finish: reasons(span.attrs.get("gen_ai.response.finish_reasons")),
        message: span.message.clone(),
        error_type: span.text_of("error.type"),
        error: span.error().map(Cow::Owned),
        steps,
    }
}

/// The reasons of an attribute that holds one or a list of them.
pub fn reasons<'d>(attr: Option<&Attr<'d>>) -> Vec<Cow<'d, str>> {
    match attr {
        None => Vec::new(),
        Some(Attr::Text(text)) => vec![text.clone()],
        Some(Attr::Json(json)) => match attr::parse(json) {
            Some(document) if document.root().is_array() => {
                let items = document.root().items();
                items.map(|it| Cow::Owned(python::text(it).into_owned())).collect()
            }
            Some(document) => vec![Cow::Owned(python::text(document.root()).into_owned())],
            None => Vec::new(),
        },
    }
}

/// What the run used.
pub fn usage(trace: &Trace<'_>) -> Usage {
    let spans = || trace.spans.iter();
    let tokens = spans().flat_map(|span| TOKEN_KEYS.iter().filter_map(|key| span.attrs.get(key)));
    let costs = spans().filter_map(|span| span.attrs.get("faultgate.cost_usd"));
    Usage {
        tokens: sum(tokens.filter_map(|it| number(it, false)).map(f64::trunc)),
        latency_ms: latency(trace),
        cost_usd: sum(costs.filter_map(|it| number(it, true))),
    }
}

/// The number of an attribute. Text is none; that a truth is one depends on who counts.
fn number(attr: &Attr<'_>, truths: bool) -> Option<f64> {
    let Attr::Json(json) = attr else { return None };
    let document = attr::parse(json)?;
    let value = document.root();
    match value.kind() {
        Kind::Number => value.number_text()?.parse().ok().filter(|it: &f64| it.is_finite()),
        Kind::Bool if truths => Some(if value.as_bool() == Some(true) { 1.0 } else { 0.0 }),
        _ => None,
    }
}

/// Milliseconds from the start of the root to its end, else from the first start to the last end.
fn latency(trace: &Trace<'_>) -> Option<f64> {
    let of = |start: i128, end: i128| {
        (start > 0 && end >= start).then(|| end.saturating_sub(start) as f64 / 1e6)
    };
    let whole = || {
        let start = trace.spans.iter().map(|it| it.start).filter(|it| *it > 0).min()?;
        of(start, trace.spans.iter().map(|it| it.end).max()?)
    };
    trace.root().and_then(|root| of(root.start, root.end)).or_else(whole)
}
