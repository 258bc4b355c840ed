//! What waits and what was decided, for people and for programs.

use lawbook::agent::{Decision, Waiting};
use lawbook_event::json::Writer;
use lawbook_report::{quote, shown};

use crate::moment;
use crate::print::counted;

/// The schema of the queue.
const QUEUE: &str = "lawbook.approvals/1";
/// The schema of a decision.
const DECISION: &str = "lawbook.approval/1";

/// Everything that waits.
pub fn queue(waiting: &[Waiting]) -> String {
    if waiting.is_empty() {
        return "nothing waits\n".to_owned();
    }
    let items: Vec<String> = waiting.iter().map(item).collect();
    let count = counted(u64::try_from(waiting.len()).unwrap_or(u64::MAX), "action");
    format!("{}{count} waiting\n", items.join(""))
}

/// One action, whole: what a yes would cover.
pub fn item(it: &Waiting) -> String {
    let mut out = format!("{} {}: {}", shown(&it.agent), it.action, shown(&it.tool));
    if let Some(server) = &it.server {
        out.push_str(&format!(" of {}", shown(server)));
    }
    if let Some(session) = &it.session {
        out.push_str(&format!(", in {}", shown(session)));
    }
    out.push('\n');
    let mut row = |name: &str, value: &str| out.push_str(&format!("  {name:<10} {value}\n"));
    match &it.args {
        Some(args) => {
            row("arguments", &shown(args));
            row("", &counted(u64::try_from(args.len()).unwrap_or(u64::MAX), "byte"));
        }
        None => row("arguments", "erased, so nobody can say yes"),
    }
    row("cost", &counted(it.cost, "credit"));
    row("asked by", &it.rules.iter().map(|rule| shown(rule)).collect::<Vec<_>>().join(", "));
    row("since", &moment::text(it.since));
    if let Some(expires) = it.expires {
        row("until", &moment::text(expires));
    }
    if it.people > 1 {
        let said: Vec<_> = it.approved_by.iter().map(|by| shown(by)).collect();
        row("people", &format!("{} of {}: {}", said.len(), it.people, said.join(", ")));
    }
    if let Some(binding) = &it.binding {
        row("digest", binding);
    }
    out
}

/// The queue as JSON.
pub fn queue_json(waiting: &[Waiting]) -> String {
    let mut writer = Writer::new();
    writer.object().key("schema").string(QUEUE).key("waiting").array();
    for it in waiting {
        writer.object().key("agent").raw(&quote(&it.agent)).key("action").string(&it.action);
        text(&mut writer, "session", it.session.as_deref());
        text(&mut writer, "server", it.server.as_deref());
        writer.key("tool").raw(&quote(&it.tool));
        text(&mut writer, "args", it.args.as_deref());
        writer.key("cost").number(it.cost).key("since").string(&moment::text(it.since));
        text(&mut writer, "expires", it.expires.map(moment::text).as_deref());
        writer.key("people").number(u64::from(it.people));
        list(&mut writer, "approved_by", &it.approved_by);
        list(&mut writer, "rules", &it.rules);
        text(&mut writer, "binding", it.binding.as_deref());
        writer.end_object();
    }
    writer.end_array().end_object();
    let mut out = writer.finish();
    out.push('\n');
    out
}

/// What was decided, in a line.
pub fn decision(decision: &Decision) -> String {
    let action = decision.action_id();
    match decision {
        Decision::Allowed { cost, remaining, .. } => {
            let left = remaining.map_or(String::new(), |it| format!(", {it} left"));
            format!("{action} may run now: it costs {}{left}\n", counted(*cost, "credit"))
        }
        Decision::Pending { reply, .. } => {
            let people = reply.people_missing;
            let who = if people == 1 { "person" } else { "people" };
            format!("{action} still waits: {people} more {who} must say yes\n")
        }
        Decision::Denied { code, reply, .. } => {
            let why = reply.findings.iter().find(|it| it.counts);
            let why = why.map_or(String::new(), |it| format!(": {}", shown(&it.message)));
            format!("{action} may not run ({}){why}\n", shown(code))
        }
    }
}

/// The same as JSON.
pub fn decision_json(decision: &Decision) -> String {
    let reply = decision.reply();
    let mut writer = Writer::new();
    writer.object().key("schema").string(DECISION).key("action").string(&reply.action);
    writer.key("verdict").string(reply.verdict.word()).key("status").string(reply.status.word());
    list(&mut writer, "rules", &reply.rules);
    writer.key("cost").number(reply.cost).key("people_missing");
    writer.number(u64::from(reply.people_missing)).key("remaining");
    match reply.standing.remaining {
        Some(remaining) => writer.number(remaining),
        None => writer.null(),
    };
    writer.end_object();
    let mut out = writer.finish();
    out.push('\n');
    out
}

fn text(writer: &mut Writer, key: &str, text: Option<&str>) {
    writer.key(key);
    match text {
        Some(text) => writer.raw(&quote(text)),
        None => writer.null(),
    };
}

fn list(writer: &mut Writer, key: &str, texts: &[String]) {
    writer.key(key).array();
    for text in texts {
        writer.raw(&quote(text));
    }
    writer.end_array();
}
