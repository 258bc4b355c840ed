//! The binary `lawbook`.

#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::panic,
        clippy::string_slice
    )
)]

mod commands;
mod environment;
mod exit;
mod fields;
mod input;
mod labels;
mod moment;
mod output;
mod pipeline;
mod policies;
mod print;
mod progress;
mod proven;
mod review;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "lawbook",
    version,
    about = "The rules an AI agent may not break, as code",
    after_help = "Every flag can be set in the environment too: `--trace-format` is \
                  `LAWBOOK_TRACE_FORMAT`. An empty variable counts as unset; `LAWBOOK_POLICY` and \
                  `LAWBOOK_KNOWN` may name several files, separated as in `PATH`.",
    propagate_version = false,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let matches = environment::heeded(Cli::command()).get_matches();
    match Cli::from_arg_matches(&matches) {
        Ok(cli) => cli.command.run().code(),
        Err(error) => error.exit(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_commands_fit_together() {
        super::Cli::command().debug_assert();
    }
}
