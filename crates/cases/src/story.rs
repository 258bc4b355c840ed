//! Running a story: each event is told, and what is said of it is compared.

use std::collections::BTreeMap;

use lawbook_diag::{Problem, Verdict};
use lawbook_engine::check;
use lawbook_event::{Event, What};

use crate::case::{Mode, Story};
use crate::happening::{Happening, Step};
use crate::of_agents::OfAgents;
use crate::policy::{engine, policy};
use crate::run::{Difference, Ended, Settings, ended};
use crate::script::{self, Script};
use crate::subject::{Heard, Run, Subject};
use crate::{compare, timing};

/// Runs a story.
pub fn run(
    source: &str,
    story: &Story,
    subject: &dyn Subject,
    settings: &Settings,
) -> Result<Ended, Problem> {
    if let Some(reason) = cannot(story, subject) {
        return Ok(Ended::Skipped(reason));
    }
    let script = script::write(story).map_err(|it| Problem::new(source, "no_case", it))?;
    let as_of = story.happenings.iter().find_map(|it| it.at).unwrap_or(timing::START);
    let engine = engine(policy(source, &story.wanted, settings)?, Some(as_of));
    if let Some(reason) = subject.cannot_carry(&engine, story.mode, &story.happenings) {
        return Ok(Ended::Skipped(reason));
    }
    let mut run = subject.begin(&engine, story.mode);
    let mut fates = BTreeMap::new();
    let mut differences = tell(story, &script, &mut *run, &mut fates);
    if let Some(wanted) = &story.settled {
        let ran = |step: u32| story.mode == Mode::Observe || fates.get(&step) == Some(&true);
        let checked = check(&engine, &script::recorded(&script, ran));
        differences.extend(compare::settled(wanted, &checked.findings));
    }
    Ok(ended(differences))
}

fn cannot(story: &Story, subject: &dyn Subject) -> Option<&'static str> {
    story.happenings.iter().find_map(|it| subject.cannot(&it.step))
}

/// Tells every event, keeps which calls ran, and collects the differences.
fn tell(
    story: &Story,
    script: &Script,
    run: &mut dyn Run,
    fates: &mut BTreeMap<u32, bool>,
) -> Vec<Difference> {
    let mut out = Vec::new();
    let mut events = script.events.iter().peekable();
    if let Some((None, start)) = events.peek() {
        run.tell(start);
        events.next();
    }
    for (place, happening) in story.happenings.iter().enumerate() {
        while let Some((_, event)) = events.next_if(|it| it.0 == Some(place)) {
            let heard = run.tell(event);
            keep_fate(event, &heard, fates);
            let differences = difference(happening, &heard);
            out.extend(differences.into_iter().map(|it| it.at(happening.line, &name(happening))));
        }
        match &happening.step {
            Step::OfAgents(OfAgents::Restart) => run.restart(),
            Step::Standing(wanted) => {
                let differences = compare::standing(wanted, run.standing().as_ref(), run.pending());
                out.extend(
                    differences.into_iter().map(|it| it.at(happening.line, &name(happening))),
                );
            }
            _ => {}
        }
    }
    out
}

fn difference(happening: &Happening, heard: &Heard) -> Vec<Difference> {
    match (&happening.expect, &happening.step) {
        (Some(expect), _) => compare::heard(expect, heard),
        (None, Step::Call(_)) => compare::heard(&compare::nothing_held(), heard),
        (None, _) => Vec::new(),
    }
}

fn keep_fate(event: &Event<'_>, heard: &Heard, fates: &mut BTreeMap<u32, bool>) {
    match &event.what {
        What::Call(call) => {
            fates.insert(call.step, heard.verdict == Verdict::Allow);
        }
        What::Approval { step, .. } if heard.misuse.is_none() => {
            fates.insert(*step, heard.verdict == Verdict::Allow);
        }
        _ => {}
    }
}

/// An event in two words, for people.
fn name(happening: &Happening) -> String {
    match &happening.step {
        Step::Call(asking) => format!("call `{}`", asking.tool),
        Step::User(_) => "words of the user".to_owned(),
        Step::Agent(_) => "words of the agent".to_owned(),
        Step::Result(returned) => format!("result of `{}`", returned.id),
        Step::Approve { id, .. } => format!("approval of `{id}`"),
        Step::Reject { id, .. } => format!("rejection of `{id}`"),
        Step::End(_) => "end".to_owned(),
        Step::OfAgents(what) => what.key().to_owned(),
        Step::Standing(_) => "standing `expect`".to_owned(),
    }
}
