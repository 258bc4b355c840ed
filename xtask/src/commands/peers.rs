//! `cargo xtask peers`: the comparisons with faultgate and pmstack, and the corpus.

use super::Command;
use crate::peers::{
    checks, commands, corpus, faultgate, gate, hooks, lineage, oracles, owner, pmstack, published,
    reports, same_run, shell, shell_cases, truncation,
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

    fn seed(&self) -> u64 {
        u64::from(self.size.seed)
    }
}

/// One comparison.
type Step = (&'static str, fn(&Repo, &Choice, &mut Report) -> Result<(), String>);

/// Every comparison, in the order in which they run.
const STEPS: &[Step] = &[
    ("faultgate", |repo, choice, report| faultgate::compare(repo, choice.size, report)),
    ("pmstack", |repo, _, report| pmstack::compare(repo, report)),
    ("owner", |repo, _, report| owner::walk(repo, report)),
    ("published", |repo, _, report| published::compare(repo, report)),
    ("gate", |repo, _, report| gate::compare(repo, report)),
    ("checks", |repo, choice, report| checks::compare(repo, choice.seed(), report)),
    ("same_run", |repo, _, report| same_run::compare(repo, report)),
    ("reports", |repo, _, report| reports::compare(repo, report)),
    ("hooks", |repo, choice, report| hooks::compare(repo, &choice.under, report)),
    ("lineage", |repo, _, report| lineage::compare(repo, report)),
    ("shell_cases", |repo, _, report| shell_cases::compare(repo, report)),
    ("shell_cases", |repo, _, report| shell_cases::policies(repo, report)),
    ("shell", |repo, choice, report| shell::compare(repo, &choice.under, choice.seed(), report)),
    ("oracles", |repo, choice, report| oracles::compare(repo, choice.seed(), report)),
    ("corpus", |repo, choice, report| corpus::read(repo, &choice.under, report)),
    ("truncation", |repo, choice, report| truncation::compare(repo, &choice.under, report)),
    ("commands", |repo, _, report| commands::measure(repo, report)),
];

fn run(repo: &Repo, args: &[String]) -> Result<bool, String> {
    let choice = Choice::of(args)?;
    let mut report = Report::default();
    let only = choice.only.as_deref();
    if let Some(only) = only.filter(|only| STEPS.iter().all(|it| it.0 != *only)) {
        let names: Vec<&str> = STEPS.iter().map(|it| it.0).collect();
        return Err(format!("there is no step `{only}`, but {}", names.join(", ")));
    }
    for (name, step) in STEPS.iter().filter(|it| only.is_none_or(|only| only == it.0)) {
        report.step(name, |report| step(repo, &choice, report));
    }
    Ok(report.close())
}
