//! `lawbook gate`: is this release a regression, or noise?

mod flags;
mod json;
mod refused;
mod said;
mod text;

use std::path::PathBuf;

use lawbook_diag::Problem;
use lawbook_report::{GateVerdict, Header, Options, Selection};
use lawbook_stats::Asked;

pub use flags::GateArgs;

use crate::commands::stopped;
use crate::exit::Exit;
use crate::gating::{self, BandFile, Gating, Line, Runs, TestName, Weighing};
use crate::input::{Place, list, stdin_twice};
use crate::reports::{Kept, again};
use said::Said;

/// Runs the command.
pub fn run(args: &GateArgs) -> Exit {
    match answer(args) {
        Ok(exit) => exit,
        Err(problems) => stopped(&problems),
    }
}

fn answer(args: &GateArgs) -> Result<Exit, Vec<Problem>> {
    let forced = crate::commands::check::reader(args.gating.trace_format.as_deref())
        .map_err(|it| vec![it])?;
    if args.gating.policies.wants_stdin(&args.traces) {
        return Err(vec![stdin_twice()]);
    }
    let band = gating::load(&args.band)?;
    let gating = Gating::new(&args.gating)?;
    let mut warnings = refused::judge(args, &band, &gating)?;
    let test = test(args, &band, &mut warnings);
    if !band.is_comparable(test) {
        return Err(vec![nothing_to_compare(args)]);
    }
    let (places, missing) = list(&args.traces, args.gating.allow_unreadable)?;
    apart(args, &places, &gating)?;
    let header = header(args, &gating);
    let kept = kept(args, &places, &gating);
    let options = Options { layers: header.policies.len() > 1, ..Options::default() };
    let forms = args.reports.forms(flags::reporter, options).map_err(|it| vec![it])?;
    let reports = args.reports.open(&forms, kept)?;
    let mut said = Said::new(reports, forms, header);
    missing.into_iter().for_each(|it| said.problem(it));
    let mut seen = Seen::default();
    gating::walk(&gating, places, forced, args.gating.jobs(), |it| match it {
        Ok(line) => {
            seen.add(&line);
            said.session(&line)
        }
        Err(problem) => {
            said.problem(problem);
            true
        }
    });
    if seen.now.sessions == 0 && !said.unread() {
        let problem = Problem::new("traces", "no_session", "the traces hold no session");
        return Err(vec![problem.help("name the traces of the release")]);
    }
    warnings.extend(refused::statements(args, &band, &seen.now)?);
    warnings.extend(gating.of_judge());
    let weighing = Weighing {
        band: &band,
        now: &seen.now,
        test,
        asked: Asked { alpha: args.alpha, power: args.power, drop: args.drop / 100.0 },
        compatible: gating.compatible,
        policy_violations: seen.broken,
        unknown: if gating.compatible { Vec::new() } else { seen.unknown },
        warnings,
        checks: gating.checks.iter().map(|it| (*it).to_owned()).collect(),
        fired: std::mem::take(&mut said.fired),
    };
    let Some(gate) = gating::weigh(weighing) else {
        return Err(vec![nothing_to_compare(args)]);
    };
    let unread = said.unread() && !args.gating.allow_unreadable;
    let exit = exit(args, gate.verdict, unread, gating.compatible);
    said.finish(gate, exit)
}

fn nothing_to_compare(args: &GateArgs) -> Problem {
    let message = "the band holds nothing to compare with";
    Problem::new(args.band.display().to_string(), "wrong_band", message)
        .help("make it again with `lawbook baseline`")
}

/// How a run ends. What can't be read comes before the verdict.
fn exit(args: &GateArgs, verdict: GateVerdict, unread: bool, compatible: bool) -> Exit {
    if unread {
        return Exit::Unusable;
    }
    if args.exit_zero {
        return Exit::Clean;
    }
    match verdict {
        GateVerdict::Pass => Exit::Clean,
        GateVerdict::Inconclusive if compatible || args.allow_unknown => Exit::Clean,
        GateVerdict::Inconclusive => Exit::Unknown,
        GateVerdict::Fail => Exit::Found,
    }
}

/// The candidate, as it comes.
#[derive(Default)]
struct Seen {
    now: Runs,
    broken: Vec<String>,
    unknown: Vec<String>,
}

impl Seen {
    fn add(&mut self, line: &Line) {
        self.now.add(line);
        if line.breaks {
            self.broken.push(line.id.clone());
        }
        if let Some(what) = &line.untold {
            self.unknown.push(format!("{}: {what}", line.id));
        }
    }
}

/// The test that is asked for, or the one that the band allows.
fn test(args: &GateArgs, band: &BandFile, warnings: &mut Vec<String>) -> TestName {
    let wanted = args.gating.test();
    let Some(own) = &band.own else {
        if wanted != TestName::Band {
            let message = "the band holds no counts of scenarios, so it is compared as faultgate \
                           does; make it again with `lawbook baseline` for the better test";
            warnings.push(message.to_owned());
        }
        return TestName::Band;
    };
    match wanted {
        TestName::Paired if own.test == TestName::Pooled.word() => TestName::Pooled,
        wanted => wanted,
    }
}

fn header(args: &GateArgs, gating: &Gating) -> Header {
    Header {
        lawbook: env!("CARGO_PKG_VERSION").to_owned(),
        policies: gating.policies.lines.clone(),
        selection: Selection {
            rules: args.gating.rules.clone(),
            ignore: args.gating.ignore.clone(),
            sample: None,
            known: Vec::new(),
        },
        notes: gating.policies.notes.iter().chain(&gating.notes).cloned().collect(),
    }
}

/// The report replaces nothing that is read.
fn apart(args: &GateArgs, places: &[Place], gating: &Gating) -> Result<(), Vec<Problem>> {
    let traces = places.iter().map(|it| PathBuf::from(it.name()));
    let policies = gating.policies.lines.iter().map(|it| PathBuf::from(&it.source));
    let more = [Some(args.band.clone()), args.gating.golden.clone(), args.gating.outcomes.clone()];
    let read: Vec<PathBuf> = traces.chain(policies).chain(more.into_iter().flatten()).collect();
    args.reports.apart(&read).map_err(|it| vec![it])
}

/// What an audit keeps beside the reports.
fn kept(args: &GateArgs, places: &[Place], gating: &Gating) -> Kept {
    let flags = &args.gating;
    let arguments = again("gate", &flags.policies, &gating.policies, args.again(), Some(places));
    Kept::of(arguments, &gating.policies, places)
        .and("band", Some(&args.band))
        .and("golden", flags.golden.as_deref())
        .and("outcomes", flags.outcomes.as_deref())
}
