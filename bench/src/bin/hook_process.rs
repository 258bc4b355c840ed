//! One call through `lawbook hook`, from the start of the process to its end, beside a process that
//! does nothing.
//!
//! `cargo run --release -p lawbook-bench --bin hook_process`, after
//! `cargo build --release -p lawbook-cli`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lawbook_bench::{inputs, median};

/// A policy as a developer writes it, with rules that look back.
const POLICY: &str = "
lawbook: 1
default: ask
tools:
  Read: {access: read}
  Bash: {command: command}
rules:
  - {id: shell, command: {allow: [git status, cargo test, ls], ask: [git push], default: ask}}
  - {id: deploys, at_most: {tools: [Deploy], max: 3}}
  - {id: tested, require_before: {tools: [Deploy], first: [Test], success: true}}
";

/// How many calls the session has before the measured ones.
const CALLS_BEFORE: usize = 200;

fn main() -> std::io::Result<()> {
    let folder = inputs()?;
    let (policy, store) = (folder.join("hook.yaml"), folder.join("hook-store"));
    let lawbook = folder.join("../release/lawbook");
    if !lawbook.exists() {
        eprintln!("{} is not there: build lawbook-cli for release first", lawbook.display());
        std::process::exit(2);
    }
    std::fs::write(&policy, POLICY)?;
    // What an earlier run left there would be measured too.
    std::fs::remove_dir_all(&store).ok();
    let mut next = 0_usize;
    let mut ask = || {
        let mut command = Command::new(&lawbook);
        command.args(["hook", "claude-code", "--policy"]).arg(&policy);
        command.arg("--store").arg(&store);
        run(&mut command, &input(next));
        next += 1;
    };
    for _ in 0..CALLS_BEFORE {
        ask();
    }
    let ours = median(200, &mut ask);
    let nothing = Path::new("/bin/true");
    let theirs = median(200, || run(&mut Command::new(nothing), ""));
    println!("hook_process: a session of {CALLS_BEFORE} calls and more");
    println!("  {:<28} {:>6.2} ms", nothing.display(), millis(theirs));
    println!("  {:<28} {:>6.2} ms (target 10 or less)", "lawbook hook", millis(ours));
    Ok(())
}

fn input(number: usize) -> String {
    format!(
        r#"{{"hook_event_name":"PreToolUse","session_id":"bench","permission_mode":"default","cwd":"/srv/shop","tool_name":"Bash","tool_use_id":"c{number}","tool_input":{{"command":"git status -s && cargo test {number}"}}}}"#
    )
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn run(command: &mut Command, input: &str) {
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let Ok(mut child) = command.spawn() else { panic!("{command:?} can't be started") };
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads nothing closes its input first.
        stdin.write_all(input.as_bytes()).ok();
    }
    assert!(child.wait().is_ok_and(|it| it.success()), "{command:?} failed");
}
