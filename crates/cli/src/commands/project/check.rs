//! `lawbook project check`: the policy checks of a project, run over its traces or others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_report::{quote, shown};
use lawbook_rule::Profile;

use super::file::{CHECKS, PROJECT, PmstackFile};
use super::judge::{self, Ran, Results};
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::environment::switch;
use crate::exit::Exit;
use crate::policies::ProfileName;
use crate::print::{counted, error, note};

/// Ids that are named before the rest is counted.
const NAMED_MAX: usize = 8;

/// Run the policy checks of a pmstack project, or of a file of pmstack checks.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A project, or a file of checks, which needs `--traces`
    #[arg(value_name = "PROJECT|CHECKS")]
    pub file: PathBuf,
    /// Traces to use instead of those of the project
    #[arg(long, value_name = "FILE")]
    pub traces: Option<PathBuf>,
    /// Only checks that run on every change
    #[arg(long, value_parser = switch)]
    pub only_ci: bool,
    /// Leave checks out that are no policy checks, instead of ending with 3 for them
    #[arg(long, value_parser = switch)]
    pub only_policies: bool,
    /// Regression traces: only one that must pass a failure mode and fails it makes the exit code 1
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,
    /// How many traces may fail
    #[arg(long, value_name = "N")]
    pub max_fail: Option<usize>,
    /// Which share of the traces may fail, from 0 to 1
    #[arg(long, value_name = "RATE", conflicts_with = "max_fail", value_parser = rate)]
    pub max_fail_rate: Option<f64>,
    /// How the policies are read
    #[arg(long, value_name = "PROFILE", env = "LAWBOOK_PROFILE", hide_env = true)]
    pub profile: Option<ProfileName>,
    /// Traces that can't be read don't make the exit code 2
    #[arg(long, env = "LAWBOOK_ALLOW_UNREADABLE", hide_env = true, value_parser = switch)]
    pub allow_unreadable: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

fn rate(word: &str) -> Result<f64, &'static str> {
    let rate = word.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    rate.ok_or("it is a number from 0 to 1")
}

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    match checked(args) {
        Ok(exit) => exit,
        Err(problem) => stopped(&[problem]),
    }
}

fn checked(args: &CheckArgs) -> Result<Exit, Problem> {
    let file = PmstackFile::read(&args.file, &[PROJECT, CHECKS])?;
    let source = args.file.display().to_string();
    if !file.is_project() && args.traces.is_none() {
        return Err(Problem::new(source, "no_traces", "a file of checks holds no traces")
            .help("name them with `--traces`"));
    }
    let mut checks = file.checks(args.only_ci);
    if args.only_policies {
        checks.retain(|it| it.is_policy());
    }
    if checks.is_empty() {
        let which = if args.only_ci { "no check that runs on every change" } else { "no check" };
        return Err(Problem::new(source, "no_checks", format!("it holds {which}"))
            .help("`lawbook project add` writes a policy check into a project"));
    }
    let expected = args.expect.as_ref().map(Expected::read).transpose()?;
    let profile = args.profile.map_or(Profile::Compatible, Profile::from);
    let results = judge::run(&file, &checks, profile, args.traces.as_deref())?;
    results.problems.iter().for_each(error);
    if results.traces.is_empty() {
        return Err(Problem::new(source, "no_traces", "no trace could be read"));
    }
    let back = expected.as_ref().map(|it| it.back(&results));
    let printed = match args.format {
        Format::Text => written(&text(&results, back.as_deref())),
        Format::Json => written(&json(&results, back.as_deref())),
    };
    Ok(printed.max(exit(args, &results, back.as_deref())))
}

/// The exit code: what could not be read or run before what fails, then what could not be told.
fn exit(args: &CheckArgs, results: &Results, back: Option<&[String]>) -> Exit {
    let unread = !args.allow_unreadable && !results.problems.is_empty();
    if unread || results.checks.iter().any(|it| !it.errors.is_empty()) {
        return Exit::Unusable;
    }
    let failing = results.traces.len().saturating_sub(results.passing());
    let over = match (args.max_fail, args.max_fail_rate) {
        (Some(most), _) => failing > most,
        (None, Some(most)) => share(failing, results.traces.len()) > most,
        (None, None) => back.is_none() && failing > 0,
    };
    if over || back.is_some_and(|it| !it.is_empty()) {
        return Exit::Found;
    }
    let untold = |it: &Ran| !it.was_run || !it.unknown.is_empty();
    if results.calls == 0 || results.checks.iter().any(untold) {
        return Exit::Unknown;
    }
    Exit::Clean
}

#[allow(clippy::cast_precision_loss, reason = "no file holds 2^53 traces")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// What regression traces must still do.
struct Expected {
    /// The failure modes that each trace must pass.
    passes: BTreeMap<String, BTreeSet<String>>,
}

impl Expected {
    fn read(path: &PathBuf) -> Result<Self, Problem> {
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| {
            Problem::new(&source, "unreadable", format!("it can't be read: {error}"))
        })?;
        let mut passes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let lines = text.lines().enumerate().filter(|it| !it.1.trim().is_empty());
        for (place, line) in lines {
            let number = u32::try_from(place).unwrap_or(u32::MAX).saturating_add(1);
            let wrong = |what: String| Problem::new(&source, "bad_line", what).at(number, 1);
            let document = Document::parse(line, Grammar::Strict, &Limits::DEFAULT)
                .map_err(|error| wrong(format!("this is no JSON: {error}")))?;
            let root = document.root();
            let id =
                root.get("id").filter(|it| it.as_str().is_some() || it.number_text().is_some());
            let Some(id) = id.map(|it| it.as_str().unwrap_or_else(|| it.raw())) else {
                return Err(wrong("the trace has no `id`".to_owned()));
            };
            let modes = root.get("expected").and_then(|it| it.get("modes"));
            let must = modes.into_iter().flat_map(Value::entries);
            let must = must.filter(|it| it.1.as_str() == Some("pass")).map(|it| it.0.to_owned());
            passes.entry(id.to_owned()).or_default().extend(must);
        }
        Ok(Expected { passes })
    }

    /// The traces that fail again what they must pass. Says which are not there.
    fn back(&self, results: &Results) -> Vec<String> {
        let there: BTreeSet<&String> = results.traces.iter().collect();
        let missing: Vec<String> =
            self.passes.keys().filter(|it| !there.contains(it)).cloned().collect();
        if !missing.is_empty() {
            note(&format!("regression traces that are not there: {}", some(&missing)));
        }
        let fails = |id: &String, modes: &BTreeSet<String>| {
            results.checks.iter().any(|it| modes.contains(&it.mode) && it.fails.contains(id))
        };
        self.passes.iter().filter(|it| fails(it.0, it.1)).map(|it| it.0.clone()).collect()
    }
}

fn some(ids: &[String]) -> String {
    let named: Vec<&str> = ids.iter().take(NAMED_MAX).map(String::as_str).collect();
    match ids.len().saturating_sub(NAMED_MAX) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

fn text(results: &Results, back: Option<&[String]>) -> String {
    let traces = results.traces.len();
    let run = || results.checks.iter().filter(|it| it.was_run);
    let mut out =
        format!("{}, {}\n\n", counted(run().count(), "policy check"), counted(traces, "trace"));
    let width = run().map(|it| shown(&it.id).chars().count()).max().unwrap_or(0).max(5);
    let of = |it: &Ran| format!("{} of {traces}", it.fails.len());
    let fails = run().map(|it| of(it).len()).max().unwrap_or(0).max(5);
    out.push_str(&format!("{:width$}  {:>fails$}  Errors\n", "Check", "Fails"));
    for it in run() {
        let (id, of) = (shown(&it.id), of(it));
        out.push_str(&format!("{id:width$}  {of:>fails$}  {:>6}\n", it.errors.len()));
    }
    out.push('\n');
    for it in run() {
        let id = shown(&it.id);
        let mut line = |what: &str, ids: &[String]| {
            if !ids.is_empty() {
                out.push_str(&format!("{id} {what}: {}\n", shown(&some(ids))));
            }
        };
        line("fails", &it.fails);
        line("could not be told on", &it.unknown);
        if let Some(why) = &it.error {
            out.push_str(&format!("{id} could not be run: {}\n", shown(why)));
        }
    }
    for it in results.checks.iter().filter(|it| !it.was_run) {
        let (id, kind) = (shown(&it.id), shown(&it.kind));
        out.push_str(&format!(
            "{id} was not run: it is a {kind} check, and only policies are run\n"
        ));
    }
    if let Some(back) = back {
        match back {
            [] => out.push_str("no regression trace fails again\n"),
            ids => out.push_str(&format!("fail again: {}\n", shown(&some(ids)))),
        }
    }
    if results.calls == 0 {
        out.push_str("the traces hold no calls, so there was nothing to judge\n");
    }
    let every = if run().count() == results.checks.len() {
        "every check"
    } else {
        "every check that was run"
    };
    out.push_str(&format!("{} of {} pass {every}\n", results.passing(), counted(traces, "trace")));
    out
}

fn json(results: &Results, back: Option<&[String]>) -> String {
    let texts = |all: &[String]| {
        let all: Vec<String> = all.iter().map(|it| quote(it)).collect();
        format!("[{}]", all.join(","))
    };
    let one = |it: &Ran| {
        format!(
            "{{\"id\":{},\"type\":{},\"name\":{},\"mode\":{},\"run\":{},\"fails\":{},\"errors\":{},\
             \"unknown\":{},\"error\":{}}}",
            quote(&it.id),
            quote(&it.kind),
            quote(&it.name),
            quote(&it.mode),
            it.was_run,
            texts(&it.fails),
            texts(&it.errors),
            texts(&it.unknown),
            it.error.as_deref().map_or("null".to_owned(), quote),
        )
    };
    let checks: Vec<String> = results.checks.iter().map(one).collect();
    format!(
        "{{\"schema\":\"lawbook.project_check/1\",\"checks\":[{}],\"back\":{},\"summary\":\
         {{\"traces\":{},\"calls\":{},\"passing\":{}}}}}\n",
        checks.join(","),
        back.map_or("null".to_owned(), texts),
        results.traces.len(),
        results.calls,
        results.passing(),
    )
}
