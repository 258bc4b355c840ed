//! `cargo xtask test`: everything that must pass, in one command.

use std::process::Command as Program;

use super::Command;
use crate::repo::Repo;
use crate::report::Report;
use crate::{readme, run, tidy};

/// The command.
pub const COMMAND: Command = Command { name: "test", about: "runs every test", run };

fn run(repo: &Repo, args: &[String]) -> Result<bool, String> {
    if let Some(word) = args.first() {
        return Err(format!("`cargo xtask test` takes no `{word}`"));
    }
    let mut report = Report::default();
    report.step("fmt", |_| components().and_then(|()| cargo(repo, "fmt --all --check")));
    report
        .step("clippy", |_| cargo(repo, "clippy --quiet --workspace --all-targets -- -D warnings"));
    report.step("tidy", |report| rules(repo, report));
    report.step("tests", |report| tests(repo, report));
    report.step("fuzz", |_| cargo(repo, FUZZ));
    report.step("readme", |report| readme::check(repo, report));
    Ok(report.close())
}

/// A short run of every fuzz target, seeded from the cases.
const FUZZ: &str = "run --quiet --package lawbook-fuzz -- --seconds 10";

/// A toolchain may come without its formatter and linter; rustup then adds them.
fn components() -> Result<(), String> {
    for (tool, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        let mut probe = Program::new(env!("CARGO"));
        probe.args([tool, "--version"]);
        if run::read(&mut probe).is_err() {
            run::pass(Program::new("rustup").args(["component", "add", component]))?;
        }
    }
    Ok(())
}

fn rules(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let mut complaints = Vec::new();
    for check in tidy::CHECKS {
        let lines = (check.run)(repo);
        report.count(u64::from(lines.is_empty()), u64::from(!lines.is_empty()));
        complaints.extend(lines);
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

fn tests(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let mut command = Program::new(env!("CARGO"));
    command.current_dir(&repo.root).args(["test", "--workspace", "--no-fail-fast"]);
    let mut counts = (0, 0);
    let passed = run::watch(&mut command, |line| {
        if let Some((passed, failed)) = counted(line) {
            counts = (counts.0 + passed, counts.1 + failed);
        }
    })?;
    report.count(counts.0, counts.1);
    if passed { Ok(()) } else { Err("cargo test failed".to_string()) }
}

/// The numbers in `test result: ok. 3 passed; 0 failed; …`.
fn counted(line: &str) -> Option<(u64, u64)> {
    let rest = line.strip_prefix("test result: ")?.split_once(". ")?.1;
    let (passed, rest) = rest.split_once(" passed; ")?;
    let (failed, _) = rest.split_once(" failed")?;
    Some((passed.parse().ok()?, failed.parse().ok()?))
}

fn cargo(repo: &Repo, words: &str) -> Result<(), String> {
    let mut command = Program::new(env!("CARGO"));
    run::pass(command.current_dir(&repo.root).args(words.split(' ')))
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn the_result_line_of_cargo_is_read() {
        let line =
            "test result: FAILED. 41 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(counted(line), Some((41, 2)));
        assert_eq!(counted("running 43 tests"), None);
    }
}
