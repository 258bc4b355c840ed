//! `check` of a file of JSON lines with a pmstack policy, beside a Node program that parses each
//! line, walks its messages, pairs results with calls and counts them.
//!
//! `cargo run --release -p lawbook-bench --bin check_messages`, after
//! `cargo build --release -p lawbook-cli`. Needs `node`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lawbook_bench::{chat, inputs, median};

/// A policy as the owner of a support agent writes it.
const POLICY: &str = r#"{
  "format": "pmstack.policy/1",
  "name": "support agent",
  "onlyListedTools": true,
  "tools": {
    "lookup_order": {"access": "read"},
    "verify_identity": {"access": "read"},
    "get_policy": {"access": "read"},
    "issue_refund": {"access": "write", "maxPerTrace": 40},
    "send_message": {"access": "write"},
    "close_case": {"access": "write"}
  },
  "rules": [
    {"id": "never-delete", "type": "deny-tools", "tools": ["delete_account", "export_all"]},
    {"id": "no-writes-by-text", "type": "deny-access", "access": "write", "when": {"path": "metadata.channel", "equals": "sms"}},
    {"id": "verify-first", "type": "requires-before", "tools": ["issue_refund"], "before": "verify_identity"},
    {"id": "refund-cap", "type": "arg-max", "tools": ["issue_refund"], "argPath": "amount", "max": 2000},
    {"id": "refund-floor", "type": "arg-min", "tools": ["issue_refund"], "argPath": "amount", "min": 0},
    {"id": "refund-names-order", "type": "arg-required", "tools": ["issue_refund"], "argPath": "order_id"},
    {"id": "message-names-customer", "type": "arg-required", "tools": ["send_message"], "argPath": "customer.id"},
    {"id": "no-passwords", "type": "arg-not-match", "tools": ["send_message"], "argPath": "note", "pattern": "\\bpassword\\b"},
    {"id": "no-card-numbers", "type": "arg-not-match", "tools": ["send_message"], "pattern": "\\b(?:\\d[ -]?){13,16}\\b", "luhn": true}
  ]
}
"#;

fn main() -> std::io::Result<()> {
    let folder = inputs()?;
    let (traces, policy) = (folder.join("messages.jsonl"), folder.join("pmstack.json"));
    let sessions = chat::write(&traces, 100_000_000)?;
    std::fs::write(&policy, POLICY)?;
    let bytes = std::fs::metadata(&traces)?.len();
    let lawbook = folder.join("../release/lawbook");
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/check_messages.mjs");
    if !lawbook.exists() {
        eprintln!("{} is not there: build lawbook-cli for release first", lawbook.display());
        std::process::exit(2);
    }
    let theirs = median(3, || run(Command::new("node").arg(&peer).arg(&traces)));
    let mut check = Command::new(&lawbook);
    check.args(["check", "--exit-zero", "--policy"]).arg(&policy).arg(&traces);
    let ours = median(5, || run(&mut check));
    println!("check_messages: {sessions} sessions, {} MB", bytes / 1_000_000);
    println!(
        "  node, parsed and paired       {:>6.3} s  {:.3} GB/s",
        secs(theirs),
        rate(bytes, theirs)
    );
    println!(
        "  lawbook check, pmstack policy {:>6.3} s  {:.3} GB/s",
        secs(ours),
        rate(bytes, ours)
    );
    println!("  ratio {:.1} (target 20 or more)", secs(theirs) / secs(ours));
    Ok(())
}

fn secs(time: Duration) -> f64 {
    time.as_secs_f64()
}

#[allow(clippy::cast_precision_loss)]
fn rate(bytes: u64, time: Duration) -> f64 {
    bytes as f64 / 1e9 / time.as_secs_f64()
}

fn run(command: &mut Command) {
    let status = command.stdout(Stdio::null()).status();
    assert!(status.is_ok_and(|it| it.success()), "{command:?} failed");
}
