//! Live agents for benches: a policy that remembers, and requests that it lets through.

use std::sync::Arc;

use lawbook::agent::session::{Agents, PolicyText, Quota, Request};
use lawbook_dialect::{Options, load};
use lawbook_engine::Engine;
use lawbook_ledger::store::FileStore;

/// A budget, caps and a check: ten rules, most of which look back.
const POLICY: &str = "
lawbook: 1
default: allow
denied_patterns: []
tools:
  refund: {access: write, cost: 1}
budget: {credits: 9000000000}
scars: {limit: 1000}
rules:
  - {id: small, arg_range: {tools: [refund], arg: amount, min: 0, max: 500}}
  - {id: cap, at_most: {tools: [refund], max: 100000000}}
  - {id: by-order, at_most: {tools: [refund], max: 100000000, per: order}}
  - {id: by-turn, at_most: {tools: [refund], max: 100000000, per: turn}}
  - {id: window, at_most: {tools: [refund], max: 90000, window: 1s}}
  - {id: reason, arg_required: {tools: [refund], args: [reason]}}
  - {id: cards, arg_never_matches: {tools: [refund], arg: reason, pattern: \"gift ?card\"}}
  - {id: reasons, arg_size: {tools: [refund], max_chars: 2000}}
";

/// Opens the agents of a store, whose quota lets everything through.
///
/// # Panics
/// When they can't be opened.
#[must_use]
pub fn open(store: Arc<FileStore>) -> Agents {
    let compile = Box::new(|text: &PolicyText| {
        let loaded = load("bench.yaml", text.text.as_bytes(), &Options::default());
        let policy = loaded.policy.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
        Ok(Arc::new(Engine::new(vec![Arc::new(policy)], None)))
    });
    let agents = Agents::open(store, compile).expect("they open");
    agents.quota(Quota { attempts_per_sec: u32::MAX, bytes_per_min: u32::MAX })
}

/// Begins an agent.
///
/// # Panics
/// When it can't begin.
pub fn begin(agents: &Agents, name: &str) {
    let [file, dialect, profile] = ["bench.yaml", "lawbook", "strict"].map(str::to_owned);
    let policy = PolicyText { name: file, dialect, profile, text: POLICY.to_owned() };
    agents.create(name, &policy).expect("it begins");
}

/// A request of one of many orders, which is let through.
#[must_use]
pub fn request(number: u64) -> Request {
    let order = number % 5_000;
    let args = format!(
        "{{\"order\": \"W{order}\", \"amount\": 79.50, \"reason\": \"it came too late, and the receipt was shown\"}}"
    );
    Request {
        id: Some(format!("r-{number}")),
        tool: "refund".to_owned(),
        args,
        ..Request::default()
    }
}
