//! `lawbook agreement`: how a policy agrees with what reviewers said of the same traces.

mod compare;
mod json;
mod notes;
mod proven;
mod text;

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;

use crate::commands::check::{Judge, reader};
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::input::{Inputs, Place, each_under, list, stdin_twice};
use crate::labels::Labels;
use crate::output;
use crate::policies::{Otherwise, Policies, PolicyArgs, Selection};
use crate::review::{NoteCounts, Review};
use compare::{Agreed, Compare};

/// Say how a policy agrees with what reviewers said.
#[derive(Debug, Args)]
pub struct AgreementArgs {
    /// Trace files, globs, or `-` for standard input
    #[arg(required = true, value_name = "TRACES")]
    pub traces: Vec<String>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// What reviewers said: CSV, JSON lines or YAML with `id` and `verdict`, or a pmstack project
    #[arg(long, value_name = "FILE", env = "LAWBOOK_LABELS", hide_env = true)]
    pub labels: PathBuf,
    /// The failure mode that the policy stands for; the one that the labels have for policies, else
    /// every problem
    #[arg(long, value_name = "ID", env = "LAWBOOK_MODE", hide_env = true)]
    pub mode: Option<String>,
    /// Compare only labels of this split; labels of a pmstack project have none
    #[arg(long, value_name = "NAME", env = "LAWBOOK_SPLIT", hide_env = true)]
    pub split: Option<String>,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// Write the rules that flagged no good trace to a file, for a guard
    #[arg(long, value_name = "FILE")]
    pub proven_out: Option<PathBuf>,
    /// Keep the notes on problem traces that the policy passes in this review file, to be sorted
    #[arg(long, value_name = "FILE")]
    pub notes: Option<PathBuf>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Everything that is printed.
pub struct Answer {
    /// The policies.
    pub policies: Policies,
    /// The labels.
    pub labels: Labels,
    /// What was compared.
    pub agreed: Agreed,
    /// How far the notes are sorted, where they are kept.
    pub notes: Option<NoteCounts>,
    /// What should be known first.
    pub said: Vec<String>,
}

/// Runs the command.
pub fn run(args: &AgreementArgs) -> Exit {
    match answer(args) {
        Ok((answer, unreadable)) => {
            let printed = match args.format {
                Format::Text => written(&text::text(&answer)),
                Format::Json => written(&json::json(&answer)),
            };
            printed.max(if unreadable { Exit::Unusable } else { Exit::Clean })
        }
        Err(problems) => stopped(&problems),
    }
}

fn answer(args: &AgreementArgs) -> Result<(Answer, bool), Vec<Problem>> {
    let forced = reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    if args.policies.wants_stdin(&args.traces) {
        return Err(vec![stdin_twice()]);
    }
    let (places, missing) = list(&args.traces, false)?;
    let policies = args.policies.load(&Selection::default(), Otherwise::BuiltIn)?;
    if args.proven_out.is_some() && policies.layers.len() > 1 {
        let message = "what is proven is proven of one policy";
        return Err(vec![
            Problem::new("--proven-out", "several_policies", message).help("name one `--policy`"),
        ]);
    }
    let mut labels = Labels::load(&args.labels, args.mode.as_deref())?;
    let mut said = policies.notes.clone();
    said.extend(chosen(&mut labels, args));
    apart(args, &places, &policies)?;
    let review = args.notes.as_deref().map(Review::load_or_new).transpose()?;

    let judge = Judge::new(&policies);
    let mut compare = Compare::new(&labels);
    let mut unreadable = !missing.is_empty();
    missing.iter().for_each(crate::print::error);
    each_under(Inputs::new(places, forced), judge.wanted(), |read| match read {
        Ok(session) => compare.session(&judge, session),
        Err(problem) => {
            unreadable = true;
            crate::print::error(&problem);
        }
    });
    let agreed = compare.close(&labels, &policies);
    if agreed.seen.is_empty() && !unreadable {
        return Err(vec![no_match(&labels)]);
    }
    let notes = match (review, args.notes.as_deref()) {
        (Some(review), Some(file)) => {
            Some(notes::keep(review, file, &labels, &agreed, &policies).map_err(|it| vec![it])?)
        }
        _ => None,
    };
    if let Some(file) = &args.proven_out {
        output::replace(file, &proven::written(&policies, &agreed)).map_err(|it| vec![it])?;
    }
    Ok((Answer { policies, labels, agreed, notes, said }, unreadable))
}

/// Keeps the labels of a split, and says what should be known of the choice.
fn chosen(labels: &mut Labels, args: &AgreementArgs) -> Vec<String> {
    let mut said = Vec::new();
    let has_splits = labels.labels.iter().any(|it| !it.split.is_empty());
    match &args.split {
        Some(_) if !has_splits => {
            said.push("`--split` is ignored: a policy is compared on every label".to_owned());
        }
        Some(split) => labels.labels.retain(|it| it.split == *split),
        None => {}
    }
    let names = labels.mode_names();
    if labels.mode.is_none() && !names.is_empty() {
        let names = Vec::from_iter(names).join(", ");
        said.push(format!(
            "every problem counts; `--mode` compares with one failure mode: {names}"
        ));
    }
    said
}

/// Where no trace has a label, nothing is compared and nothing proven.
fn no_match(labels: &Labels) -> Problem {
    let message = "none of the labels is of a trace that was read";
    Problem::new(&labels.source, "no_match", message)
        .help("a label's `id` must be the id of its trace, as `lawbook check` shows it")
}

/// Nothing that is written replaces what is read.
fn apart(args: &AgreementArgs, places: &[Place], policies: &Policies) -> Result<(), Vec<Problem>> {
    let files = policies.lines.iter().map(|it| PathBuf::from(&it.source));
    let traces = places.iter().filter_map(|it| match it {
        Place::File(path) => Some(path.clone()),
        Place::Stdin => None,
    });
    let read: Vec<PathBuf> = traces.chain(files).chain([args.labels.clone()]).collect();
    let of = |it: Option<&PathBuf>, more: Option<&PathBuf>| {
        let read = read.iter().chain(more).cloned();
        output::apart(it.map(PathBuf::as_path), read).map_err(|it| vec![it])
    };
    of(args.notes.as_ref(), None)?;
    of(args.proven_out.as_ref(), args.notes.as_ref())
}
