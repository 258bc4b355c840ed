//! `lawbook closing`: the closing report on a policy, out of the files that it rests on.

mod build;
mod gather;
mod json;
mod lines;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lawbook_diag::Problem;

use crate::commands::stopped;
use crate::exit::Exit;
use crate::output::{Output, unwritable};
use crate::policies::PolicyArgs;
use gather::Gathered;

/// The closing report on a policy.
#[derive(Debug, Args)]
pub struct ClosingArgs {
    /// Trace files, globs, or `-` for standard input
    #[arg(required = true, value_name = "TRACES")]
    pub traces: Vec<String>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// The review file of `lawbook check --review`
    #[arg(long, value_name = "FILE", env = "LAWBOOK_REVIEW", hide_env = true)]
    pub review: Option<PathBuf>,
    /// What `lawbook agreement --proven-out` wrote
    #[arg(long, value_name = "FILE", env = "LAWBOOK_PROVEN", hide_env = true)]
    pub proven: Option<PathBuf>,
    /// Where the check runs: a build file, a pmstack project or its exported checks; may be given
    /// several times
    #[arg(long, value_name = "FILE")]
    pub runs_in: Vec<PathBuf>,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// How the report is written
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: ClosingFormat,
    /// Write the report to a file, which changes only once it is whole; `-` is standard output
    #[arg(long, value_name = "FILE", env = "LAWBOOK_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,
}

/// How the closing report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ClosingFormat {
    /// For people
    #[default]
    Text,
    /// For people, as a page
    Markdown,
    /// One JSON object
    Json,
}

/// Runs the command.
pub fn run(args: &ClosingArgs) -> Exit {
    match gather::gather(args) {
        Ok(gathered) => match print(args, &gathered) {
            Ok(()) if gathered.unreadable => Exit::Unusable,
            Ok(()) => Exit::Clean,
            Err(problem) => stopped(&[problem]),
        },
        Err(problems) => stopped(&problems),
    }
}

fn print(args: &ClosingArgs, gathered: &Gathered) -> Result<(), Problem> {
    let text = match args.format {
        ClosingFormat::Text => lines::text(gathered),
        ClosingFormat::Markdown => lines::markdown(gathered),
        ClosingFormat::Json => json::json(gathered),
    };
    let mut output = Output::open(args.output.as_deref())?;
    match output.write(&text).and_then(|()| output.finish()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(unwritable(args.output.as_deref().unwrap_or("-".as_ref()), &error))
        }
        _ => Ok(()),
    }
}
