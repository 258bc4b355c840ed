//! `lawbook tools`: the tools that traces call, how often, and whether a policy lists them.

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::What;
use lawbook_report::{quote, shown};
use lawbook_rule::{Access, Profile};

use crate::commands::rule::written;
use crate::commands::{Format, check, stopped};
use crate::exit::Exit;
use crate::input::{Inputs, each, list};
use crate::policies::{Policies, PolicyArgs};
use crate::print::counted;

/// List the tools that traces call.
#[derive(Debug, Args)]
pub struct ToolsArgs {
    /// Trace files, globs, or `-` for standard input
    #[arg(required = true, value_name = "TRACES")]
    pub traces: Vec<String>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// The format of the traces, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_TRACE_FORMAT", hide_env = true)]
    pub trace_format: Option<String>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// What was seen of one tool.
#[derive(Default)]
struct Seen {
    calls: u64,
    sessions: u64,
}

/// What was seen of all tools.
#[derive(Default)]
struct Tools {
    seen: BTreeMap<String, Seen>,
    sessions: u64,
    unreadable: usize,
    /// The tools that the policies list, and what they say of them. None without a policy.
    listed: Option<BTreeMap<String, Option<Access>>>,
}

/// Runs the command.
pub fn run(args: &ToolsArgs) -> Exit {
    match gather(args) {
        Ok(tools) => {
            let printed = match args.format {
                Format::Text => written(&tools.text()),
                Format::Json => written(&tools.json()),
            };
            let unread = if tools.unreadable > 0 { Exit::Unusable } else { Exit::Clean };
            printed.max(unread)
        }
        Err(problems) => stopped(&problems),
    }
}

fn gather(args: &ToolsArgs) -> Result<Tools, Vec<Problem>> {
    let forced = check::reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    let (places, missing) = list(&args.traces, false)?;
    let policies = args.policies.beside(&args.traces)?;
    policies.say_where();
    let mut tools = Tools { listed: listed(&policies), ..Tools::default() };
    missing.iter().for_each(|it| tools.problem(it));
    each(Inputs::new(places, forced), |read| match read {
        Ok(session) => {
            tools.sessions = tools.sessions.saturating_add(1);
            let mut here = BTreeSet::new();
            for event in &session.events {
                if let What::Call(call) = &event.what {
                    let seen = tools.seen.entry(call.tool.to_string()).or_default();
                    seen.calls = seen.calls.saturating_add(1);
                    here.insert(call.tool.to_string());
                }
            }
            for tool in here {
                let seen = tools.seen.entry(tool).or_default();
                seen.sessions = seen.sessions.saturating_add(1);
            }
        }
        Err(problem) => tools.problem(&problem),
    });
    Ok(tools)
}

/// The tools that policies list. A policy that has no place for them says nothing.
fn listed(policies: &Policies) -> Option<BTreeMap<String, Option<Access>>> {
    let all = policies.layers.iter().flat_map(|it| it.tools.clone());
    let says = |it: &std::sync::Arc<lawbook_rule::Policy>| {
        it.profile == Profile::Native || !it.tools.is_empty()
    };
    policies.layers.iter().any(says).then(|| all.collect())
}

impl Tools {
    /// Takes in what could not be read.
    fn problem(&mut self, problem: &Problem) {
        self.unreadable = self.unreadable.saturating_add(1);
        crate::print::error(problem);
    }

    fn text(&self) -> String {
        let calls: u64 = self.seen.values().map(|it| it.calls).sum();
        let mut out = String::new();
        if calls > 0 {
            out.push_str(&self.table());
            out.push('\n');
        }
        out.push_str(&format!(
            "{}, {} in {}\n",
            counted(self.seen.len(), "tool"),
            counted(calls, "call"),
            counted(self.sessions, "session"),
        ));
        if calls == 0 {
            out.push_str(
                "these traces hold no calls, so no rule about tools can be judged on them: record \
                 tool calls first\n",
            );
        } else {
            out.push_str("`read` and `write` with a question mark are guesses by name\n");
        }
        out
    }

    fn table(&self) -> String {
        let mut rows = vec![["tool", "calls", "sessions", "access", "policy"].map(str::to_owned)];
        let unseen = self.listed.iter().flatten().filter(|it| !self.seen.contains_key(it.0));
        for (tool, seen) in &self.seen {
            rows.push([
                shown(tool).into_owned(),
                seen.calls.to_string(),
                seen.sessions.to_string(),
                self.access(tool),
                self.status(tool).to_owned(),
            ]);
        }
        for (tool, _) in unseen {
            let zero = || "0".to_owned();
            let status = "listed, never called".to_owned();
            rows.push([shown(tool).into_owned(), zero(), zero(), self.access(tool), status]);
        }
        let width = |cell: usize| {
            let cells = rows.iter().filter_map(|it| it.get(cell));
            cells.map(|it| it.chars().count()).max().unwrap_or(0)
        };
        let (a, b, c, d) = (width(0), width(1), width(2), width(3));
        let line = |[tool, calls, sessions, access, status]: &[String; 5]| {
            let line = format!("{tool:a$}  {calls:>b$}  {sessions:>c$}  {access:d$}  {status}");
            format!("{}\n", line.trim_end())
        };
        rows.iter().map(line).collect()
    }

    fn access(&self, tool: &str) -> String {
        match self.listed.as_ref().and_then(|it| it.get(tool)) {
            Some(Some(access)) => access.word().to_owned(),
            _ => format!("{}?", guess(tool).word()),
        }
    }

    fn status(&self, tool: &str) -> &'static str {
        match &self.listed {
            None => "",
            Some(listed) if listed.contains_key(tool) => "listed",
            Some(_) => "not listed",
        }
    }

    fn json(&self) -> String {
        let one = |tool: &str, seen: &Seen| {
            let known = self.listed.as_ref().and_then(|it| it.get(tool)).copied().flatten();
            let listed = self.listed.as_ref().map(|it| it.contains_key(tool));
            format!(
                "{{\"tool\":{},\"calls\":{},\"sessions\":{},\"access\":{},\"guessed\":{},\
                 \"listed\":{}}}",
                quote(tool),
                seen.calls,
                seen.sessions,
                quote(known.unwrap_or_else(|| guess(tool)).word()),
                known.is_none(),
                listed.map_or("null".to_owned(), |it| it.to_string()),
            )
        };
        let unseen = self.listed.iter().flatten().filter(|it| !self.seen.contains_key(it.0));
        let tools: Vec<String> = self
            .seen
            .iter()
            .map(|(tool, seen)| one(tool, seen))
            .chain(unseen.map(|it| one(it.0, &Seen::default())))
            .collect();
        let calls: u64 = self.seen.values().map(|it| it.calls).sum();
        format!(
            "{{\"schema\":\"lawbook.tools/1\",\"tools\":[{}],\"summary\":{{\"sessions\":{},\
             \"calls\":{calls},\"unreadable\":{}}}}}\n",
            tools.join(","),
            self.sessions,
            self.unreadable,
        )
    }
}

/// The words by which a name says that a tool only looks.
const READING: &[&str] = &[
    "check",
    "count",
    "describe",
    "fetch",
    "find",
    "get",
    "head",
    "list",
    "load",
    "lookup",
    "look",
    "peek",
    "query",
    "read",
    "retrieve",
    "search",
    "select",
    "show",
    "status",
    "view",
    "calculate",
    "compute",
    "verify",
    "validate",
    "think",
    "cat",
    "grep",
    "glob",
    "ls",
];

/// Whether a tool reads or writes, by the words in its name. What is not known to read writes.
pub fn guess(tool: &str) -> Access {
    let name = tool.rsplit([':', '/', '.']).next().unwrap_or(tool);
    let name = name.rsplit_once("__").map_or(name, |it| it.1);
    let mut word = String::new();
    for c in name.chars() {
        let ends = word.ends_with(char::is_lowercase) && c.is_uppercase();
        if !word.is_empty() && (ends || !c.is_alphanumeric()) {
            break;
        }
        if c.is_alphanumeric() {
            word.push(c);
        }
    }
    let word = word.to_lowercase();
    if READING.contains(&word.as_str()) { Access::Read } else { Access::Write }
}

#[cfg(test)]
mod tests {
    use super::guess;
    use lawbook_rule::Access;

    #[test]
    fn the_first_word_of_a_name_says_what_a_tool_does() {
        for tool in
            ["get_order", "listUsers", "mcp__shop__find_item", "shop.lookup_account", "Read"]
        {
            assert_eq!(guess(tool), Access::Read, "{tool}");
        }
        for tool in ["issue_credit", "set_list", "getaway", "transfer", ""] {
            assert_eq!(guess(tool), Access::Write, "{tool}");
        }
    }
}
