//! A small guard around the tools of a support agent: it is asked before each tool runs.
//!
//! `cargo run -p lawbook --example guard` plays one conversation against
//! `examples/guard/policy.yaml` and prints what may run.

use std::error::Error;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use lawbook::{Call, Policy, Session, Start, Time, Verdict};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let policy = Policy::load(root.join("examples/guard/policy.yaml"))?;
    let start = Start::new("chat-7").attribute("enduser.id", "A-1");
    let mut session = Session::begin(&policy, &start, now()?)?;

    session.user("my parcel is two days late", now()?)?;
    let found = guarded(&mut session, "call_1", "find_account", r#"{"account": "A-1"}"#)?;
    println!("find_account: {found}");

    session.agent("I can credit $40 to your account A-1. Shall I?", now()?)?;
    session.user("yes please", now()?)?;
    let credit = |amount: u32| format!(r#"{{"amount": {amount}, "account": "A-1"}}"#);
    let paid = guarded(&mut session, "call_2", "issue_credit", &credit(40))?;
    println!("issue_credit 40: {paid}");

    // Nobody asked the customer for a second one, and it is too much besides.
    let refused = guarded(&mut session, "call_3", "issue_credit", &credit(80))?;
    println!("issue_credit 80: {refused}");
    Ok(())
}

/// Runs a tool if the policy lets it, and gives back what the model is told in any case.
fn guarded(
    session: &mut Session,
    id: &str,
    tool: &str,
    args: &str,
) -> Result<String, Box<dyn Error>> {
    let answer = session.call(&Call::new(id, tool, args), now()?)?;
    if answer.verdict() == Verdict::Allow {
        let result = run(tool);
        session.result(id, result, now()?)?;
        return Ok(result.to_owned());
    }
    // A call that must be asked about is not run either, until `Session::approve` allows it.
    Ok(answer.reply().unwrap_or_default().to_owned())
}

/// Stands for the tools.
fn run(tool: &str) -> &'static str {
    match tool {
        "find_account" => r#"{"status": "ok", "account": "A-1"}"#,
        _ => r#"{"status": "ok"}"#,
    }
}

/// The door's own clock: the library reads none.
#[allow(clippy::disallowed_methods, reason = "this program is the door")]
fn now() -> Result<Time, Box<dyn Error>> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(Time { nanos: i64::try_from(since.as_nanos())? })
}
