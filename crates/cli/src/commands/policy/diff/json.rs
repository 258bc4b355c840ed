//! The result as one JSON object.

use lawbook_engine::Ruled;
use lawbook_event::json::Writer;
use lawbook_report::{PolicyLine, quote};

use super::Outcome;
use super::edits::Edit;
use super::gather::{Gathered, Group, Sort};
use super::lines::{Line, Said};

pub fn json(outcome: &Outcome) -> String {
    let mut writer = Writer::new();
    writer.object();
    writer.key("schema").string("lawbook.policy_diff/1");
    writer.key("lawbook").string(env!("CARGO_PKG_VERSION"));
    policy(writer.key("old"), &outcome.old);
    policy(writer.key("new"), &outcome.new);
    writer.key("notes").array();
    for note in &outcome.notes {
        writer.raw(&quote(note));
    }
    writer.end_array().key("edits").array();
    outcome.edits.iter().for_each(|it| edit(&mut writer, it));
    writer.end_array().key("groups").array();
    outcome.gathered.groups.iter().for_each(|(sort, it)| group(&mut writer, sort, it));
    writer.end_array().key("flips").array();
    outcome.gathered.lines.iter().for_each(|it| flip(&mut writer, it));
    writer.end_array();
    problems(&mut writer, outcome);
    summary(&mut writer, &outcome.gathered);
    writer.end_object();
    let mut out = writer.finish();
    out.push('\n');
    out
}

fn policy(writer: &mut Writer, line: &PolicyLine) {
    writer.object();
    writer.key("source").raw(&quote(&line.source));
    match &line.name {
        Some(name) => writer.key("name").raw(&quote(name)),
        None => writer.key("name").null(),
    };
    writer.key("dialect").raw(&quote(&line.dialect));
    writer.key("digest").raw(&quote(&line.digest));
    writer.key("profile").raw(&quote(&line.profile));
    writer.end_object();
}

fn edit(writer: &mut Writer, it: &Edit) {
    writer.object();
    writer.key("rule").raw(&quote(&it.rule)).key("kind").string(it.kind);
    writer.key("edit").string(it.sort.word());
    writer.key("flips").number(it.flips).key("objections").number(it.objections);
    writer.key("unknown").number(it.unknown).key("tried").bool(it.tried);
    writer.end_object();
}

fn group(writer: &mut Writer, sort: &Sort, it: &Group) {
    writer.object();
    writer.key("cause").string(if sort.knock_on { "knock_on" } else { "first" });
    writer.key("from").string(sort.from.word()).key("to").string(sort.to.0.word());
    rules(writer, &sort.rules);
    writer.key("flips").number(it.calls);
    writer.end_object();
}

fn flip(writer: &mut Writer, it: &Line) {
    writer.object();
    writer.key("session").raw(&quote(&it.session)).key("source").raw(&quote(&it.source));
    match it.step {
        Some(step) => {
            writer.key("step").number(u64::from(step));
            writer.key("step_id").raw(&quote(&it.step_id)).key("tool").raw(&quote(&it.tool));
        }
        None => {
            writer.key("step").null().key("step_id").null().key("tool").null();
        }
    }
    writer.key("cause").string(if it.is_knock_on() { "knock_on" } else { "first" });
    writer.key("from").string(it.from.word()).key("to").string(it.to.word());
    rules(writer, &it.rules);
    writer.key("message").raw(&quote(&it.message));
    said(writer.key("old"), &it.old);
    said(writer.key("new"), &it.new);
    writer.key("moot").bool(it.is_moot());
    writer.key("caused_by").array();
    for (step, step_id) in &it.caused_by {
        writer.object().key("step").number(u64::from(*step));
        writer.key("step_id").raw(&quote(step_id)).end_object();
    }
    writer.end_array().key("together").bool(it.is_together());
    writer.end_object();
}

fn said(writer: &mut Writer, it: &Said) {
    writer.object();
    match it.verdict {
        Some(verdict) => writer.key("verdict").string(verdict.word()),
        None => writer.key("verdict").null(),
    };
    rules(writer, &it.rules);
    writer.end_object();
}

fn rules(writer: &mut Writer, rules: &[std::sync::Arc<str>]) {
    writer.key("rules").array();
    for rule in rules {
        writer.raw(&quote(rule));
    }
    writer.end_array();
}

fn problems(writer: &mut Writer, outcome: &Outcome) {
    writer.key("problems").array();
    for it in &outcome.gathered.problems {
        writer.object().key("source").raw(&quote(&it.source));
        match it.line {
            Some(line) => writer.key("line").number(u64::from(line)),
            None => writer.key("line").null(),
        };
        writer.key("code").string(it.code).key("message").raw(&quote(&it.message));
        writer.end_object();
    }
    writer.end_array();
}

fn summary(writer: &mut Writer, it: &Gathered) {
    let listed = u64::try_from(it.lines.len()).unwrap_or(u64::MAX);
    writer.key("summary").object();
    writer.key("sessions").number(it.sessions).key("calls").number(it.calls);
    writer.key("unpaired").number(it.unpaired);
    writer.key("flips").number(it.flips).key("with_flips").number(it.flipped);
    writer.key("first").number(it.flips.saturating_sub(it.knock_ons));
    writer.key("knock_on").number(it.knock_ons);
    for to in [Ruled::Allow, Ruled::Ask, Ruled::Unknown, Ruled::Deny] {
        writer.key(&format!("to_{}", to.word())).number(it.to(to));
    }
    writer.key("flips_left_out").number(it.flips.saturating_sub(listed));
    writer.key("ungrouped").number(it.ungrouped);
    writer.end_object();
}
