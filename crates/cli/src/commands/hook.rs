//! `lawbook hook`: answer the hooks of a coding agent, or set them up.

mod answer;
mod answers;
mod install;
mod settings;
mod setup;
mod status;
mod switches;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use lawbook_bridge::{HOSTS, Host};
use lawbook_diag::{Problem, nearest};

use crate::environment::switch;
use crate::exit::Exit;
use crate::policies::PolicyArgs;

/// Answer the hooks of a coding agent, or set them up.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct HookArgs {
    #[command(subcommand)]
    pub command: Option<HookCommand>,
    /// The coding agent that asks: claude-code, codex, cursor, gemini-cli or opencode
    #[arg(value_name = "HOST", required = true)]
    pub host: Option<String>,
    #[command(flatten)]
    pub answer: AnswerArgs,
}

/// What is done with hooks beside answering them.
#[derive(Debug, Subcommand)]
pub enum HookCommand {
    /// Set up the hooks of a coding agent
    Install(install::InstallArgs),
    /// Take the hooks of a coding agent away
    Uninstall(install::UninstallArgs),
    /// Say whether hooks are set up as they were, and how often they ask
    Status(status::StatusArgs),
    /// Propose rules for commands that a person said yes to
    Answers(answers::AnswersArgs),
}

/// How hooks are answered.
#[derive(Debug, Args)]
pub struct AnswerArgs {
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// Let calls that the policy lists run without the agent's own question
    #[arg(long, env = "LAWBOOK_AUTO_ALLOW", hide_env = true, value_parser = switch)]
    pub auto_allow: bool,
    /// Nobody can be asked: what a person would have to say yes to is denied
    #[arg(long, env = "LAWBOOK_UNATTENDED", hide_env = true, value_parser = switch)]
    pub unattended: bool,
    /// A person sits there, where the agent does not say so itself
    #[arg(long, conflicts_with = "unattended")]
    pub attended: bool,
    /// What a call is answered that can't be judged
    #[arg(long, value_enum, value_name = "VERDICT", default_value = "deny")]
    pub on_error: OnErrorArg,
    /// The folder that sessions are kept in
    #[arg(long, value_name = "FOLDER", env = "LAWBOOK_STORE", hide_env = true)]
    pub store: Option<PathBuf>,
    /// Refuse every policy but the one with this digest
    #[arg(long, value_name = "DIGEST")]
    pub pinned: Option<String>,
}

/// What a call is answered that can't be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnErrorArg {
    /// It may not run
    Deny,
    /// A person is asked, where one is certain to be
    Ask,
}

/// Runs the command.
pub fn run(args: &HookArgs) -> Exit {
    match &args.command {
        Some(HookCommand::Install(args)) => install::install(args),
        Some(HookCommand::Uninstall(args)) => install::uninstall(args),
        Some(HookCommand::Status(args)) => status::run(args),
        Some(HookCommand::Answers(args)) => answers::run(args),
        None => match host(args.host.as_deref().unwrap_or_default()) {
            Ok(host) => answer::run(host, &args.answer),
            Err(problem) => super::stopped(&[problem]),
        },
    }
}

/// The host of a name.
fn host(name: &str) -> Result<&'static dyn Host, Problem> {
    lawbook_bridge::named(name).ok_or_else(|| {
        let names: Vec<&str> = HOSTS.iter().map(|it| it.name()).collect();
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        let message = format!("there is no host `{name}`");
        Problem::new("hook", "unknown_name", message).help(help)
    })
}
