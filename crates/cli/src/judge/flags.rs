//! The flags of a judge.

use std::path::PathBuf;

use clap::Args;

/// Which judge is asked.
#[derive(Clone, Debug, Default, Args)]
pub struct JudgeArgs {
    /// Ask a judge too: an OpenAI-compatible endpoint and a model; its key is LAWBOOK_JUDGE_KEY
    #[arg(long, num_args = 2, value_names = ["URL", "MODEL"])]
    pub judge: Vec<String>,
    /// Keep what the judge replied in a folder, and ask nothing twice
    #[arg(long, value_name = "DIR", env = "LAWBOOK_JUDGE_CACHE", hide_env = true)]
    pub judge_cache: Option<PathBuf>,
}

/// The judge's key. It stands in no argument, which everybody on the machine could read.
pub fn key() -> Option<String> {
    std::env::var("LAWBOOK_JUDGE_KEY").ok().filter(|it| !it.is_empty())
}
