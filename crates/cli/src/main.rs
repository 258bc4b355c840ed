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
mod edit;
mod environment;
mod exit;
mod fields;
mod gating;
mod indent;
mod input;
mod judge;
mod labels;
mod masking;
mod moment;
mod output;
mod pipeline;
mod policies;
mod print;
mod progress;
mod reports;
mod review;

use std::process::ExitCode;

/// Reading and judging make many small things of one session and drop them together.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser};

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "lawbook",
    version,
    about = "The rules an AI agent may not break, as code",
    after_help = "Every flag can be set in the environment too: `--trace-format` is \
                  `LAWBOOK_TRACE_FORMAT`. An empty variable counts as unset; `LAWBOOK_POLICY` and \
                  `LAWBOOK_KNOWN` may name several files, separated as in `PATH`. `lawbook hook HOST` \
                  heeds `LAWBOOK_UNATTENDED` alone.",
    propagate_version = false,
    disable_help_subcommand = true
)]
struct Cli {
    /// What is taken out of words of traces before they are printed or written
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "MODE",
        env = "LAWBOOK_REDACT",
        hide_env = true
    )]
    redact: masking::Redact,
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let matches = environment::heeded(Cli::command()).get_matches();
    match Cli::from_arg_matches(&matches) {
        Ok(cli) => {
            let by_variable = matches.value_source("redact") == Some(ValueSource::EnvVariable);
            let redact = match by_variable && cli.command.answers_a_hook() {
                true => masking::Redact::default(),
                false => cli.redact,
            };
            masking::choose(redact);
            cli.command.run().code()
        }
        Err(error) => error.exit(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    /// The command lines in the fenced blocks of a page: no comments, nothing behind a redirection.
    fn lines(page: &str) -> Vec<&str> {
        let blocks = page.split("```").skip(1).step_by(2).filter(|it| it.starts_with("sh\n"));
        let lines = blocks.flat_map(str::lines).filter(|it| it.starts_with("lawbook "));
        lines.map(|it| it.split(['<', '>']).next().unwrap_or_default()).collect()
    }

    /// The words of a line, those in quotes as one.
    fn words(line: &str) -> Vec<String> {
        let parts = line.split('"').enumerate();
        let words = parts.flat_map(|(place, part)| match place % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        });
        words.collect()
    }

    #[test]
    fn every_command_of_the_skill_is_one() {
        use clap::Parser;
        let skill = include_str!("../../../skills/lawbook-policy/SKILL.md");
        let lines = lines(skill);
        assert!(lines.len() > 20, "{lines:?}");
        for line in lines {
            if let Err(error) = super::Cli::try_parse_from(words(line)) {
                panic!("{line}\n{error}");
            }
        }
    }

    #[test]
    fn the_commands_fit_together() {
        super::Cli::command().debug_assert();
    }
}
