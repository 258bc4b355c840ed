//! The JSON objects that both JSON reporters write.

use std::fmt::Write;

use lawbook_diag::{Finding, Problem, Unknown};
use lawbook_event::json::{Writer, write_string};

use crate::report::SCHEMA;
use crate::unseen::is_unseen;
use crate::{Closing, Header, PolicyLine, Selection, SessionReport, Summary};

/// A text as a JSON string in which nothing is hidden: what doesn't show is escaped, and no two
/// number signs stand together, which is how CI systems mark commands.
#[must_use]
pub fn quote(text: &str) -> String {
    let mut plain = String::with_capacity(text.len().saturating_add(2));
    write_string(&mut plain, text);
    let clean = plain.bytes().all(|it| matches!(it, b' '..=b'~')) && !plain.contains("##");
    if clean {
        return plain;
    }
    let mut out = String::with_capacity(plain.len());
    let mut before = '\0';
    for c in plain.chars() {
        if is_unseen(c) || (c == '#' && before == '#') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string can't fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        before = c;
    }
    out
}

/// The members `schema`, `lawbook`, `policy` and `selection`.
pub(crate) fn head(writer: &mut Writer, header: &Header) {
    writer.key("schema").raw(&quote(SCHEMA)).key("lawbook").raw(&quote(&header.lawbook));
    writer.key("policy").object();
    let first = header.policies.first().cloned().unwrap_or_default();
    policy(writer, &first);
    writer.key("layers").array();
    if header.policies.len() > 1 {
        for layer in &header.policies {
            writer.object();
            policy(writer, layer);
            writer.end_object();
        }
    }
    writer.end_array().end_object();
    selection(writer, &header.selection);
}

fn selection(writer: &mut Writer, selection: &Selection) {
    let Selection { rules, ignore, sample, known } = selection;
    writer.key("selection").object();
    texts(writer.key("rules"), rules);
    texts(writer.key("ignore"), ignore);
    match sample {
        Some(sample) => writer.key("sample").number(*sample),
        None => writer.key("sample").null(),
    };
    texts(writer.key("known"), known);
    writer.end_object();
}

fn texts(writer: &mut Writer, texts: &[String]) {
    writer.array();
    for text in texts {
        writer.raw(&quote(text));
    }
    writer.end_array();
}

fn policy(writer: &mut Writer, line: &PolicyLine) {
    text_or_null(writer.key("name"), line.name.as_deref());
    writer.key("dialect").raw(&quote(&line.dialect));
    writer.key("digest").raw(&quote(&line.digest));
    writer.key("profile").raw(&quote(&line.profile));
}

/// One session.
pub(crate) fn session(session: &SessionReport<'_>) -> String {
    let mut writer = Writer::new();
    writer.object();
    writer.key("id").raw(&quote(session.id)).key("source").raw(&quote(session.source));
    writer.key("trace_format").raw(&quote(session.trace_format));
    writer.key("calls").number(session.calls);
    writer.key("verdict").string(session.verdict.word());
    writer.key("findings").array();
    for it in session.findings {
        write_finding(&mut writer, it);
    }
    writer.end_array().key("unknown").array();
    for it in session.unknown {
        write_unknown(&mut writer, it);
    }
    writer.end_array().end_object();
    writer.finish()
}

/// One finding as an object, for every JSON form that holds findings.
pub fn write_finding(writer: &mut Writer, it: &Finding) {
    writer.object();
    writer.key("rule").raw(&quote(&it.rule)).key("kind").string(it.kind);
    writer.key("verdict").string(it.verdict.word());
    number_or_null(writer.key("step"), it.step);
    text_or_null(writer.key("step_id"), it.step_id.as_deref());
    text_or_null(writer.key("call_id"), it.call_id.as_deref());
    text_or_null(writer.key("tool"), it.tool.as_deref());
    text_or_null(writer.key("path"), it.path.as_deref());
    writer.key("message").raw(&quote(&it.message));
    text_or_null(writer.key("why"), it.why.as_deref());
    writer.key("ran").bool(it.ran).key("layer").number(size(it.layer));
    writer.key("mode").string(it.mode.word());
    text_or_null(writer.key("waived"), it.waived.as_deref());
    writer.key("evidence").array();
    for evidence in &it.evidence {
        writer.object().key("step").number(u64::from(evidence.step));
        writer.key("step_id").raw(&quote(&evidence.step_id));
        text_or_null(writer.key("quote"), evidence.quote.as_deref());
        writer.end_object();
    }
    writer.end_array().key("evidence_total").number(size(it.evidence_total)).end_object();
}

/// One unknown as an object, for every JSON form that holds unknowns.
pub fn write_unknown(writer: &mut Writer, it: &Unknown) {
    writer.object();
    writer.key("rule").raw(&quote(&it.rule)).key("kind").string(it.kind);
    number_or_null(writer.key("step"), it.step);
    text_or_null(writer.key("step_id"), it.step_id.as_deref());
    writer.key("missing").raw(&quote(&it.missing)).key("message").raw(&quote(&it.message));
    writer.end_object();
}

/// The list of what could not be read.
pub(crate) fn problems(writer: &mut Writer, problems: &[Problem]) {
    writer.array();
    for it in problems {
        writer.object().key("source").raw(&quote(&it.source));
        number_or_null(writer.key("line"), it.line);
        number_or_null(writer.key("column"), it.column);
        writer.key("code").string(it.code).key("message").raw(&quote(&it.message));
        writer.end_object();
    }
    writer.end_array();
}

/// The numbers.
pub(crate) fn summary(writer: &mut Writer, closing: &Closing) {
    let Summary { sessions, calls, with_findings, findings, asks, unknown, .. } = closing.summary;
    writer.object().key("sessions").number(sessions).key("calls").number(calls);
    writer.key("with_findings").number(with_findings).key("findings").number(findings);
    writer.key("asks").number(asks).key("unknown").number(unknown);
    writer.key("by_rule").object();
    for (rule, findings) in &closing.summary.by_rule {
        key(writer, rule);
        writer.number(*findings);
    }
    writer.end_object();
    if let Some(attribute) = &closing.group_by {
        groups(writer, attribute, &closing.summary);
    }
    writer.end_object();
}

fn groups(writer: &mut Writer, attribute: &str, summary: &Summary) {
    writer.key("group_by").raw(&quote(attribute)).key("groups").object();
    for (group, tally) in &summary.groups {
        key(writer, group);
        writer.object().key("sessions").number(tally.sessions);
        writer.key("with_findings").number(tally.with_findings);
        writer.key("findings").number(tally.findings).end_object();
    }
    writer.end_object();
}

/// A key that others chose. The writer escapes what JSON must escape; the rest is escaped here by
/// showing it.
fn key(writer: &mut Writer, name: &str) {
    writer.key(&crate::shown(name));
}

fn text_or_null(writer: &mut Writer, text: Option<&str>) {
    match text {
        Some(text) => writer.raw(&quote(text)),
        None => writer.null(),
    };
}

fn number_or_null(writer: &mut Writer, number: Option<u32>) {
    match number {
        Some(number) => writer.number(u64::from(number)),
        None => writer.null(),
    };
}

fn size(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
