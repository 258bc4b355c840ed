//! A log of lineage, verified by its own rules with what they leave open closed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use lawbook_diag::Problem;
use lawbook_ledger::lineage_log::{Expected, Head, LINE_BYTES_MAX, Report, Verifier};
use lawbook_ledger::tlog::Hash;

use super::{VerifyArgs, files};
use crate::commands::ledger::told::{Statement, Told};

/// What a log proves.
pub fn told(args: &VerifyArgs) -> Result<Told, Problem> {
    let mut told =
        Told { path: args.ledger.display().to_string(), sort: "lineage", ..Told::default() };
    let expected = expected(args)?;
    let mut verifier = Verifier::new(expected.clone());
    each_line(&args.ledger, |line| verifier.line(line).is_ok())?;
    let report = verifier.finish();
    told.entries = report.records;
    told.log.clone_from(&report.log_id);
    told.head = report.head.map(|it| it.to_string());
    add(&mut told, &report, &expected);
    Ok(told)
}

fn expected(args: &VerifyArgs) -> Result<Expected, Problem> {
    let key = match &args.trusted.key {
        Some(key) => Some(Hash::from_hex(&key.to_ascii_lowercase()).ok_or_else(|| {
            Problem::new("--key", "bad_key", format!("`{key}` is no key of lineage"))
                .help("it has 64 hexadecimal digits")
        })?),
        None => None,
    };
    let head = match args.expect.as_slice() {
        [] => None,
        [head] => Some(head.parse::<Head>().map_err(|_| {
            Problem::new("--expect", "bad_head", format!("`{head}` is no head of a log of lineage"))
                .help("it is `SEQ:HASH`")
        })?),
        _ => return Err(Problem::new("--expect", "bad_head", "a log of lineage has one head")),
    };
    Ok(Expected { key: key.map(|it| it.0), log_id: args.log_id.clone(), head })
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
