//! The report of a gate, written as sessions come.

use std::collections::BTreeMap;

use lawbook_diag::Problem;
use lawbook_report::{Closing, Gate, Header, SessionReport};

use crate::exit::Exit;
use crate::gating::Line;
use crate::masking;
use crate::reports::{Form, Reports};

/// Problems that are listed; those beyond are counted.
const PROBLEMS_MAX: usize = 10_000;

/// The report of a gate.
pub struct Said {
    reports: Reports,
    forms: Vec<Form>,
    header: Header,
    closing: Closing,
    more_problems: u64,
    /// Sessions in which each check found something.
    pub fired: BTreeMap<&'static str, u64>,
}

impl Said {
    /// A report of which the beginning is written.
    pub fn new(mut reports: Reports, forms: Vec<Form>, header: Header) -> Self {
        reports.begin(&header);
        if reports.are_for_machines() {
            header.notes.iter().for_each(|it| crate::print::note(it));
        }
        Said {
            reports,
            forms,
            header,
            closing: Closing::default(),
            more_problems: 0,
            fired: BTreeMap::new(),
        }
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
        let text = |form: &Form| {
            let mut text = String::new();
            form.session(&self.header, &report, &mut text);
            text
        };
        let texts: Vec<String> = self.forms.iter().map(text).collect();
        self.reports.sessions(&texts);
        self.reports.hold()
    }

    /// Takes in what could not be read.
    pub fn problem(&mut self, problem: Problem) {
        crate::print::error(&problem);
        if self.closing.problems.len() < PROBLEMS_MAX {
            self.closing.problems.push(masking::problem(&problem));
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
    /// When a report can't be written: with what is to be told of it.
    pub fn finish(mut self, gate: Gate, exit: Exit) -> Result<Exit, Vec<Problem>> {
        if self.more_problems > 0 {
            let message = format!("problems that are not listed: {}", self.more_problems);
            self.closing.problems.push(Problem::new("all inputs", "more_problems", message));
        }
        if self.reports.are_for_machines() {
            gate.warnings.iter().for_each(|it| crate::print::note(it));
        }
        self.closing.gate = Some(gate);
        self.reports.end(&self.header, &self.closing, exit).map(|()| exit)
    }
}
