//! How the page ends: what could not be read, and what a clean result does not prove.

use super::escape;
use crate::said;
use crate::{Closing, Header};

/// Problems that are listed; those beyond are counted.
const PROBLEMS: usize = 50;

/// Writes it.
pub fn closing(header: &Header, closing: &Closing, out: &mut String) {
    if !closing.problems.is_empty() {
        out.push_str("<section>\n<h2>Could not be read</h2>\n<ul>\n");
        for it in closing.problems.iter().take(PROBLEMS) {
            let line = it.line.map(|it| format!(" line {it}")).unwrap_or_default();
            let help = it.help.as_deref().map(|it| format!("<br>{}", escape(it)));
            let (source, message) = (escape(&it.source), escape(&it.message));
            let help = help.unwrap_or_default();
            out.push_str(&format!("<li><code>{source}</code>{line}: {message}{help}</li>\n"));
        }
        let more = closing.problems.len().saturating_sub(PROBLEMS);
        if more > 0 {
            out.push_str(&format!("<li>and {more} more</li>\n"));
        }
        out.push_str("</ul>\n</section>\n");
    }
    out.push_str("<section class=\"limits\">\n<h2>What this does not show</h2>\n<ul>\n");
    for it in said::unchecked(header, closing) {
        let theirs: Vec<String> = it.theirs.iter().map(|it| escape(it)).collect();
        let colon = if theirs.is_empty() { "" } else { ": " };
        let ours = escape(&it.ours);
        out.push_str(&format!("<li>Not checked: {ours}{colon}{}</li>\n", theirs.join("; ")));
    }
    out.push_str("<li>A clean result does not prove that the recordings are complete, that the ");
    out.push_str("rules say all that matters, or that what the agent told its user was true.</li>");
    out.push_str("\n</ul>\n");
    for it in &closing.notes {
        out.push_str(&format!("<p class=\"note\">{}</p>\n", escape(it)));
    }
    let version = escape(&header.lawbook);
    out.push_str(&format!("<p class=\"small\">Written by Lawbook {version}.</p>\n</section>\n"));
}
