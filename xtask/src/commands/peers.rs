//! `cargo xtask peers`: the comparison with the real faultgate, and the corpus.

use super::Command;
use crate::peers::{corpus, faultgate};
use crate::repo::Repo;
use crate::report::Report;

/// The command.
pub const COMMAND: Command =
    Command { name: "peers", about: "compares with faultgate and reads the corpus", run };

fn run(repo: &Repo, args: &[String]) -> Result<bool, String> {
    let pairs = match args {
        [] => faultgate::PAIRS,
        [flag, count] if flag == "--pairs" => {
            count.parse().map_err(|e| format!("--pairs `{count}`: {e}"))?
        }
        _ => return Err("usage: cargo xtask peers [--pairs N]".to_string()),
    };
    let mut report = Report::default();
    report.step("faultgate", |report| faultgate::compare(repo, pairs, report));
    report.step("corpus", |report| corpus::read(repo, report));
    Ok(report.close())
}
