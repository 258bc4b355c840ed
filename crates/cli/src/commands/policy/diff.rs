//! `lawbook policy diff`: which calls of the past two policies rule on differently.

mod edits;
mod gather;
mod json;
mod lines;
mod markdown;
mod text;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use lawbook_diag::Problem;
use lawbook_engine::{Engine, Ruled, Which};
use lawbook_event::json::Buffers;
use lawbook_event::{Reading, Readings, RecordingPart};
use lawbook_report::PolicyLine;
use lawbook_rule::Policy;

use crate::commands::rule::written;
use crate::commands::{check, stopped};
use crate::environment::switch;
use crate::exit::Exit;
use crate::input::{Inputs, list, read, stdin_twice};
use crate::pipeline;
use crate::policies::{Otherwise, PolicyArgs, ProfileName, Selection, is_stdin, now};
use edits::{Edit, edits};
use gather::{Gathered, Piece};

/// Say which calls of the past flip between two policies.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// The policy as it was
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The policy as it is meant to be
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Trace files, globs, or `-` for standard input
    #[arg(long, required = true, num_args = 1.., value_name = "TRACES")]
    pub traces: Vec<String>,
    /// How a policy of another system is read
    #[arg(long, value_name = "PROFILE", env = "LAWBOOK_PROFILE", hide_env = true)]
    pub profile: Option<ProfileName>,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// How the result is printed; `markdown` is fit for a comment on a pull request
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: DiffFormat,
    /// Which flips make the exit code 1
    #[arg(long, value_enum, default_value_t, value_name = "FLIPS")]
    pub fail_on: Counted,
    /// Worker threads; all cores if left out
    #[arg(long, value_name = "N", env = "LAWBOOK_JOBS", hide_env = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Traces that can't be read, or are not there, don't make the exit code 2
    #[arg(long, env = "LAWBOOK_ALLOW_UNREADABLE", hide_env = true, value_parser = switch)]
    pub allow_unreadable: bool,
    /// Edited rules that could not be judged don't make the exit code 3; an input without calls
    /// still does
    #[arg(long, env = "LAWBOOK_ALLOW_UNKNOWN", hide_env = true, value_parser = switch)]
    pub allow_unknown: bool,
}

/// How the result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// For a comment on a pull request
    Markdown,
}

/// Which flips make the exit code 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Counted {
    /// All of them
    #[default]
    Any,
    /// Those to a call that is denied
    Deny,
}

/// One policy, made ready.
struct Ready {
    policy: Arc<Policy>,
    engine: Engine,
    line: PolicyLine,
    notes: Vec<String>,
}

/// All that is printed.
struct Outcome {
    old: PolicyLine,
    new: PolicyLine,
    notes: Vec<String>,
    edits: Vec<Edit>,
    gathered: Gathered,
}

/// Runs the command.
pub fn run(args: &DiffArgs) -> Exit {
    match compared(args) {
        Ok(outcome) => {
            outcome.gathered.problems.iter().for_each(crate::print::error);
            let printed = match args.format {
                DiffFormat::Text => written(&text::text(&outcome)),
                DiffFormat::Json => written(&json::json(&outcome)),
                DiffFormat::Markdown => written(&markdown::markdown(&outcome)),
            };
            printed.max(outcome.exit(args))
        }
        Err(problems) => stopped(&problems),
    }
}

fn compared(args: &DiffArgs) -> Result<Outcome, Vec<Problem>> {
    let forced = check::reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    let stdin = [&args.old, &args.new].into_iter().filter(|it| is_stdin(it)).count();
    if stdin.saturating_add(usize::from(args.traces.iter().any(|it| it == "-"))) > 1 {
        return Err(vec![stdin_twice()]);
    }
    let (old, new) = both(args)?;
    let (places, missing) = list(&args.traces, args.allow_unreadable)?;
    let edits = edits(&old.policy, &new.policy);
    let tries = !edits.is_empty();
    let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let mut gathered = Gathered::default();
    missing.into_iter().for_each(|it| gathered.problem(it));
    let wanted = wanted(&old.policy, &new.policy);
    pipeline::run(
        Inputs::new(places, forced),
        args.jobs.map_or_else(cores, NonZeroUsize::get),
        Buffers::default,
        |piece, buffer, buffers, _| {
            let mut done = Piece::default();
            let problems = read(piece, buffer, buffers, wanted, &mut |session| {
                done.session(&session, &old, &new, tries);
            });
            done.problems = problems;
            done
        },
        |done| {
            gathered.add(done);
            true
        },
    );
    let edits = edits.into_iter().map(|it| it.measured(&gathered)).collect();
    let notes = notes(&old, &new);
    Ok(Outcome { old: old.line, new: new.line, notes, edits, gathered })
}

/// Both policies, with everything that is wrong with either.
fn both(args: &DiffArgs) -> Result<(Ready, Ready), Vec<Problem>> {
    match (ready(args, &args.old), ready(args, &args.new)) {
        (Ok(old), Ok(new)) => Ok((old, new)),
        (old, new) => {
            let wrong = old.err().into_iter().chain(new.err());
            Err(wrong.flatten().collect())
        }
    }
}

fn ready(args: &DiffArgs, path: &std::path::Path) -> Result<Ready, Vec<Problem>> {
    let policies = PolicyArgs {
        policy: vec![path.to_owned()],
        profile: args.profile,
        dialect: None,
        user_word: None,
    };
    let loaded = policies.load(&Selection::default(), Otherwise::Nothing)?;
    let (Some(policy), Some(line)) = (loaded.layers.first(), loaded.lines.first()) else {
        return Err(vec![Problem::new(
            path.display().to_string(),
            "no_policy",
            "it holds no policy",
        )]);
    };
    let engine = Engine::new(vec![policy.clone()], now());
    Ok(Ready { policy: policy.clone(), engine, line: line.clone(), notes: loaded.notes })
}

/// The readings of both, without what neither looks at.
fn wanted(old: &Policy, new: &Policy) -> Readings {
    let readings = [old.reading, new.reading].into_iter().fold(Readings::default(), Readings::and);
    let parts = [RecordingPart::Itself, RecordingPart::Normalised].into_iter();
    let unseen = parts.filter(|part| !old.looks_at(*part) && !new.looks_at(*part));
    unseen.fold(readings, Readings::without)
}

fn notes(old: &Ready, new: &Ready) -> Vec<String> {
    let mut notes = old.notes.clone();
    notes.extend(new.notes.iter().filter(|it| !old.notes.contains(it)).cloned());
    let (before, after) = (&old.policy, &new.policy);
    if before.reading != after.reading && before.reading != Reading::Full {
        let dialect = before.dialect;
        notes.push(format!("the old policy judges what {dialect} itself reads of a recording"));
    }
    if before.reading != after.reading && after.reading != Reading::Full {
        let dialect = after.dialect;
        notes.push(format!("the new policy judges what {dialect} itself reads of a recording"));
    }
    if before.waivers != after.waivers {
        notes.push("the waivers are not the same".to_owned());
    }
    notes
}

impl Ready {
    fn events<'s>(
        &self,
        session: &'s lawbook_trace::Session<'s>,
    ) -> &'s [lawbook_event::Event<'s>] {
        session.under(self.policy.reading)
    }
}

impl Outcome {
    fn line(&self, which: Which) -> &PolicyLine {
        match which {
            Which::Old => &self.old,
            Which::New => &self.new,
        }
    }

    /// The edits that a call could not be judged by, so that it may flip all the same.
    fn untold(&self) -> bool {
        self.edits.iter().any(|it| it.unknown > 0) || self.gathered.untold_calls(&self.edits) > 0
    }

    fn exit(&self, args: &DiffArgs) -> Exit {
        let counts = match args.fail_on {
            Counted::Any => self.gathered.flips > 0,
            Counted::Deny => self.gathered.to(Ruled::Deny) > 0,
        };
        let found = if counts { Exit::Found } else { Exit::Clean };
        let unread = !self.gathered.problems.is_empty() && !args.allow_unreadable;
        let unread = if unread { Exit::Unusable } else { Exit::Clean };
        let unknown = self.gathered.calls == 0 || (self.untold() && !args.allow_unknown);
        let unknown = if unknown { Exit::Unknown } else { Exit::Clean };
        found.max(unread).max(unknown)
    }
}
