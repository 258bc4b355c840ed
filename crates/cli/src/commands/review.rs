//! `lawbook review`: where the review of findings stands, and marks from the command line.

mod show;

use std::path::PathBuf;

use clap::{Args, Subcommand};
use lawbook_diag::{Problem, nearest};

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::environment::switch;
use crate::exit::Exit;
use crate::review::{Disposition, Mark, Review, named, word};

pub use show::standing;

/// Say what is left of a review, or mark a finding in it.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = false, subcommand_precedence_over_arg = true)]
pub struct ReviewArgs {
    /// The review file that `lawbook check --review` keeps
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// List everything that is left; at most ten of each rule otherwise
    #[arg(long, env = "LAWBOOK_ALL", hide_env = true, value_parser = switch)]
    pub all: bool,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
    #[command(subcommand)]
    pub action: Option<Action>,
}

/// What is written into a review.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Mark a finding
    Mark {
        /// The finding's id, or its beginning
        id: String,
        /// `real`, `rule-to-fix`, or `none` to take the mark away
        mark: String,
        /// Why, in the owner's words
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Sort a note on a trace that the policy lets pass
    Sort {
        /// The trace's id
        trace: String,
        /// `new-rule`, `instruction`, `who-else-checks`, `no-gap`, or `none`
        disposition: String,
        /// The rule, the instruction, or who else checks
        #[arg(long, value_name = "TEXT")]
        with: Option<String>,
    },
}

/// Runs the command.
pub fn run(args: &ReviewArgs) -> Exit {
    let review = match Review::load(&args.file) {
        Ok(review) => review,
        Err(problems) => return stopped(&problems),
    };
    match &args.action {
        None => written(&match args.format {
            Format::Text => show::text(&args.file, &review, args.all),
            Format::Json => show::json(&review),
        }),
        Some(action) => match change(review, action) {
            Ok((review, said)) => match review.save(&args.file) {
                Ok(()) => written(&format!("{said}\n{}\n", review.standing().line())),
                Err(problem) => stopped(&[problem]),
            },
            Err(problem) => stopped(&[problem]),
        },
    }
}

fn change(mut review: Review, action: &Action) -> Result<(Review, String), Problem> {
    let said = match action {
        Action::Mark { id, mark, note } => {
            let mark = choice("mark", Mark::ALL, mark)?;
            let place = of_id(&review, id)?;
            let Some(entry) = review.findings.get_mut(place) else { return Err(no_id(id, &[])) };
            entry.mark = mark;
            if let Some(note) = note {
                entry.note.clone_from(note);
            }
            format!(
                "{} of session {}: {}",
                entry.key.rule,
                entry.key.session,
                told(Mark::ALL, mark)
            )
        }
        Action::Sort { trace, disposition, with } => {
            let disposition = choice("disposition", Disposition::ALL, disposition)?;
            let traces: Vec<String> = review.notes.iter().map(|it| it.trace.clone()).collect();
            let Some(note) = review.notes.iter_mut().find(|it| it.trace == *trace) else {
                return Err(no_id(trace, &traces));
            };
            note.disposition = disposition;
            if let Some(with) = with {
                note.with.clone_from(with);
            }
            format!("the note on {trace}: {}", told(Disposition::ALL, disposition))
        }
    };
    Ok((review, lawbook_report::shown(&said).into_owned()))
}

fn told<T: Copy + PartialEq>(all: &[(T, &'static str)], value: T) -> &'static str {
    match word(all, &value) {
        "" => "nothing yet",
        word => word,
    }
}

fn choice<T: Copy>(what: &str, all: &[(T, &'static str)], given: &str) -> Result<T, Problem> {
    let given_word = if given == "none" { "" } else { given };
    let known = named(all, given_word).filter(|_| given == "none" || !given.trim().is_empty());
    known.ok_or_else(|| {
        let words: Vec<&str> = all.iter().map(|it| it.1).filter(|it| !it.is_empty()).collect();
        Problem::new(what, "unknown_word", format!("there is no {what} `{given}`"))
            .help(format!("there are {}, and `none`", words.join(", ")))
    })
}

/// The place of the one finding whose id begins so.
fn of_id(review: &Review, id: &str) -> Result<usize, Problem> {
    let ids: Vec<String> = review.findings.iter().map(|it| it.key.id()).collect();
    let places: Vec<usize> =
        ids.iter().enumerate().filter(|it| it.1.starts_with(id)).map(|it| it.0).collect();
    match places.as_slice() {
        [place] if !id.is_empty() => Ok(*place),
        [] => Err(no_id(id, &ids)),
        _ => Err(Problem::new("id", "unclear_id", format!("`{id}` is the start of several ids"))
            .help("write more of it")),
    }
}

fn no_id(id: &str, ids: &[String]) -> Problem {
    let problem = Problem::new("id", "unknown_id", format!("the review holds no `{id}`"));
    match nearest(id, ids.iter().map(String::as_str)) {
        Some(near) => problem.help(format!("did you mean `{near}`?")),
        None => problem.help("`lawbook review FILE` lists the ids of what is left"),
    }
}
