//! One session on the page: its steps in order, with what objects to them and what that rests on.
//! A session is one line of the file.

use std::collections::BTreeMap;

use lawbook_diag::{Finding, Mode, Unknown, Verdict};

use super::{badge, escape};
use crate::said::{SAID_MAX, counted};
use crate::{Options, SessionReport};

/// What stands at one step; what is about the run stands last.
#[derive(Default)]
struct Stop {
    id: Option<String>,
    /// Whether something rests on it, and the words in it that matter.
    rests: bool,
    quotes: Vec<String>,
    said: Vec<String>,
}

/// Writes it.
pub fn session(session: &SessionReport<'_>, options: Options, out: &mut String) {
    let mut stops: BTreeMap<(u32, String), Stop> = BTreeMap::new();
    for it in session.findings.iter().take(SAID_MAX) {
        let stop = stops.entry(key(it.step, it.step_id.as_deref())).or_default();
        stop.id.clone_from(&it.step_id);
        stop.said.push(finding(it, options));
        for evidence in &it.evidence {
            let stop = stops.entry(key(Some(evidence.step), Some(&evidence.step_id))).or_default();
            stop.id = Some(evidence.step_id.clone());
            stop.rests = true;
            stop.quotes.extend(evidence.quote.clone());
        }
    }
    let room = SAID_MAX.saturating_sub(session.findings.len().min(SAID_MAX));
    for it in session.unknown.iter().take(room) {
        let stop = stops.entry(key(it.step, it.step_id.as_deref())).or_default();
        stop.id.clone_from(&it.step_id);
        stop.said.push(unknown(it, options));
    }
    head(session, out);
    out.push_str("<ol class=\"steps\">");
    stops.iter().for_each(|(key, stop)| step(key.0, stop, out));
    out.push_str("</ol>");
    for it in session.checks.iter().filter(|it| it.detected && it.check != "policy") {
        let (check, reason) = (escape(it.check), escape(&it.reason));
        out.push_str(&format!("<p>check <code>{check}</code>: {reason}</p>"));
    }
    let all = session.findings.len().saturating_add(session.unknown.len());
    let more = all.saturating_sub(SAID_MAX);
    if more > 0 {
        out.push_str(&format!("<p>and {more} more</p>"));
    }
    out.push_str("</details>");
}

/// Steps stand in their order; messages and the run have no step and stand last.
fn key(step: Option<u32>, id: Option<&str>) -> (u32, String) {
    (step.unwrap_or(u32::MAX), id.unwrap_or_default().to_owned())
}

fn head(session: &SessionReport<'_>, out: &mut String) {
    let untold = session.unknown.iter().any(|it| it.counts);
    let word = match (session.verdict, untold) {
        (Verdict::Allow, true) => "<span class=\"badge unknown\">unknown</span>".to_owned(),
        (verdict, _) => badge(verdict),
    };
    let source = match session.source == session.id {
        true => String::new(),
        false => format!(" <span class=\"small\">{}</span>", escape(session.source)),
    };
    let (id, calls) = (escape(session.id), counted(session.calls, "call"));
    out.push_str(&format!("<details><summary>{word} <code>{id}</code>{source} "));
    out.push_str(&format!("<span class=\"small\">{calls}</span></summary>"));
}

fn step(number: u32, stop: &Stop, out: &mut String) {
    let id = stop.id.as_deref().map(|it| format!(" <span class=\"small\">{}</span>", escape(it)));
    let name = match (number, &id) {
        (u32::MAX, None) => "the run as a whole".to_owned(),
        (u32::MAX, Some(_)) => "message".to_owned(),
        (number, _) => format!("step {number}"),
    };
    let class = if stop.said.is_empty() { "" } else { " class=\"found\"" };
    out.push_str(&format!("<li{class}><strong>{name}</strong>{}", id.unwrap_or_default()));
    if stop.rests {
        out.push_str(" <span class=\"small\">a finding rests on it</span>");
    }
    for it in stop.quotes.iter().take(3) {
        out.push_str(&format!("<blockquote>{}</blockquote>", escape(it)));
    }
    stop.said.iter().for_each(|it| out.push_str(it));
    out.push_str("</li>");
}

fn finding(it: &Finding, options: Options) -> String {
    let aside = match (&it.waived, it.mode) {
        (Some(why), _) => format!(" waived: {}", escape(why)),
        (None, Mode::Observe) => " observed".to_owned(),
        (None, Mode::Enforce) => String::new(),
    };
    let tool = it.tool.as_deref().map(|it| format!(" <code>{}</code>", escape(it)));
    let (badge, tool, message) = (badge(it.verdict), tool.unwrap_or_default(), escape(&it.message));
    let rule = rule(&it.rule, it.layer, options);
    let why = it.why.as_deref().map(|it| format!("<br>why: {}", escape(it))).unwrap_or_default();
    let more = it.evidence_total.saturating_sub(it.evidence.len());
    let more = match more {
        0 => String::new(),
        more => format!("<br>it rests on {more} more, which are not listed"),
    };
    format!("<p>{badge}{aside}{tool} {message} <span class=\"small\">{rule}</span>{why}{more}</p>")
}

fn unknown(it: &Unknown, options: Options) -> String {
    let aside = if it.counts { "" } else { " noted" };
    let (message, rule) = (escape(&it.message), rule(&it.rule, it.layer, options));
    format!(
        "<p><span class=\"badge unknown\">unknown</span>{aside} {message} <span class=\"small\">{rule}</span></p>"
    )
}

fn rule(id: &str, layer: usize, options: Options) -> String {
    let id = escape(id);
    match options.layers {
        true => format!("rule {id} of policy {}", layer.saturating_add(1)),
        false => format!("rule {id}"),
    }
}
