//! `lawbook policy convert`: a policy in another dialect, and what could not be carried over.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;
use lawbook_dialect::{Converted, Fate, Options, convert};
use lawbook_report::{quote, shown};

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::environment::switch;
use crate::exit::Exit;
use crate::output::{Output, apart, is_stdout, unwritable};
use crate::policies::{find, read_all};
use crate::print::counted;

/// Write a policy in another dialect.
#[derive(Debug, Args)]
pub struct ConvertArgs {
    /// The policy, `-` for standard input; `lawbook.yaml` here or above if left out
    #[arg(value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// The dialect that it is written in: lawbook, faultgate or pmstack
    #[arg(long, value_name = "NAME")]
    pub to: String,
    /// The dialect that it is read in, where its content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_DIALECT", hide_env = true)]
    pub dialect: Option<String>,
    /// Write the policy to a file; without it the policy goes to standard output and the report to
    /// standard error
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file if it is there
    #[arg(long, value_parser = switch)]
    pub force: bool,
    /// How the report is printed; `json` holds the policy too
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &ConvertArgs) -> Exit {
    match converted(args) {
        Ok(exit) => exit,
        Err(problems) => stopped(&problems),
    }
}

fn converted(args: &ConvertArgs) -> Result<Exit, Vec<Problem>> {
    let path = match &args.file {
        Some(path) => path.clone(),
        None => find()?,
    };
    let out = args.out.as_deref().filter(|it| !is_stdout(it));
    apart(out, std::iter::once(path.clone())).map_err(|it| vec![it])?;
    let files = read_all(&[path])?;
    let Some(file) = files.first() else { return Ok(Exit::Clean) };
    let options = Options { dialect: args.dialect.as_deref(), ..Options::default() };
    let converted = convert(&file.source, &file.bytes, &options, &args.to)?;
    if let Some(out) = out {
        save(out, &converted.text, args.force).map_err(|it| vec![it])?;
    }
    let printed = match (args.format, out) {
        (Format::Json, _) => written(&json(&converted, args)),
        (Format::Text, Some(_)) => written(&text(&converted, &args.to)),
        (Format::Text, None) => {
            anstream::eprint!("{}", text(&converted, &args.to));
            written(&converted.text)
        }
    };
    let left_out = converted.fates.iter().any(|it| it.word() == "left_out");
    Ok(printed.max(if left_out { Exit::Found } else { Exit::Clean }))
}

/// Writes a file that must not be there yet, unless `force`.
///
/// # Errors
/// When it is there, or can't be written.
pub fn save(out: &std::path::Path, text: &str, force: bool) -> Result<(), Problem> {
    if !force && out.exists() {
        let message = "it is there already";
        return Err(Problem::new(out.display().to_string(), "exists", message)
            .help("name another file, or replace it with `--force`"));
    }
    if let Some(folder) = out.parent().filter(|it| !it.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(|it| unwritable(out, &it))?;
    }
    let failed = |error: std::io::Error| unwritable(out, &error);
    let mut output = Output::open(Some(out))?;
    output.write(text).map_err(failed)?;
    output.finish().map_err(failed)
}

fn text(converted: &Converted, to: &str) -> String {
    let mut out = String::new();
    for fate in &converted.fates {
        out.push_str(&line(fate));
    }
    for note in &converted.notes {
        out.push_str(&format!("note: {}\n", shown(note)));
    }
    let count = |word| converted.fates.iter().filter(|it| it.word() == word).count();
    out.push_str(&format!(
        "{} from {} to {to}: {} carried, {} with a difference, {} left out\n",
        counted(converted.fates.len(), "rule"),
        converted.from,
        count("carried"),
        count("differs"),
        count("left_out"),
    ));
    out.push_str(
        "carried means that the strict readings agree; `lawbook check --profile strict` shows that \
         of a policy of another system\n",
    );
    out
}

fn line(fate: &Fate) -> String {
    let rule = shown(&fate.rule);
    let differs = shown(&fate.differs.join("; ")).into_owned();
    let into = shown(&fate.into.join(", ")).into_owned();
    match fate.word() {
        "left_out" => format!("left out  {rule}: {differs}\n"),
        "differs" => format!("differs   {rule} -> {into}: {differs}\n"),
        _ => format!("carried   {rule} -> {into}\n"),
    }
}

fn json(converted: &Converted, args: &ConvertArgs) -> String {
    let texts = |all: &[String]| {
        let all: Vec<String> = all.iter().map(|it| quote(it)).collect();
        format!("[{}]", all.join(","))
    };
    let one = |it: &Fate| {
        format!(
            "{{\"rule\":{},\"fate\":{},\"into\":{},\"differs\":{}}}",
            quote(&it.rule),
            quote(it.word()),
            texts(&it.into),
            texts(&it.differs),
        )
    };
    let rules: Vec<String> = converted.fates.iter().map(one).collect();
    format!(
        "{{\"schema\":\"lawbook.convert/1\",\"from\":{},\"to\":{},\"rules\":[{}],\"notes\":{},\
         \"policy\":{}}}\n",
        quote(converted.from),
        quote(&args.to),
        rules.join(","),
        texts(&converted.notes),
        quote(&converted.text),
    )
}
