//! `lawbook project export`: the checks that run on every change, as a file for a build.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::json::{Value, write_string};

use super::file::{CHECKS, PROJECT, PmstackFile};
use crate::commands::rule::written;
use crate::commands::stopped;
use crate::exit::Exit;
use crate::indent::indented;
use crate::output::{Output, apart, is_stdout, unwritable};
use crate::print::{counted, note};

/// Write the checks of a pmstack project that run on every change to a file.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The project
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// The file of checks, which is replaced if it is there; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub out: PathBuf,
}

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    match export(args) {
        Ok(exit) => exit,
        Err(problem) => stopped(&[problem]),
    }
}

fn export(args: &ExportArgs) -> Result<Exit, Problem> {
    let file = PmstackFile::read(&args.project, &[PROJECT])?;
    let checks = file.checks(true);
    let text = text(&file, &checks.iter().map(|it| it.value).collect::<Vec<_>>());
    if checks.is_empty() {
        note("no check runs on every change: turn one on with `lawbook project add … --ci`");
    }
    if is_stdout(&args.out) {
        return Ok(written(&text));
    }
    apart(Some(&args.out), std::iter::once(args.project.clone()))?;
    let failed = |error: std::io::Error| unwritable(&args.out, &error);
    if let Some(folder) = args.out.parent().filter(|it| !it.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut output = Output::open(Some(&args.out))?;
    output.write(&text).map_err(failed)?;
    output.finish().map_err(failed)?;
    let said = counted(checks.len(), "check");
    Ok(written(&format!("{}: {said} on every change\n", args.out.display())))
}

/// The file of checks, its values as they stand in the project.
fn text(file: &PmstackFile, checks: &[Value<'_>]) -> String {
    let experience = file.experience();
    let named = |it: Option<Value<'_>>, key: &str| {
        it.and_then(|it| it.get(key)).and_then(Value::as_str).map(str::to_owned)
    };
    let product = named(experience, "product").or_else(|| named(Some(file.root()), "name"));
    let mut quoted = String::new();
    write_string(&mut quoted, &product.unwrap_or_default());
    let checks: Vec<&str> = checks.iter().map(|it| it.raw()).collect();
    let json = format!(
        "{{\"format\":\"{CHECKS}\",\"product\":{quoted},\"checks\":[{}],\"experience\":{}}}",
        checks.join(","),
        experience.map_or("null", Value::raw),
    );
    format!("{}\n", indented(&json, 0))
}
