//! How a span ended and what it used.

use std::borrow::Cow;

use lawbook_event::TurnEnd;

use super::record::Record;
use crate::attr::Attr;
use crate::faultgate::reasons;
use crate::measures::{Ended, sum};

const REASON_KEYS: [&str; 5] = [
    "gen_ai.response.finish_reasons",
    "gen_ai.response.finish_reason",
    "ai.response.finishReason",
    "llm.finish_reason",
    "gen_ai.completion.0.finish_reason",
];
const INPUT_KEYS: [&str; 4] = [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.token_count.prompt",
    "ai.usage.promptTokens",
];
const OUTPUT_KEYS: [&str; 4] = [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.token_count.completion",
    "ai.usage.completionTokens",
];
const COST_KEYS: [&str; 3] = ["faultgate.cost_usd", "gen_ai.usage.cost", "llm.cost.total"];

/// How a span ended and what it used.
pub fn ended<'d>(record: &Record<'d>) -> Ended<'d> {
    let attrs = &record.attrs;
    let kind = attrs.text("error.type").filter(|it| !it.is_empty());
    let error = match (record.failed, kind) {
        (Some(true), _) => Some(Cow::Borrowed("Span status error: Code 2")),
        (_, Some(kind)) => Some(Cow::Owned(format!("Span error: {kind}"))),
        _ => None,
    };
    let turn = TurnEnd {
        name: Cow::Borrowed(record.name),
        finish: reasons(attrs.first(&REASON_KEYS)),
        message: Cow::Borrowed(record.message),
        error_type: kind.map_or(Cow::Borrowed(""), |it| Cow::Owned(it.to_owned())),
        error,
        steps: Vec::new(),
    };
    let counts = [attrs.first(&INPUT_KEYS), attrs.first(&OUTPUT_KEYS)];
    Ended {
        turn,
        tokens: sum(counts.into_iter().flatten().filter_map(number)),
        cost_usd: attrs.first(&COST_KEYS).and_then(number),
    }
}

/// A number that is written as one or as text; nothing below zero is used.
fn number(attr: &Attr<'_>) -> Option<f64> {
    attr.plain().trim().parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0)
}
