//! `lawbook shell`: what a command would run and do, and whether a policy lets it.

mod answer;

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use lawbook_diag::{Mode, Problem};
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_shell::{Rules, Shell, World};

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::policies::{Otherwise, Policies, PolicyArgs, Selection, is_stdin};
use answer::Answer;

/// How many bytes a file of commands may have.
const FILE_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Say what a shell command would run and do, and whether a policy lets it.
#[derive(Debug, Args)]
pub struct ShellArgs {
    /// The command, or `-` for commands on standard input, one on each line
    #[arg(value_name = "COMMAND", required_unless_present = "file", conflicts_with = "file")]
    pub command: Option<String>,
    /// A file of commands, one on each line, as it stands or as a JSON text
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// The working directory, absolute
    #[arg(long, value_name = "FOLDER")]
    pub cwd: Option<String>,
    /// The folder that the agent works in, absolute
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<String>,
    /// The home directory, absolute
    #[arg(long, value_name = "FOLDER")]
    pub home: Option<String>,
    /// The shell that runs it
    #[arg(long, value_enum, default_value = "bash")]
    pub shell: ShellName,
    /// How the result is printed; `text` on a terminal and `json` elsewhere if left out
    #[arg(long, value_enum, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Option<Format>,
}

/// The shell that runs a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShellName {
    /// bash, sh and their kin
    Bash,
    /// zsh
    Zsh,
    /// PowerShell
    Powershell,
    /// cmd.exe
    Cmd,
}

impl From<ShellName> for Shell {
    fn from(name: ShellName) -> Self {
        match name {
            ShellName::Bash => Shell::Bash,
            ShellName::Zsh => Shell::Zsh,
            ShellName::Powershell => Shell::PowerShell,
            ShellName::Cmd => Shell::Cmd,
        }
    }
}

/// Runs the command.
pub fn run(args: &ShellArgs) -> Exit {
    match answered(args) {
        Ok(exit) => exit,
        Err(problems) => stopped(&problems),
    }
}

fn answered(args: &ShellArgs) -> Result<Exit, Vec<Problem>> {
    let policies = args.policies.load(&Selection::default(), Otherwise::Nothing)?;
    policies.say_where();
    let rules = rules(&policies, args.shell.into());
    if rules.is_empty() && !policies.layers.is_empty() {
        crate::print::note("no rule of the policy speaks of commands");
    }
    let world = World {
        shell: args.shell.into(),
        cwd: args.cwd.as_deref().or(args.workspace.as_deref()),
        workspace: args.workspace.as_deref().or(args.cwd.as_deref()),
        home: args.home.as_deref(),
    };
    let format = args.format.unwrap_or(match io::stdout().is_terminal() {
        true => Format::Text,
        false => Format::Json,
    });
    let from = match (&args.command, &args.file) {
        (Some(command), _) if command != "-" => {
            let answer = Answer::of(command, &rules, &world);
            return Ok(written(&shown(format, &answer, false)));
        }
        (_, Some(file)) => file.clone(),
        (_, None) => PathBuf::from("-"),
    };
    let bytes = read(&from)?;
    let mut exit = Exit::Clean;
    let lines = bytes.split(|it| *it == b'\n').map(<[u8]>::trim_ascii_end).enumerate();
    for (nth, line) in lines.filter(|(_, it)| !it.trim_ascii().is_empty()) {
        let text = String::from_utf8_lossy(line);
        let answer = |answer: &Answer<'_>| written(&shown(format, answer, true));
        if let Cow::Owned(text) = &text {
            // What stands there can't be told, so a person must look, and the others are answered.
            let why = "the line is not UTF-8 text, so what it would run can't be told";
            exit = exit.max(answer(&Answer::untold(text, why)));
            continue;
        }
        match command(&text) {
            Ok(command) => exit = exit.max(answer(&Answer::of(&command, &rules, &world))),
            Err(message) => {
                let number = u32::try_from(nth.saturating_add(1)).unwrap_or(u32::MAX);
                let name = from.display().to_string();
                crate::print::error(&Problem::new(name, "not_json", message).at(number, 1));
                exit = Exit::Unusable;
            }
        }
    }
    Ok(exit)
}

/// A line as a command: a text of JSON where it starts as one and is one.
fn command(line: &str) -> Result<String, String> {
    if !line.starts_with('"') {
        return Ok(line.to_owned());
    }
    match Document::parse(line, Grammar::Strict, &Limits::DEFAULT) {
        Ok(document) => Ok(document.root().as_str().unwrap_or(line).to_owned()),
        // A command may start with a quoted word: `"my program" --help`.
        Err(_) if !line.ends_with('"') => Ok(line.to_owned()),
        Err(error) => Err(format!("the line is no JSON text: {error}")),
    }
}

/// The rules over commands of a shell that count, each with the id of the rule that holds them.
pub fn rules(policies: &Policies, shell: Shell) -> Vec<(&str, &Rules)> {
    let all = policies.layers.iter().flat_map(|it| &it.rules);
    let counting = all.filter(|it| it.mode == Mode::Enforce);
    let unix = |it: Shell| matches!(it, Shell::Bash | Shell::Zsh);
    let fits = |it: Shell| it == shell || unix(it) && unix(shell);
    let each = counting.filter_map(|it| Some((&*it.id, it.body.commands()?)));
    each.filter(|(_, it)| it.1.is_none_or(fits)).map(|(id, it)| (id, it.0)).collect()
}

fn read(path: &Path) -> Result<Vec<u8>, Vec<Problem>> {
    let mut bytes = Vec::new();
    let bound = FILE_BYTES_MAX.saturating_add(1);
    let done = match is_stdin(path) {
        true => io::stdin().lock().take(bound).read_to_end(&mut bytes),
        false => File::open(path).and_then(|it| it.take(bound).read_to_end(&mut bytes)),
    };
    let wrong = |code: &'static str, message: String| {
        vec![Problem::new(path.display().to_string(), code, message)]
    };
    match done {
        Err(error) => Err(wrong("unreadable", format!("the commands can't be read: {error}"))),
        Ok(_) if bytes.len() as u64 > FILE_BYTES_MAX => {
            Err(wrong("too_large", format!("it has more than {FILE_BYTES_MAX} bytes")))
        }
        Ok(_) => Ok(bytes),
    }
}

fn shown(format: Format, answer: &Answer<'_>, one_of_many: bool) -> String {
    match format {
        Format::Json => format!("{}\n", answer.json()),
        Format::Text if one_of_many => answer.line(),
        Format::Text => answer.text(),
    }
}
