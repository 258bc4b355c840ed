//! `cargo xtask peers`: the comparisons with faultgate and pmstack, and the corpus.

use super::Command;
use crate::peers::{
    commands, corpus, faultgate, gate, hooks, lineage, oracles, owner, pmstack, published, reports,
    same_run, shell, shell_cases, truncation,
};
use crate::repo::Repo;
use crate::report::Report;

/// The command.
pub const COMMAND: Command = Command {
    name: "peers",
    about: "compares with faultgate and pmstack, and reads the corpus",
    run,
};

const USAGE: &str = "usage: cargo xtask peers [--pairs N] [--seed N] [--only STEP] [--under PATH]";

/// What to compare, and how much of it.
#[derive(Default)]
struct Choice {
    size: faultgate::Size,
    /// The only step that runs.
    only: Option<String>,
    /// Where the paths begin of the files of the corpus that are read.
    under: String,
}

impl Choice {
    fn of(args: &[String]) -> Result<Choice, String> {
        let mut choice = Choice::default();
        for pair in args.chunks(2) {
            let [flag, value] = pair else { return Err(USAGE.to_string()) };
            let number = || value.parse::<u32>().map_err(|e| format!("{flag} `{value}`: {e}"));
            match flag.as_str() {
                "--pairs" => choice.size.pairs = number()?,
                "--seed" => choice.size.seed = number()?,
                "--only" => choice.only = Some(value.clone()),
                "--under" => choice.under.clone_from(value),
                _ => return Err(USAGE.to_string()),
            }
        }
        Ok(choice)
    }

    fn has(&self, step: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == step)
    }
}

fn run(repo: &Repo, args: &[String]) -> Result<bool, String> {
    let choice = Choice::of(args)?;
    let mut report = Report::default();
    if choice.has("faultgate") {
        report.step("faultgate", |report| faultgate::compare(repo, choice.size, report));
    }
    if choice.has("pmstack") {
        report.step("pmstack", |report| pmstack::compare(repo, report));
    }
    if choice.has("owner") {
        report.step("owner", |report| owner::walk(repo, report));
    }
    if choice.has("published") {
        report.step("published", |report| published::compare(repo, report));
    }
    if choice.has("gate") {
        report.step("gate", |report| gate::compare(repo, report));
    }
    if choice.has("same_run") {
        report.step("same_run", |report| same_run::compare(repo, report));
    }
    if choice.has("reports") {
        report.step("reports", |report| reports::compare(repo, report));
    }
    if choice.has("hooks") {
        report.step("hooks", |report| hooks::compare(repo, &choice.under, report));
    }
    if choice.has("lineage") {
        report.step("lineage", |report| lineage::compare(repo, report));
    }
    if choice.has("shell_cases") {
        report.step("shell_cases", |report| shell_cases::compare(repo, report));
        report.step("shell_cases", |report| shell_cases::policies(repo, report));
    }
    if choice.has("shell") {
        let seed = u64::from(choice.size.seed);
        report.step("shell", |report| shell::compare(repo, &choice.under, seed, report));
    }
    if choice.has("oracles") {
        let seed = u64::from(choice.size.seed);
        report.step("oracles", |report| oracles::compare(repo, seed, report));
    }
    if choice.has("corpus") {
        report.step("corpus", |report| corpus::read(repo, &choice.under, report));
    }
    if choice.has("truncation") {
        report.step("truncation", |report| truncation::compare(repo, &choice.under, report));
    }
    if choice.has("commands") {
        report.step("commands", |report| commands::measure(repo, report));
    }
    Ok(report.close())
}
