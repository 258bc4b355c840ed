//! The report of a gate for people.

use std::fmt::Write;

use lawbook_report::{
    Bound, Closing, Gate, GateVerdict, Header, Options, Reporter, SessionReport, cut, shown,
};

/// Lines of sessions that are printed; those beyond are counted.
const LINES_MAX: usize = 60;

/// Names of one list that are printed; those beyond are counted.
const NAMES_MAX: usize = 20;

/// What stands under every report.
const NOT_PROVED: &str = "\
what a PASS does not prove: that these scenarios are the ones that matter, that the recordings are
complete, or that rules and checks say all that can be wrong with a run";

/// The reporter.
pub struct GateText;

impl Reporter for GateText {
    fn name(&self) -> &'static str {
        "text"
    }

    fn page(&self) -> &'static str {
        include_str!("../gate.md")
    }

    fn begin(&self, header: &Header, _options: Options, out: &mut String) {
        for policy in &header.policies {
            // Writing to a string can't fail.
            let _ = writeln!(
                out,
                "policy {}: {}, {}",
                shown(&policy.source),
                shown(&policy.dialect),
                shown(&policy.profile)
            );
        }
        for note in &header.notes {
            let _ = writeln!(out, "note {}", shown(note));
        }
        out.push('\n');
    }

    fn writes(&self, session: &SessionReport<'_>, _options: Options) -> bool {
        session.checks.iter().any(|it| it.detected)
    }

    fn between(&self) -> &'static str {
        "\n"
    }

    fn bound(&self) -> Bound {
        Bound::Lines(LINES_MAX)
    }

    fn session(
        &self,
        _header: &Header,
        session: &SessionReport<'_>,
        _options: Options,
        out: &mut String,
    ) {
        let scenario = session.scenario.unwrap_or_default();
        let _ = write!(out, "trace {} of {}", shown(session.id), shown(scenario));
        for it in session.checks.iter().filter(|it| it.detected) {
            let _ = write!(out, "\n  {}: {}", it.check, cut(&it.reason));
        }
    }

    fn end(&self, _header: &Header, closing: &Closing, options: Options, out: &mut String) {
        if !closing.written.is_empty() {
            out.push('\n');
        }
        if closing.written.left_out > 0 {
            let _ = writeln!(out, "  lines that are left out: {}", closing.written.left_out);
        }
        if let Some(gate) = &closing.gate {
            if !closing.written.is_empty() {
                out.push('\n');
            }
            verdict(gate, options, out);
        }
        let _ = writeln!(out, "\n{NOT_PROVED}");
    }
}

fn verdict(gate: &Gate, options: Options, out: &mut String) {
    let word = gate.verdict.word();
    let word = match (options.colour, gate.verdict) {
        (false, _) => word.to_owned(),
        (true, GateVerdict::Pass) => format!("\u{1b}[1;32m{word}\u{1b}[0m"),
        (true, GateVerdict::Inconclusive) => format!("\u{1b}[1;33m{word}\u{1b}[0m"),
        (true, GateVerdict::Fail) => format!("\u{1b}[1;31m{word}\u{1b}[0m"),
    };
    let _ = writeln!(out, "gate: {word}: {}", shown(&gate.because));
    let _ = writeln!(
        out,
        "  clean rate {:.3} against {:.3} to {:.3} over {} runs and {} scenarios",
        gate.clean_rate,
        gate.band.0,
        gate.band.1,
        gate.per_run.len(),
        gate.scenarios
    );
    let test = &gate.test;
    let _ = writeln!(
        out,
        "  drop {:.1} points, p = {:.4} (test {}, alpha {}, power {})",
        test.drop * 100.0,
        test.p_value,
        test.name,
        test.alpha,
        test.power
    );
    if let (Some(needed), Some(more)) = (test.required_n, test.additional_n) {
        let _ = writeln!(out, "  scenarios to tell it from noise: {needed}, {more} more than now");
    }
    names("breaks the policy", &gate.policy_violations, out);
    names("clean in every run of the baseline, and not now", &gate.regressions, out);
    names("clean now, and not in every run of the baseline", &gate.improvements, out);
    names("not run", &gate.missing, out);
    names("not clean, and not in the band", &gate.added, out);
    for it in &gate.usage {
        let _ = writeln!(
            out,
            "  {}: {:.4} before, {:.4} now ({:+.1} %)",
            it.measure, it.baseline, it.candidate, it.delta_percent
        );
    }
    for warning in &gate.warnings {
        let _ = writeln!(out, "warning {}", shown(warning));
    }
}

fn names(what: &str, names: &[String], out: &mut String) {
    if names.is_empty() {
        return;
    }
    let list: Vec<String> = names.iter().take(NAMES_MAX).map(|it| shown(it).into_owned()).collect();
    let more = names.len().saturating_sub(NAMES_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let _ = writeln!(out, "  {what}: {}{more}", list.join(", "));
}
