//! What stands after the results: the tool with its rules, and what the reader should be told.

use std::collections::BTreeSet;

use lawbook_diag::Problem;
use lawbook_event::json::Writer;

use super::{RESULTS_MAX, escape, physical, rule_id, text};
use crate::place::Place;
use crate::said::{self, counted};
use crate::{Closing, GateVerdict, Header, RuleGroup};

/// Writes it, and closes the run.
pub fn end(header: &Header, closing: &Closing, out: &mut String) {
    out.push_str("\n],\n\"tool\":");
    let mut writer = Writer::new();
    tool(&mut writer, header, closing);
    out.push_str(&writer.finish());
    out.push_str(",\n\"invocations\":");
    let mut writer = Writer::new();
    invocation(&mut writer, header, closing);
    out.push_str(&writer.finish());
    out.push_str(",\n\"columnKind\":\"unicodeCodePoints\"}]}\n");
}

fn tool(writer: &mut Writer, header: &Header, closing: &Closing) {
    writer.object().key("driver").object().key("name").string("Lawbook");
    writer.key("version").raw(&escape(&header.lawbook)).key("rules").array();
    let summary = &closing.summary;
    let mut seen = BTreeSet::new();
    for group in summary.found.groups().iter().chain(summary.untold.groups()) {
        let id = rule_id(header, group.layer, &group.rule);
        if seen.insert(id.clone()) {
            rule(writer, &id, group);
        }
    }
    writer.end_array().end_object().end_object();
}

fn rule(writer: &mut Writer, id: &str, group: &RuleGroup) {
    writer.object().key("id").raw(id);
    text(writer.key("shortDescription"), &format!("rule {} ({})", group.rule, group.kind));
    if let Some(why) = &group.why {
        text(writer.key("fullDescription"), why);
    }
    writer.end_object();
}

fn invocation(writer: &mut Writer, header: &Header, closing: &Closing) {
    writer.array().object();
    writer.key("executionSuccessful").bool(closing.problems.is_empty());
    writer.key("toolExecutionNotifications").array();
    if closing.written.left_out > 0 {
        let more = counted(closing.written.left_out, "more result");
        let message = format!("{more} are left out: a run holds at most {RESULTS_MAX}");
        notification(writer, "warning", &message, None);
    }
    for it in &closing.problems {
        let place = Place { file: it.source.clone(), line: it.line };
        notification(writer, "error", &told(it), Some(&place));
    }
    if let Some(gate) = &closing.gate {
        let level = match gate.verdict {
            GateVerdict::Pass => "note",
            GateVerdict::Inconclusive => "warning",
            GateVerdict::Fail => "error",
        };
        let message = format!("gate: {}: {}", gate.verdict.word(), gate.because);
        notification(writer, level, &message, None);
    }
    for note in header.notes.iter().chain(&closing.notes) {
        notification(writer, "note", note, None);
    }
    notification(writer, "note", &said::totals(&closing.summary), None);
    for it in said::unchecked(header, closing) {
        let theirs = it.theirs.join("; ");
        let colon = if theirs.is_empty() { "" } else { ": " };
        notification(writer, "note", &format!("not checked: {}{colon}{theirs}", it.ours), None);
    }
    notification(writer, "note", &said::not_proved(), None);
    writer.end_array().end_object().end_array();
}

fn told(it: &Problem) -> String {
    let help = it.help.as_deref().map(|it| format!(" (help: {it})")).unwrap_or_default();
    format!("{}{help}", it.message)
}

fn notification(writer: &mut Writer, level: &str, message: &str, place: Option<&Place>) {
    writer.object().key("level").string(level);
    text(writer.key("message"), message);
    if let Some(place) = place.filter(|it| it.file != "-") {
        writer.key("locations").array().object();
        physical(writer, place);
        writer.end_object().end_array();
    }
    writer.end_object();
}
