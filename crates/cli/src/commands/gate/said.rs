//! The report of a gate, written as sessions come.

use std::collections::BTreeMap;
use std::io;

use lawbook_diag::Problem;
use lawbook_report::{Closing, Header, Options, Reporter, SessionReport};

use super::{GateArgs, json};
use crate::gating::{Line, Weight};
use crate::output::{Output, is_stdout};

/// Problems that are listed; those beyond are counted.
const PROBLEMS_MAX: usize = 10_000;

/// The report of a gate.
pub struct Said {
    output: Output,
    reporter: &'static dyn Reporter,
    options: Options,
    header: Header,
    closing: Closing,
    more_problems: u64,
    /// Sessions in which each check found something.
    fired: BTreeMap<&'static str, u64>,
    failed: Option<io::Error>,
}

impl Said {
    /// A report of which the beginning is written.
    ///
    /// # Errors
    /// When nothing can be written.
    pub fn open(args: &GateArgs, header: Header) -> Result<Self, Problem> {
        let reporter = args.reporter()?;
        let output = Output::open(args.output.as_deref())?;
        let to_file = args.output.as_deref().is_some_and(|it| !is_stdout(it));
        let colour =
            !to_file && anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
        let options = Options { colour, layers: header.policies.len() > 1, ..Options::default() };
        let mut said = Said {
            output,
            reporter,
            options,
            header,
            closing: Closing::default(),
            more_problems: 0,
            fired: BTreeMap::new(),
            failed: None,
        };
        let mut text = String::new();
        reporter.begin(&said.header, options, &mut text);
        said.write(&text);
        if reporter.name() != "text" {
            said.header.notes.iter().for_each(|it| crate::print::note(it));
        }
        Ok(said)
    }

    /// Takes in a session, and says whether more is wanted.
    pub fn session(&mut self, line: &Line) -> bool {
        let report = SessionReport {
            id: &line.id,
            source: &line.source,
            trace_format: line.format,
            calls: line.calls,
            verdict: line.verdict,
            findings: &line.findings,
            unknown: &line.unknown,
            scenario: Some(&line.scenario),
            checks: &line.lines,
        };
        self.closing.summary.add(&report, None);
        for it in line.lines.iter().filter(|it| it.detected) {
            let sum = self.fired.entry(it.check).or_default();
            *sum = sum.saturating_add(1);
        }
        if self.reporter.writes(&report, self.options) {
            let mut text = String::new();
            self.reporter.session(&self.header, &report, self.options, &mut text);
            let (bound, between) = (self.reporter.bound(), self.reporter.between());
            let mut written = std::mem::take(&mut self.closing.written);
            for piece in written.take(bound, between, &text) {
                self.write(piece);
            }
            self.closing.written = written;
        }
        self.failed.is_none()
    }

    /// Takes in what could not be read.
    pub fn problem(&mut self, problem: Problem) {
        crate::print::error(&problem);
        if self.closing.problems.len() < PROBLEMS_MAX {
            self.closing.problems.push(problem);
        } else {
            self.more_problems = self.more_problems.saturating_add(1);
        }
    }

    /// Whether something could not be read.
    pub fn unread(&self) -> bool {
        !self.closing.problems.is_empty()
    }

    /// Writes what stands after the sessions.
    ///
    /// # Errors
    /// When the report can't be written.
    pub fn finish(mut self, weight: Weight) -> io::Result<()> {
        if self.more_problems > 0 {
            let message = format!("problems that are not listed: {}", self.more_problems);
            self.closing.problems.push(Problem::new("all inputs", "more_problems", message));
        }
        if self.reporter.name() != "text" {
            weight.gate.warnings.iter().for_each(|it| crate::print::note(it));
        }
        let mut text = String::new();
        if self.reporter.name() == "json" {
            json::end(&self.closing, &self.fired, &weight, &mut text);
        } else {
            self.closing.gate = Some(weight.gate);
            self.reporter.end(&self.header, &self.closing, self.options, &mut text);
        }
        self.write(&text);
        match self.failed {
            Some(error) => Err(error),
            None => self.output.finish(),
        }
    }

    fn write(&mut self, text: &str) {
        if self.failed.is_none()
            && let Err(error) = self.output.write(text)
        {
            self.failed = Some(error);
        }
    }
}
