//! tau2-bench: a results file with its simulations, or one simulation of the folder beside it.

pub mod message;
mod tick;

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{Start, Usage};

use super::export::{self, id, text};
use super::whole::{Documents, Found, Take, Told, first_fits};
use crate::measures;

/// The reader.
pub const READER: Documents = Documents {
    name: "tau2",
    page: include_str!("tau2.md"),
    fits: |root| first_fits(root, |it| is_results(it) || is_simulation(it)),
    missing: "the simulations stand in files of their own, in the folder `simulations`",
    find,
    tell: session,
};

/// A results file, with its simulations or with an index of them.
fn is_results(root: Value<'_>) -> bool {
    let list = |key: &str| root.get(key).is_some_and(Value::is_array);
    let simulations = root.get("simulations").filter(|it| it.is_array());
    match simulations.and_then(|it| it.item(0)) {
        Some(first) => is_simulation(first),
        None => list("tasks") && (simulations.is_some() || list("simulation_index")),
    }
}

fn is_simulation(value: Value<'_>) -> bool {
    let list = |key: &str| value.get(key).is_some_and(Value::is_array);
    let has = |key: &str| value.get(key).is_some();
    has("task_id") && has("termination_reason") && (list("messages") || list("ticks"))
}

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    if is_simulation(root) {
        out("", root);
        return;
    }
    let (base, list) = match root.get("simulations") {
        Some(list) => ("/simulations", list),
        None => ("", root),
    };
    for (at, simulation) in list.items().enumerate().filter(|(_, it)| it.is_object()) {
        out(&format!("{base}/{at}"), simulation);
    }
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    let simulation = found.value;
    let messages = simulation.get("messages").filter(|it| !it.is_empty());
    let ticks = simulation.get("ticks").filter(|it| !it.is_empty());
    let mut told = Told::new(start(found, place), messages.or(ticks).map_or(0, Value::len));
    match (messages, ticks) {
        (Some(messages), _) => {
            for (at, message) in messages.items().enumerate() {
                told.chat.message(at);
                message::tell(&mut told.chat, at, message);
            }
        }
        (None, Some(ticks)) => tick::tell(&mut told.chat, ticks),
        (None, None) => {}
    }
    // What the simulated user costs is not the agent's.
    told.end.usage = Usage {
        latency_ms: measures::number(simulation.get("duration")).map(|secs| secs * 1e3),
        cost_usd: measures::number(simulation.get("agent_cost")),
        ..Usage::default()
    };
    if let Some(reason) = text(simulation, &["termination_reason"]) {
        told.end.termination = Cow::Borrowed(reason);
    }
    told
}

fn start<'d>(found: Found<'d>, place: &str) -> Start<'d> {
    let simulation = found.value;
    let domain = || found.root.get("info")?.get("environment_info")?.get("domain_name");
    let keys = ["task_id", "trial", "seed", "mode"];
    let mut list: Vec<_> = keys.iter().map(|key| (*key, simulation.get(key))).collect();
    list.push(("domain_name", domain()));
    let own = id(simulation, &["id"]).map(Cow::Borrowed);
    Start {
        id: own.unwrap_or_else(|| Cow::Owned(place.to_owned())),
        attributes: Cow::Owned(export::attributes(None, None, &list)),
        ..Start::default()
    }
}

#[cfg(test)]
mod tests;
