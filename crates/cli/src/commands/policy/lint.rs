//! `lawbook policy lint`: what is wrong with a policy, or probably not meant.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_dialect::{Options, lint, load};
use lawbook_report::{quote, shown};

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::policies::{PolicyFile, ProfileName, find, read_all};
use crate::print::counted;

/// Say what is wrong with a policy, or probably not meant.
#[derive(Debug, Args)]
pub struct LintArgs {
    /// Policy files, `-` for standard input; `lawbook.yaml` here or above if left out
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The dialect, where the content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_DIALECT", hide_env = true)]
    pub dialect: Option<String>,
    /// How a policy of another system is read
    #[arg(long, value_name = "PROFILE", env = "LAWBOOK_PROFILE", hide_env = true)]
    pub profile: Option<ProfileName>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Something to say about a policy.
struct Remark {
    level: &'static str,
    problem: Problem,
}

/// Runs the command.
pub fn run(args: &LintArgs) -> Exit {
    let files = match files(&args.files) {
        Ok(found) => found,
        Err(problems) => return stopped(&problems),
    };
    let remarks: Vec<Remark> = files.iter().flat_map(|it| remarks(it, args)).collect();
    let printed = match args.format {
        Format::Text => written(&text(&remarks, files.len())),
        Format::Json => written(&json(&remarks)),
    };
    let exit = if remarks.iter().any(|it| it.level == "error") {
        Exit::Unusable
    } else if remarks.iter().any(|it| it.level == "warning") {
        Exit::Found
    } else {
        Exit::Clean
    };
    printed.max(exit)
}

/// The files that are named, or the one that is found.
fn files(named: &[PathBuf]) -> Result<Vec<PolicyFile>, Vec<Problem>> {
    if named.is_empty() { read_all(&[find()?]) } else { read_all(named) }
}

fn remarks(file: &PolicyFile, args: &LintArgs) -> Vec<Remark> {
    let options = Options {
        dialect: args.dialect.as_deref(),
        profile: args.profile.map(Into::into),
        ..Options::default()
    };
    let loaded = load(&file.source, &file.bytes, &options);
    if !loaded.problems.is_empty() {
        let wrong = |problem| Remark { level: "error", problem };
        return loaded.problems.into_iter().map(wrong).collect();
    }
    let found = lint(&file.source, &file.bytes, &options);
    let level = |note| if note { "note" } else { "warning" };
    found.into_iter().map(|it| Remark { level: level(it.note), problem: it.problem }).collect()
}

fn text(remarks: &[Remark], files: usize) -> String {
    let mut out = String::new();
    for it in remarks {
        let place = match (it.problem.line, it.problem.column) {
            (Some(line), Some(column)) => format!(":{line}:{column}"),
            (Some(line), None) => format!(":{line}"),
            (None, _) => String::new(),
        };
        let (source, message) = (shown(&it.problem.source), shown(&it.problem.message));
        out.push_str(&format!("{} {source}{place}: {message}\n", it.level));
        if let Some(help) = &it.problem.help {
            out.push_str(&format!("  help: {}\n", shown(help)));
        }
    }
    let count = |level| remarks.iter().filter(|it| it.level == level).count();
    let (errors, warnings, notes) = (count("error"), count("warning"), count("note"));
    let policies = if files == 1 { "1 policy".to_owned() } else { format!("{files} policies") };
    out.push_str(&format!(
        "{policies}: {}, {}, {}\n",
        counted(errors, "error"),
        counted(warnings, "warning"),
        counted(notes, "note"),
    ));
    out
}

fn json(remarks: &[Remark]) -> String {
    let number = |it: Option<u32>| it.map_or("null".to_owned(), |it| it.to_string());
    let one = |it: &Remark| {
        format!(
            "{{\"level\":{},\"source\":{},\"line\":{},\"column\":{},\"code\":{},\"message\":{},\
             \"help\":{}}}",
            quote(it.level),
            quote(&it.problem.source),
            number(it.problem.line),
            number(it.problem.column),
            quote(it.problem.code),
            quote(&it.problem.message),
            it.problem.help.as_deref().map_or("null".to_owned(), quote),
        )
    };
    let all: Vec<String> = remarks.iter().map(one).collect();
    format!("{{\"schema\":\"lawbook.lint/1\",\"remarks\":[{}]}}\n", all.join(","))
}
