//! SARIF 2.1.0, for code scanning: the rule's line in the policy, with the trace beside it.

mod end;

use lawbook_diag::{Finding, Unknown, Verdict};
use lawbook_event::json::Writer;

use crate::place::{self, Names, Place};
use crate::{
    Bound, CheckLine, Closing, Header, Options, Reporter, SessionReport, cut, object, shown,
};

/// Results that are written at most, which is what code scanning reads of a run.
pub const RESULTS_MAX: usize = 5_000;

/// The reporter.
pub struct Sarif;

impl Reporter for Sarif {
    fn name(&self) -> &'static str {
        "sarif"
    }

    fn page(&self) -> &'static str {
        include_str!("sarif.md")
    }

    fn begin(&self, _header: &Header, _options: Options, out: &mut String) {
        out.push_str("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",");
        out.push_str("\"version\":\"2.1.0\",\"runs\":[{\"results\":[\n");
    }

    fn writes(&self, session: &SessionReport<'_>, _options: Options) -> bool {
        let checked = session.checks.iter().any(is_own);
        !session.findings.is_empty() || !session.unknown.is_empty() || checked
    }

    fn between(&self) -> &'static str {
        ",\n"
    }

    fn bound(&self) -> Bound {
        Bound::Lines(RESULTS_MAX)
    }

    fn session(
        &self,
        header: &Header,
        session: &SessionReport<'_>,
        _options: Options,
        out: &mut String,
    ) {
        let mut names = Names::default();
        let mut lines = Vec::new();
        for it in session.findings {
            lines.push(finding(header, session, it, &names.finding(session, it)));
        }
        for it in session.unknown {
            lines.push(unknown(header, session, it, &names.unknown(session, it)));
        }
        for it in session.checks.iter().filter(|it| is_own(it)) {
            lines.push(check(session, it, &names.check(session, it.check)));
        }
        out.push_str(&lines.join(self.between()));
    }

    fn end(&self, header: &Header, closing: &Closing, _options: Options, out: &mut String) {
        end::end(header, closing, out);
    }
}

/// Whether a check says something that the findings do not.
fn is_own(it: &CheckLine) -> bool {
    it.detected && it.check != "policy"
}

/// Text of others as a JSON string: what doesn't show is written out, and what a viewer would take
/// for a link is none.
fn escape(text: &str) -> String {
    object::quote(&shown(text).replace("](", "]\\u{28}"))
}

/// The id of a rule; with several policies it says whose it is.
fn rule_id(header: &Header, layer: usize, rule: &str) -> String {
    match header.policies.len() {
        0 | 1 => escape(rule),
        _ => escape(&format!("{}/{rule}", layer.saturating_add(1))),
    }
}

fn finding(header: &Header, session: &SessionReport<'_>, it: &Finding, name: &str) -> String {
    let level = match (it.counts() || it.waived.is_some(), it.verdict) {
        (true, Verdict::Deny) => "error",
        (true, Verdict::Ask) => "warning",
        _ => "note",
    };
    let mut message = format!("session {}", cut(session.id));
    match (&it.step_id, it.step) {
        (Some(id), _) => message.push_str(&format!(", step {}", cut(id))),
        (None, Some(step)) => message.push_str(&format!(", step {step}")),
        (None, None) => {}
    }
    message.push_str(&format!(": {}", cut(&it.message)));
    if let Some(why) = &it.why {
        message.push_str(&format!(" (why: {})", cut(why)));
    }
    let mut writer = Writer::new();
    writer.object().key("ruleId").raw(&rule_id(header, it.layer, &it.rule));
    writer.key("kind").string("fail").key("level").string(level);
    text(writer.key("message"), &message);
    let place = place::rule(header, it.layer, &it.rule);
    let mut related = vec![(place::trace(session.source), source(session))];
    related.extend(it.evidence.iter().map(|evidence| {
        let quote =
            evidence.quote.as_deref().map(|it| format!(": {}", cut(it))).unwrap_or_default();
        (place::trace(session.source), format!("it rests on step {}{quote}", evidence.step_id))
    }));
    locations(&mut writer, place.as_ref(), &related);
    fingerprint(&mut writer, name);
    if let Some(why) = &it.waived {
        writer.key("suppressions").array().object().key("kind").string("external");
        writer.key("justification").raw(&escape(why)).end_object().end_array();
    }
    writer.end_object();
    writer.finish()
}

fn unknown(header: &Header, session: &SessionReport<'_>, it: &Unknown, name: &str) -> String {
    let step = it.step_id.as_deref().map(|it| format!(", step {}", cut(it))).unwrap_or_default();
    let (id, said) = (cut(session.id), cut(&it.message));
    let message = format!("session {id}{step}: not judged, {said}");
    let mut writer = Writer::new();
    writer.object().key("ruleId").raw(&rule_id(header, it.layer, &it.rule));
    writer.key("kind").string("open").key("level").string("none");
    text(writer.key("message"), &message);
    let place = place::rule(header, it.layer, &it.rule);
    let related = [(place::trace(session.source), source(session))];
    locations(&mut writer, place.as_ref(), &related);
    fingerprint(&mut writer, name);
    writer.end_object();
    writer.finish()
}

fn check(session: &SessionReport<'_>, it: &CheckLine, name: &str) -> String {
    let mut writer = Writer::new();
    writer.object().key("ruleId").raw(&escape(&format!("check/{}", it.check)));
    writer.key("kind").string("fail").key("level").string("warning");
    text(writer.key("message"), &format!("session {}: {}", cut(session.id), cut(&it.reason)));
    let related = [(place::trace(session.source), source(session))];
    locations(&mut writer, None, &related);
    fingerprint(&mut writer, name);
    writer.end_object();
    writer.finish()
}

fn source(session: &SessionReport<'_>) -> String {
    format!("the session, in {}", session.source)
}

fn text(writer: &mut Writer, text: &str) {
    writer.object().key("text").raw(&escape(text)).end_object();
}

fn fingerprint(writer: &mut Writer, name: &str) {
    writer.key("partialFingerprints").object().key("lawbook/1").string(name).end_object();
}

/// The primary location is the rule's; where it stands in no file, the session's.
fn locations(writer: &mut Writer, rule: Option<&Place>, related: &[(Option<Place>, String)]) {
    let first = related.first().and_then(|it| it.0.as_ref());
    writer.key("locations").array();
    if let Some(place) = rule.or(first) {
        writer.object();
        physical(writer, place);
        writer.end_object();
    }
    writer.end_array().key("relatedLocations").array();
    for (place, message) in related {
        writer.object();
        if let Some(place) = place {
            physical(writer, place);
        }
        text(writer.key("message"), message);
        writer.end_object();
    }
    writer.end_array();
}

fn physical(writer: &mut Writer, place: &Place) {
    writer.key("physicalLocation").object().key("artifactLocation").object();
    writer.key("uri").string(&uri(&place.file)).end_object();
    if let Some(line) = place.line {
        writer.key("region").object().key("startLine").number(u64::from(line)).end_object();
    }
    writer.end_object();
}

/// A file as a URI: relative as it was named, with everything else encoded.
fn uri(file: &str) -> String {
    let file = file.replace('\\', "/");
    let mut file = file.as_str();
    while let Some(rest) = file.strip_prefix("./") {
        file = rest;
    }
    let mut out = String::new();
    if file.starts_with('/') {
        out.push_str("file://");
    }
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn a_file_name_is_a_uri_and_nothing_more() {
        assert_eq!(uri("./a b/ü.jsonl"), "a%20b/%C3%BC.jsonl");
        assert_eq!(uri("/var/t.json"), "file:///var/t.json");
        assert_eq!(uri("javascript:x?y#z"), "javascript%3Ax%3Fy%23z");
        assert_eq!(uri("t\n.json"), "t%0A.json");
    }
}
