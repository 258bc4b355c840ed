//! The verdict on a release, in Markdown.

use super::escape;
use crate::Gate;
use crate::said::counted;

/// Names of one list that are printed; those beyond are counted.
const NAMES: usize = 10;

/// Writes it.
pub fn gate(gate: &Gate, out: &mut String) {
    out.push_str("\n### Against the baseline\n\n");
    out.push_str(&format!("- {}\n", escape(&gate.because)));
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
        escape(test.name),
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

fn names(what: &str, names: &[String], out: &mut String) {
    if names.is_empty() {
        return;
    }
    let list: Vec<String> = names.iter().take(NAMES).map(|it| escape(it)).collect();
    let more = names.len().saturating_sub(NAMES);
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
