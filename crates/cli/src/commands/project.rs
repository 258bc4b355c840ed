//! `lawbook project`: pmstack's own files, with the policy check in them.

mod add;
mod check;
mod export;
mod file;
mod judge;
mod moment;
mod sessions;
mod studio;

use clap::Subcommand;

use crate::exit::Exit;

/// A command on pmstack's own files.
#[derive(Debug, Subcommand)]
pub enum ProjectCommand {
    /// Write a policy check into a pmstack project
    #[command(after_long_help = include_str!("project/add.md"))]
    Add(add::AddArgs),
    /// Run the policy checks of a pmstack project, or of a file of pmstack checks
    #[command(after_long_help = include_str!("project/check.md"))]
    Check(check::CheckArgs),
    /// Write the checks of a pmstack project that run on every change to a file
    #[command(after_long_help = include_str!("project/export.md"))]
    Export(export::ExportArgs),
}

impl ProjectCommand {
    /// Runs it.
    #[must_use]
    pub fn run(&self) -> Exit {
        match self {
            ProjectCommand::Add(args) => add::run(args),
            ProjectCommand::Check(args) => check::run(args),
            ProjectCommand::Export(args) => export::run(args),
        }
    }
}
