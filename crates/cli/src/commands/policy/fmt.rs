//! `lawbook policy fmt`: native policies in their canonical layout.

use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_dialect::{Options, load};

use crate::commands::rule::written;
use crate::commands::stopped;
use crate::environment::switch;
use crate::exit::Exit;
use crate::output::{Output, unwritable};
use crate::policies::{PolicyFile, find, is_stdin, read_all};
use crate::print;

/// Lay out native policies.
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Policy files, written in place, `-` reads standard input and prints; `lawbook.yaml` here or
    /// above if left out
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, and end with 1 if a file would change
    #[arg(long, env = "LAWBOOK_CHECK", hide_env = true, value_parser = switch)]
    pub check: bool,
}

/// Runs the command.
pub fn run(args: &FmtArgs) -> Exit {
    let files =
        if args.files.is_empty() { find().map(|it| vec![it]) } else { Ok(args.files.clone()) };
    let files = match files {
        Ok(files) => files,
        Err(problems) => return stopped(&problems),
    };
    let mut problems = Vec::new();
    let mut exit = Exit::Clean;
    for path in &files {
        match one(path, args.check) {
            Ok(ended) => exit = exit.max(ended),
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { exit } else { stopped(&problems) }
}

fn one(path: &Path, check: bool) -> Result<Exit, Vec<Problem>> {
    let files = read_all(&[path.to_owned()])?;
    let Some(file) = files.into_iter().next() else { return Ok(Exit::Clean) };
    let name = file.source.clone();
    let laid_out = match foreign(&file) {
        Some(dialect) => {
            print::note(&format!("{name} is left alone: it is {dialect}"));
            None
        }
        None => Some(laid_out(&file)?),
    };
    let new = laid_out.filter(|it| it.as_bytes() != file.bytes);
    match new {
        Some(_) if check => {
            print::note(&format!("{name} would change"));
            Ok(Exit::Found)
        }
        _ if check => Ok(Exit::Clean),
        Some(text) if is_stdin(path) => Ok(written(&text)),
        None if is_stdin(path) => Ok(written(&String::from_utf8_lossy(&file.bytes))),
        Some(text) => replace(path, &text).map_err(|it| vec![it]),
        None => Ok(Exit::Clean),
    }
}

/// The dialect of a policy of another system, whether this version reads it or not.
fn foreign(file: &PolicyFile) -> Option<String> {
    let loaded = load(&file.source, &file.bytes, &Options::default());
    match loaded.dialect {
        Some("lawbook") => None,
        Some(dialect) => Some(format!("a `{dialect}` policy")),
        None => {
            let later = loaded.problems.iter().any(|it| it.code == "later_dialect");
            later.then(|| "a policy of another system".to_owned())
        }
    }
}

fn laid_out(file: &PolicyFile) -> Result<String, Vec<Problem>> {
    let text = std::str::from_utf8(&file.bytes)
        .map_err(|_| vec![Problem::new(&file.source, "not_utf8", "the policy is not UTF-8")])?;
    lawbook_dialect::fmt(&file.source, text)
}

fn replace(path: &Path, text: &str) -> Result<Exit, Problem> {
    let failed = |error: std::io::Error| unwritable(path, &error);
    let mut output = Output::open(Some(path))?;
    output.write(text).map_err(failed)?;
    output.finish().map_err(failed)?;
    print::note(&format!("{} laid out", path.display()));
    Ok(Exit::Clean)
}
