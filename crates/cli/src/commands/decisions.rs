//! `lawbook decisions`: a log of decisions, summed up for whoever owns the policy.

mod entry;
mod json;
mod summary;
mod text;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::Time;
use lawbook_report::ToolLabels;
use lawbook_trace::parse_time;

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::policies::{Otherwise, PolicyArgs, Selection, now};
use entry::Entry;
use summary::Summary;

/// The longest line of a log that is read.
pub const LINE_BYTES_MAX: usize = 1024 * 1024;

/// Sum up a log of decisions.
#[derive(Debug, Args)]
pub struct DecisionsArgs {
    /// Logs that `lawbook decide --log` wrote
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// From when on: a time back from now, as `7d`, or a date
    #[arg(long, value_name = "WHEN", default_value = "7d")]
    pub since: String,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// How the summary is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &DecisionsArgs) -> Exit {
    let since = match now().and_then(|now| since(&args.since, now)) {
        Some(since) => since,
        None => return stopped(&[no_time(&args.since)]),
    };
    let labels = match labels(&args.policies) {
        Ok(labels) => labels,
        Err(problems) => return stopped(&problems),
    };
    let mut summary = Summary::new(since);
    let mut problems = Vec::new();
    for log in &args.logs {
        problems.extend(sum_up(log, &mut summary));
    }
    problems.iter().for_each(crate::print::error);
    let printed = match args.format {
        Format::Text => written(&text::text(&summary)),
        Format::Json => written(&json::json(&summary, labels.as_ref())),
    };
    printed.max(if problems.is_empty() { Exit::Clean } else { Exit::Unusable })
}

/// The labels of the tools that the named policies list; none where no policy is named.
fn labels(args: &PolicyArgs) -> Result<Option<ToolLabels>, Vec<Problem>> {
    if args.named().is_empty() {
        return Ok(None);
    }
    let policies = args.load(&Selection::default(), Otherwise::Nothing)?;
    let listed = policies.layers.iter().flat_map(|it| it.tools.keys());
    Ok(Some(ToolLabels::new(listed.map(|it| &**it))))
}

/// Adds a log to the summary, and says what is wrong with it; a file without a single decision is
/// no log, and its lines need no problem each.
fn sum_up(log: &Path, summary: &mut Summary) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut decisions = false;
    let read = each_line(log, |number, line| match Entry::read(line) {
        Ok(entry) => {
            decisions = true;
            summary.add(&entry);
        }
        Err(what) => problems.push(broken(log, number, what)),
    });
    if !decisions && !problems.is_empty() {
        problems = vec![no_log(log)];
    }
    problems.extend(read.err().map(|it| unreadable(log, &it)));
    problems
}

/// The moment that is meant.
fn since(text: &str, now: Time) -> Option<Time> {
    let digits = text.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let secs: i64 = match text.strip_prefix(digits)? {
        "d" => 86_400,
        "h" => 3_600,
        "m" => 60,
        _ => return parse_time(text),
    };
    let nanos = digits.parse::<i64>().ok()?.checked_mul(secs)?.checked_mul(1_000_000_000)?;
    Some(Time { nanos: now.nanos.checked_sub(nanos)? })
}

/// Hands on every line that is not blank, with its number.
fn each_line(path: &Path, mut each: impl FnMut(u32, &[u8])) -> io::Result<()> {
    let mut lines = BufReader::new(File::open(path)?);
    let bound = u64::try_from(LINE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let mut line = Vec::new();
    let mut number = 0_u32;
    loop {
        line.clear();
        if (&mut lines).take(bound).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        number = number.saturating_add(1);
        if line.len() > LINE_BYTES_MAX && !line.ends_with(b"\n") {
            lines.skip_until(b'\n')?;
        }
        if !line.trim_ascii().is_empty() {
            each(number, &line);
        }
    }
}

fn broken(log: &Path, line: u32, what: &'static str) -> Problem {
    Problem::new(log.display().to_string(), "no_decision", what).at(line, 1)
}

fn no_log(log: &Path) -> Problem {
    Problem::new(log.display().to_string(), "no_log", "this is no log of decisions")
        .help("name a file that `lawbook decide --log` wrote")
}

fn unreadable(log: &Path, error: &io::Error) -> Problem {
    let message = format!("the log can't be read: {error}");
    Problem::new(log.display().to_string(), "unreadable", message)
}

fn no_time(text: &str) -> Problem {
    Problem::new("--since", "no_time", format!("`{text}` is no time"))
        .help("write a time back from now, as `7d`, or a date, as `2026-01-31`")
}

#[cfg(test)]
mod tests {
    use super::since;
    use lawbook_event::Time;

    #[test]
    fn times_stand_back_from_now_or_are_moments() {
        let now = Time { nanos: 10 * 86_400 * 1_000_000_000 };
        let secs = |text: &str| since(text, now).map(|it| it.nanos / 1_000_000_000);
        assert_eq!(secs("7d"), Some(3 * 86_400));
        assert_eq!(secs("24h"), Some(9 * 86_400));
        assert_eq!(secs("1970-01-02"), Some(86_400));
        for wrong in ["", "7", "d", "7w", "last week", "99999999999999999d"] {
            assert_eq!(secs(wrong).filter(|_| wrong != "7"), None, "{wrong}");
        }
    }
}
