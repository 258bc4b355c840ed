//! `lawbook policy`: work on policy files.

mod convert;
mod diff;
mod fmt;
mod init;
mod lint;
mod schema;
mod test;

use clap::Subcommand;

use crate::exit::Exit;

/// A command on policy files.
#[derive(Debug, Subcommand)]
pub enum PolicyCommand {
    /// Write a first policy, out of what traces show and what its owner says
    #[command(after_long_help = include_str!("policy/init.md"))]
    Init(init::InitArgs),
    /// Say what is wrong with a policy, or probably not meant
    #[command(after_long_help = include_str!("policy/lint.md"))]
    Lint(lint::LintArgs),
    /// Print the JSON Schema of the native policy
    #[command(after_long_help = include_str!("policy/schema.md"))]
    Schema(schema::SchemaArgs),
    /// Lay out native policies
    #[command(after_long_help = include_str!("policy/fmt.md"))]
    Fmt(fmt::FmtArgs),
    /// Write a policy in another dialect, and say what could not be carried over
    #[command(after_long_help = include_str!("policy/convert.md"))]
    Convert(convert::ConvertArgs),
    /// Say which calls of the past flip between two policies
    #[command(after_long_help = include_str!("policy/diff.md"))]
    Diff(diff::DiffArgs),
    /// Run policy tests
    #[command(after_long_help = include_str!("policy/test.md"))]
    Test(test::TestArgs),
}

impl PolicyCommand {
    /// Runs it.
    #[must_use]
    pub fn run(&self) -> Exit {
        match self {
            PolicyCommand::Init(args) => init::run(args),
            PolicyCommand::Lint(args) => lint::run(args),
            PolicyCommand::Schema(args) => schema::run(args),
            PolicyCommand::Fmt(args) => fmt::run(args),
            PolicyCommand::Convert(args) => convert::run(args),
            PolicyCommand::Diff(args) => diff::run(args),
            PolicyCommand::Test(args) => test::run(args),
        }
    }
}
