//! `check` of 2,000 OpenTelemetry traces of 10 steps, beside faultgate 0.4.1 on the same file:
//! whole processes, start included.
//!
//! `cargo run --release -p lawbook-bench --bin check_vs_faultgate -- PATH/TO/faultgate`, after
//! `cargo build --release -p lawbook-cli`; faultgate is the program of the Python package, as in
//! `target/peers/venv/bin/faultgate` once `cargo xtask peers` ran.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use lawbook_bench::{Dice, inputs, median};

const TRACES: u64 = 2_000;
const STEPS: u64 = 10;

const POLICY: &str = r#"{"max_calls": 50, "max_arg_chars": 2000,
 "limits": [{"tool": "pay", "arg": "amount", "max": 900}],
 "identity": {"arg": "customer_id"},
 "requires": [{"tool": "pay", "after": "verify", "success": true, "same_arg": "order_id"}],
 "max_calls_per_arg": [{"tools": ["pay"], "arg": "order_id", "max": 3}],
 "required_args": [{"tool": "pay", "args": ["amount"]}]}"#;

fn traces() -> String {
    let mut dice = Dice::new(3);
    let mut text = String::from("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[");
    for trace in 0..TRACES {
        if trace > 0 {
            text.push(',');
        }
        let start = trace * 1_000_000;
        let _ = write!(
            text,
            "{{\"traceId\":\"{trace:032x}\",\"spanId\":\"{:016x}\",\"name\":\"invoke_agent\",\
             \"startTimeUnixNano\":\"{}\",\"endTimeUnixNano\":\"{}\",\"attributes\":[{},{},{},{}]}}",
            trace * 100,
            start + 1,
            start + 900_000,
            attribute("gen_ai.operation.name", "invoke_agent"),
            attribute("enduser.id", "C-1"),
            attribute("gen_ai.prompt", "help"),
            attribute("gen_ai.completion", "done"),
        );
        for step in 0..STEPS {
            let tool = if step % 2 == 0 { "verify" } else { "pay" };
            let (order, amount) = (dice.below(3), dice.below(800));
            let args = format!(
                "{{\\\"order_id\\\": \\\"W{order}\\\", \\\"amount\\\": {amount}, \\\"customer_id\\\": \\\"C-1\\\"}}"
            );
            let begins = start + 1_000 * (step + 1);
            let _ = write!(
                text,
                ",{{\"traceId\":\"{trace:032x}\",\"spanId\":\"{:016x}\",\"parentSpanId\":\"{:016x}\",\
                 \"name\":\"execute_tool {tool}\",\"startTimeUnixNano\":\"{begins}\",\
                 \"endTimeUnixNano\":\"{}\",\"attributes\":[{},{},{},{}]}}",
                trace * 100 + step + 1,
                trace * 100,
                begins + 500,
                attribute("gen_ai.operation.name", "execute_tool"),
                attribute("gen_ai.tool.name", tool),
                attribute("gen_ai.tool.call.arguments", &args),
                attribute("gen_ai.tool.call.result", "{\\\"status\\\": \\\"ok\\\"}"),
            );
        }
    }
    text.push_str("]}]}]}");
    text
}

fn attribute(key: &str, value: &str) -> String {
    format!("{{\"key\":\"{key}\",\"value\":{{\"stringValue\":\"{value}\"}}}}")
}

fn main() -> std::io::Result<()> {
    let Some(faultgate) = std::env::args_os().nth(1) else {
        eprintln!("name the faultgate program: check_vs_faultgate PATH/TO/faultgate");
        std::process::exit(2);
    };
    let folder = inputs()?;
    let (file, policy) = (folder.join("otlp.json"), folder.join("faultgate_policy.json"));
    std::fs::write(&file, traces())?;
    std::fs::write(&policy, POLICY)?;
    let lawbook = folder.join("../release/lawbook");
    let ours = median(5, || {
        let run =
            || quiet(Command::new(&lawbook).arg("check").arg(&file).arg("--policy").arg(&policy));
        run();
    });
    let theirs = |only: &[&str]| {
        median(1, || {
            let mut command = Command::new(&faultgate);
            command.arg("check").arg(&file).arg("--policy").arg(&policy).args(only);
            quiet(&mut command);
        })
    };
    let (policy_alone, all_checks) = (theirs(&["--check", "policy"]), theirs(&[]));
    let times = |theirs: Duration| theirs.as_secs_f64() / ours.as_secs_f64();
    println!("check_vs_faultgate: {TRACES} traces of {STEPS} steps, whole processes");
    println!("  faultgate 0.4.1                      {:>7.3} s", all_checks.as_secs_f64());
    println!("  faultgate 0.4.1, policy check alone  {:>7.3} s", policy_alone.as_secs_f64());
    println!("  lawbook check                        {:>7.3} s", ours.as_secs_f64());
    println!(
        "  ratio {:.0}, to the policy check alone {:.0} (target 100 or more)",
        times(all_checks),
        times(policy_alone)
    );
    Ok(())
}

fn quiet(command: &mut Command) {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let code = status.ok().and_then(|it| it.code());
    let program = Path::new(command.get_program()).display().to_string();
    assert!(matches!(code, Some(0 | 1)), "{program} ended with {code:?}");
}
