//! Judging one call in process: twenty rules that all concern the tool, after short and long
//! histories, and among a thousand rules.
//!
//! `cargo run --release -p lawbook-bench --bin judge_one_call`; with `short` behind it, the first
//! line alone, for profilers.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use lawbook_bench::quantile;
use lawbook_dialect::{Options, load};
use lawbook_engine::{Door, Engine, State};
use lawbook_event::{Answer, Args, Call, Event, Ran, Start, Time, What};

const KEYS: u64 = 10_000;

/// Five `require_before` with a shared argument, five caps by value, three comparisons with
/// earlier results, two windows and five rules on arguments, all on one tool.
fn twenty(prefix: &str, tool: &str) -> String {
    let mut text = String::new();
    for n in 0..5 {
        let _ = writeln!(
            text,
            "  - id: {prefix}before-{n}\n    require_before: {{tools: [{tool}], first: [look_{n}], \
             same_arg: order_id}}\n  - id: {prefix}cap-{n}\n    at_most: {{tools: [{tool}], \
             max: 1000000000, per: order_id}}"
        );
    }
    for n in 0..3 {
        let _ = writeln!(
            text,
            "  - id: {prefix}join-{n}\n    arg_equals: {{tools: [{tool}], arg: customer_id, result: \
             {{tool: look_{n}, path: customer_id, same_arg: order_id}}}}"
        );
    }
    for n in 1..3 {
        let _ = writeln!(
            text,
            "  - id: {prefix}window-{n}\n    at_most: {{tools: [{tool}], max: 1000000000, window: {n}m}}"
        );
    }
    for rule in [
        format!("arg_range: {{tools: [{tool}], arg: amount, min: 0, max: 500}}"),
        format!("arg_required: {{tools: [{tool}], args: [order_id, amount]}}"),
        format!("arg_in: {{tools: [{tool}], arg: reason, values: [damaged, late, lost]}}"),
        format!("arg_size: {{tools: [{tool}], max_chars: 2000}}"),
        format!("arg_never_matches: {{tools: [{tool}], arg: reason, pattern: \"gift ?card\"}}"),
    ] {
        let _ = writeln!(text, "  - id: {prefix}arg-{}\n    {rule}", text.len());
    }
    text
}

fn engine(rules: &str) -> Engine {
    let text = format!("lawbook: 1\ndefault: allow\ndenied_patterns: []\nrules:\n{rules}");
    let loaded = load("bench.yaml", text.as_bytes(), &Options::default());
    let policy = loaded.policy.unwrap_or_else(|| panic!("{:#?}", loaded.problems));
    Engine::new(vec![Arc::new(policy)], None)
}

fn event(step: u32, what: What<'static>) -> Event<'static> {
    let at = Some(Time { nanos: i64::from(step) * 1_000_000 });
    Event { at, place: u64::from(step), message: u64::from(step), what }
}

fn call(step: u32, tool: String, key: u64) -> Event<'static> {
    let text = format!(
        "{{\"order_id\": \"W{key}\", \"amount\": 80.50, \"customer_id\": \"C-{key}\", \"reason\": \"late\"}}"
    );
    event(
        step,
        What::Call(Call {
            step,
            step_id: Cow::Owned(format!("act-{step}")),
            id: None,
            server: None,
            tool: Cow::Owned(tool),
            args: Args { text: Cow::Owned(text), ..Args::default() },
            hindsight: None,
            ran: Ran::Yes,
            confirmed: false,
            cwd: None,
            cost: None,
        }),
    )
}

/// A state after so many events, in which every key was looked up.
fn after(engine: &Engine, events: u64) -> (State, u32) {
    let mut state = State::new(engine, Door::Live);
    let mut step = 0;
    let feed = |state: &mut State, it: Event<'static>| {
        let judgement = engine.judge(state, &it);
        engine.advance(state, &it, &judgement);
    };
    feed(&mut state, event(0, What::Start(Start::default())));
    for n in 0..events / 2 {
        step += 1;
        let key = (n / 6) % KEYS;
        let tool = if n % 6 < 5 { format!("look_{}", n % 6) } else { "pay".to_owned() };
        feed(&mut state, call(step, tool, key));
        let text = Cow::Owned(format!("{{\"customer_id\": \"C-{key}\", \"status\": \"ok\"}}"));
        let answer = Answer { text, recorded: true, ..Answer::default() };
        feed(&mut state, event(step, What::Answer { step, answer }));
    }
    (state, step)
}

/// The time of judging one call, arguments parsed included, in µs: p50 and p99 over many calls.
fn measure(engine: &Engine, state: &State, step: u32, keys: u64) -> (f64, f64, usize) {
    let calls: Vec<_> =
        (0..2_048).map(|n| call(step + 1, "pay".to_owned(), n * 7 % keys)).collect();
    let mut said = 0;
    let mut times: Vec<f64> = Vec::with_capacity(calls.len() * 50);
    for round in 0..50 {
        for it in &calls {
            let start = Instant::now();
            let judgement = engine.judge(state, it);
            let time = start.elapsed().as_secs_f64() * 1e6;
            if round > 4 {
                times.push(time);
            }
            said += std::hint::black_box(&judgement).held.len() + judgement.unknowns.len();
        }
    }
    times.sort_by(f64::total_cmp);
    (quantile(&times, 0.5), quantile(&times, 0.99), said)
}

fn main() {
    let small = engine(&twenty("", "pay"));
    let mut thousand = twenty("", "pay");
    for n in 1..50 {
        thousand.push_str(&twenty(&format!("t{n}-"), &format!("pay_{n}")));
    }
    let large = engine(&thousand);
    println!("judge_one_call: 20 rules on the tool, arguments parsed from text");
    let mut base = 0.0;
    // `short` measures the first line alone, for profilers that slow everything down.
    let rows = if std::env::args().nth(1).as_deref() == Some("short") { 1 } else { 3 };
    for (name, engine, events, keys) in [
        ("10 events", &small, 60_u64, 5_u64),
        ("1,000,000 events, 10,000 keys", &small, 1_000_000, KEYS),
        ("1,000 rules over 50 tools", &large, 60, 5),
    ]
    .into_iter()
    .take(rows)
    {
        let (state, step) = after(engine, events);
        let (p50, p99, said) = measure(engine, &state, step, keys);
        if base == 0.0 {
            base = p50;
        }
        println!(
            "  {name:<31} p50 {p50:>5.2} µs  p99 {p99:>5.2} µs  {:>4.2} x the first  ({said} objections)",
            p50 / base
        );
    }
    println!("  targets: p50 2 µs or less, within 2 x at any history and with 1,000 rules");
}
