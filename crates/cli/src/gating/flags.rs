//! The flags that `baseline` and `gate` share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lawbook_mask::Mask;

use crate::environment::switch;
use crate::judge::JudgeArgs;
use crate::masking;
use crate::policies::{PolicyArgs, ProfileName, Selection};

/// The flags that `baseline` and `gate` share.
#[derive(Clone, Debug, Args)]
pub struct GatingArgs {
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// Ask these checks only; `policy` stands for the rules
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        env = "LAWBOOK_CHECKS",
        hide_env = true
    )]
    pub checks: Vec<String>,
    /// The answers that are expected: a JSON object of scenarios, or prompts, and answers
    #[arg(long, value_name = "FILE", env = "LAWBOOK_GOLDEN", hide_env = true)]
    pub golden: Option<PathBuf>,
    /// What runs came to: a JSON object of scenarios, or prompts, and true or false
    #[arg(long, value_name = "FILE", env = "LAWBOOK_OUTCOMES", hide_env = true)]
    pub outcomes: Option<PathBuf>,
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// Judge by these rules only; an id without its index names all of its kind
    #[arg(long, value_name = "ID", value_delimiter = ',', env = "LAWBOOK_RULES", hide_env = true)]
    pub rules: Vec<String>,
    /// Leave these rules out
    #[arg(long, value_name = "ID", value_delimiter = ',', env = "LAWBOOK_IGNORE", hide_env = true)]
    pub ignore: Vec<String>,
    /// How a release is held against its baseline; `band` with `--profile compatible`, else `paired`
    #[arg(long, value_enum, value_name = "TEST", env = "LAWBOOK_TEST", hide_env = true)]
    pub test: Option<TestName>,
    /// Worker threads; all cores if left out
    #[arg(long, value_name = "N", env = "LAWBOOK_JOBS", hide_env = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Traces that can't be read, or are not there, don't make the exit code 2
    #[arg(long, env = "LAWBOOK_ALLOW_UNREADABLE", hide_env = true, value_parser = switch)]
    pub allow_unreadable: bool,
}

/// How a release is held against its baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestName {
    /// Run by run within each scenario, exactly
    Paired,
    /// All runs together, where the scenarios of runs differ
    Pooled,
    /// As faultgate does
    Band,
}

impl TestName {
    /// The word in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            TestName::Paired => "paired",
            TestName::Pooled => "pooled",
            TestName::Band => "band",
        }
    }
}

impl GatingArgs {
    /// Which rules are kept.
    #[must_use]
    pub fn selection(&self) -> Selection {
        Selection { rules: self.rules.clone(), ignore: self.ignore.clone() }
    }

    /// Whether everything is asked for as faultgate has it.
    #[must_use]
    pub fn compatible(&self) -> bool {
        self.policies.profile == Some(ProfileName::Compatible)
    }

    /// The test that is asked for.
    #[must_use]
    pub fn test(&self) -> TestName {
        let usual = if self.compatible() { TestName::Band } else { TestName::Paired };
        self.test.unwrap_or(usual)
    }

    /// How texts of others are masked.
    #[must_use]
    pub fn mask(&self) -> Mask {
        masking::of(self.compatible())
    }

    /// How many workers there are.
    #[must_use]
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(cores, NonZeroUsize::get)
    }
}
