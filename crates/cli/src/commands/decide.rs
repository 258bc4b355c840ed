//! `lawbook decide`: one question on standard input, one verdict on standard output.

mod log;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use lawbook::{Answer, Error, Options, Policy, QUESTION_BYTES_MAX, Verdict, decide};
use lawbook_diag::Problem;
use lawbook_event::Time;
use lawbook_report::shown;

use crate::commands::Format;
use crate::commands::rule::written;
use crate::environment::switch;
use crate::exit::Exit;
use crate::input::stdin_twice;
use crate::masking;
use crate::policies::{PolicyArgs, is_stdin, now};
use log::Log;

pub use log::SCHEMA;

/// Say whether a call may run, now.
#[derive(Debug, Args)]
pub struct DecideArgs {
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// The question, or `-` for standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub question: PathBuf,
    /// Hold the call to these rules only; an id without its index names all of its kind
    #[arg(long, value_name = "ID", value_delimiter = ',', env = "LAWBOOK_RULES", hide_env = true)]
    pub rules: Vec<String>,
    /// Hold the call to the rules that flagged no good trace, which `lawbook agreement` writes down
    #[arg(long, value_name = "FILE", env = "LAWBOOK_PROVEN", hide_env = true)]
    pub proven: Option<PathBuf>,
    /// Nobody can be asked: what a person would have to say yes to is denied
    #[arg(long, env = "LAWBOOK_UNATTENDED", hide_env = true, value_parser = switch)]
    pub unattended: bool,
    /// Append what was decided to a file, without any arguments
    #[arg(long, value_name = "FILE", env = "LAWBOOK_LOG", hide_env = true)]
    pub log: Option<PathBuf>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "json", env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &DecideArgs) -> Exit {
    let mut log = match args.log.as_deref().map(Log::open).transpose() {
        Ok(log) => log,
        Err(problem) => return unusable(args, &problem.into()),
    };
    let Some(at) = now() else {
        let problem = Problem::new("clock", "no_clock", "the clock of this machine can't be read");
        return unusable(args, &problem.into());
    };
    let decided = answer(args, at).map(|it| it.masked(masking::mask()));
    if let Some(log) = &mut log {
        let noted = match &decided {
            Ok(answer) => log.answer(at, answer),
            Err(error) => log.error(at, error),
        };
        // What is not written down is not allowed either.
        if let Err(problem) = noted {
            return unusable(args, &problem.into());
        }
    }
    match decided {
        Ok(answer) => printed(args, &answer),
        Err(error) => unusable(args, &error),
    }
}

fn answer(args: &DecideArgs, at: Time) -> Result<Answer, Error> {
    let policy = policy(args)?;
    let question = read(&args.question)?;
    decide(&policy, &question, at)
}

fn policy(args: &DecideArgs) -> Result<Policy, Error> {
    let PolicyArgs { profile, dialect, user_word, .. } = &args.policies;
    let named = args.policies.named();
    if is_stdin(&args.question) && named.iter().any(|it| is_stdin(it)) {
        return Err(stdin_twice().into());
    }
    let (files, notes) = args.policies.files_of_a_door().map_err(Error::from)?;
    let mut options = Options::new().unattended(args.unattended).rules(&args.rules);
    if let Some(profile) = profile {
        options = options.profile((*profile).into());
    }
    if let Some(dialect) = dialect {
        options = options.dialect(dialect);
    }
    if let Some(word) = user_word {
        options = options.user_word(word);
    }
    if let Some(proven) = &args.proven {
        let text = std::fs::read_to_string(proven).map_err(|it| unreadable(proven, &it))?;
        options = options.proven(proven.display().to_string(), text);
    }
    let policy = options.texts(files.iter().map(|it| (it.source.as_str(), &it.bytes)))?;
    notes.iter().chain(policy.notes()).for_each(|it| crate::print::note(it));
    Ok(policy)
}

/// The bytes of the question, and one more than it may have if it is longer.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let bound = u64::try_from(QUESTION_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let done = match is_stdin(path) {
        true => io::stdin().lock().take(bound).read_to_end(&mut bytes),
        false => File::open(path).and_then(|it| it.take(bound).read_to_end(&mut bytes)),
    };
    match done {
        Ok(_) => Ok(bytes),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    let message = format!("it can't be read: {error}");
    Problem::new(path.display().to_string(), "unreadable", message).into()
}

fn printed(args: &DecideArgs, answer: &Answer) -> Exit {
    let text = match args.format {
        Format::Json => format!("{}\n", answer.to_json()),
        Format::Text => text(answer),
    };
    let decided = match answer.verdict() {
        Verdict::Allow => Exit::Clean,
        _ if answer.only_unknown() => Exit::Unknown,
        Verdict::Ask => Exit::Ask,
        Verdict::Deny => Exit::Found,
    };
    written(&text).max(decided)
}

/// A door that can't decide denies, and says why to whoever runs it.
fn unusable(args: &DecideArgs, error: &Error) -> Exit {
    error.problems().iter().for_each(crate::print::error);
    let text = match args.format {
        Format::Json => format!("{}\n", error.to_answer_json()),
        Format::Text => "deny\n".to_owned(),
    };
    written(&text).max(Exit::Unusable)
}

fn text(answer: &Answer) -> String {
    let mut out = format!("{}\n", answer.verdict());
    for it in answer.findings() {
        let tool = it.tool.as_deref().unwrap_or("the session");
        let (verdict, rule) = (it.verdict, shown(&it.rule));
        let taken_out = if it.counts() { "" } else { " (does not count)" };
        let message = shown(&it.message);
        out.push_str(&format!("  {verdict} {}: {message} [{rule}]{taken_out}\n", shown(tool)));
        if let Some(why) = &it.why {
            out.push_str(&format!("    why: {}\n", shown(why)));
        }
    }
    for it in answer.unknown() {
        out.push_str(&format!("  unknown: {} [{}]\n", shown(&it.message), shown(&it.rule)));
    }
    for note in answer.notes() {
        out.push_str(&format!("  note: {}\n", shown(note)));
    }
    for reply in answer.reply().into_iter().flat_map(str::lines) {
        out.push_str(&format!("  for the model: {}\n", shown(reply)));
    }
    out
}
