//! The code quality report of GitLab, for the widget of a merge request.

use lawbook_diag::Verdict;
use lawbook_event::json::Writer;

use crate::place::{self, Names, Place};
use crate::said::counted;
use crate::{Bound, Closing, Header, Options, Reporter, SessionReport, cut, object};

/// Entries that are written at most.
pub const ENTRIES_MAX: usize = 5_000;

/// The reporter.
pub struct Gitlab;

impl Reporter for Gitlab {
    fn name(&self) -> &'static str {
        "gitlab"
    }

    fn page(&self) -> &'static str {
        include_str!("gitlab.md")
    }

    fn begin(&self, _header: &Header, _options: Options, out: &mut String) {
        out.push_str("[\n");
    }

    fn writes(&self, session: &SessionReport<'_>, _options: Options) -> bool {
        let checked = session.checks.iter().any(|it| it.detected);
        !session.findings.is_empty() || !session.unknown.is_empty() || checked
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn bound(&self) -> Bound {
        Bound::Lines(ENTRIES_MAX)
    }

    fn session(
        &self,
        header: &Header,
        session: &SessionReport<'_>,
        _options: Options,
        out: &mut String,
    ) {
        let trace = place::trace(session.source);
        let mut names = Names::default();
        let mut lines = Vec::new();
        for it in session.findings {
            let severity = match (it.counts(), it.verdict) {
                (true, Verdict::Deny) => "critical",
                (true, Verdict::Ask) => "major",
                _ => "info",
            };
            let step = it.step_id.as_deref().map(|it| format!(" step {it}")).unwrap_or_default();
            let said = format!("session {}{step}: {}", session.id, it.message);
            let place = place::rule(header, it.layer, &it.rule).or_else(|| trace.clone());
            let name = names.finding(session, it);
            lines.push(entry(&it.rule, severity, &said, &name, place));
        }
        for it in session.unknown {
            let severity = if it.counts { "minor" } else { "info" };
            let step = it.step_id.as_deref().map(|it| format!(" step {it}")).unwrap_or_default();
            let said = format!("session {}{step}: not judged, {}", session.id, it.message);
            let place = place::rule(header, it.layer, &it.rule).or_else(|| trace.clone());
            let name = names.unknown(session, it);
            lines.push(entry(&it.rule, severity, &said, &name, place));
        }
        for it in session.checks.iter().filter(|it| it.detected && it.check != "policy") {
            let said = format!("session {}: {}", session.id, it.reason);
            let name = names.check(session, it.check);
            let rule = format!("check/{}", it.check);
            lines.push(entry(&rule, "major", &said, &name, trace.clone()));
        }
        out.push_str(&lines.join(self.between()));
    }

    fn end(&self, header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        let mut lines = Vec::new();
        let run = SessionReport::of_the_run();
        let mut names = Names::default();
        for it in &closing.problems {
            let place = Some(Place { file: it.source.clone(), line: it.line });
            let name = names.check(&run, &format!("{} {}", it.code, it.source));
            lines.push(entry(it.code, "blocker", &it.message, &name, place));
        }
        if let Some(gate) = closing.gate.as_ref().filter(|it| it.verdict.word() != "PASS") {
            let place = header.policies.first().filter(|it| it.lines.is_some());
            let place = place.map(|it| Place { file: it.source.clone(), line: None });
            let said = format!("{}: {}", gate.verdict.word(), gate.because);
            lines.push(entry("gate", "critical", &said, &names.check(&run, "gate"), place));
        }
        if closing.written.left_out > 0 {
            let said = format!("{} are left out", counted(closing.written.left_out, "more line"));
            lines.push(entry("left_out", "info", &said, &names.check(&run, "left_out"), None));
        }
        if !closing.written.is_empty() && !lines.is_empty() {
            out.push_str(self.between());
        }
        out.push_str(&lines.join(self.between()));
        out.push_str("\n]\n");
    }
}

/// Text of others as a JSON string, in which a page that shows it finds no element, link or mention;
/// what doesn't show is written out.
fn escape(text: &str) -> String {
    let shown = cut(text).replace("](", "]\\u{28}");
    object::quote(&shown.replace('<', "\\u{3c}").replace('@', "\\u{40}"))
}

fn entry(rule: &str, severity: &str, said: &str, name: &str, place: Option<Place>) -> String {
    let place = place.unwrap_or(Place { file: "-".to_owned(), line: None });
    let file = place.file.replace('\\', "/");
    let mut writer = Writer::new();
    writer.object().key("description").raw(&escape(said));
    writer.key("check_name").raw(&escape(rule)).key("fingerprint").string(name);
    writer.key("severity").string(severity).key("location").object();
    let file = file.strip_prefix("./").unwrap_or(&file);
    writer
        .key("path")
        .raw(&object::quote(&crate::shown(file).replace("](", "]\\u{28}")))
        .key("lines")
        .object();
    writer.key("begin").number(u64::from(place.line.unwrap_or(1)));
    writer.end_object().end_object().end_object();
    writer.finish()
}
