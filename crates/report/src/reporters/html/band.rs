//! The verdict on a release: the band of the baseline's runs, drawn, and what stands behind it.

use super::escape;
use crate::said::counted;
use crate::{Gate, GateVerdict};

/// Names of one list that are shown; those beyond are counted.
const NAMES: usize = 50;

/// The width of the drawing's scale, and where it begins.
const SCALE: (f64, f64) = (40.0, 560.0);

/// Writes it.
pub fn gate(gate: &Gate, out: &mut String) {
    out.push_str("<section>\n<h2>Against the baseline</h2>\n");
    out.push_str(&format!("<p>{}</p>\n", escape(&sentence(gate))));
    plot(gate, out);
    let test = &gate.test;
    let (name, drop) = (escape(test.name), test.drop * 100.0);
    out.push_str(&format!(
        "<p>The drop is {drop:.1} points. Test: {name}, p = {:.4}; ",
        test.p_value
    ));
    out.push_str(&format!("a false alarm in {} of 100 cases is accepted.", test.alpha * 100.0));
    if let Some(needed) = test.required_n {
        let more = test.additional_n.map(|it| format!(", {it} more than there are"));
        let (needed, more) = (counted(needed, "scenario"), more.unwrap_or_default());
        out.push_str(&format!(" Telling such a drop from noise needs {needed}{more}."));
    }
    out.push_str("</p>\n");
    names("Breaks the policy, which blocks the release", &gate.policy_violations, out);
    names("Worse than in every run of the baseline", &gate.regressions, out);
    names("In the baseline and not run", &gate.missing, out);
    names("With findings and not in the baseline", &gate.added, out);
    names("Better than in every run of the baseline", &gate.improvements, out);
    names("Before you trust this", &gate.warnings, out);
    usage(gate, out);
    out.push_str("</section>\n");
}

fn sentence(gate: &Gate) -> String {
    let runs = u64::try_from(gate.per_run.len()).unwrap_or(u64::MAX);
    format!(
        "{:.1} % of the scenarios are without a finding now. Over {} of the baseline it was {:.1} % to {:.1} %, of {}.",
        gate.clean_rate * 100.0,
        counted(runs, "run"),
        gate.band.0 * 100.0,
        gate.band.1 * 100.0,
        counted(gate.scenarios, "scenario"),
    )
}

/// The scale runs from the lowest share, rounded down to a tenth, to 1.
fn plot(gate: &Gate, out: &mut String) {
    let shares = gate.per_run.iter().copied().chain([gate.band.0, gate.clean_rate]);
    let lowest = shares.filter(|it| it.is_finite()).fold(0.9, f64::min).clamp(0.0, 0.9);
    let from = (lowest * 10.0).floor() / 10.0;
    let x = |share: f64| {
        let place = ((share - from) / (1.0 - from)).clamp(0.0, 1.0);
        SCALE.0 + place * (SCALE.1 - SCALE.0)
    };
    let class = match gate.verdict {
        GateVerdict::Pass => "allow",
        GateVerdict::Inconclusive => "unknown",
        GateVerdict::Fail => "deny",
    };
    let label = escape(&sentence(gate));
    out.push_str(&format!("<svg viewBox=\"0 0 600 110\" role=\"img\" aria-label=\"{label}\">\n"));
    let (low, high) = (x(gate.band.0), x(gate.band.1));
    let wide = (high - low).max(2.0);
    out.push_str(&format!(
        "<rect class=\"band\" x=\"{low:.1}\" y=\"30\" width=\"{wide:.1}\" height=\"40\"></rect>\n"
    ));
    out.push_str(&format!(
        "<line class=\"axis\" x1=\"{:.1}\" y1=\"80\" x2=\"{:.1}\" y2=\"80\"></line>\n",
        SCALE.0, SCALE.1
    ));
    for share in [from, (from + 1.0) / 2.0, 1.0] {
        let (at, percent) = (x(share), share * 100.0);
        out.push_str(&format!("<text x=\"{at:.1}\" y=\"98\">{percent:.0} %</text>\n"));
    }
    for share in gate.per_run.iter().take(NAMES) {
        out.push_str(&format!(
            "<circle class=\"run\" cx=\"{:.1}\" cy=\"50\" r=\"4\"></circle>\n",
            x(*share)
        ));
    }
    let now = x(gate.clean_rate);
    out.push_str(&format!(
        "<line class=\"now {class}\" x1=\"{now:.1}\" y1=\"22\" x2=\"{now:.1}\" y2=\"80\"></line>\n"
    ));
    out.push_str(&format!("<text class=\"{class}\" x=\"{now:.1}\" y=\"16\">now</text>\n</svg>\n"));
    out.push_str("<p class=\"small\">Each dot is a run of the baseline, the bar is its band, the ");
    out.push_str(
        "line is this release; the scale is the share of scenarios without a finding.</p>\n",
    );
}

fn names(title: &str, names: &[String], out: &mut String) {
    if names.is_empty() {
        return;
    }
    out.push_str(&format!("<h3>{title}</h3>\n<ul>\n"));
    for it in names.iter().take(NAMES) {
        out.push_str(&format!("<li>{}</li>\n", escape(it)));
    }
    let more = names.len().saturating_sub(NAMES);
    if more > 0 {
        out.push_str(&format!("<li>and {more} more</li>\n"));
    }
    out.push_str("</ul>\n");
}

fn usage(gate: &Gate, out: &mut String) {
    if gate.usage.is_empty() {
        return;
    }
    out.push_str(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"What runs use\">\n",
    );
    out.push_str("<table>\n<caption>What runs use</caption>\n<thead><tr><th scope=\"col\">Measure");
    out.push_str("</th><th scope=\"col\">Before</th><th scope=\"col\">Now</th>");
    out.push_str("<th scope=\"col\">Change</th></tr></thead>\n<tbody>\n");
    for it in &gate.usage {
        let (measure, delta) = (escape(it.measure), it.delta_percent);
        out.push_str(&format!("<tr><th scope=\"row\">{measure}</th><td>{:.1}</td>", it.baseline));
        out.push_str(&format!("<td>{:.1}</td><td>{delta:+.1} %</td></tr>\n", it.candidate));
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}
