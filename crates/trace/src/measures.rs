//! How the nodes of a run ended and what it used, for checks.

use std::collections::BTreeMap;

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
