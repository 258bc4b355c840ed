//! `check` of 20,000 traces of 10 steps, beside faultgate 0.4.1 on the same file: whole processes,
//! start included. faultgate takes minutes.
//!
//! `cargo run --release -p lawbook-bench --bin check_20000_vs_faultgate -- PATH/TO/faultgate`, after
//! `cargo build --release -p lawbook-cli`.

use std::process::{Command, Stdio};

use lawbook_bench::{inputs, median, spans};

const TRACES: u64 = 20_000;

fn main() -> std::io::Result<()> {
    let Some(faultgate) = std::env::args_os().nth(1) else {
        eprintln!("name the faultgate program: check_20000_vs_faultgate PATH/TO/faultgate");
        std::process::exit(2);
    };
    let folder = inputs()?;
    let (file, policy) = (folder.join("check_20000.json"), folder.join("gate_policy.json"));
    std::fs::write(&file, spans::traces(TRACES, 10, 3))?;
    std::fs::write(&policy, spans::POLICY)?;
    let ours = folder.join("../release/lawbook");
    let time = |program: &std::ffi::OsStr, more: &[&str], runs: usize| {
        median(runs, || {
            let mut command = Command::new(program);
            command.arg("check").arg(&file).arg("--policy").arg(&policy).args(more);
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert!(status.is_ok_and(|it| it.success()), "{}", program.display());
        })
    };
    let ours = time(ours.as_os_str(), &["--exit-zero"], 7);
    let theirs = time(&faultgate, &["--check", "policy"], 1);
    println!("check_20000_vs_faultgate: {TRACES} traces of 10 steps, the policy alone");
    println!("  faultgate 0.4.1  {:>8.3} s", theirs.as_secs_f64());
    println!("  lawbook check    {:>8.3} s", ours.as_secs_f64());
    println!("  ratio {:.0} (target 100 or more)", theirs.as_secs_f64() / ours.as_secs_f64());
    Ok(())
}
