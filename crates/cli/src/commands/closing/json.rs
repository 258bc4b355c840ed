//! The closing report as one JSON object.

use lawbook_event::json::Writer;
use lawbook_report::quote;

use super::gather::Gathered;

/// Everything, as JSON.
pub fn json(it: &Gathered) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.closing/1").key("policies").array();
    for (line, policy) in it.policies.lines.iter().zip(&it.policies.layers) {
        writer.object().key("source").raw(&quote(&line.source));
        writer.key("dialect").string(&line.dialect).key("digest").raw(&quote(&line.digest));
        writer.key("profile").string(&line.profile);
        writer.key("rules").number(u64::try_from(line.rules).unwrap_or(u64::MAX));
        text_or_null(writer.key("owner"), policy.owner.as_deref());
        writer.end_object();
    }
    writer.end_array();
    past(&mut writer, it);
    review(&mut writer, it);
    checks(&mut writer, it);
    guard(&mut writer, it);
    texts(writer.key("not_covered"), &it.not_covered());
    writer.key("read").array();
    for file in &it.read {
        writer.object().key("what").string(file.what).key("source").raw(&quote(&file.source));
        text_or_null(writer.key("digest"), file.digest.as_deref());
        writer.end_object();
    }
    writer.end_array().key("unreadable").bool(it.unreadable).end_object();
    format!("{}\n", writer.finish())
}

fn past(writer: &mut Writer, it: &Gathered) {
    let summary = &it.summary;
    writer.key("traces").object().key("traces").number(summary.sessions);
    writer.key("calls").number(summary.calls).key("broken").number(summary.with_findings);
    writer.key("findings").number(summary.findings).key("unknown").number(summary.unknown);
    writer.key("by_rule").array();
    for (rule, findings) in it.top_rules() {
        writer.object().key("rule").raw(&quote(rule)).key("findings").number(findings);
        writer.end_object();
    }
    writer.end_array().end_object();
}

fn review(writer: &mut Writer, it: &Gathered) {
    writer.key("review");
    let Some(review) = &it.review else {
        writer.null();
        return;
    };
    let standing = review.standing();
    writer.object().key("done").bool(standing.is_done()).key("summary");
    crate::commands::standing(writer, &standing);
    writer.key("fixed").array();
    for fixed in it.fixed() {
        writer.object().key("rule").raw(&quote(&fixed.rule));
        writer.key("findings").number(fixed.findings);
        texts(writer.key("notes"), &fixed.notes);
        writer.end_object();
    }
    let notes = review.note_counts();
    writer.end_array().key("notes").object().key("notes").number(notes.all);
    writer.key("unsorted").number(notes.unsorted).key("found").number(notes.found);
    writer.end_object().end_object();
}

fn checks(writer: &mut Writer, it: &Gathered) {
    writer.key("runs_in").array();
    for file in &it.runs_in {
        writer.object().key("source").raw(&quote(&file.source)).key("checks").array();
        for check in &file.checks {
            writer.object().key("id").raw(&quote(&check.id)).key("mode").raw(&quote(&check.mode));
            writer.key("on_change").bool(check.on_change);
            writer.key("same_policy").bool(check.same_policy).end_object();
        }
        writer.end_array().key("calls").array();
        for (line, call) in &file.calls {
            writer.object().key("line").number(u64::from(*line));
            writer.key("call").raw(&quote(call)).end_object();
        }
        writer.end_array().key("scripts").array();
        for (line, script) in &file.scripts {
            writer.object().key("line").number(u64::from(*line));
            writer.key("script").raw(&quote(script)).end_object();
        }
        writer.end_array().end_object();
    }
    writer.end_array();
}

fn guard(writer: &mut Writer, it: &Gathered) {
    writer.key("guard");
    let Some(proven) = &it.proven else {
        writer.null();
        return;
    };
    writer.object();
    texts(writer.key("rules"), &proven.rules);
    texts(writer.key("flagged_good"), &proven.flagged_good);
    writer.key("labels").number(proven.labels);
    writer.key("of_this_policy").bool(it.is_proven_of_this()).end_object();
}

fn texts(writer: &mut Writer, texts: &[String]) {
    writer.array();
    for text in texts {
        writer.raw(&quote(text));
    }
    writer.end_array();
}

fn text_or_null(writer: &mut Writer, text: Option<&str>) {
    match text {
        Some(text) => writer.raw(&quote(text)),
        None => writer.null(),
    };
}
