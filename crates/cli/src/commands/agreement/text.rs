//! The agreement for people.

use lawbook_report::shown;
use lawbook_stats::{Rate, percent};

use super::Answer;
use super::compare::{Agreed, OfRule, Standing};
use crate::print::counted;

/// Ids that are listed; those beyond are counted.
const LISTED: usize = 8;

/// Everything, as text.
pub fn text(answer: &Answer) -> String {
    let Answer { policies, labels, agreed, notes, said } = answer;
    let mut out = String::new();
    for (number, line) in (1_usize..).zip(&policies.lines) {
        let word =
            if policies.lines.len() > 1 { format!("policy {number}") } else { "policy".to_owned() };
        let (source, profile) = (shown(&line.source), &line.profile);
        out.push_str(&format!("{word} {source}: {}, {profile}\n", line.dialect));
    }
    let mode = labels.mode.as_deref().map(|it| format!(", failure mode `{}`", shown(it)));
    out.push_str(&format!(
        "labels {}: {}{}\n",
        shown(&labels.source),
        counted(labels.labels.len(), "label"),
        mode.unwrap_or_default()
    ));
    said.iter().for_each(|it| out.push_str(&format!("note {}\n", shown(it))));
    out.push('\n');
    overall(agreed, policies.layers.len() > 1, &mut out);
    out.push('\n');
    if agreed.overall.counts.compared() > 0 {
        table(agreed, &mut out);
        guard(agreed, &mut out);
    }
    if let Some(notes) = notes {
        out.push_str(&format!(
            "{} on problem traces that the policy passed, {} unsorted, {} found by now\n",
            counted(notes.all, "note"),
            notes.unsorted,
            notes.found
        ));
    }
    out
}

fn overall(agreed: &Agreed, layers: bool, out: &mut String) {
    let compared = &agreed.overall;
    let counts = &compared.counts;
    if counts.compared() == 0 {
        out.push_str("no label can be compared with a verdict\n");
    } else {
        out.push_str(&format!(
            "{} compared: {} good, {} problem\n",
            counted(counts.compared(), "trace"),
            counts.good(),
            counts.problem()
        ));
        out.push_str(&rate("catches", counts.catches(), "problem traces that the policy flags"));
        out.push_str(&rate("agrees", counts.agrees(), "good traces that it lets pass"));
        out.push_str(&format!("missed: {}\n", ids(&compared.missed)));
        let wrongly: Vec<String> =
            compared.wrongly.iter().map(|it| by_rules(agreed, it, layers)).collect();
        out.push_str(&format!("wrongly flagged: {}\n", ids(&wrongly)));
    }
    for (what, list) in [
        ("could not be judged", &compared.unjudged),
        ("wait for a re-check, being older than the failure mode", &agreed.waiting),
        ("labelled and not in the traces", &agreed.missing),
    ] {
        if !list.is_empty() {
            out.push_str(&format!("{what}: {}\n", ids(list)));
        }
    }
    for (what, number) in [
        ("problems of another sort", agreed.others),
        ("labels that say nothing", agreed.skipped),
        ("traces without a label", agreed.unlabelled),
    ] {
        if number > 0 {
            out.push_str(&format!("{what}: {number}\n"));
        }
    }
}

/// A flagged trace with the rules that flag it.
fn by_rules(agreed: &Agreed, id: &str, layers: bool) -> String {
    let flagged = agreed.seen.get(id).into_iter().flat_map(|it| &it.flagged);
    let name = |it: &super::compare::RuleKey| match layers {
        true => format!("{} of policy {}", it.1, it.0.saturating_add(1)),
        false => it.1.to_string(),
    };
    let rules: Vec<String> = flagged.map(name).collect();
    format!("{id} ({})", rules.join(", "))
}

fn rate(word: &str, rate: Rate, what: &str) -> String {
    let of = format!("{} of {}", rate.count, rate.total);
    format!("{word:8} {of:>9}  {:>16}  {what}\n", shares(rate))
}

/// The share and its interval.
fn shares(rate: Rate) -> String {
    match (rate.percent(), rate.interval()) {
        (Some(share), Some(it)) => {
            format!("{share}% ({}% to {}%)", percent(it.low), percent(it.high))
        }
        _ => "-".to_owned(),
    }
}

fn ids(list: &[String]) -> String {
    if list.is_empty() {
        return "none".to_owned();
    }
    let named: Vec<String> = list.iter().take(LISTED).map(|it| shown(it).into_owned()).collect();
    let more = list.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", named.join(", "))
}

fn table(agreed: &Agreed, out: &mut String) {
    let head = ["rule", "catches", "", "agrees", "", "tried on", "wrongly flagged"];
    let mut rows = vec![head.map(str::to_owned)];
    for rule in agreed.rules.iter().filter(|it| in_table(it.standing())) {
        rows.push(row(rule));
    }
    let width = |cell: usize| {
        rows.iter().filter_map(|it| it.get(cell)).map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let line = cells.collect::<Vec<_>>().join("  ");
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    out.push('\n');
}

/// Whether a rule that stands so was compared with anything.
fn in_table(standing: Standing) -> bool {
    matches!(standing, Standing::Proven | Standing::FlaggedGood)
}

fn row(rule: &OfRule) -> [String; 7] {
    let counts = &rule.compared.counts;
    let of = |it: Rate| format!("{} of {}", it.count, it.total);
    let (catches, agrees) = (counts.catches(), counts.agrees());
    let (good, problem) = rule.tried;
    let wrongly = match rule.compared.wrongly.as_slice() {
        [] => String::new(),
        list => ids(list),
    };
    [
        shown(&rule.key.1).into_owned(),
        of(catches),
        shares(catches),
        of(agrees),
        shares(agrees),
        format!("{good} good, {problem} problem"),
        wrongly,
    ]
}

/// Which rules a guard may have.
fn guard(agreed: &Agreed, out: &mut String) {
    let names = |standing: Standing| -> Vec<String> {
        agreed.standing(standing).map(|it| shown(&it.key.1).into_owned()).collect()
    };
    let proven = names(Standing::Proven);
    if proven.is_empty() {
        out.push_str("no rule had something to judge and flagged no good trace\n");
    } else {
        out.push_str("flagged no good trace, for a guard:\n");
        out.push_str(&format!("  --rules {}\n", proven.join(",")));
    }
    let bare = agreed.standing(Standing::Proven).filter(|it| it.tried.0 == 0);
    let bare: Vec<String> = bare.map(|it| shown(&it.key.1).into_owned()).collect();
    if !bare.is_empty() {
        let bare = bare.join(", ");
        out.push_str(&format!("  of these, no good trace put to the test: {bare}\n"));
    }
    for (what, list) in [
        ("flagged a good trace", names(Standing::FlaggedGood)),
        ("had nothing to judge in any labelled trace", names(Standing::Untried)),
        ("not in force (observe)", names(Standing::Observed)),
    ] {
        if !list.is_empty() {
            out.push_str(&format!("{what}: {}\n", list.join(", ")));
        }
    }
    let open = agreed.standing(Standing::Proven).filter(|it| it.elsewhere > 0);
    for rule in open {
        let traces = counted(rule.elsewhere, "trace");
        let rule = shown(&rule.key.1);
        out.push_str(&format!("{rule} also finds something in {traces} without a label\n"));
    }
}
