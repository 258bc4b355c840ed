//! `lawbook ledger verify`: what is wrong, what is proved, and what could not be.

mod lineage;
mod receipt;

pub use lineage::each_line;

use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_ledger::tlog::{Checkpoint, Head, Note, Opened, PublicKey, Trust};
use lawbook_ledger::verify::{Known, Limit, Proved, Report, verify};

use super::files::{self, CHECKPOINT};
use super::source::{Folder, Sort, sort};
use super::told::{Statement, Told};
use super::trusted::TrustedArgs;
use super::witness::read_head;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::moment;

/// Verify a ledger, a log of lineage, or a receipt.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// The folder of a ledger, a log of lineage or a folder of them, or a receipt
    #[arg(value_name = "LEDGER")]
    pub ledger: PathBuf,
    #[command(flatten)]
    pub trusted: TrustedArgs,
    /// A checkpoint that was kept elsewhere; for a log of lineage `SEQ:HASH`, for a folder of them a
    /// file with a line `AGENT SEQ:HASH` for each agent. May be repeated
    #[arg(long, value_name = "FILE")]
    pub expect: Vec<String>,
    /// What a witness remembers of this ledger. May be repeated
    #[arg(long, value_name = "FILE")]
    pub head: Vec<PathBuf>,
    /// The entry that a receipt is of
    #[arg(long, value_name = "FILE")]
    pub entry: Option<PathBuf>,
    /// The agent whose log of lineage this must be
    #[arg(long, value_name = "AGENT")]
    pub log_id: Option<String>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &VerifyArgs) -> Exit {
    let told = sort(&args.ledger).and_then(|sort| match sort {
        _ if misfit(args, sort).is_some() => Err(misplaced(misfit(args, sort))),
        Sort::Ledger => ledger(args),
        Sort::Lineage => lineage::told(args),
        Sort::Lineages => lineage::folder(args),
        Sort::Receipt => receipt::told(args),
    });
    match told {
        Ok(told) => written(&told.printed(args.format)).max(told.exit()),
        Err(problem) => stopped(&[problem]),
    }
}

/// The first flag that says nothing about what was named. Whoever gave it must not think that it
/// was heeded.
fn misfit(args: &VerifyArgs, sort: Sort) -> Option<&'static str> {
    let given = [
        ("--keys", args.trusted.keys.is_some(), matches!(sort, Sort::Ledger | Sort::Receipt)),
        ("--expect", !args.expect.is_empty(), sort != Sort::Receipt),
        ("--head", !args.head.is_empty(), sort == Sort::Ledger),
        ("--entry", args.entry.is_some(), sort == Sort::Receipt),
        ("--log-id", args.log_id.is_some(), sort == Sort::Lineage),
    ];
    given.into_iter().find(|(_, given, fits)| *given && !fits).map(|it| it.0)
}

fn misplaced(flag: Option<&str>) -> Problem {
    let flag = flag.unwrap_or_default();
    Problem::new(flag, "misplaced", format!("`{flag}` says nothing about what is verified here"))
        .help("`lawbook ledger verify --help` says which flag is for what")
}

fn ledger(args: &VerifyArgs) -> Result<Told, Problem> {
    let trust = args.trusted.trust()?;
    let mut told =
        Told { path: args.ledger.display().to_string(), sort: "ledger", ..Told::default() };
    let mut known = Known { wants_witnesses: trust.wants_witnesses(), ..Known::default() };
    known.own = own(&args.ledger, &trust, &mut told)?;
    for file in &args.expect {
        known.earlier.push(expected(Path::new(file), &trust)?);
    }
    // Of two logs that are both believed, one must not stand for the other.
    if let (Some(own), Some(earlier)) = (&known.own, known.earlier.first())
        && own.checkpoint.origin != earlier.checkpoint.origin
    {
        let (is, was) = (&own.checkpoint.origin, &earlier.checkpoint.origin);
        let message = format!("the checkpoint in the folder is of `{is}`, and not of `{was}`");
        told.findings.push(Statement::new("other_log", message));
    }
    let origin =
        known.own.iter().chain(&known.earlier).map(|it| it.checkpoint.origin.clone()).next();
    for file in &args.head {
        known.heads.push(witnessed(file, origin.as_deref(), &trust)?);
    }
    let mut folder = Folder::open(&args.ledger)?;
    let report = verify(&mut folder, &known)
        .map_err(|error| files::problem(&args.ledger, "unreadable", error))?;
    told.log = origin;
    add(&mut told, &report);
    faults(&mut told, &folder);
    Ok(told)
}

/// The checkpoint in the folder, if it is there and believed.
fn own(folder: &Path, trust: &Trust, told: &mut Told) -> Result<Option<Opened>, Problem> {
    let file = folder.join(CHECKPOINT);
    if trust.logs().is_empty() || !file.exists() {
        return Ok(None);
    }
    match trust.open(&files::text(&file)?) {
        Ok(opened) => Ok(Some(opened)),
        Err(error) => {
            let message = format!("the checkpoint in the folder is not believed: {error}");
            told.findings.push(Statement::new("checkpoint", message));
            Ok(None)
        }
    }
}

/// A checkpoint that was kept elsewhere. Somebody who has kept one that can't be believed must know.
fn expected(file: &Path, trust: &Trust) -> Result<Opened, Problem> {
    let text = files::text(file)?;
    trust.open(&text).map_err(|error| {
        let message = format!("the checkpoint is not believed: {error}");
        let problem = files::problem(file, "checkpoint", message);
        if trust.logs().is_empty() {
            let signed = Note::read(&text).ok().and_then(|it| Checkpoint::of(&it).ok());
            let whose = signed.map_or(String::new(), |it| format!(" of `{}`", it.origin));
            return problem.help(format!("give the public key{whose} with `--key` or `--keys`"));
        }
        problem
    })
}

/// What a witness remembers; it must be of a log that is believed.
fn witnessed(file: &Path, origin: Option<&str>, trust: &Trust) -> Result<Head, Problem> {
    let (name, head) = read_head(file)?;
    let ours = |it: &PublicKey| it.name() == name;
    if origin.is_some_and(|it| it != name) || (origin.is_none() && !trust.logs().iter().any(ours)) {
        let message = format!("the witness remembers `{name}`, which is another log");
        return Err(files::problem(file, "other_log", message));
    }
    Ok(head)
}

/// Puts a report into words.
fn add(told: &mut Told, report: &Report) {
    told.entries = report.size;
    told.head = Some(report.root.to_string());
    told.more = report.more;
    for it in &report.findings {
        told.findings.push(Statement {
            index: Some(it.index),
            agent: it.what.agent().map(str::to_string),
            ..Statement::new(it.what.code(), &it.what)
        });
    }
    if report.findings.is_empty() {
        let message = format!(
            "{} of {} agents agree with their hashes and their chains",
            super::told::count(report.size),
            report.agents
        );
        told.proved.push(Statement::new("chains", message));
    }
    for it in &report.proved {
        told.proved.push(match it {
            Proved::Checkpoint(_) => Statement::new("checkpoint", it),
            Proved::Cosigned(_, _, secs) => {
                Statement::new("cosigned", format!("{it}, at {}", time(*secs)))
            }
            Proved::Witnessed(_) => Statement::new("witnessed", it),
        });
    }
    for it in &report.unproved {
        let statement = Statement::new(it.code(), it);
        told.unproved.push(Statement { help: Some(it.help()), ..statement });
    }
    for it in &report.limits {
        told.limits.push(match it {
            Limit::CutSince(_, secs) => {
                Statement::new(it.code(), format!("{it}, since {}", time(*secs)))
            }
            _ => Statement::new(it.code(), it),
        });
    }
}

/// What the store found beside the entries.
fn faults(told: &mut Told, folder: &Folder) {
    let opened = folder.store().opened();
    for fault in opened.faults.iter().filter(|it| !is_of_entry(it.what.as_str())) {
        told.findings.push(Statement {
            index: fault.index,
            agent: fault.agent.clone(),
            ..Statement::new(fault.what.as_str(), fault)
        });
    }
    if let Some(torn) = &opened.torn {
        let message = format!(
            "a crash left {} after the last entry; nothing in them was acknowledged",
            super::told::bytes(usize::try_from(torn.bytes).unwrap_or(usize::MAX))
        );
        told.limits.push(Statement::new("torn_tail", message));
    }
}

/// Faults that the verification tells itself, entry by entry.
fn is_of_entry(code: &str) -> bool {
    !matches!(code, "header" | "text" | "secret")
}

/// Seconds since 1970 as a date.
pub fn time(secs: u64) -> String {
    let nanos = i64::try_from(secs).ok().and_then(|it| it.checked_mul(1_000_000_000));
    match nanos {
        Some(nanos) => moment::text(lawbook_event::Time { nanos }),
        None => format!("{secs} s after 1970"),
    }
}
