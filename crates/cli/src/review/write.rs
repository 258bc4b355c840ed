//! Writing a review file: YAML with a head that says how to fill it in.

use super::{Disposition, Entry, Mark, Noted, Review, SCHEMA, State, word};

/// How findings are gone through.
const HEAD: &str = "\
# What `lawbook check` found, to be gone through with the policy's owner.
#
# Write one of these behind each `mark:`
#   real         the call broke the rule; the rule stays as it is
#   rule to fix  the rule asks too much; `edit` is the smallest change that clears the finding
# and why behind `note:`. Run the same check again with the same file: marks and notes stay, `state`
# says what became of each finding, and new ones are added. `lawbook review` says what is left.
# Comments of yours are not kept; `note` is the place for words.
";

/// How notes are sorted.
const NOTES_HEAD: &str = "\
# Reviewers called these traces a problem and the policy lets them pass. Write one of these behind
# each `disposition:`
#   new rule         the policy lacks a rule; `with:` names it
#   instruction      the agent is told; `with:` says what
#   who else checks  a person, a judge or another system; `with:` says which
#   no gap           it is nothing for a policy
";

/// The text of a review file.
pub fn written(review: &Review) -> String {
    let mut out = String::from(HEAD);
    line(&mut out, "", "schema", SCHEMA);
    out.push_str(if review.policies.is_empty() { "policies: []\n" } else { "policies:\n" });
    for (file, digest) in &review.policies {
        line(&mut out, "  - ", "file", file);
        line(&mut out, "    ", "digest", digest);
    }
    out.push_str(if review.findings.is_empty() { "findings: []\n" } else { "findings:\n" });
    review.findings.iter().for_each(|it| finding(it, &mut out));
    if !review.notes.is_empty() {
        out.push('\n');
        out.push_str(NOTES_HEAD);
        out.push_str("notes:\n");
        review.notes.iter().for_each(|it| noted(it, &mut out));
    }
    out
}

fn finding(it: &Entry, out: &mut String) {
    out.push('\n');
    line(out, "  - ", "id", &it.key.id());
    line(out, "    ", "rule", &it.key.rule);
    if !it.why.is_empty() {
        line(out, "    ", "why", &it.why);
    }
    line(out, "    ", "session", &it.key.session);
    line(out, "    ", "step_id", &it.key.step_id);
    line(out, "    ", "tool", &it.key.tool);
    line(out, "    ", "message", &it.message);
    line(out, "    ", "state", word(State::ALL, &it.state));
    if let Some(edit) = &it.edit {
        out.push_str("    edit:\n");
        line(out, "      ", "policy", &edit.policy);
        line(out, "      ", "at", &edit.at);
        line(out, "      ", "write", &edit.write);
    }
    line(out, "    ", "mark", word(Mark::ALL, &it.mark));
    line(out, "    ", "note", &it.note);
}

fn noted(it: &Noted, out: &mut String) {
    out.push('\n');
    line(out, "  - ", "trace", &it.trace);
    line(out, "    ", "said", &it.said);
    let modes: Vec<String> = it.modes.iter().map(|it| quoted(it)).collect();
    out.push_str(&format!("    modes: [{}]\n", modes.join(", ")));
    line(out, "    ", "state", if it.found { "found now" } else { "passes" });
    line(out, "    ", "disposition", word(Disposition::ALL, &it.disposition));
    line(out, "    ", "with", &it.with);
}

fn line(out: &mut String, indent: &str, key: &str, value: &str) {
    out.push_str(indent);
    out.push_str(key);
    out.push(':');
    if !value.is_empty() {
        out.push(' ');
        out.push_str(&if is_plain(value) { value.to_owned() } else { quoted(value) });
    }
    out.push('\n');
}

/// Whether every reader of YAML takes the words for this text.
fn is_plain(text: &str) -> bool {
    let inner = |it: char| it.is_ascii_alphanumeric() || "_-. ".contains(it);
    let starts = text.starts_with(|it: char| it.is_ascii_alphabetic());
    let words = ["y", "yes", "n", "no", "on", "off", "true", "false", "null"];
    starts
        && text.chars().all(inner)
        && !text.ends_with(' ')
        && !text.contains(" -")
        && !words.contains(&text.to_ascii_lowercase().as_str())
}

/// A text in double quotes in which nothing is hidden.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if lawbook_report::is_unseen(c) => {
                out.push_str(&format!("\\U{:08x}", u32::from(c)));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}
