//! `lawbook ledger witness`: sign the checkpoints of others, if they only grow.

mod heads;
mod http;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use lawbook_ledger::tlog::{Answer, KeyUse, PublicKey, Signer, Witness};
use lawbook_report::quote;

use super::files;
use super::signing::SigningArgs;
use super::trusted::TrustedArgs;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::policies::now;

use heads::HeadsInFolder;
pub use heads::read_head;

/// Sign the checkpoints of others, if they only grow.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("how").required(true))]
pub struct WitnessArgs {
    /// The name of the witness, which is the name of its key
    #[arg(value_name = "NAME")]
    pub name: String,
    #[command(flatten)]
    pub signing: SigningArgs,
    #[command(flatten)]
    pub trusted: TrustedArgs,
    /// The folder in which the witness remembers what it has signed; it must outlive everything
    #[arg(long, value_name = "FOLDER")]
    pub state: PathBuf,
    /// Answer requests of tlog-witness at this address, which must be one of this machine alone
    #[arg(long, value_name = "ADDRESS", group = "how")]
    pub listen: Option<SocketAddr>,
    /// Answer one request, as `lawbook ledger prove --since` writes it; `-` is standard input
    #[arg(long, value_name = "FILE", group = "how")]
    pub file: Option<PathBuf>,
    /// How the answer to a file is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// A witness with its memory.
pub struct Door {
    logs: Vec<PublicKey>,
    signer: Box<dyn Signer + Send + Sync>,
    heads: HeadsInFolder,
}

impl Door {
    /// Answers one request.
    pub fn answer(&mut self, body: &str) -> Answer {
        let now = now().and_then(|it| u64::try_from(it.nanos.div_euclid(1_000_000_000)).ok());
        let Some(now) = now else { return Answer::Failed("the clock is wrong".to_string()) };
        let witness = Witness::new(self.logs.clone(), self.signer.as_ref());
        witness.add_checkpoint(&mut self.heads, body, now)
    }
}

/// Runs the command.
pub fn run(args: &WitnessArgs) -> Exit {
    match ran(args) {
        Ok(exit) => exit,
        Err(problem) => stopped(&[problem]),
    }
}

fn ran(args: &WitnessArgs) -> Result<Exit, Problem> {
    let trust = args.trusted.trust()?;
    if trust.logs().is_empty() {
        return Err(Problem::new("--keys", "no_logs", "the witness watches no log")
            .help("give the public keys of logs with `--key` or `--keys`"));
    }
    let signer = args.signing.signer(&args.name, KeyUse::Witness)?;
    let heads = HeadsInFolder::open(&args.state)?;
    let mut door = Door { logs: trust.logs().to_vec(), signer, heads };
    match (&args.file, args.listen) {
        (Some(file), _) => {
            let answer = door.answer(&files::text(file)?);
            Ok(answered(args.format, &answer))
        }
        (None, Some(address)) => http::serve(address, door),
        (None, None) => Ok(Exit::Unusable),
    }
}

fn answered(format: Format, answer: &Answer) -> Exit {
    let exit = match answer {
        Answer::Cosigned(_) => Exit::Clean,
        Answer::Conflict(_) | Answer::Unproved => Exit::Found,
        _ => Exit::Unusable,
    };
    let printed = match format {
        Format::Text if exit == Exit::Clean => written(&answer.body()),
        Format::Text => {
            let message = match answer {
                Answer::Conflict(size) => format!(
                    "{size} entries are what was signed last; a request must begin there, and grow"
                ),
                _ => answer.body().trim_end().to_string(),
            };
            stopped(&[Problem::new("witness", "refused", message)]).min(exit)
        }
        Format::Json => written(&json(answer)),
    };
    printed.max(exit)
}

fn json(answer: &Answer) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.ledger_witness/1");
    writer.key("status").number(u64::from(answer.status()));
    match answer {
        Answer::Conflict(size) => writer.key("size").number(*size),
        _ => writer.key("size").null(),
    };
    writer.key("body").raw(&quote(&answer.body())).end_object();
    format!("{}\n", writer.finish())
}
