//! The tables of the page: which policies were judged, and what each rule says.

use lawbook_diag::Verdict;

use super::{badge, escape};
use crate::said::counted;
use crate::{Grouped, Header, Options, RuleGroup, Summary};

/// Which policies were judged.
pub fn policies(header: &Header, out: &mut String) {
    out.push_str("<section>\n<h2>Judged by</h2>\n<ul class=\"plain\">\n");
    for it in &header.policies {
        let name = it.name.as_deref().map(|it| format!(", “{}”", escape(it))).unwrap_or_default();
        let rules = counted(u64::try_from(it.rules).unwrap_or(u64::MAX), "rule");
        let (source, dialect, profile) =
            (escape(&it.source), escape(&it.dialect), escape(&it.profile));
        out.push_str(&format!("<li><code>{source}</code>{name}: {rules}, "));
        out.push_str(&format!("read as {dialect} ({profile})<br>"));
        out.push_str(&format!("<code class=\"small\">{}</code></li>\n", escape(&it.digest)));
    }
    out.push_str("</ul>\n");
    for it in &header.notes {
        out.push_str(&format!("<p class=\"note\">{}</p>\n", escape(it)));
    }
    out.push_str("</section>\n");
}

/// What each rule says.
pub fn rules(summary: &Summary, options: Options, out: &mut String) {
    out.push_str("<section>\n<h2>Rules</h2>\n");
    if summary.found.groups().is_empty() && summary.untold.groups().is_empty() {
        out.push_str("<p>No rule objects to a call, and none was left unjudged.</p>\n");
    }
    table("Rules that object", "finding", &summary.found, options, out);
    table("Rules that could not be judged", "unknown", &summary.untold, options, out);
    out.push_str("</section>\n");
}

fn table(caption: &str, word: &str, grouped: &Grouped, options: Options, out: &mut String) {
    if grouped.groups().is_empty() {
        return;
    }
    out.push_str("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    out.push_str(&format!("{caption}\">\n<table>\n<caption>{caption}</caption>\n"));
    out.push_str("<thead><tr><th scope=\"col\">Rule</th><th scope=\"col\">Says</th>");
    out.push_str("<th scope=\"col\">Why it is there</th><th scope=\"col\">How often</th>");
    out.push_str("<th scope=\"col\">First seen</th></tr></thead>\n<tbody>\n");
    let mut groups: Vec<&RuleGroup> = grouped.groups().iter().collect();
    groups.sort_by_key(|it| (std::cmp::Reverse(it.verdict), std::cmp::Reverse(it.sessions)));
    for group in groups {
        row(group, word, options, out);
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
    if grouped.others > 0 {
        let others = counted(grouped.others, word);
        out.push_str(&format!("<p>Other rules: {others} in all.</p>\n"));
    }
}

fn row(group: &RuleGroup, word: &str, options: Options, out: &mut String) {
    let tool = group.tool.as_deref().map(|it| format!(" {}", escape(it))).unwrap_or_default();
    let layer = match options.layers {
        true => format!("<br>of policy {}", group.layer.saturating_add(1)),
        false => String::new(),
    };
    let says = match (word, group.verdict) {
        ("unknown", _) => "<span class=\"badge unknown\">unknown</span>".to_owned(),
        (_, Verdict::Allow) => "<span class=\"badge note\">listed only</span>".to_owned(),
        (_, verdict) => badge(verdict),
    };
    let why = group.why.as_deref().map(escape).unwrap_or_default();
    let (number, sessions) = (counted(group.counted, word), counted(group.sessions, "session"));
    let listed = match group.listed_only {
        0 => String::new(),
        listed => format!("<br>{listed} listed only"),
    };
    let first = group.lines.first().map(|it| {
        let (session, place, message) =
            (escape(&it.session), escape(&it.place), escape(&it.message));
        format!("<code>{message}</code><br>session <code>{session}</code>, {place}")
    });
    let (id, kind) = (escape(&group.rule), escape(group.kind));
    out.push_str(&format!("<tr><th scope=\"row\"><code>{id}</code>{tool}{layer}<br>"));
    out.push_str(&format!("<span class=\"small\">{kind}</span></th><td>{says}</td>"));
    out.push_str(&format!("<td>{why}</td><td>{number}<br>in {sessions}{listed}</td>"));
    out.push_str(&format!("<td>{}</td></tr>\n", first.unwrap_or_default()));
}
