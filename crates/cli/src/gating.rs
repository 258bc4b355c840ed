//! What `baseline` and `gate` share: each session asked by every check, and the runs and bands that
//! come of it.

mod band;
mod build;
mod expected;
mod flags;
mod load;
mod names;
mod run;
mod walk;
mod weigh;

use std::borrow::Cow;

use lawbook_checks::judge::{BUDGET_CHARS, rendering, request};
use lawbook_checks::{Given, Golden, Group, Outcomes, Run};
use lawbook_diag::{Finding, Problem, Unknown, Verdict};
use lawbook_event::{Event, PYTHON, RecordingPart, Usage};
use lawbook_mask::Mask;
use lawbook_report::CheckLine;
use lawbook_trace::{Reading, Readings, Session};

pub use band::{BandFile, PolicyMark};
pub use build::{build, marks, real, texts, written};
pub use expected::{Expected, changed};
pub use flags::{GatingArgs, TestName};
pub use load::load;
pub use run::Runs;
pub use walk::walk;
pub use weigh::{Weighing, weigh};

use crate::commands::Judge;
use crate::fields::file_text;
use crate::judge::RemoteJudge;
use crate::masking;
use crate::policies::{Otherwise, Policies, Selection};
use names::{Asked, POLICY};

/// Everything that is asked of each session.
pub struct Gating {
    /// The policies.
    pub policies: Policies,
    /// The checks that are asked, by name, in the order of reports.
    pub checks: Vec<&'static str>,
    /// What should be known first.
    pub notes: Vec<String>,
    /// Whether everything is as faultgate has it.
    pub compatible: bool,
    /// Which rules are kept.
    pub selection: Selection,
    asked: Vec<Asked>,
    judge: Judge,
    mask: Mask,
    golden: Option<Golden>,
    outcomes: Option<Outcomes>,
    remote: Option<RemoteJudge>,
    /// The reading that checks see.
    reading: Reading,
}

/// What is said of one session.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub source: String,
    /// The format it was read as.
    pub format: &'static str,
    /// The calls in it.
    pub calls: u64,
    /// The scenario that it ran, as reports show it.
    pub scenario: String,
    /// What is stated of it, as far as a check looks at it.
    pub expected: Expected,
    /// What the checks say.
    pub lines: Vec<CheckLine>,
    /// What the rules say.
    pub findings: Vec<Finding>,
    /// What they could not tell.
    pub unknown: Vec<Unknown>,
    /// The strictest verdict of the findings that count.
    pub verdict: Verdict,
    /// What the run used.
    pub usage: Usage,
    /// When it began, where the recording says so.
    pub begins: Option<i64>,
    /// Whether it breaks the policy.
    pub breaks: bool,
    /// What is not known of it although it was asked for.
    pub untold: Option<String>,
    /// Whether no check found anything. A judge counts as faultgate has it, and is advice elsewhere.
    pub clean: bool,
}

impl Gating {
    /// Makes everything ready.
    ///
    /// # Errors
    /// For everything that can't be read or used.
    pub fn new(args: &GatingArgs) -> Result<Self, Vec<Problem>> {
        let selection = args.selection();
        let policies = args.policies.load(&selection, Otherwise::BuiltIn)?;
        let compatible = args.compatible();
        let of = |it: &Option<std::path::PathBuf>| match it {
            Some(path) => file_text(path).map(|text| Some((path.display().to_string(), text))),
            None => Ok(None),
        };
        let read = |it| of(it).map_err(|problem| vec![problem]);
        let golden = read(&args.golden)?
            .map(|(name, text)| Golden::parse(&name, &text))
            .transpose()
            .map_err(|it| vec![it])?;
        let outcomes = read(&args.outcomes)?
            .map(|(name, text)| Outcomes::parse(&name, &text))
            .transpose()
            .map_err(|it| vec![it])?;
        let remote = RemoteJudge::new(&args.judge, args.mask()).map_err(|it| vec![it])?;
        let (golden_given, outcomes_given) = (golden.is_some(), outcomes.is_some());
        let (asked, notes) =
            names::chosen(&args.checks, golden_given, outcomes_given, remote.is_some())?;
        // A judge that no check asks for is not asked.
        let remote = remote.filter(|_| asked.iter().any(Asked::is_judged));
        let judge = Judge::new(&policies);
        let reading = match judge.reading() {
            Reading::Faultgate => Reading::Faultgate,
            Reading::Full | Reading::Pmstack => Reading::Full,
        };
        let checks = asked.iter().map(Asked::name).collect();
        let mask = args.mask();
        Ok(Gating {
            policies,
            checks,
            notes,
            compatible,
            selection,
            asked,
            judge,
            mask,
            golden,
            outcomes,
            remote,
            reading,
        })
    }

    /// The readings that are wanted of a recording.
    #[must_use]
    pub fn wanted(&self) -> Readings {
        self.judge.wanted().and(self.reading).with(RecordingPart::Measures)
    }

    /// Whether a finding of the policy blocks a release: where somebody named a policy, always.
    #[must_use]
    pub fn blocks(&self) -> bool {
        !self.policies.is_built_in() || self.checks.contains(&POLICY)
    }

    /// What should be known of the judge, once every session was asked for.
    #[must_use]
    pub fn of_judge(&self) -> Vec<String> {
        self.remote.as_ref().map(RemoteJudge::notes).unwrap_or_default()
    }

    /// The judge's name, or `none`.
    #[must_use]
    pub fn judge_name(&self) -> &str {
        self.remote.as_ref().map_or("none", RemoteJudge::name)
    }

    /// The digest of what the judge is asked, whatever the model and the run.
    #[must_use]
    pub fn judge_question(&self) -> Option<String> {
        let nothing = rendering(&Run::of(&[]), BUDGET_CHARS, &str::to_owned);
        self.remote.as_ref().map(|_| expected::digest(&request("", &nothing)))
    }

    /// Whether a check looks at what somebody stated of runs.
    #[must_use]
    pub fn asks_for_statements(&self) -> bool {
        self.asks(Group::Golden) || self.asks(Group::Outcome)
    }

    fn asks(&self, group: Group) -> bool {
        self.asked.iter().any(|it| it.is_of(group))
    }

    /// What is said of a session.
    #[must_use]
    pub fn of(&self, session: &Session<'_>) -> Line {
        let mut judged = self.judge.all(session);
        judged.findings.retain(|it| self.selection.keeps(it));
        let events = session.under(self.reading);
        let run = Run::of(events);
        let judged_run = self.remote.as_ref().map(|it| it.told(&run));
        let given = Given {
            golden: self.golden.as_ref(),
            outcomes: self.outcomes.as_ref(),
            judged: judged_run.as_ref(),
        };
        let verdict = judged.verdict();
        let mut lines = Vec::new();
        for asked in &self.asked {
            let line = match asked {
                Asked::Policy => Some(policy_line(&judged.findings, &judged.unknown, &run)),
                Asked::Check(check) => check.of(&run, &given).map(|it| CheckLine {
                    check: check.name(),
                    detected: it.detected,
                    confidence: it.confidence,
                    reason: it.reason,
                }),
            };
            lines.extend(line.map(|it| CheckLine { reason: self.masked(it.reason), ..it }));
        }
        let untold = self.untold(&run, &lines, &judged.unknown);
        let counts = |it: &&CheckLine| self.compatible || !names::is_advice(it.check);
        let clean = !lines.iter().filter(counts).any(|it| it.detected);
        let mut unknown = judged.unknown;
        unknown.iter_mut().for_each(|it| masking::unknown_under(&self.mask, it));
        Line {
            id: names::shown_key(&self.mask, &session.id),
            source: session.source.clone(),
            format: session.format,
            calls: u64::from(session.calls),
            scenario: self.scenario(&run.scenario()),
            expected: self.expected(&run),
            lines,
            breaks: self.blocks() && judged.findings.iter().any(denies),
            untold,
            findings: judged.findings.into_iter().map(|it| self.masked_finding(it)).collect(),
            unknown,
            verdict,
            clean,
            usage: run.usage,
            begins: begins(events),
        }
    }

    /// The first thing that is not known of a session although the rules or a check ask for it.
    /// That nobody stated an answer or an outcome is no gap in the evidence.
    fn untold(&self, run: &Run<'_>, lines: &[CheckLine], unknown: &[Unknown]) -> Option<String> {
        if let Some(it) = unknown.iter().find(|it| it.counts) {
            return Some(format!("{}: {}", it.rule, self.masked(it.message.clone())));
        }
        let silent = PYTHON.trim(run.answer).is_empty();
        if silent && run.steps.is_empty() {
            return Some("the run holds no call and no answer".to_owned());
        }
        let expects = self.golden.as_ref().is_some_and(|it| it.of(run).is_some());
        if silent && expects && names::asks_for_answer(lines) {
            return Some("an answer was expected, and the run holds none".to_owned());
        }
        let open = |it: &&CheckLine| {
            !it.detected && it.confidence <= 0.0 && names::is_of_the_recording(it.check)
        };
        lines.iter().find(open).map(|it| format!("{}: {}", it.check, it.reason))
    }

    /// What is stated of a run, as far as a check looks at it.
    fn expected(&self, run: &Run<'_>) -> Expected {
        let golden = self.golden.as_ref().filter(|_| self.asks(Group::Golden));
        let outcomes = self.outcomes.as_ref().filter(|_| self.asks(Group::Outcome));
        Expected::of(run, &Given { golden, outcomes, judged: None })
    }

    fn masked(&self, text: String) -> String {
        match self.mask.text(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(masked) => masked,
        }
    }

    fn masked_finding(&self, it: Finding) -> Finding {
        let mut it = it;
        masking::finding_under(&self.mask, &mut it);
        it
    }

    /// The key of a scenario, as it may be shown.
    fn scenario(&self, key: &str) -> String {
        names::shown_key(&self.mask, key)
    }
}

/// Whether a finding is a broken rule that counts.
fn denies(it: &Finding) -> bool {
    it.counts() && it.verdict == Verdict::Deny
}

/// What the rules say, as one check. What could not be told is no pass.
fn policy_line(findings: &[Finding], unknown: &[Unknown], run: &Run<'_>) -> CheckLine {
    let said = |it: &Finding| match it.step {
        Some(step) => format!("step {step}: {}", it.message),
        None => it.message.clone(),
    };
    let broken: Vec<String> = findings.iter().filter(|it| denies(it)).map(said).collect();
    let open = unknown.iter().find(|it| it.counts);
    let (detected, confidence, reason) = match (broken.is_empty(), open) {
        (false, _) => (true, 1.0, broken.join("; ")),
        (true, Some(it)) => (false, 0.0, format!("not judged: {}", it.message)),
        (true, None) => (false, 1.0, format!("{} calls within policy", run.steps.len())),
    };
    CheckLine { check: POLICY, detected, confidence, reason }
}

fn begins(events: &[Event<'_>]) -> Option<i64> {
    events.iter().find_map(|it| it.at).map(|it| it.nanos)
}
