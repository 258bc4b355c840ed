//! A review as people and programs read it: what was said rule by rule, and what is left.

use std::path::Path;

use lawbook_event::json::Writer;
use lawbook_report::{quote, shown};

use crate::print::counted;
use crate::review::{Disposition, Entry, Mark, Noted, Review, Standing, State, word};

/// Findings of a rule that are listed.
const LISTED: usize = 10;

/// The review as text.
pub fn text(file: &Path, review: &Review, all: bool) -> String {
    let listed = if all { usize::MAX } else { LISTED };
    let mut out = String::new();
    for (rule, standing) in review.by_rule_standing() {
        out.push_str(&format!("rule {}: {}\n", shown(rule), standing.line()));
        let left = |it: &&Entry| it.key.rule == rule && is_left(it);
        for entry in review.findings.iter().filter(left).take(listed) {
            finding(entry, &mut out);
        }
        let more = review.findings.iter().filter(left).count().saturating_sub(listed);
        if more > 0 {
            out.push_str(&format!("  and {more} more; `--all` lists them\n"));
        }
        out.push('\n');
    }
    notes(review, listed, &mut out);
    let standing = review.standing();
    let findings = counted(review.findings.len(), "finding");
    out.push_str(&format!(
        "{}: {findings}: {}\n",
        shown(&file.display().to_string()),
        standing.line()
    ));
    out.push_str(&next(review, &standing));
    out
}

fn finding(it: &Entry, out: &mut String) {
    let place = if it.key.step_id.is_empty() {
        "run".to_owned()
    } else {
        format!("step {}", shown(&it.key.step_id))
    };
    let mark = match (it.mark, it.state) {
        (_, State::Unknown) => "unknown",
        (Mark::Open, _) => "unmarked",
        (Mark::RuleToFix, _) => "rule to fix",
        (Mark::Real, _) => "real, passes now",
    };
    out.push_str(&format!(
        "  {} ({mark})  session {}  {place}  {}\n",
        it.key.id(),
        shown(&it.key.session),
        shown(&it.message)
    ));
    if let Some(edit) = &it.edit {
        let at = if edit.at.is_empty() { "the top" } else { &edit.at };
        let (policy, at, write) = (shown(&edit.policy), shown(at), shown(&edit.write));
        out.push_str(&format!(
            "    if the rule is to be fixed: write in {policy} at {at}: {write}\n"
        ));
    }
}

fn notes(review: &Review, listed: usize, out: &mut String) {
    let counts = review.note_counts();
    if counts.all == 0 {
        return;
    }
    let notes = counted(counts.all, "note");
    let unsorted = counts.unsorted;
    out.push_str(&format!("{notes} on traces that the policy passed, {unsorted} unsorted"));
    out.push_str(&match counts.found {
        0 => "\n".to_owned(),
        found => format!(", {found} of them found by now\n"),
    });
    let left = |it: &&Noted| it.disposition == Disposition::Unsorted && !it.found;
    for note in review.notes.iter().filter(left).take(listed) {
        out.push_str(&format!("  trace {}: {}\n", shown(&note.trace), shown(&note.said)));
    }
    let more = review.notes.iter().filter(left).count().saturating_sub(listed);
    if more > 0 {
        out.push_str(&format!("  and {more} more; `--all` lists them\n"));
    }
    out.push('\n');
}

fn is_left(it: &Entry) -> bool {
    let done = matches!(
        (it.state, it.mark),
        (State::Found, Mark::Real) | (State::Cleared, Mark::RuleToFix | Mark::Open)
    );
    !done
}

/// What comes next.
fn next(review: &Review, standing: &Standing) -> String {
    let mut out = String::new();
    for (number, what) in [
        (standing.open, "mark each unmarked finding real or rule to fix"),
        (standing.to_fix, "change the rules to fix, and check again with the same file"),
        (standing.lost, "look at what is marked real and passes now: an edit went too far"),
        (standing.unknown, "look at what could not be judged: the traces lack something"),
        (review.note_counts().unsorted, "sort the notes that are left"),
    ] {
        if number > 0 {
            out.push_str(&format!("next: {what}\n"));
        }
    }
    if out.is_empty() {
        out.push_str("nothing is left: all that is found is real\n");
    }
    out
}

/// The review as JSON.
pub fn json(review: &Review) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string("lawbook.review_state/1");
    writer.key("findings").array();
    for it in &review.findings {
        writer.object().key("id").raw(&quote(&it.key.id()));
        writer.key("rule").raw(&quote(&it.key.rule));
        writer.key("session").raw(&quote(&it.key.session));
        writer.key("step_id").raw(&quote(&it.key.step_id));
        writer.key("tool").raw(&quote(&it.key.tool));
        writer.key("message").raw(&quote(&it.message));
        writer.key("state").string(word(State::ALL, &it.state));
        writer.key("mark").string(word(Mark::ALL, &it.mark));
        writer.key("note").raw(&quote(&it.note));
        match &it.edit {
            None => writer.key("edit").null(),
            Some(edit) => {
                writer.key("edit").object().key("policy").raw(&quote(&edit.policy));
                writer.key("at").raw(&quote(&edit.at)).key("write").raw(&quote(&edit.write));
                writer.end_object()
            }
        };
        writer.end_object();
    }
    writer.end_array().key("notes").array();
    for it in &review.notes {
        writer.object().key("trace").raw(&quote(&it.trace)).key("said").raw(&quote(&it.said));
        writer.key("found").bool(it.found);
        writer.key("disposition").string(word(Disposition::ALL, &it.disposition));
        writer.key("with").raw(&quote(&it.with)).end_object();
    }
    writer.end_array().key("summary");
    standing(&mut writer, &review.standing());
    writer.key("by_rule").array();
    for (rule, of_rule) in review.by_rule_standing() {
        writer.object().key("rule").raw(&quote(rule)).key("summary");
        standing(&mut writer, &of_rule);
        writer.end_object();
    }
    let counts = review.note_counts();
    writer.end_array().key("notes_summary").object();
    writer.key("notes").number(counts.all).key("unsorted").number(counts.unsorted);
    writer.key("found").number(counts.found).end_object().end_object();
    format!("{}\n", writer.finish())
}

/// Where something stands, as the object that several outputs share.
pub fn standing(writer: &mut Writer, it: &Standing) {
    writer.object().key("real").number(it.real).key("to_fix").number(it.to_fix);
    writer.key("fixed").number(it.fixed).key("lost").number(it.lost);
    writer.key("gone").number(it.gone).key("unmarked").number(it.open);
    writer.key("unknown").number(it.unknown).end_object();
}
