//! Annotations of GitHub Actions, on standard output: one for each rule, the gravest first.

use lawbook_diag::Verdict;

use crate::place::{self, Place};
use crate::said::{self, counted};
use crate::{
    Closing, Gate, GateVerdict, Header, Options, Reasons, Reporter, RuleGroup, SessionReport, cut,
    shown,
};

/// Annotations of one level that a step shows.
pub const ANNOTATIONS_MAX: usize = 10;

/// Lines of a rule that its annotation holds.
const LINES: usize = 3;

/// The reporter.
pub struct Github;

impl Reporter for Github {
    fn name(&self) -> &'static str {
        "github"
    }

    fn page(&self) -> &'static str {
        include_str!("github.md")
    }

    fn begin(&self, _header: &Header, _options: Options, _out: &mut String) {}

    fn writes(&self, _session: &SessionReport<'_>, _options: Options) -> bool {
        false
    }

    fn between(&self) -> &'static str {
        ""
    }

    fn session(
        &self,
        _header: &Header,
        _session: &SessionReport<'_>,
        _options: Options,
        _out: &mut String,
    ) {
    }

    fn end(&self, header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        let mut errors = Vec::new();
        let mut warnings = Vec::new();
        if let Some(gate) = &closing.gate {
            let said = format!("{}: {}", gate.verdict.word(), cut(&gate.because));
            match gate.verdict {
                GateVerdict::Fail => errors.push(Annotation::new("gate", said)),
                GateVerdict::Inconclusive => warnings.push(Annotation::new("gate", said)),
                GateVerdict::Pass => {}
            }
        }
        let found = gravest(closing.summary.found.groups());
        for group in found {
            match group.verdict {
                Verdict::Deny => errors.push(of(header, group, "finding")),
                Verdict::Ask => warnings.push(of(header, group, "finding")),
                Verdict::Allow => {}
            }
        }
        if let Some(gate) = &closing.gate {
            let level = match gate.verdict {
                GateVerdict::Fail => &mut errors,
                GateVerdict::Inconclusive | GateVerdict::Pass => &mut warnings,
            };
            level.extend(checks(gate, &closing.summary.reasons));
        }
        for it in &closing.problems {
            let place = Place { file: it.source.clone(), line: it.line };
            let place = Some(place).filter(|it| it.file != "-");
            errors.push(Annotation { title: it.code.to_owned(), said: cut(&it.message), place });
        }
        let untold = gravest(closing.summary.untold.groups());
        warnings.extend(untold.into_iter().map(|it| of(header, it, "unknown")));
        let more = [write("error", &errors, out), write("warning", &warnings, out)];
        let said = closing_words(header, closing, more.into_iter().flatten());
        write("notice", &[Annotation::new("lawbook", said)], out);
    }
}

/// Text of others in the message of a command: one line, in which nothing is a command.
fn escape(text: &str) -> String {
    shown(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same as a property of a command.
fn property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}

struct Annotation {
    title: String,
    said: String,
    place: Option<Place>,
}

impl Annotation {
    fn new(title: &str, said: String) -> Self {
        Annotation { title: title.to_owned(), said, place: None }
    }
}

/// The rules with something that counts, those of the most sessions first.
fn gravest(groups: &[RuleGroup]) -> Vec<&RuleGroup> {
    let mut groups: Vec<&RuleGroup> = groups.iter().filter(|it| it.counted > 0).collect();
    groups.sort_by_key(|it| std::cmp::Reverse(it.sessions));
    groups
}

/// One for each check that found something.
fn checks(gate: &Gate, reasons: &Reasons) -> Vec<Annotation> {
    let one = |(check, sessions): (&str, u64)| {
        let mut said = format!("found in {}", counted(sessions, "session"));
        for it in reasons.of(check) {
            said.push_str(&format!("; {}: {}", it.scenario, it.said));
        }
        Annotation::new(&format!("check {check}"), said)
    };
    gate.fired().into_iter().map(one).collect()
}

fn of(header: &Header, group: &RuleGroup, word: &str) -> Annotation {
    let number = counted(group.counted, word);
    let mut said = format!("{number} in {}", counted(group.sessions, "session"));
    if let Some(why) = &group.why {
        said.push_str(&format!("; why: {}", cut(why)));
    }
    for line in group.lines.iter().take(LINES) {
        let aside = match &*line.aside {
            "" => String::new(),
            aside => format!("({aside}) "),
        };
        let (session, place, message) = (&line.session, &line.place, &line.message);
        said.push_str(&format!("; session {session} {place}: {aside}{message}"));
    }
    let tool = group.tool.as_deref().map(|it| format!(", {it}")).unwrap_or_default();
    let title = format!("rule {}{tool}", group.rule);
    Annotation { title, said, place: place::rule(header, group.layer, &group.rule) }
}

/// Writes as many as a step shows, and says how many are left.
fn write(level: &str, all: &[Annotation], out: &mut String) -> Option<String> {
    for it in all.iter().take(ANNOTATIONS_MAX) {
        out.push_str(&format!("::{level} "));
        if let Some(place) = &it.place {
            let line = place.line.map(|it| format!("line={it},")).unwrap_or_default();
            out.push_str(&format!("file={},{line}", property(&place.file)));
        }
        out.push_str(&format!("title={}::{}\n", property(&cut(&it.title)), escape(&it.said)));
    }
    let more = all.len().saturating_sub(ANNOTATIONS_MAX);
    let more = u64::try_from(more).unwrap_or(u64::MAX);
    (more > 0).then(|| counted(more, &format!("more {level}")))
}

fn closing_words(
    header: &Header,
    closing: &Closing,
    more: impl IntoIterator<Item = String>,
) -> String {
    let mut said = vec![said::broken(&closing.summary), said::totals(&closing.summary)];
    for it in more {
        said.push(format!("{it} not shown here"));
    }
    if closing.summary.found.others > 0 {
        let others = counted(closing.summary.found.others, "finding");
        said.push(format!("{others} of other rules"));
    }
    for it in said::unchecked(header, closing) {
        let theirs: Vec<String> = it.theirs.iter().map(|it| cut(it)).collect();
        let colon = if theirs.is_empty() { "" } else { ": " };
        said.push(format!("not checked: {}{colon}{}", it.ours, theirs.join(", ")));
    }
    said.push(said::not_proved());
    said.join("; ")
}
