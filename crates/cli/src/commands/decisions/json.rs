//! The summary as JSON, in the form `lawbook.decisions/1`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lawbook_event::json::Writer;
use lawbook_report::{ToolLabels, quote, shown};

use super::summary::{RuleTally, Summary};
use crate::masking;
use crate::moment;

/// The summary as one JSON object. With labels, a tool that has none of its own is one of the
/// others.
pub fn json(summary: &Summary, labels: Option<&ToolLabels>) -> String {
    let counts = summary.counts;
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.decisions/1");
    writer.key("since").string(&moment::text(summary.since));
    writer.key("decisions").number(counts.decisions).key("allowed").number(counts.allowed);
    writer.key("asked").number(counts.asked).key("denied").number(counts.denied);
    writer.key("only_unknown").number(counts.only_unknown).key("errors").object();
    for (error, count) in &summary.errors {
        writer.key(&shown(error)).number(*count);
    }
    writer.end_object().key("rules").array();
    for (rule, tally) in summary.by_weight() {
        rule_object(&mut writer, rule, tally, labels);
    }
    writer.end_array().key("most_blocked").array();
    for (session, tally) in summary.most_blocked() {
        writer
            .object()
            .key("session")
            .raw(&quote(&masking::key(session)))
            .key("calls")
            .number(tally.blocked);
        writer.key("rules").array();
        for rule in &tally.rules {
            writer.raw(&quote(rule));
        }
        writer.end_array().end_object();
    }
    writer.end_array().key("read_first").array();
    for (session, why) in summary.read_first() {
        writer.object().key("session").raw(&quote(&masking::key(session)));
        writer.key("why").raw(&quote(&masking::text(&why)));
        writer.end_object();
    }
    writer.end_array().end_object();
    format!("{}\n", writer.finish())
}

fn rule_object(writer: &mut Writer, rule: &str, tally: &RuleTally, labels: Option<&ToolLabels>) {
    writer.object().key("rule").raw(&quote(rule)).key("denied").number(tally.denied);
    writer.key("asked").number(tally.asked).key("unknown").number(tally.unknown);
    writer.key("sessions").number(tally.sessions.len() as u64).key("tools").object();
    let mut tools: BTreeMap<Cow<'_, str>, u64> = BTreeMap::new();
    for (tool, count) in &tally.tools {
        let name = match labels {
            Some(labels) => Cow::Borrowed(labels.of(tool)),
            None => Cow::Owned(shown(&masking::key(tool)).into_owned()),
        };
        let sum = tools.entry(name).or_default();
        *sum = sum.saturating_add(*count);
    }
    for (tool, count) in &tools {
        writer.key(tool).number(*count);
    }
    writer.end_object().key("first").string(&moment::text(tally.first));
    writer.key("last").string(&moment::text(tally.last)).end_object();
}
