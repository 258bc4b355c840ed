//! `cargo xtask peers`: the comparisons with faultgate and pmstack, and the corpus.

use super::Command;
use crate::peers::{corpus, faultgate, pmstack, published};
use crate::repo::Repo;
use crate::report::Report;

/// The command.
pub const COMMAND: Command = Command {
    name: "peers",
    about: "compares with faultgate and pmstack, and reads the corpus",
    run,
};

const USAGE: &str = "usage: cargo xtask peers [--pairs N] [--seed N]";

fn run(repo: &Repo, args: &[String]) -> Result<bool, String> {
    let mut size = faultgate::Size::default();
    for pair in args.chunks(2) {
        let [flag, value] = pair else { return Err(USAGE.to_string()) };
        let number = value.parse().map_err(|e| format!("{flag} `{value}`: {e}"))?;
        match flag.as_str() {
            "--pairs" => size.pairs = number,
            "--seed" => size.seed = number,
            _ => return Err(USAGE.to_string()),
        }
    }
    let mut report = Report::default();
    report.step("faultgate", |report| faultgate::compare(repo, size, report));
    report.step("pmstack", |report| pmstack::compare(repo, report));
    report.step("published", |report| published::compare(repo, report));
    report.step("corpus", |report| corpus::read(repo, report));
    Ok(report.close())
}
