//! The flags of `lawbook check`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use lawbook_diag::{Problem, nearest};
use lawbook_trace::{READERS, Reader};

use crate::environment::{self, switch};
use crate::policies::{PolicyArgs, Selection};
use crate::reports::ReportArgs;

/// Judge recorded traces against a policy.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Trace files, globs, or `-` for standard input
    #[arg(required_unless_present = "agents", value_name = "TRACES")]
    pub traces: Vec<String>,
    /// Judge the sessions of the coding agents of this machine, without anything set up
    #[arg(long, conflicts_with = "traces")]
    pub agents: bool,
    /// With `--agents`: only sessions that were written to within this time, as in `30d` or `12h`
    #[arg(long, value_name = "TIME", requires = "agents", value_parser = since)]
    pub since: Option<Duration>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    #[command(flatten)]
    pub reports: ReportArgs,
    /// List every finding, session by session, with what it rests on; the text report has at most
    /// ten of each rule otherwise
    #[arg(long, env = "LAWBOOK_ALL", hide_env = true, value_parser = switch)]
    pub all: bool,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// Judge by these rules only; an id without its index names all of its kind. `ran_anyway` and
    /// `waiver` are rules here too
    #[arg(long, value_name = "ID", value_delimiter = ',', env = "LAWBOOK_RULES", hide_env = true)]
    pub rules: Vec<String>,
    /// Leave these rules out
    #[arg(long, value_name = "ID", value_delimiter = ',', env = "LAWBOOK_IGNORE", hide_env = true)]
    pub ignore: Vec<String>,
    /// Count findings for each value of a session attribute, as `agent.version` or
    /// `metadata.channel`
    #[arg(long, value_name = "ATTR", env = "LAWBOOK_GROUP_BY", hide_env = true)]
    pub group_by: Option<String>,
    /// Judge at most this many sessions: those whose ids hash lowest, the same for the same input
    #[arg(long, value_name = "N", env = "LAWBOOK_SAMPLE", hide_env = true)]
    pub sample: Option<NonZeroUsize>,
    /// Leave out findings that an earlier JSON report holds, or that a review file marks as real;
    /// may be given several times
    #[arg(long, value_name = "FILE")]
    pub known: Vec<PathBuf>,
    /// Keep a review file beside the report: findings are added to it, marks in it stay, and the
    /// report says what is left
    #[arg(long, value_name = "FILE", env = "LAWBOOK_REVIEW", hide_env = true)]
    pub review: Option<PathBuf>,
    /// Worker threads; all cores if left out
    #[arg(long, value_name = "N", env = "LAWBOOK_JOBS", hide_env = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Which verdict makes the exit code 1
    #[arg(
        long,
        value_name = "VERDICT",
        default_value = "deny",
        env = "LAWBOOK_FAIL_ON",
        hide_env = true
    )]
    pub fail_on: FailOn,
    /// Traces that can't be read, or are not there, don't make the exit code 2
    #[arg(long, env = "LAWBOOK_ALLOW_UNREADABLE", hide_env = true, value_parser = switch)]
    pub allow_unreadable: bool,
    /// Rules that could not be judged don't make the exit code 3; an input without calls still does
    #[arg(long, env = "LAWBOOK_ALLOW_UNKNOWN", hide_env = true, value_parser = switch)]
    pub allow_unknown: bool,
    /// Findings and unknowns don't change the exit code
    #[arg(long, env = "LAWBOOK_EXIT_ZERO", hide_env = true, value_parser = switch)]
    pub exit_zero: bool,
}

/// Which verdict makes the exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// A call that was not allowed
    Deny,
    /// That, or a call that a person had to say yes to
    Ask,
}

impl CheckArgs {
    /// The reader that is forced, if any.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn forced_reader(&self) -> Result<Option<&'static dyn Reader>, Problem> {
        reader(self.trace_format.as_deref())
    }

    /// Which rules are kept.
    #[must_use]
    pub fn selection(&self) -> Selection {
        Selection { rules: self.rules.clone(), ignore: self.ignore.clone() }
    }

    /// The earlier reports, named by flags or else by the environment.
    #[must_use]
    pub fn known(&self) -> Vec<PathBuf> {
        if self.known.is_empty() { environment::files("LAWBOOK_KNOWN") } else { self.known.clone() }
    }

    /// The flags that choose what is judged, for doing it again.
    #[must_use]
    pub fn again(&self) -> Vec<String> {
        let mut out = Vec::new();
        let mut flag = |name: &str, value: Option<String>| {
            out.extend(value.into_iter().flat_map(|it| [format!("--{name}"), it]));
        };
        flag("trace-format", self.trace_format.clone());
        self.rules.iter().for_each(|it| flag("rules", Some(it.clone())));
        self.ignore.iter().for_each(|it| flag("ignore", Some(it.clone())));
        flag("group-by", self.group_by.clone());
        flag("sample", self.sample.map(|it| it.to_string()));
        self.known().iter().for_each(|it| flag("known", Some(it.display().to_string())));
        flag("fail-on", (self.fail_on == FailOn::Ask).then(|| "ask".to_owned()));
        let switches = [
            ("--allow-unreadable", self.allow_unreadable),
            ("--allow-unknown", self.allow_unknown),
            ("--exit-zero", self.exit_zero),
            ("--agents", self.agents),
        ];
        out.extend(switches.into_iter().filter(|it| it.1).map(|it| it.0.to_owned()));
        out
    }

    /// How many workers there are.
    #[must_use]
    pub fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.jobs.map_or_else(cores, NonZeroUsize::get)
    }
}

/// A time in days or hours.
fn since(word: &str) -> Result<Duration, &'static str> {
    let wrong = "it is a number of days or hours, as in `30d` or `12h`";
    let (number, hours) = match (word.strip_suffix('d'), word.strip_suffix('h')) {
        (Some(days), _) => (days, 24),
        (None, Some(hours)) => (hours, 1),
        (None, None) => return Err(wrong),
    };
    let number: u64 = number.parse().map_err(|_| wrong)?;
    Ok(Duration::from_secs(number.saturating_mul(hours).saturating_mul(3_600)))
}

/// The reader of a name.
///
/// # Errors
/// When there is none.
pub fn reader(name: Option<&str>) -> Result<Option<&'static dyn Reader>, Problem> {
    let Some(name) = name else { return Ok(None) };
    lawbook_trace::named(name).map(Some).ok_or_else(|| {
        let all = READERS.iter().flat_map(|it| it.names().iter().copied().chain([it.name()]));
        let names: Vec<&str> = all.collect();
        unknown("--trace-format", format!("there is no trace format `{name}`"), name, &names)
    })
}

fn unknown(flag: &str, message: String, word: &str, names: &[&str]) -> Problem {
    let help = match nearest(word, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Problem::new(flag, "unknown_name", message).help(help)
}
