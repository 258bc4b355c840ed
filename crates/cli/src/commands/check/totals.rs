//! The whole report: parts come in order and are written as they come.

use std::collections::BTreeMap;
use std::io;

use lawbook_diag::Problem;
use lawbook_report::{Closing, Header, Options, Reporter, StrictView, Summary, Written};

use super::audit::Audit;
use super::flags::{CheckArgs, FailOn};
use super::sample::Sample;
use super::worker::{Done, Part, UNGROUPED};
use crate::exit::Exit;
use crate::output::Output;
use crate::print::counted;
use crate::review::Gathered;

/// Problems that are listed; those beyond are counted.
pub const PROBLEMS_MAX: usize = 10_000;

/// Problems that are also said on standard error, where the report is for machines.
const SAID: usize = 10;

/// The whole report.
pub struct Totals {
    output: Output,
    reporter: &'static dyn Reporter,
    options: Options,
    /// The first failure to write.
    failed: Option<io::Error>,
    written: Written,
    audit: Option<Audit>,
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
    pub fn new(
        output: Output,
        reporter: &'static dyn Reporter,
        options: Options,
        sample: Option<Sample>,
    ) -> Self {
        Totals {
            output,
            reporter,
            options,
            failed: None,
            written: Written::default(),
            audit: None,
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

    /// The same report, with an audit that is kept beside it.
    pub fn with_audit(mut self, audit: Option<Audit>) -> Self {
        self.audit = audit;
        self
    }

    /// Writes what stands before the sessions.
    pub fn begin(&mut self, header: &Header) {
        let mut text = String::new();
        self.reporter.begin(header, self.options, &mut text);
        self.write(&text);
        if let Some(audit) = &mut self.audit {
            audit.begin(header);
        }
        if self.is_for_machines() {
            header.notes.iter().for_each(|it| crate::print::note(it));
        }
    }

    /// Whether a person who reads standard error can't read the same in the report.
    fn is_for_machines(&self) -> bool {
        self.reporter.name() != "text"
    }

    /// Takes in a piece, and says whether more is wanted.
    pub fn take(&mut self, done: Done) -> bool {
        for problem in done.problems {
            if self.problems.len() < PROBLEMS_MAX {
                self.problems.push(problem);
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
        self.failed.is_none()
    }

    fn part(&mut self, part: Part) {
        let (bound, between) = (self.reporter.bound(), self.reporter.between());
        for text in self.written.take(bound, between, &part.text) {
            self.write(text);
        }
        if let Some(audit) = &mut self.audit {
            audit.take(&part.kept);
        }
        self.summary.merge(part.summary);
        self.strict.merge(part.strict);
        self.known = self.known.saturating_add(part.known);
        self.gathered.add(part.gathered);
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none()
            && let Err(error) = self.output.write(text)
        {
            self.failed = Some(error);
        }
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
    /// When the report can't be written.
    pub fn finish(
        mut self,
        args: &CheckArgs,
        header: &Header,
        strict: bool,
        said: Vec<String>,
    ) -> io::Result<Exit> {
        self.take_sample();
        let unread = !self.problems.is_empty();
        let closing = Closing {
            problems: self.listed(),
            group_by: args.group_by.clone(),
            strict: strict.then_some(self.strict),
            gate: None,
            written: std::mem::take(&mut self.written),
            notes: self.notes(args).into_iter().chain(said).collect(),
            summary: std::mem::take(&mut self.summary),
        };
        if self.is_for_machines() {
            say(&closing);
        }
        let exit = exit(args, &closing.summary, unread);
        let mut text = String::new();
        self.reporter.end(header, &closing, self.options, &mut text);
        self.write(&text);
        if let Some(audit) = self.audit.take() {
            let said = |e: io::Error| io::Error::new(e.kind(), format!("the audit: {e}"));
            audit.end(header, &closing, exit).map_err(said)?;
        }
        match self.failed {
            Some(error) => Err(error),
            None => self.output.finish().map(|()| exit),
        }
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
