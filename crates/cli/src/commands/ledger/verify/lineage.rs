//! A log of lineage, verified by its own rules with what they leave open closed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use lawbook_diag::Problem;
use lawbook_ledger::lineage_log::{Expected, Head, LINE_BYTES_MAX, Report, Verifier};
use lawbook_ledger::tlog::Hash;

use super::{VerifyArgs, files};
use crate::commands::ledger::source::logs;
use crate::commands::ledger::told::{Statement, Told};

/// What a log proves.
pub fn told(args: &VerifyArgs) -> Result<Told, Problem> {
    let head = match args.expect.as_slice() {
        [] => None,
        [head] => Some(head.parse::<Head>().map_err(|_| {
            Problem::new("--expect", "bad_head", format!("`{head}` is no head of a log of lineage"))
                .help("it is `SEQ:HASH`")
        })?),
        _ => return Err(Problem::new("--expect", "bad_head", "a log of lineage has one head")),
    };
    let expected = Expected { key: key(args)?, log_id: args.log_id.clone(), head };
    let report = report(&args.ledger, &expected)?;
    let mut told = empty(args);
    told.entries = report.records;
    told.log.clone_from(&report.log_id);
    told.head = report.head.map(|it| it.to_string());
    add(&mut told, &report, &expected);
    Ok(told)
}

/// What a folder of logs proves: each must be that of the agent whose name it has, and none that
/// was there before may be missing.
pub fn folder(args: &VerifyArgs) -> Result<Told, Problem> {
    let key = key(args)?;
    let mut heads = BTreeMap::new();
    for file in &args.expect {
        heads.extend(expected_heads(Path::new(file))?);
    }
    let mut told = empty(args);
    for (agent, file) in logs(&args.ledger)? {
        let head = heads.remove(&agent);
        let expected = Expected { key, log_id: Some(agent.clone()), head };
        let report = report(&file, &expected)?;
        let mut one = Told::default();
        add(&mut one, &report, &expected);
        told.entries = told.entries.saturating_add(report.records);
        let head = report.head.filter(|_| report.failure.is_none());
        let head = head.map(|it| Statement::new("head", it));
        let named = |mut it: Statement| {
            it.message = format!("`{agent}`: {}", it.message);
            it.agent = Some(agent.clone());
            it
        };
        told.findings.extend(one.findings.into_iter().map(named));
        told.proved.extend(one.proved.into_iter().chain(head).map(named));
        told.unproved.extend(one.unproved.into_iter().map(named));
        told.limits.extend(one.limits.into_iter().map(named));
    }
    for agent in heads.into_keys() {
        let message = format!("`{agent}`: the log is missing");
        let agent = Some(agent);
        told.findings.push(Statement { agent, ..Statement::new("missing", message) });
    }
    Ok(told)
}

/// The heads in a file, one `AGENT SEQ:HASH` on each line.
fn expected_heads(file: &Path) -> Result<BTreeMap<String, Head>, Problem> {
    let mut heads = BTreeMap::new();
    for (line, text) in (1_u32..).zip(files::text(file)?.lines()) {
        if text.trim_ascii().is_empty() {
            continue;
        }
        let head = text.rsplit_once(' ').and_then(|it| Some((it.0, it.1.parse().ok()?)));
        let (agent, head) = head.ok_or_else(|| {
            files::problem(file, "bad_head", "this is no head")
                .at(line, 1)
                .help("write `AGENT SEQ:HASH`")
        })?;
        heads.insert(agent.to_owned(), head);
    }
    Ok(heads)
}

fn empty(args: &VerifyArgs) -> Told {
    Told { path: args.ledger.display().to_string(), sort: "lineage", ..Told::default() }
}

fn report(file: &Path, expected: &Expected) -> Result<Report, Problem> {
    let mut verifier = Verifier::new(expected.clone());
    each_line(file, |line| verifier.line(line).is_ok())?;
    Ok(verifier.finish())
}

fn key(args: &VerifyArgs) -> Result<Option<[u8; 32]>, Problem> {
    let Some(key) = &args.trusted.key else { return Ok(None) };
    let hash = Hash::from_hex(&key.to_ascii_lowercase()).ok_or_else(|| {
        Problem::new("--key", "bad_key", format!("`{key}` is no key of lineage"))
            .help("it has 64 hexadecimal digits")
    })?;
    Ok(Some(hash.0))
}

fn add(told: &mut Told, report: &Report, expected: &Expected) {
    if let Some(failure) = report.failure {
        let message = match failure.line {
            0 => failure.fault.to_string(),
            line => format!("line {line}: {}", failure.fault),
        };
        told.findings.push(Statement {
            index: failure.line.checked_sub(1),
            agent: report.log_id.clone(),
            ..Statement::new(failure.fault.code(), message)
        });
        return;
    }
    let message = format!("{} records follow each other and are signed", report.records);
    told.proved.push(Statement::new("chains", message));
    if report.key_trusted {
        told.proved.push(Statement::new("key", "the key is the one that was given"));
    } else {
        let help = Some("give the key of the guard with `--key`");
        let message =
            "the log vouches for itself: anybody can have written it with a key of theirs";
        told.unproved.push(Statement { help, ..Statement::new("unsigned", message) });
    }
    match expected.head {
        Some(head) => {
            let message = format!("record {} is the one that was there before", head.seq);
            told.proved.push(Statement::new("checkpoint", message));
            let message = format!("records after {} can have been cut unseen", head.seq);
            told.limits.push(Statement::new("cut_after", message));
        }
        None => {
            let help = Some("give a head that was kept elsewhere with `--expect SEQ:HASH`");
            let message =
                "rollback is not detectable: a cut tail or a restored backup shows nowhere";
            told.unproved.push(Statement { help, ..Statement::new("rollback", message) });
        }
    }
    if let Some(line) = report.time_goes_back {
        let message = format!("the time of line {line} lies before that of the line above");
        told.limits.push(Statement::new("time_goes_back", message));
    }
}

/// Hands on every line without its end, as long as the answer is yes.
pub fn each_line(path: &Path, mut each: impl FnMut(&[u8]) -> bool) -> Result<(), Problem> {
    let unreadable = |error: std::io::Error| {
        files::problem(path, "unreadable", format!("it can't be read: {error}"))
    };
    let mut lines = BufReader::new(File::open(path).map_err(unreadable)?);
    // One byte more than a line may have, and its end, so that a longer one is told as such.
    let bound = (LINE_BYTES_MAX as u64).saturating_add(2);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut lines).take(bound).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read == 0 || !each(line.strip_suffix(b"\n").unwrap_or(&line)) {
            return Ok(());
        }
    }
}
