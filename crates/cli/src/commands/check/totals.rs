//! The whole report: parts come in order and are written as they come.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_report::{Closing, Header, StrictView, Summary, Written};

use super::flags::{CheckArgs, FailOn};
use super::sample::Sample;
use super::worker::{Done, Part, UNGROUPED};
use crate::exit::Exit;
use crate::masking;
use crate::print::counted;
use crate::reports::Reports;
use crate::review::Gathered;

/// Problems that are listed; those beyond are counted.
pub const PROBLEMS_MAX: usize = 10_000;

/// Problems that are also said on standard error, where the report is for machines.
const SAID: usize = 10;

/// The whole report.
pub struct Totals {
    reports: Reports,
    problems: Vec<Problem>,
    more_problems: u64,
    summary: Summary,
    strict: StrictView,
    known: u64,
    gathered: Gathered,
    sample: Option<Sample>,
    /// The parts of the sample, by number.
    kept: BTreeMap<u64, Part>,
    seen: u64,
}

impl Totals {
    /// A report of which nothing is written.
    pub fn new(reports: Reports, sample: Option<Sample>) -> Self {
        Totals {
            reports,
            problems: Vec::new(),
            more_problems: 0,
            summary: Summary::default(),
            strict: StrictView::default(),
            known: 0,
            gathered: Gathered::default(),
            sample,
            kept: BTreeMap::new(),
            seen: 0,
        }
    }

    /// Writes what stands before the sessions.
    pub fn begin(&mut self, header: &Header) {
        self.reports.begin(header);
        if self.is_for_machines() {
            header.notes.iter().for_each(|it| crate::print::note(it));
        }
    }

    /// Whether a person who reads standard error can't read the same in a report.
    fn is_for_machines(&self) -> bool {
        self.reports.are_for_machines()
    }

    /// Takes in a piece, and says whether more is wanted.
    pub fn take(&mut self, done: Done) -> bool {
        for problem in done.problems {
            if self.problems.len() < PROBLEMS_MAX {
                self.problems.push(masking::problem(&problem));
            } else {
                self.more_problems = self.more_problems.saturating_add(1);
            }
        }
        for part in done.parts {
            match &mut self.sample {
                None => self.part(part),
                Some(sample) => {
                    let number = self.seen;
                    self.seen = number.saturating_add(1);
                    let out = sample.take(part.key, number);
                    self.kept.insert(number, part);
                    if let Some(out) = out {
                        self.kept.remove(&out);
                    }
                }
            }
        }
        self.reports.hold()
    }

    fn part(&mut self, part: Part) {
        self.reports.sessions(&part.texts);
        self.summary.merge(part.summary);
        self.strict.merge(part.strict);
        self.known = self.known.saturating_add(part.known);
        self.gathered.add(part.gathered);
    }

    /// What the review should know, once every session was taken.
    pub fn gathered(&mut self) -> Gathered {
        self.take_sample();
        std::mem::take(&mut self.gathered)
    }

    fn take_sample(&mut self) {
        for part in std::mem::take(&mut self.kept).into_values() {
            self.part(part);
        }
    }

    /// Writes what stands after the sessions, and says how the run ended. `said` is what the run
    /// has to say beside its own notes.
    ///
    /// # Errors
    /// When a report can't be written: with what is to be told of it.
    pub fn finish(
        mut self,
        args: &CheckArgs,
        header: &Header,
        strict: bool,
        said: Vec<String>,
    ) -> Result<Exit, Vec<Problem>> {
        self.take_sample();
        let unread = !self.problems.is_empty();
        let closing = Closing {
            problems: self.listed(),
            group_by: args.group_by.clone(),
            strict: strict.then_some(self.strict),
            gate: None,
            written: Written::default(),
            notes: self.notes(args).into_iter().chain(said).collect(),
            summary: std::mem::take(&mut self.summary),
        };
        if self.is_for_machines() {
            say(&closing);
        }
        let exit = exit(args, &closing.summary, unread);
        self.reports.end(header, &closing, exit).map(|()| exit)
    }

    fn listed(&mut self) -> Vec<Problem> {
        let mut problems = std::mem::take(&mut self.problems);
        if self.more_problems > 0 {
            let verb = if self.more_problems == 1 { "is" } else { "are" };
            let message =
                format!("{} {verb} not listed", counted(self.more_problems, "more problem"));
            problems.push(Problem::new("all inputs", "more_problems", message));
        }
        problems
    }

    fn notes(&self, args: &CheckArgs) -> Vec<String> {
        let mut notes = Vec::new();
        if self.known > 0 {
            let verb = if self.known == 1 { "is" } else { "are" };
            notes.push(format!("{} {verb} left out", counted(self.known, "known finding")));
        }
        if let (Some(size), true) = (args.sample, self.sample.is_some()) {
            let sessions = counted(size.get(), "session");
            notes.push(format!("a sample of at most {sessions} was judged"));
        }
        if let Some(attribute) = &args.group_by
            && !self.summary.groups.is_empty()
            && self.summary.groups.keys().all(|it| it == UNGROUPED)
        {
            notes.push(format!("no session has the attribute `{attribute}`"));
        }
        if self.summary.calls == 0 {
            notes.push("the input holds no calls, so nothing was judged".to_owned());
        }
        notes
    }
}

/// What a person should hear where the report is for machines.
fn say(closing: &Closing) {
    for problem in closing.problems.iter().take(SAID) {
        crate::print::error(problem);
    }
    let more = closing.problems.len().saturating_sub(SAID);
    if more > 0 {
        let (problems, verb) =
            (counted(more, "more problem"), if more == 1 { "stands" } else { "stand" });
        crate::print::note(&format!("{problems} {verb} in the report"));
    }
    if let Some(strict) = closing.strict.filter(|it| *it != StrictView::default()) {
        crate::print::note(&format!(
            "the strict profile would add {} and {}",
            counted(strict.findings, "finding"),
            counted(strict.unknown, "unknown")
        ));
    }
    for note in &closing.notes {
        crate::print::note(note);
    }
}

/// How the run ended. What can't be read comes before findings, and findings before unknowns.
fn exit(args: &CheckArgs, summary: &Summary, unread: bool) -> Exit {
    if unread && !args.allow_unreadable {
        return Exit::Unusable;
    }
    if args.exit_zero {
        return Exit::Clean;
    }
    let denies = summary.findings.saturating_sub(summary.asks);
    let found = denies > 0 || (args.fail_on == FailOn::Ask && summary.asks > 0);
    let unknown = summary.unknown > 0 && !args.allow_unknown;
    if found {
        Exit::Found
    } else if unknown || summary.calls == 0 {
        Exit::Unknown
    } else {
        Exit::Clean
    }
}
