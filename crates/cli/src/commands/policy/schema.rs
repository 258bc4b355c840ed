//! `lawbook policy schema`: the JSON Schema of the native policy.

use clap::Args;

use crate::commands::rule::written;
use crate::exit::Exit;

/// Print the JSON Schema of the native policy.
#[derive(Debug, Args)]
pub struct SchemaArgs {}

/// Runs the command.
pub fn run(_args: &SchemaArgs) -> Exit {
    written(&format!("{}\n", lawbook_dialect::schema().trim_end()))
}
