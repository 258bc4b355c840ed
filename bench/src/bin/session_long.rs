//! One long conversation: 4,000 calls through a live session with rules that look back, and the same
//! as stateless questions that grow.
//!
//! `cargo run --release -p lawbook-bench --bin session_long`

use std::fmt::Write as _;
use std::time::Instant;

use lawbook::{Call, Policy, Session, Start, Time, Verdict, decide};
use lawbook_bench::{median, quantile};

const CALLS: usize = 4_000;

/// Ten rules on one tool, nine of which look back.
const POLICY: &str = "
lawbook: 1
name: long conversations
default: allow
denied_patterns: []
user_word: customer
tools:
  pay: {access: write, confirm: true}
rules:
  - {id: small, arg_range: {tools: [pay], arg: amount, min: 0, max: 500}}
  - {id: look-first, require_before: {tools: [pay], first: [look], success: true, same_arg: order}}
  - {id: newest-look, require_before: {tools: [pay], first: [look], success: true, latest: true}}
  - {id: same-owner, arg_equals: {tools: [pay], arg: owner, result: {tool: look, path: owner, same_arg: order}}}
  - {id: cap, at_most: {tools: [pay], max: 100000}}
  - {id: cap-by-order, at_most: {tools: [pay], max: 100000, per: order}}
  - {id: successes, at_most: {tools: [pay], max: 100000, successes: true}}
  - {id: by-turn, at_most: {tools: [pay, look], max: 100000, per: turn}}
  - {id: window, at_most: {tools: [pay], max: 100000, window: 1h}}
";

fn at(step: usize) -> Time {
    Time { nanos: 1_767_225_600_000_000_000 + i64::try_from(step).unwrap_or_default() * 1_000_000 }
}

fn order(step: usize) -> usize {
    step / 2 % 500
}

/// What a conversation says around its calls: even steps look an order up, odd ones pay for it.
fn call(step: usize) -> (&'static str, String, String) {
    let order = order(step);
    if step.is_multiple_of(2) {
        let result = format!("{{\"owner\": \"C-{order}\", \"status\": \"ok\"}}");
        return ("look", format!("{{\"order\": \"W{order}\"}}"), result);
    }
    let args = format!("{{\"order\": \"W{order}\", \"owner\": \"C-{order}\", \"amount\": 40}}");
    ("pay", args, "{\"status\": \"ok\"}".to_owned())
}

fn proposal(step: usize) -> String {
    format!("I can pay 40 for W{} to C-{}. Shall I?", order(step), order(step))
}

/// The time of each call in µs, all that is said around it included.
fn session(policy: &Policy) -> Vec<f64> {
    let mut session = Session::begin(policy, &Start::new("long"), at(0)).expect("it begins");
    let mut times = Vec::with_capacity(CALLS);
    for step in 0..CALLS {
        let (tool, args, result) = call(step);
        let (id, words) = (format!("c{step}"), proposal(step));
        let now = at(step);
        let start = Instant::now();
        if tool == "pay" {
            session.agent(&words, now).expect("it goes on");
            session.user("yes please", now).expect("it goes on");
        }
        let answer = session.call(&Call::new(&*id, tool, args), now).expect("it goes on");
        session.result(&id, result, now).expect("the call is known");
        times.push(start.elapsed().as_secs_f64() * 1e6);
        assert_eq!(answer.verdict(), Verdict::Allow, "{}", answer.to_json());
    }
    times
}

/// The question about one more call after so many.
fn question(calls: usize) -> String {
    let mut text = String::from("{\"history\": \"complete\", \"messages\": [");
    text.push_str("{\"role\": \"user\", \"content\": \"hello\"}");
    let quoted = |it: &str| it.replace('"', "\\\"");
    for step in 0..calls {
        let (tool, args, result) = call(step);
        let nanos = at(step).nanos;
        if tool == "pay" {
            let words = proposal(step);
            let _ = write!(
                text,
                ", {{\"role\": \"assistant\", \"content\": \"{words}\"}}, {{\"role\": \"user\", \"content\": \"yes please\"}}"
            );
        }
        let _ = write!(
            text,
            ", {{\"role\": \"assistant\", \"timestamp\": {nanos}, \"tool_calls\": [{{\"id\": \"c{step}\", \
             \"function\": {{\"name\": \"{tool}\", \"arguments\": \"{}\"}}}}]}}, {{\"role\": \"tool\", \
             \"tool_call_id\": \"c{step}\", \"content\": \"{}\"}}",
            quoted(&args),
            quoted(&result)
        );
    }
    text.push_str(
        "], \"call\": {\"id\": \"next\", \"tool\": \"look\", \"args\": {\"order\": \"W1\"}}}",
    );
    text
}

fn main() {
    let policy = Policy::from_text("bench.yaml", POLICY).expect("the policy loads");
    println!("session_long: {CALLS} calls, 10 rules, 9 of which look back");
    // The first run warms caches and allocator.
    session(&policy);
    let runs: Vec<Vec<f64>> = (0..9).map(|_| session(&policy)).collect();
    let tenth = CALLS / 10;
    let mut base = 0.0;
    for (name, from) in [("first", 0), ("middle", CALLS / 2 - tenth / 2), ("last", CALLS - tenth)] {
        let mut times: Vec<f64> =
            runs.iter().flat_map(|run| run[from..from + tenth].iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        let p50 = quantile(&times, 0.5);
        base = if from == 0 { p50 } else { base };
        let (p99, ratio) = (quantile(&times, 0.99), p50 / base);
        println!(
            "  {name:<6} tenth: p50 {p50:>5.2} µs  p99 {p99:>6.2} µs a call  {ratio:>4.2} x the first"
        );
    }
    println!("decide: one question that holds so many calls");
    let mut base = 0.0;
    for calls in [500, 1_000, 2_000, 4_000, 8_000] {
        let text = question(calls);
        let time = median(5, || {
            let answer = decide(&policy, text.as_bytes(), at(calls)).expect("it is a question");
            assert_eq!(answer.verdict(), Verdict::Allow, "{}", answer.to_json());
        });
        #[allow(clippy::cast_precision_loss, reason = "no text has 2^53 bytes")]
        let bytes = text.len() as f64;
        let by_byte = time.as_secs_f64() * 1e9 / bytes;
        base = if calls == 500 { by_byte } else { base };
        println!(
            "  {calls:>5} calls, {:>5.2} MB: {:>7.2} ms, {by_byte:>5.2} ns a byte  {:>4.2} x the first",
            bytes / 1e6,
            time.as_secs_f64() * 1e3,
            by_byte / base
        );
    }
    println!("  targets: flat a call, flat a byte");
}
