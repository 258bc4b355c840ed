//! The result as a comment on a pull request. Whatever others wrote stands in code spans, where no
//! link, image, mention or HTML works.

use lawbook_engine::Which;
use lawbook_report::code_span;

use super::Outcome;
use super::lines::Line;
use super::text::{LIMITS, closing, left_out, place, title};
use crate::print::counted;

/// Groups that are written; the rest is counted.
const GROUPS: usize = 20;
/// Flips of a group that are written.
const EXAMPLES: usize = 3;
/// Edits that are written.
const EDITS: usize = 50;
/// Characters of a text of others. All bounds together stay under what a comment may hold.
const CHARS: usize = 160;

/// The whole of it.
pub fn markdown(outcome: &Outcome) -> String {
    let mut out = format!("### Policy change: {}\n\n", closing(outcome));
    for (word, which) in [("Old", Which::Old), ("New", Which::New)] {
        let line = outcome.line(which);
        let (source, digest) = (code(&line.source), code(&line.digest));
        out.push_str(&format!(
            "- {word}: {source} ({}, {}) {digest}\n",
            line.dialect, line.profile
        ));
    }
    for note in &outcome.notes {
        out.push_str(&format!("- Note: {}\n", code(note)));
    }
    for (sort, group) in outcome.gathered.groups.iter().take(GROUPS) {
        let rules: Vec<String> = sort.rules.iter().take(EXAMPLES).map(|it| code(it)).collect();
        let calls = counted(group.calls, "call");
        out.push_str(&format!(
            "\n**{}**: {calls} by {}",
            title(sort).replace("->", "→"),
            rules.join(", ")
        ));
        let more = sort.rules.len().saturating_sub(rules.len());
        out.push_str(&if more > 0 { format!(" and {more} more\n\n") } else { "\n\n".to_owned() });
        for place in group.examples.iter().take(EXAMPLES) {
            if let Some(line) = outcome.gathered.lines.get(*place) {
                out.push_str(&example(line));
            }
        }
        let shown = group.examples.len().min(EXAMPLES);
        let more = group.calls.saturating_sub(u64::try_from(shown).unwrap_or(u64::MAX));
        if more > 0 {
            out.push_str(&format!("- and {more} more\n"));
        }
    }
    if let Some(left) = left_out(outcome, GROUPS) {
        out.push_str(&format!("\n{left}\n"));
    }
    edits(outcome, &mut out);
    out.push_str(&format!("\n{LIMITS}\n"));
    out
}

fn example(line: &Line) -> String {
    let mut out = format!("- {} {}", code(&line.session), code(&place(line)));
    if !line.tool.is_empty() {
        out.push_str(&format!(" {}", code(&line.tool)));
    }
    if !line.message.is_empty() {
        out.push_str(&format!(": {}", code(&line.message)));
    }
    if let Some(aside) = line.aside() {
        out.push_str(&format!(", {aside}"));
    }
    out.push('\n');
    out
}

fn edits(outcome: &Outcome, out: &mut String) {
    out.push_str("\n**Edits**\n\n");
    if outcome.edits.is_empty() {
        out.push_str("- none: both policies hold the same rules\n");
    }
    for it in outcome.edits.iter().take(EDITS) {
        let (word, rule) = (it.sort.word(), code(&it.rule));
        out.push_str(&format!("- {word} {rule} ({}): {}\n", it.kind, it.effect()));
    }
    let more = outcome.edits.len().saturating_sub(EDITS);
    if more > 0 {
        out.push_str(&format!("- and {more} more\n"));
    }
}

/// Text of others as a code span, cut.
fn code(text: &str) -> String {
    let (end, _) = text.char_indices().nth(CHARS).unwrap_or((text.len(), ' '));
    let kept = text.get(..end).unwrap_or(text);
    code_span(&if end < text.len() { format!("{kept}…") } else { kept.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::{CHARS, code};

    #[test]
    fn text_of_others_stays_in_its_span_and_is_cut() {
        let table = [
            ("a`b", "``a`b``"),
            ("@admin ![x](http://evil.example)", "`\\u{40}admin ![x](http://evil.example)`"),
            ("line\n# heading", "`line\\u{a}# heading`"),
        ];
        for (text, wanted) in table {
            assert_eq!(code(text), wanted);
        }
        assert_eq!(code(&"é".repeat(1_000)).chars().count(), CHARS + 3);
    }
}
