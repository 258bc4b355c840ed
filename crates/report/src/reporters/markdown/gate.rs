//! The verdict on a release, in Markdown.

use super::code_span;
use crate::said::counted;
use crate::{Gate, Reasons};

/// Names of one list that are printed; those beyond are counted.
const NAMES: usize = 10;

/// Bytes of one list of names; a comment must hold them all, however long they are.
const NAMES_BYTES_MAX: usize = 2_000;

/// Bytes of the part on checks.
const CHECKS_BYTES_MAX: usize = 8_000;

/// Writes it.
pub fn gate(gate: &Gate, out: &mut String) {
    out.push_str("\n### Against the baseline\n\n");
    out.push_str(&format!("- {}\n", code_span(&gate.because)));
    let (low, high) = gate.band;
    let runs = u64::try_from(gate.per_run.len()).unwrap_or(u64::MAX);
    out.push_str(&format!(
        "- {} of scenarios without a finding now; {} to {} over {} of the baseline, {}\n",
        percent(gate.clean_rate),
        percent(low),
        percent(high),
        counted(runs, "run"),
        counted(gate.scenarios, "scenario"),
    ));
    let test = &gate.test;
    out.push_str(&format!(
        "- drop {} points, test {}, p = {:.4} (alpha {})\n",
        points(test.drop),
        code_span(test.name),
        test.p_value,
        test.alpha
    ));
    if let Some(needed) = test.required_n {
        let more = test.additional_n.map(|it| format!(", {it} more")).unwrap_or_default();
        let needed = counted(needed, "scenario");
        out.push_str(&format!("- telling such a drop from noise needs {needed}{more}\n"));
    }
    names("breaks the policy, which blocks the release", &gate.policy_violations, out);
    names("worse than in every run of the baseline", &gate.regressions, out);
    names("not run", &gate.missing, out);
    names("with findings and not in the baseline", &gate.added, out);
    names("better than in every run of the baseline", &gate.improvements, out);
    for it in &gate.usage {
        out.push_str(&format!(
            "- {}: {:.1} before, {:.1} now ({:+.1} %)\n",
            it.measure, it.baseline, it.candidate, it.delta_percent
        ));
    }
    names("before you trust this", &gate.warnings, out);
}

/// Writes why checks found something, check by check.
pub fn checks(gate: &Gate, reasons: &Reasons, out: &mut String) {
    let fired = gate.fired();
    if fired.is_empty() {
        return;
    }
    out.push_str("\n### Found by checks\n\n");
    let end = out.len().saturating_add(CHECKS_BYTES_MAX);
    let mut left = 0_u64;
    for (check, sessions) in fired {
        let text = fired_check(check, sessions, reasons);
        if out.len().saturating_add(text.len()) > end {
            left = left.saturating_add(1);
        } else {
            out.push_str(&text);
        }
    }
    if left > 0 {
        out.push_str(&format!("- and {}\n", counted(left, "more check")));
    }
}

fn fired_check(check: &str, sessions: u64, reasons: &Reasons) -> String {
    let mut out = format!("- {}: in {}\n", code_span(check), counted(sessions, "session"));
    let reasons = reasons.of(check);
    for it in reasons {
        out.push_str(&format!("  - {}: {}\n", code_span(&it.scenario), code_span(&it.said)));
    }
    let shown = u64::try_from(reasons.len()).unwrap_or(u64::MAX);
    let more = sessions.saturating_sub(shown);
    if more > 0 {
        out.push_str(&format!("  - and {more} more\n"));
    }
    out
}

fn names(what: &str, names: &[String], out: &mut String) {
    if names.is_empty() {
        return;
    }
    let mut list: Vec<String> = Vec::new();
    let mut bytes = 0_usize;
    for name in names.iter().take(NAMES).map(|it| code_span(it)) {
        bytes = bytes.saturating_add(name.len());
        // The first name always stands there: it is cut, so that it has a bound of its own.
        if bytes > NAMES_BYTES_MAX && !list.is_empty() {
            break;
        }
        list.push(name);
    }
    let more = names.len().saturating_sub(list.len());
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    out.push_str(&format!("- {what}: {}{more}\n", list.join(", ")));
}

/// A share as percent with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn points(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}
