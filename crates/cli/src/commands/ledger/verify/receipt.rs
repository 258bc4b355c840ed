//! A receipt, verified without its ledger.

use lawbook_diag::Problem;
use lawbook_ledger::tlog::{Checkpoint, Receipt, leaf_hash};

use super::{VerifyArgs, files, time};
use crate::commands::ledger::told::{Statement, Told};

/// What a receipt proves of an entry.
pub fn told(args: &VerifyArgs) -> Result<Told, Problem> {
    let trust = args.trusted.trust()?;
    let Some(entry) = &args.entry else {
        return Err(Problem::new("--entry", "no_entry", "a receipt is of an entry")
            .help("give the exact bytes of the entry with `--entry FILE`"));
    };
    let bytes = std::fs::read(entry).map_err(|error| {
        files::problem(entry, "unreadable", format!("it can't be read: {error}"))
    })?;
    let text = files::text(&args.ledger)?;
    let receipt = Receipt::read(&text)
        .map_err(|error| files::problem(&args.ledger, "unreadable", error.to_string()))?;
    let mut told = Told {
        path: args.ledger.display().to_string(),
        sort: "receipt",
        entries: 1,
        ..Told::default()
    };
    if trust.logs().is_empty() {
        let help = Some("give the public key of the log with `--key` or `--keys`");
        let message = "no known key has signed: anybody can have written this";
        told.unproved.push(Statement { help, ..Statement::new("unsigned", message) });
        told.log = Checkpoint::of(&receipt.note).ok().map(|it| it.origin);
        return Ok(told);
    }
    match receipt.check(leaf_hash(&bytes), trust.logs()) {
        Ok(checkpoint) => {
            let size = checkpoint.size;
            let message = format!("this is entry {} of the {size} that were signed", receipt.index);
            let statement = Statement::new("inclusion", message);
            told.proved.push(Statement { index: Some(receipt.index), ..statement });
            told.log = Some(checkpoint.origin);
            told.head = Some(checkpoint.root.to_string());
        }
        Err(error) => told.findings.push(Statement::new("receipt", error)),
    }
    match trust.open(&receipt.note.to_string()) {
        Ok(opened) => {
            for (name, secs) in &opened.cosigned {
                let message = format!("the witness `{name}` has signed, at {}", time(*secs));
                told.proved.push(Statement::new("cosigned", message));
            }
            if !opened.enough {
                let message = "too few witnesses have signed";
                told.unproved.push(Statement::new("witnesses", message));
            }
        }
        Err(error) if told.findings.is_empty() => {
            told.findings.push(Statement::new("receipt", error));
        }
        Err(_) => {}
    }
    Ok(told)
}
