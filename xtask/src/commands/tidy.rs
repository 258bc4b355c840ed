//! `cargo xtask tidy`: the repository's own rules, which are tests too.

use super::Command;
use crate::repo::Repo;
use crate::tidy::CHECKS;

/// The command.
pub const COMMAND: Command =
    Command { name: "tidy", about: "checks the repository's own rules", run };

fn run(repo: &Repo, _: &[String]) -> Result<bool, String> {
    let mut clean = true;
    for check in CHECKS {
        let complaints = (check.run)(repo);
        clean &= complaints.is_empty();
        println!("{} {}", if complaints.is_empty() { "ok  " } else { "FAIL" }, check.name);
        for line in complaints {
            println!("  {line}");
        }
    }
    Ok(clean)
}
