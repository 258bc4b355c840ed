//! `lawbook policy fmt`: native policies in their canonical layout.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::FalseyValueParser;
use lawbook_diag::Problem;

use crate::commands::rule::written;
use crate::commands::stopped;
use crate::exit::Exit;
use crate::output::{Output, unwritable};

/// Lay out native policies.
#[derive(Debug, Args)]
pub struct FmtArgs {
    /// Policy files, written in place; `-` reads standard input and prints
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, and end with 1 if a file would change
    #[arg(long, env = "LAWBOOK_CHECK", hide_env = true, value_parser = FalseyValueParser::new())]
    pub check: bool,
}

/// Runs the command.
pub fn run(args: &FmtArgs) -> Exit {
    let mut problems = Vec::new();
    let mut exit = Exit::Clean;
    for path in &args.files {
        match one(path, args.check) {
            Ok(ended) => exit = exit.max(ended),
            Err(more) => problems.extend(more),
        }
    }
    if problems.is_empty() { exit } else { stopped(&problems) }
}

fn one(path: &Path, check: bool) -> Result<Exit, Vec<Problem>> {
    let name = path.display().to_string();
    let unreadable = |error: std::io::Error| {
        vec![Problem::new(&name, "unreadable", format!("it can't be read: {error}"))]
    };
    let text = if name == "-" {
        std::io::read_to_string(std::io::stdin()).map_err(unreadable)?
    } else {
        std::fs::read_to_string(path).map_err(unreadable)?
    };
    let laid_out = lawbook_dialect::fmt(&name, &text)?;
    let same = laid_out == text;
    if check {
        if !same {
            crate::print::note(&format!("{name} would change"));
        }
        return Ok(if same { Exit::Clean } else { Exit::Found });
    }
    if name == "-" {
        return Ok(written(&laid_out));
    }
    if !same {
        let failed = |error: std::io::Error| vec![unwritable(path, &error)];
        let mut output = Output::open(Some(path)).map_err(|it| vec![it])?;
        output.write(&laid_out).map_err(failed)?;
        output.finish().map_err(failed)?;
        crate::print::note(&format!("{name} laid out"));
    }
    Ok(Exit::Clean)
}
