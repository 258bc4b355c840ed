//! `lawbook check`: what did the agent do that it was not allowed to do?

mod agents;
mod flags;
mod judge;
mod keeping;
mod known;
mod sample;
mod totals;
mod worker;

use std::io::{self, IsTerminal};
use std::path::PathBuf;

use lawbook_diag::Problem;
use lawbook_event::json::Buffers;
use lawbook_report::{Header, Options};

pub use flags::{CheckArgs, FailOn, reader};
pub use judge::Judge;
pub use sample::{Sample, key};

use crate::commands::stopped;
use crate::exit::Exit;
use crate::input::{self, Inputs, Piece, Place, list, read, stdin_twice};
use crate::output;
use crate::pipeline;
use crate::policies::{Otherwise, Policies};
use crate::progress::Progress;
use crate::reports::{Kept, again};
use crate::review::Editor;
use keeping::Keeping;
use known::Known;
use totals::Totals;
use worker::{Done, Shared, Worker};

/// Runs the command.
pub fn run(args: &CheckArgs) -> Exit {
    match plan(args) {
        Ok(plan) => plan.run(args),
        Err(problems) => stopped(&problems),
    }
}

/// Everything that is settled before the first trace is read.
struct Plan {
    inputs: Inputs,
    /// Inputs that are not there.
    missing: Vec<Problem>,
    /// The bytes of all inputs, where they are known.
    bytes: Option<u64>,
    header: Header,
    shared: Shared,
    sample: Option<Sample>,
    review: Option<Keeping>,
    kept: Kept,
}

fn plan(args: &CheckArgs) -> Result<Plan, Vec<Problem>> {
    let forced = args.forced_reader().map_err(|it| vec![it])?;
    if args.policies.wants_stdin(&args.traces) {
        return Err(vec![stdin_twice()]);
    }
    let (places, missing) = match args.agents {
        true => (agents::sessions(args.since), Vec::new()),
        false => list(&args.traces, args.allow_unreadable)?,
    };
    let selection = args.selection();
    let mut wanted = args.policies.clone();
    // A project says what its user is called, unless the command line does.
    let labels = || places.iter().find_map(user_label);
    wanted.user_word = wanted.user_word.take().or_else(labels);
    let policies = wanted.load(&selection, otherwise(args))?;
    apart(args, &places, &policies)?;
    let known = Known::load(&args.known())?;
    let sample = args.sample.map(|it| Sample::new(it.get()));
    let review = args.review.as_deref().map(Keeping::load).transpose()?;
    let editor = || Editor::new(&policies, &wanted, &selection);
    let reviewing = review.as_ref().map(|it| it.reviewing(editor()));
    let options = Options {
        colour: false,
        layers: policies.layers.len() > 1,
        all: args.all,
        asks_fail: args.fail_on == FailOn::Ask,
    };
    let forms = args.reports.forms(lawbook_report::named, options).map_err(|it| vec![it])?;
    let kept = kept(args, &places, &policies);
    let header = Header {
        lawbook: env!("CARGO_PKG_VERSION").to_owned(),
        policies: policies.lines.clone(),
        selection: selected(args),
        notes: policies.notes.clone(),
    };
    let shared = Shared {
        header: header.clone(),
        judge: Judge::new(&policies),
        known,
        selection,
        forms,
        group_by: args.group_by.clone(),
        bar: sample.as_ref().map(Sample::bar),
        reviewing,
    };
    let bytes = places.iter().map(Place::bytes).sum();
    let inputs = Inputs::new(places, forced);
    Ok(Plan { inputs, missing, bytes, header, shared, sample, review, kept })
}

fn user_label(place: &Place) -> Option<String> {
    match place {
        Place::File(path) => input::user_label(path),
        Place::Stdin => None,
    }
}

/// What is judged by where no policy is named.
fn otherwise(args: &CheckArgs) -> Otherwise {
    if args.agents { Otherwise::Coding } else { Otherwise::BuiltIn }
}

/// The report replaces nothing that is read.
fn apart(args: &CheckArgs, places: &[Place], policies: &Policies) -> Result<(), Vec<Problem>> {
    let traces = places.iter().map(|it| match it {
        Place::File(path) => path.clone(),
        // A file that standard input is read from has a name here on most systems.
        Place::Stdin => PathBuf::from("/dev/stdin"),
    });
    let policies = policies.lines.iter().map(|it| PathBuf::from(&it.source));
    let read: Vec<PathBuf> = traces.chain(policies).collect();
    let known = args.known().into_iter().chain(args.review.clone());
    let all: Vec<PathBuf> = read.iter().cloned().chain(known).collect();
    args.reports.apart(&all).map_err(|it| vec![it])?;
    output::apart(args.review.as_deref(), read.into_iter()).map_err(|it| vec![it])
}

/// What an audit keeps beside the reports.
fn kept(args: &CheckArgs, places: &[Place], policies: &Policies) -> Kept {
    let places = if args.agents { &[] } else { places };
    let named = (!args.agents).then_some(places);
    let arguments = again("check", &args.policies, policies, args.again(), named);
    let kept = Kept::of(arguments, policies, places);
    args.known().iter().fold(kept, |kept, it| kept.and("known", Some(it)))
}

fn selected(args: &CheckArgs) -> lawbook_report::Selection {
    lawbook_report::Selection {
        rules: args.rules.clone(),
        ignore: args.ignore.clone(),
        sample: args.sample.and_then(|it| u64::try_from(it.get()).ok()),
        known: args.known().iter().map(|it| it.display().to_string()).collect(),
    }
}

impl Plan {
    fn run(self, args: &CheckArgs) -> Exit {
        let Plan { inputs, missing, bytes, header, shared, sample, review, kept } = self;
        let reports = match args.reports.open(&shared.forms, kept) {
            Ok(reports) => reports,
            Err(problems) => return stopped(&problems),
        };
        let mut totals = Totals::new(reports, sample);
        totals.begin(&header);
        totals.take(Done { problems: missing, ..Done::default() });
        let mut progress =
            Progress::new(bytes, args.reports.file().is_none() && io::stdout().is_terminal());
        let wanted = shared.judge.wanted();
        pipeline::run(
            inputs,
            args.jobs(),
            || (Buffers::default(), Worker::new(&shared)),
            |piece, buffer, (buffers, worker), spare| {
                let done = match piece {
                    Piece::Whole(whole) => {
                        let (parts, problems) =
                            whole.spread(buffer, wanted, spare, |it| shared.judged(it));
                        let mut done = Done { problems, ..Done::default() };
                        parts.into_iter().for_each(|it| done.add(it));
                        done
                    }
                    piece => {
                        let problems =
                            read(piece, buffer, buffers, wanted, &mut |it| worker.session(&it));
                        worker.close(problems)
                    }
                };
                (buffer.len(), done)
            },
            |(bytes, done)| {
                progress.add(bytes, done.parts.iter().map(|it| it.summary.sessions).sum());
                totals.take(done)
            },
        );
        drop(progress);
        let kept = match review {
            Some(it) => it.keep(totals.gathered(), &header, &shared.selection),
            None => Ok(Vec::new()),
        };
        let (said, saved) = match kept {
            Ok(said) => (said, Exit::Clean),
            Err(problem) => (Vec::new(), stopped(&[problem])),
        };
        match totals.finish(args, &header, shared.judge.has_strict(), said) {
            Ok(exit) => exit.max(saved),
            Err(problems) => stopped(&problems),
        }
    }
}
