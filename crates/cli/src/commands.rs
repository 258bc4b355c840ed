//! The commands, in the order of the help.

mod check;
mod decide;
mod decisions;
mod policy;
mod precheck;
mod rule;
mod tools;

use clap::Subcommand;

use crate::exit::Exit;

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge recorded traces against a policy
    #[command(after_long_help = include_str!("commands/check.md"))]
    Check(check::CheckArgs),
    /// Say what a reader understood of traces, and what a policy would miss
    #[command(after_long_help = include_str!("commands/precheck.md"))]
    Precheck(precheck::PrecheckArgs),
    /// Say whether a call may run, now
    #[command(after_long_help = include_str!("commands/decide.md"))]
    Decide(decide::DecideArgs),
    /// Summarise a log of decisions: what was blocked, by which rule, for whom
    #[command(after_long_help = include_str!("commands/decisions.md"))]
    Decisions(decisions::DecisionsArgs),
    /// List the tools that traces call
    #[command(after_long_help = include_str!("commands/tools.md"))]
    Tools(tools::ToolsArgs),
    /// Work on policy files
    #[command(subcommand, after_long_help = include_str!("commands/policy.md"))]
    Policy(policy::PolicyCommand),
    /// Print the page of a rule kind, or list the kinds
    #[command(after_long_help = include_str!("commands/rule.md"))]
    Rule(rule::RuleArgs),
}

impl Command {
    /// Runs it.
    #[must_use]
    pub fn run(&self) -> Exit {
        match self {
            Command::Check(args) => check::run(args),
            Command::Precheck(args) => precheck::run(args),
            Command::Decide(args) => decide::run(args),
            Command::Decisions(args) => decisions::run(args),
            Command::Tools(args) => tools::run(args),
            Command::Policy(command) => command.run(),
            Command::Rule(args) => rule::run(args),
        }
    }
}

/// Says everything that stops a run.
fn stopped(problems: &[lawbook_diag::Problem]) -> Exit {
    for problem in problems {
        crate::print::error(problem);
    }
    Exit::Unusable
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
}
