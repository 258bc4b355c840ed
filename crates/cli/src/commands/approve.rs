//! `lawbook approve`: people say yes or no to what agents wait for.

mod ask;
mod told;

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lawbook::Error;
use lawbook::agent::{Agents, Decision, Severity};
use lawbook_diag::Problem;

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;

/// Say yes or no to what agents wait for.
#[derive(Debug, Args)]
pub struct ApproveArgs {
    /// The folder of a ledger
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// The agent
    #[arg(value_name = "AGENT", requires = "action")]
    pub agent: Option<String>,
    /// The action, as in `act-4`
    #[arg(value_name = "ACTION", requires = "by")]
    pub action: Option<String>,
    /// Your name, which the record keeps
    #[arg(long, value_name = "NAME", env = "LAWBOOK_BY", hide_env = true)]
    pub by: Option<String>,
    /// The digest of what you saw
    #[arg(long, value_name = "DIGEST", requires = "action", conflicts_with = "reject")]
    pub seen: Option<String>,
    /// A note, which lies with the texts of the entry
    #[arg(long, value_name = "TEXT", default_value = "", conflicts_with = "reject")]
    pub note: String,
    /// Say no
    #[arg(long, requires = "action")]
    pub reject: bool,
    /// Why not
    #[arg(long, value_name = "TEXT", default_value = "", requires = "reject")]
    pub reason: String,
    /// The mark that the no leaves on the agent
    #[arg(long, value_enum, requires = "reject")]
    pub scar: Option<Mark>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// How bad it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mark {
    /// It weighs 1
    Minor,
    /// It weighs 3
    Moderate,
    /// It weighs 10
    Severe,
    /// It ends the agent
    Fatal,
}

impl Mark {
    fn severity(self) -> Severity {
        match self {
            Mark::Minor => Severity::Minor,
            Mark::Moderate => Severity::Moderate,
            Mark::Severe => Severity::Severe,
            Mark::Fatal => Severity::Fatal,
        }
    }
}

/// Runs the command.
pub fn run(args: &ApproveArgs) -> Exit {
    let agents = match Agents::existing(&args.ledger) {
        Ok(agents) => agents,
        Err(error) => return stopped(error.problems()),
    };
    match (&args.agent, &args.action) {
        (Some(agent), Some(action)) => ended(args, decide(args, &agents, agent, action)),
        _ => queue(args, &agents),
    }
}

fn decide(
    args: &ApproveArgs,
    agents: &Agents,
    agent: &str,
    action: &str,
) -> Result<Decision, Error> {
    let by = args.by.as_deref().unwrap_or_default();
    let agent = agents.agent(agent)?;
    if args.reject {
        return agent.reject(action, by, &args.reason, args.scar.map(Mark::severity));
    }
    if args.seen.is_none() {
        let message = "a yes must name what it covers";
        let problem = Problem::new("--seen", "unseen", message);
        return Err(problem
            .help("look at `lawbook approve LEDGER`, which shows the digest")
            .into());
    }
    agent.approve_seen(action, by, args.seen.as_deref(), &args.note)
}

fn ended(args: &ApproveArgs, decision: Result<Decision, Error>) -> Exit {
    let decision = match decision {
        Ok(decision) => decision,
        Err(error) => return stopped(error.problems()),
    };
    let text = match args.format {
        Format::Text => told::decision(&decision),
        Format::Json => told::decision_json(&decision),
    };
    let exit = match &decision {
        Decision::Allowed { .. } => Exit::Clean,
        Decision::Pending { .. } => Exit::Unknown,
        Decision::Denied { .. } if args.reject => Exit::Clean,
        Decision::Denied { .. } => Exit::Found,
    };
    written(&text).max(exit)
}

fn queue(args: &ApproveArgs, agents: &Agents) -> Exit {
    let waiting = match agents.waiting() {
        Ok(waiting) => waiting,
        Err(error) => return stopped(error.problems()),
    };
    let asks = args.format == Format::Text
        && std::io::stdin().is_terminal()
        && std::io::stdout().is_terminal();
    if asks && !waiting.is_empty() {
        return match &args.by {
            Some(by) => ask::each(agents, &waiting, by),
            None => {
                let problem = Problem::new("--by", "nameless", "a yes needs a name");
                stopped(&[problem.help("say who you are, as in `--by \"head of support\"`")])
            }
        };
    }
    written(&match args.format {
        Format::Text => told::queue(&waiting),
        Format::Json => told::queue_json(&waiting),
    })
}
