//! `baseline` of two runs of 300 traces, beside faultgate 0.4.1 on the same files: whole processes,
//! start included.
//!
//! `cargo run --release -p lawbook-bench --bin baseline_vs_faultgate -- PATH/TO/faultgate`, after
//! `cargo build --release -p lawbook-cli`.

use std::process::{Command, Stdio};

use lawbook_bench::{inputs, median, spans};

const TRACES: u64 = 300;

fn main() -> std::io::Result<()> {
    let Some(faultgate) = std::env::args_os().nth(1) else {
        eprintln!("name the faultgate program: baseline_vs_faultgate PATH/TO/faultgate");
        std::process::exit(2);
    };
    let folder = inputs()?;
    let (one, two, policy) =
        (folder.join("run1.json"), folder.join("run2.json"), folder.join("gate_policy.json"));
    std::fs::write(&one, spans::traces(TRACES, 3, 1))?;
    std::fs::write(&two, spans::traces(TRACES, 3, 2))?;
    std::fs::write(&policy, spans::POLICY)?;
    let ours = folder.join("../release/lawbook");
    let time = |program: &std::ffi::OsStr, runs: usize| {
        median(runs, || {
            let mut command = Command::new(program);
            command.arg("baseline").arg(&one).arg(&two).arg("--policy").arg(&policy);
            command.arg("--out").arg(folder.join("band.json"));
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
            assert!(status.is_ok_and(|it| it.success()), "{}", program.display());
        })
    };
    let (ours, theirs) = (time(ours.as_os_str(), 5), time(&faultgate, 1));
    println!("baseline_vs_faultgate: 2 runs of {TRACES} traces, whole processes");
    println!("  faultgate 0.4.1   {:>8.3} s", theirs.as_secs_f64());
    println!("  lawbook baseline  {:>8.3} s", ours.as_secs_f64());
    println!("  ratio {:.0} (target 100 or more)", theirs.as_secs_f64() / ours.as_secs_f64());
    Ok(())
}
