//! The agreement as one JSON object.

use lawbook_event::json::Writer;
use lawbook_report::quote;
use lawbook_stats::Rate;

use super::Answer;
use super::compare::{Agreed, Compared, OfRule, Standing};

/// Everything, as JSON.
pub fn json(answer: &Answer) -> String {
    let Answer { policies, labels, agreed, notes, said } = answer;
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.agreement/1");
    writer.key("policies").array();
    for line in &policies.lines {
        writer.object();
        writer.key("source").raw(&quote(&line.source)).key("dialect").string(&line.dialect);
        writer.key("digest").raw(&quote(&line.digest)).key("profile").string(&line.profile);
        writer.end_object();
    }
    writer.end_array().key("labels").object();
    writer.key("source").raw(&quote(&labels.source)).key("digest").raw(&quote(&labels.digest));
    writer.key("form").raw(&quote(labels.form)).key("mode");
    match &labels.mode {
        Some(mode) => writer.raw(&quote(mode)),
        None => writer.null(),
    };
    let number = u64::try_from(labels.labels.len()).unwrap_or(u64::MAX);
    writer.key("labels").number(number).end_object();
    writer.key("traces").number(agreed.traces);
    writer.key("overall").object();
    compared(&mut writer, &agreed.overall);
    writer.end_object();
    texts(writer.key("waiting"), &agreed.waiting);
    texts(writer.key("missing"), &agreed.missing);
    writer.key("other_problems").number(agreed.others).key("skipped").number(agreed.skipped);
    writer.key("unlabelled").number(agreed.unlabelled).key("rules").array();
    agreed.rules.iter().for_each(|it| rule(&mut writer, it));
    writer.end_array();
    standings(&mut writer, agreed);
    match notes {
        None => writer.key("notes").null(),
        Some(notes) => {
            writer.key("notes").object().key("notes").number(notes.all);
            writer.key("unsorted").number(notes.unsorted).key("found").number(notes.found);
            writer.end_object()
        }
    };
    texts(writer.key("said"), said);
    writer.end_object();
    format!("{}\n", writer.finish())
}

fn rule(writer: &mut Writer, it: &OfRule) {
    writer.object().key("rule").raw(&quote(&it.key.1)).key("kind").string(it.kind);
    writer.key("layer").number(u64::try_from(it.key.0).unwrap_or(u64::MAX));
    writer.key("standing").string(match it.standing() {
        Standing::Proven => "proven",
        Standing::FlaggedGood => "flagged_good",
        Standing::Untried => "untried",
        Standing::Observed => "observed",
    });
    compared(writer, &it.compared);
    writer.key("tried").object().key("good").number(it.tried.0);
    writer.key("problem").number(it.tried.1).end_object();
    writer.key("found_unlabelled").number(it.elsewhere).end_object();
}

/// The members that the policy and each rule share.
fn compared(writer: &mut Writer, it: &Compared) {
    let counts = &it.counts;
    writer.key("compared").number(counts.compared());
    writer.key("good_passed").number(counts.good_passed);
    writer.key("good_flagged").number(counts.good_flagged);
    writer.key("problem_passed").number(counts.problem_passed);
    writer.key("problem_flagged").number(counts.problem_flagged);
    rate(writer.key("catches"), counts.catches());
    rate(writer.key("agrees"), counts.agrees());
    texts(writer.key("caught"), &it.caught);
    texts(writer.key("missed"), &it.missed);
    texts(writer.key("wrongly_flagged"), &it.wrongly);
    texts(writer.key("unjudged"), &it.unjudged);
}

/// A rate: counts, and the share with its interval where there is one.
fn rate(writer: &mut Writer, rate: Rate) {
    writer.object().key("count").number(rate.count).key("total").number(rate.total);
    let interval = rate.interval();
    for (key, share) in [
        ("share", rate.share()),
        ("low", interval.map(|it| it.low)),
        ("high", interval.map(|it| it.high)),
    ] {
        match share {
            Some(share) => writer.key(key).raw(&format!("{share:.6}")),
            None => writer.key(key).null(),
        };
    }
    writer.end_object();
}

fn standings(writer: &mut Writer, agreed: &Agreed) {
    for (key, standing) in [
        ("proven", Standing::Proven),
        ("flagged_good", Standing::FlaggedGood),
        ("untried", Standing::Untried),
        ("observed", Standing::Observed),
    ] {
        let names: Vec<String> = agreed.standing(standing).map(|it| it.key.1.to_string()).collect();
        texts(writer.key(key), &names);
    }
}

fn texts(writer: &mut Writer, texts: &[String]) {
    writer.array();
    for text in texts {
        writer.raw(&quote(text));
    }
    writer.end_array();
}
