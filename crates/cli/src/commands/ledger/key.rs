//! `lawbook ledger key`: make a key, or print the public half of one.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_ledger::tlog::{Hash, KeyUse, Signer};

use super::{files, signing};
use crate::commands::rule::written;
use crate::commands::stopped;
use crate::exit::Exit;

/// Make a key, or print the public half of one.
#[derive(Debug, Args)]
pub struct KeyArgs {
    /// The name of the key; for a log its origin, as `example.com/ledger`
    #[arg(value_name = "NAME")]
    pub name: String,
    /// The file of the seed; it is made if it is not there
    #[arg(long, value_name = "FILE")]
    pub seed: PathBuf,
    /// The key is a witness's
    #[arg(long)]
    pub witness: bool,
}

/// Runs the command.
pub fn run(args: &KeyArgs) -> Exit {
    match key(args) {
        Ok(line) => written(&line),
        Err(problem) => stopped(&[problem]),
    }
}

fn key(args: &KeyArgs) -> Result<String, Problem> {
    let usage = if args.witness { KeyUse::Witness } else { KeyUse::Log };
    // A name that can't name a key is told before a seed is made for it.
    if !lawbook_ledger::tlog::is_name(&args.name) {
        return Err(signing::bad_name(&args.name, "it holds no spaces and no `+`"));
    }
    if !args.seed.exists() {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| {
            Problem::new("--seed", "no_randomness", format!("no random bytes: {error}"))
        })?;
        files::secret(&args.seed, &format!("{}\n", Hash(seed)))?;
    }
    Ok(format!("{}\n", signing::seeded(&args.seed, &args.name, usage)?.public()))
}
