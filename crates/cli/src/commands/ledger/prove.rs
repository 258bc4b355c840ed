//! `lawbook ledger prove`: a receipt of an entry, or what a witness needs to sign.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::Writer;
use lawbook_ledger::tlog::{Checkpoint, Note, Receipt, WitnessRequest};
use lawbook_report::quote;

use super::files::{self, CHECKPOINT};
use super::source::Folder;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;

/// Write a receipt of an entry, or what a witness needs.
#[derive(Debug, Args)]
pub struct ProveArgs {
    /// The folder of a ledger with a checkpoint
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    /// The place of the entry, from 0
    #[arg(value_name = "INDEX", required_unless_present = "since", conflicts_with = "since")]
    pub index: Option<u64>,
    /// Prove that the ledger has only grown since it had this many entries, as a witness wants it
    #[arg(long, value_name = "SIZE")]
    pub since: Option<u64>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &ProveArgs) -> Exit {
    match proof(args) {
        Ok(text) => written(&match args.format {
            Format::Text => text,
            Format::Json => json(args, &text),
        }),
        Err((exit, problem)) => stopped(&[problem]).min(exit),
    }
}

fn proof(args: &ProveArgs) -> Result<String, (Exit, Problem)> {
    let unusable = |problem: Problem| (Exit::Unusable, problem);
    let file = args.ledger.join(CHECKPOINT);
    if !file.exists() {
        let problem =
            files::problem(&args.ledger, "no_checkpoint", "nobody has signed this ledger");
        let help = "sign it with `lawbook ledger checkpoint`";
        return Err((Exit::Unknown, problem.help(help)));
    }
    let text = files::text(&file).map_err(unusable)?;
    let bad = |error: String| unusable(files::problem(&file, "bad_note", error));
    let note = Note::read(&text).map_err(|it| bad(it.to_string()))?;
    let checkpoint = Checkpoint::of(&note).map_err(|it| bad(it.to_string()))?;
    let size = checkpoint.size;
    let mut folder = Folder::open(&args.ledger).map_err(unusable)?;
    let tree = folder.tree(&args.ledger).map_err(unusable)?;
    if tree.root_at(size) != Some(checkpoint.root) {
        let message = format!("the first {size} entries are not the ones that were signed");
        let problem = files::problem(&args.ledger, "contradiction", message);
        let help = "`lawbook ledger verify` says what is wrong with the ledger";
        return Err((Exit::Found, problem.help(help)));
    }
    if let Some(old) = args.since {
        let proof = tree.consistency(old, size).ok_or_else(|| beyond(args, size))?;
        return Ok(WitnessRequest { old, proof, note }.to_string());
    }
    let index = args.index.unwrap_or_default();
    let proof = tree.inclusion(index, size).ok_or_else(|| beyond(args, size))?;
    Ok(Receipt { extra: None, index, proof, note }.to_string())
}

fn beyond(args: &ProveArgs, size: u64) -> (Exit, Problem) {
    let message = format!("the checkpoint is of {size} entries");
    let problem = files::problem(&args.ledger, "after_checkpoint", message);
    (Exit::Unknown, problem.help("sign again with `lawbook ledger checkpoint`"))
}

fn json(args: &ProveArgs, text: &str) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.ledger_prove/1");
    for (key, value) in [("index", args.index), ("since", args.since)] {
        match value {
            Some(value) => writer.key(key).number(value),
            None => writer.key(key).null(),
        };
    }
    writer.key("text").raw(&quote(text)).end_object();
    format!("{}\n", writer.finish())
}
