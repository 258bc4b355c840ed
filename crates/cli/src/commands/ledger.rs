//! `lawbook ledger`: verify, show and sign the record of what agents did.

mod checkpoint;
mod export;
mod files;
mod key;
mod masked;
mod prove;
mod rejudge;
mod show;
mod signing;
mod source;
mod told;
mod trusted;
mod verify;
mod witness;

use clap::Subcommand;

use crate::exit::Exit;

/// A command on a ledger.
#[derive(Debug, Subcommand)]
pub enum LedgerCommand {
    /// Say what is wrong with a ledger, what is proved, and what could not be
    #[command(after_long_help = include_str!("ledger/verify.md"))]
    Verify(verify::VerifyArgs),
    /// Print entries as they are stored
    #[command(after_long_help = include_str!("ledger/show.md"))]
    Show(show::ShowArgs),
    /// Write a receipt of an entry, or what a witness needs
    #[command(after_long_help = include_str!("ledger/prove.md"))]
    Prove(prove::ProveArgs),
    /// Sign how many entries there are, and which
    #[command(after_long_help = include_str!("ledger/checkpoint.md"))]
    Checkpoint(checkpoint::CheckpointArgs),
    /// Sign the checkpoints of others, if they only grow
    #[command(after_long_help = include_str!("ledger/witness.md"))]
    Witness(witness::WitnessArgs),
    /// Judge every decision again, and say what this version would decide otherwise
    #[command(after_long_help = include_str!("ledger/rejudge.md"))]
    Rejudge(rejudge::RejudgeArgs),
    /// Write the ledger as the files of a transparency log
    #[command(after_long_help = include_str!("ledger/export.md"))]
    Export(export::ExportArgs),
    /// Make a key, or print the public half of one
    #[command(after_long_help = include_str!("ledger/key.md"))]
    Key(key::KeyArgs),
}

impl LedgerCommand {
    /// Runs it.
    #[must_use]
    pub fn run(&self) -> Exit {
        match self {
            LedgerCommand::Verify(args) => verify::run(args),
            LedgerCommand::Show(args) => show::run(args),
            LedgerCommand::Prove(args) => prove::run(args),
            LedgerCommand::Checkpoint(args) => checkpoint::run(args),
            LedgerCommand::Witness(args) => witness::run(args),
            LedgerCommand::Rejudge(args) => rejudge::run(args),
            LedgerCommand::Export(args) => export::run(args),
            LedgerCommand::Key(args) => key::run(args),
        }
    }
}
