//! `lawbook baseline`: the noise of two or more runs of the same release, as a band.

use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;

use crate::commands::check::reader;
use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::gating::{self, BandFile, Gating, GatingArgs, Runs};
use crate::input::list;
use crate::output::{self, is_stdout};
use crate::print::counted;

/// Measure the noise of two or more runs.
#[derive(Debug, Args)]
pub struct BaselineArgs {
    /// The traces of one run each: a file, a glob or a folder
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<String>,
    #[command(flatten)]
    pub gating: GatingArgs,
    /// Where the band goes; `-` is standard output
    #[arg(
        long,
        value_name = "FILE",
        default_value = "band.json",
        env = "LAWBOOK_OUT",
        hide_env = true
    )]
    pub out: PathBuf,
    /// How the result is printed; `json` is the band itself
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// Runs the command.
pub fn run(args: &BaselineArgs) -> Exit {
    match answer(args) {
        Ok(exit) => exit,
        Err(problems) => stopped(&problems),
    }
}

fn answer(args: &BaselineArgs) -> Result<Exit, Vec<Problem>> {
    let forced = reader(args.gating.trace_format.as_deref()).map_err(|it| vec![it])?;
    let gating = Gating::new(&args.gating)?;
    gating.policies.say_where();
    gating.notes.iter().for_each(|it| crate::print::note(it));
    let mut said = String::new();
    let (mut runs, mut unread) = (Vec::new(), false);
    for word in &args.runs {
        let (places, missing) = list(std::slice::from_ref(word), false)?;
        missing.iter().for_each(crate::print::error);
        unread |= !missing.is_empty();
        let read: Vec<PathBuf> = places.iter().map(|it| PathBuf::from(it.name())).collect();
        output::apart(Some(&args.out), read.into_iter()).map_err(|it| vec![it])?;
        let mut run = Runs::default();
        gating::walk(&gating, places, forced, args.gating.jobs(), |it| {
            match it {
                Ok(line) => run.add(&line),
                Err(problem) => {
                    unread = true;
                    crate::print::error(&problem);
                }
            }
            true
        });
        said.push_str(&of_run(word, &run, gating.compatible));
        runs.push(run);
    }
    if unread && !args.gating.allow_unreadable {
        let message = "a run that was not read whole makes no band";
        let problem = Problem::new("baseline", "unreadable", message);
        return Err(vec![problem.help("mend the traces, or say `--allow-unreadable`")]);
    }
    gating.of_judge().iter().for_each(|it| crate::print::note(it));
    let (band, notes) = gating::build(&gating, &runs, args.gating.test()).map_err(|it| vec![it])?;
    notes.iter().for_each(|it| crate::print::note(it));
    let words: std::collections::BTreeSet<&String> = args.runs.iter().collect();
    if words.len() < args.runs.len() {
        crate::print::note("a run is named more than once, which shows less noise than there is");
    }
    let text = gating::written(&band);
    if is_stdout(&args.out) {
        return Ok(written(&text));
    }
    output::replace(&args.out, &text).map_err(|it| vec![it])?;
    said.push_str(&of_band(&band, args));
    Ok(match args.format {
        Format::Text => written(&said),
        Format::Json => written(&text),
    })
}

fn of_run(word: &str, run: &Runs, compatible: bool) -> String {
    let clean = run.scenarios.values().filter(|it| it.clean(compatible)).count();
    format!(
        "{}: {}, {clean} of {} clean\n",
        lawbook_report::shown(word),
        counted(run.sessions, "trace"),
        counted(u64::try_from(run.scenarios.len()).unwrap_or(u64::MAX), "scenario"),
    )
}

fn of_band(band: &BandFile, args: &BaselineArgs) -> String {
    let scenarios = u64::try_from(band.scenarios.len()).unwrap_or(u64::MAX);
    format!(
        "band {:.2} to {:.2} over {} and {} runs, {} clean in every run, written to {}\n",
        band.low,
        band.high,
        counted(scenarios, "scenario"),
        band.per_run.len(),
        band.clean_in_all_runs.len(),
        lawbook_report::shown(&args.out.display().to_string()),
    )
}
