//! The commands, in the order of the help.

mod agreement;
mod approve;
mod baseline;
mod check;
mod closing;
mod decide;
mod decisions;
mod gate;
mod hook;
mod ledger;
mod policy;
mod precheck;
mod project;
mod review;
mod rule;
mod shell;
mod tools;

use clap::Subcommand;

use crate::exit::Exit;

pub use check::Judge;
pub use review::standing;
pub use tools::Guess;

/// A command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Judge recorded traces against a policy
    #[command(after_long_help = include_str!("commands/check.md"))]
    Check(check::CheckArgs),
    /// Measure the noise of two or more runs of the same release
    #[command(after_long_help = include_str!("commands/baseline.md"))]
    Baseline(baseline::BaselineArgs),
    /// Say whether a release is worse than its baseline, or breaks its policy
    #[command(after_long_help = include_str!("commands/gate.md"))]
    Gate(Box<gate::GateArgs>),
    /// Say what a reader understood of traces, and what a policy would miss
    #[command(after_long_help = include_str!("commands/precheck.md"))]
    Precheck(precheck::PrecheckArgs),
    /// Say whether a call may run, now
    #[command(after_long_help = include_str!("commands/decide.md"))]
    Decide(decide::DecideArgs),
    /// Summarise a log of decisions: what was blocked, by which rule, for whom
    #[command(after_long_help = include_str!("commands/decisions.md"))]
    Decisions(decisions::DecisionsArgs),
    /// Answer the hooks of a coding agent, or set them up
    #[command(after_long_help = include_str!("commands/hook.md"))]
    Hook(hook::HookArgs),
    /// Say yes or no to what agents wait for
    #[command(after_long_help = include_str!("commands/approve.md"))]
    Approve(approve::ApproveArgs),
    /// Verify, show and sign the record of what agents did
    #[command(subcommand, after_long_help = include_str!("commands/ledger.md"))]
    Ledger(ledger::LedgerCommand),
    /// List the tools that traces call
    #[command(after_long_help = include_str!("commands/tools.md"))]
    Tools(tools::ToolsArgs),
    /// Say what is left of a review of findings, or mark a finding in it
    #[command(after_long_help = include_str!("commands/review.md"))]
    Review(review::ReviewArgs),
    /// Say how a policy agrees with what reviewers said of the same traces
    #[command(after_long_help = include_str!("commands/agreement.md"))]
    Agreement(agreement::AgreementArgs),
    /// Write the closing report on a policy
    #[command(after_long_help = include_str!("commands/closing.md"))]
    Closing(closing::ClosingArgs),
    /// Work on policy files
    #[command(subcommand, after_long_help = include_str!("commands/policy.md"))]
    Policy(policy::PolicyCommand),
    /// Work on pmstack's own files
    #[command(subcommand, after_long_help = include_str!("commands/project.md"))]
    Project(project::ProjectCommand),
    /// Print the page of a rule kind, or list the kinds
    #[command(after_long_help = include_str!("commands/rule.md"))]
    Rule(rule::RuleArgs),
    /// Say what a shell command would run and do, and whether a policy lets it
    #[command(after_long_help = include_str!("commands/shell.md"))]
    Shell(shell::ShellArgs),
}

impl Command {
    /// Runs it.
    #[must_use]
    pub fn run(&self) -> Exit {
        match self {
            Command::Check(args) => check::run(args),
            Command::Baseline(args) => baseline::run(args),
            Command::Gate(args) => gate::run(args),
            Command::Precheck(args) => precheck::run(args),
            Command::Decide(args) => decide::run(args),
            Command::Decisions(args) => decisions::run(args),
            Command::Hook(args) => hook::run(args),
            Command::Approve(args) => approve::run(args),
            Command::Ledger(command) => command.run(),
            Command::Tools(args) => tools::run(args),
            Command::Review(args) => review::run(args),
            Command::Agreement(args) => agreement::run(args),
            Command::Closing(args) => closing::run(args),
            Command::Policy(command) => command.run(),
            Command::Project(command) => command.run(),
            Command::Rule(args) => rule::run(args),
            Command::Shell(args) => shell::run(args),
        }
    }
}

impl Command {
    /// Whether it answers a hook, and does not set one up.
    #[must_use]
    pub fn answers_a_hook(&self) -> bool {
        matches!(self, Command::Hook(args) if args.command.is_none())
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
