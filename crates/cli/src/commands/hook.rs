//! `lawbook hook`: answer the hooks of a coding agent, or set them up.

mod answer;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lawbook_bridge::HOSTS;

use crate::environment::switch;
use crate::exit::Exit;
use crate::policies::PolicyArgs;

/// Answer the hooks of a coding agent, or set them up.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct HookArgs {
    /// The coding agent that asks: claude-code, codex, cursor, gemini-cli or opencode
    #[arg(value_name = "HOST", required = true)]
    pub host: Option<String>,
    #[command(flatten)]
    pub answer: AnswerArgs,
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
    let name = args.host.as_deref().unwrap_or_default();
    match lawbook_bridge::named(name) {
        Some(host) => answer::run(host, &args.answer),
        None => {
            let names: Vec<&str> = HOSTS.iter().map(|it| it.name()).collect();
            let message = format!("there is no host `{name}`");
            let help = match lawbook_diag::nearest(name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.join(", ")),
            };
            let problem = lawbook_diag::Problem::new("hook", "unknown_name", message);
            super::stopped(&[problem.help(help)])
        }
    }
}
