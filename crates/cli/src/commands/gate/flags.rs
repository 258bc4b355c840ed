//! The flags of `lawbook gate`.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_report::Reporter;

use super::{json::GateJson, text::GateText};
use crate::environment::switch;
use crate::gating::GatingArgs;

/// Hold a release against the band of its baseline.
#[derive(Debug, Args)]
pub struct GateArgs {
    /// Trace files of the release, globs, or `-` for standard input
    #[arg(required = true, value_name = "TRACES")]
    pub traces: Vec<String>,
    /// The band, as `lawbook baseline` or faultgate wrote it
    #[arg(long, value_name = "FILE", env = "LAWBOOK_BAND", hide_env = true)]
    pub band: PathBuf,
    #[command(flatten)]
    pub gating: GatingArgs,
    /// The chance of a false alarm that is accepted
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share,
          env = "LAWBOOK_ALPHA", hide_env = true)]
    pub alpha: f64,
    /// The chance with which a drop must show itself
    #[arg(long, value_name = "SHARE", default_value_t = 0.80, value_parser = share,
          env = "LAWBOOK_POWER", hide_env = true)]
    pub power: f64,
    /// The drop that must be told, in percentage points
    #[arg(long, value_name = "POINTS", default_value_t = 10.0, value_parser = points,
          env = "LAWBOOK_DROP", hide_env = true)]
    pub drop: f64,
    /// Gate without the policy that the band was made under
    #[arg(long, env = "LAWBOOK_WITHOUT_POLICY", hide_env = true, value_parser = switch)]
    pub without_policy: bool,
    /// Gate under another policy, or other rules of it, than the band was made under
    #[arg(long, env = "LAWBOOK_OTHER_POLICY", hide_env = true, value_parser = switch)]
    pub other_policy: bool,
    /// How the report is written: text, json, or any format of `lawbook check`
    #[arg(
        long,
        default_value = "text",
        value_name = "FORMAT",
        env = "LAWBOOK_FORMAT",
        hide_env = true
    )]
    pub format: String,
    /// Write the report to a file, which changes only once it is whole; `-` is standard output
    #[arg(long, value_name = "FILE", env = "LAWBOOK_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,
    /// INCONCLUSIVE doesn't make the exit code 3
    #[arg(long, env = "LAWBOOK_ALLOW_UNKNOWN", hide_env = true, value_parser = switch)]
    pub allow_unknown: bool,
    /// The verdict doesn't change the exit code
    #[arg(long, env = "LAWBOOK_EXIT_ZERO", hide_env = true, value_parser = switch)]
    pub exit_zero: bool,
}

impl GateArgs {
    /// The reporter that is asked for.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn reporter(&self) -> Result<&'static dyn Reporter, Problem> {
        match self.format.as_str() {
            "text" => Ok(&GateText),
            "json" => Ok(&GateJson),
            name => lawbook_report::named(name).ok_or_else(|| {
                let names: Vec<&str> =
                    lawbook_report::REPORTERS.iter().map(|it| it.name()).collect();
                let message = format!("there is no report format `{name}`");
                Problem::new("--format", "unknown_name", message)
                    .help(format!("there are {}", names.join(", ")))
            }),
        }
    }

    /// Where the report goes, for messages.
    #[must_use]
    pub fn place(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| "-".into())
    }
}

/// A share between 0 and 1.
fn share(word: &str) -> Result<f64, &'static str> {
    let share = word.parse::<f64>().ok().filter(|it| *it > 0.0 && *it < 1.0);
    share.ok_or("it is a number between 0 and 1, as in 0.05")
}

/// Percentage points.
fn points(word: &str) -> Result<f64, &'static str> {
    let points = word.parse::<f64>().ok().filter(|it| *it > 0.0 && *it < 100.0);
    points.ok_or("it is a number of percentage points between 0 and 100, as in 10")
}
