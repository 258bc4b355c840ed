//! How the nodes of a run ended and what it used, for checks and for gates.

use std::collections::BTreeMap;

use lawbook_event::json::Value;
use lawbook_event::{Event, TurnEnd, Usage, What};

use crate::run::{Node, Work};

/// How a node ended and what it used.
#[derive(Clone, Debug, Default)]
pub struct Ended<'d> {
    /// How it ended; its steps are found while the run is told.
    pub turn: TurnEnd<'d>,
    /// Tokens, in and out.
    pub tokens: Option<f64>,
    /// What it cost, in US dollars.
    pub cost_usd: Option<f64>,
}

/// What a node is, as far as counting goes; the nodes themselves are used up in the telling.
#[derive(Clone, Debug)]
pub struct Counted {
    id: String,
    start: i64,
    is_model: bool,
    in_model: bool,
}

/// What is kept of the nodes, and what the run used.
pub fn counted(nodes: &[Node<'_>], ended: &[Ended<'_>]) -> (Vec<Counted>, Usage) {
    let mut models: BTreeMap<&str, bool> = BTreeMap::new();
    for (node, ended) in nodes.iter().zip(ended) {
        if matches!(node.work, Work::Model(_)) {
            models.insert(&node.id, ended.tokens.is_some() || ended.cost_usd.is_some());
        }
    }
    let in_model = |node: &Node<'_>| {
        node.parent.as_deref().is_some_and(|it| models.get(it).copied().unwrap_or(false))
    };
    let counted: Vec<Counted> = nodes
        .iter()
        .map(|node| Counted {
            id: node.id.to_string(),
            start: node.start,
            is_model: matches!(node.work, Work::Model(_)),
            in_model: in_model(node),
        })
        .collect();
    let usage = Usage {
        tokens: total(&counted, ended, |it| it.tokens),
        latency_ms: latency(nodes),
        cost_usd: total(&counted, ended, |it| it.cost_usd),
    };
    (counted, usage)
}

/// The sum over the turns of models. Where none says it, the largest is the whole run's.
fn total(
    nodes: &[Counted],
    ended: &[Ended<'_>],
    of: impl Fn(&Ended<'_>) -> Option<f64>,
) -> Option<f64> {
    let both = || nodes.iter().zip(ended);
    let models = both().filter(|(node, _)| node.is_model && !node.in_model);
    let sum = sum(models.filter_map(|(_, ended)| of(ended)));
    sum.or_else(|| both().filter_map(|(_, ended)| of(ended)).reduce(f64::max))
}

/// The sum, if there is anything to add.
pub fn sum(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    numbers.fold(None, |sum, number| Some(sum.unwrap_or_default() + number))
}

/// Keys under which systems write all tokens of an answer.
const TOTAL_KEYS: [&str; 5] =
    ["total_tokens", "totalTokens", "totalTokenCount", "total_token_count", "total"];
/// Keys under which systems write the tokens that went in.
const INPUT_KEYS: [&str; 9] = [
    "input_tokens",
    "prompt_tokens",
    "inputTokens",
    "promptTokens",
    "promptTokenCount",
    "prompt_token_count",
    "request_tokens",
    "tokens_sent",
    "input",
];
/// Keys under which systems write the tokens that came out.
const OUTPUT_KEYS: [&str; 9] = [
    "output_tokens",
    "completion_tokens",
    "outputTokens",
    "completionTokens",
    "candidatesTokenCount",
    "candidates_token_count",
    "response_tokens",
    "tokens_received",
    "output",
];
/// Tokens that went in through a cache, which those who write no total count apart.
const CACHE_KEYS: [&str; 4] = [
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "cacheWriteInputTokens",
    "cacheReadInputTokens",
];

/// A number of the recording; nothing below zero is used.
pub fn number(value: Option<Value<'_>>) -> Option<f64> {
    value?.number_text()?.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0)
}

fn first(block: Value<'_>, keys: &[&str]) -> Option<f64> {
    keys.iter().find_map(|key| number(block.get(key)))
}

fn input(block: Value<'_>) -> Option<f64> {
    let cached = CACHE_KEYS.iter().filter_map(|key| number(block.get(key)));
    sum(first(block, &INPUT_KEYS).into_iter().chain(cached))
}

/// Tokens in and out that a block of a recording states, in any spelling.
pub fn tokens(block: Option<Value<'_>>) -> Option<f64> {
    let block = block.filter(|it| it.is_object())?;
    let total = first(block, &TOTAL_KEYS).filter(|it| *it > 0.0);
    total.or_else(|| sum(input(block).into_iter().chain(first(block, &OUTPUT_KEYS))))
}

/// What a block of a recording says was used.
pub fn used(block: Option<Value<'_>>) -> Usage {
    Usage { tokens: tokens(block), ..Usage::default() }
}

/// Adds what was used besides.
pub fn add(all: &mut Usage, more: Usage) {
    let both = |one: Option<f64>, other: Option<f64>| sum(one.into_iter().chain(other));
    all.tokens = both(all.tokens, more.tokens);
    all.latency_ms = both(all.latency_ms, more.latency_ms);
    all.cost_usd = both(all.cost_usd, more.cost_usd);
}

/// What is stated first, and the rest where that says nothing.
pub fn or(one: Usage, other: Usage) -> Usage {
    Usage {
        tokens: one.tokens.or(other.tokens),
        latency_ms: one.latency_ms.or(other.latency_ms),
        cost_usd: one.cost_usd.or(other.cost_usd),
    }
}

/// Milliseconds from the first event that has a time to the last one.
pub fn between(events: &[Event<'_>]) -> Option<f64> {
    let times = || events.iter().filter_map(|it| it.at).map(|it| it.nanos);
    let (first, last) = (times().min()?, times().max()?);
    (last > first).then(|| last.saturating_sub(first) as f64 / 1e6)
}

/// What the events of a streamed answer say was used: they count up, and the last one counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Streamed {
    input: Option<f64>,
    tokens: Option<f64>,
}

impl Streamed {
    /// Takes in an event.
    pub fn event(&mut self, event: Value<'_>) {
        let usage = |it: Value<'_>| it.get("usage").is_some_and(Value::is_object);
        let begun = event.get("message").filter(|it| usage(*it)).and_then(|it| it.get("usage"));
        if let Some(block) = begun {
            self.input = input(block);
            self.tokens = tokens(begun);
        }
        let whole = event.get("response").filter(|it| usage(*it)).unwrap_or(event);
        let keys = ["usage", "usageMetadata", "usage_metadata"];
        let block = keys.iter().find_map(|key| whole.get(key).filter(|it| it.is_object()));
        let Some(block) = block else { return };
        let more = self.input.filter(|_| input(block).is_none());
        self.tokens = sum(tokens(Some(block)).into_iter().chain(more)).or(self.tokens);
    }

    /// What was used, which is told once.
    pub fn take(&mut self) -> Usage {
        let Streamed { tokens, .. } = std::mem::take(self);
        Usage { tokens, ..Usage::default() }
    }
}

/// Milliseconds from the first start to the last end.
fn latency(nodes: &[Node<'_>]) -> Option<f64> {
    let start = nodes.iter().map(|it| it.start).filter(|it| *it > 0).min()?;
    let end = nodes.iter().map(|it| it.end).max()?;
    (end >= start).then(|| end.saturating_sub(start) as f64 / 1e6)
}

/// How the nodes ended, in the order in which they began, with the steps that each carries.
pub fn turns<'d>(
    nodes: Vec<Counted>,
    ended: Vec<Ended<'d>>,
    events: &[Event<'_>],
) -> Vec<TurnEnd<'d>> {
    if ended.is_empty() {
        return Vec::new();
    }
    let mut steps: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for event in events {
        if let What::Call(call) = &event.what {
            steps.entry(&call.step_id).or_default().push(call.step);
            // A call that only messages tell is numbered within its node.
            if let Some((node, _)) = call.step_id.rsplit_once(".c") {
                steps.entry(node).or_default().push(call.step);
            }
        }
    }
    let mut turns: Vec<(i64, TurnEnd<'d>)> = nodes
        .into_iter()
        .zip(ended)
        .map(|(node, ended)| {
            let steps = steps.get(node.id.as_str()).cloned().unwrap_or_default();
            (node.start, TurnEnd { steps, ..ended.turn })
        })
        .collect();
    turns.sort_by_key(|(start, _)| *start);
    turns.into_iter().map(|(_, turn)| turn).collect()
}

#[cfg(test)]
mod tests;
