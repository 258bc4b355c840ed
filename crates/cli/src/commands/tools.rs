//! `lawbook tools`: the tools that traces call, how often, and whether a policy lists them.

mod guess;

use std::collections::{BTreeMap, BTreeSet};

use clap::Args;
use lawbook_diag::Problem;
use lawbook_event::What;
use lawbook_report::{quote, shown};
use lawbook_rule::{Access, Profile};
use lawbook_trace::Session;

use crate::commands::rule::written;
use crate::commands::{Format, check, stopped};
use crate::exit::Exit;
use crate::input::{Inputs, each, list};
use crate::masking;
use crate::policies::{Policies, PolicyArgs};
use crate::print::counted;

pub use guess::Guess;

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
#[derive(Clone, Copy, Default)]
struct Seen {
    calls: u64,
    traces: u64,
}

/// What was seen of all tools.
#[derive(Default)]
struct Tools {
    seen: BTreeMap<String, Seen>,
    traces: u64,
    /// Traces with at least one call.
    with_calls: u64,
    unreadable: usize,
    /// The tools that the policies list, and what they say of them. None without a policy.
    listed: Option<BTreeMap<String, Option<Access>>>,
    guess: Guess,
}

/// What a call without a tool's name is listed under.
const NAMELESS: &str = "(no name)";

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
    let mut tools =
        Tools { listed: listed(&policies), guess: Guess::of(&policies), ..Tools::default() };
    missing.iter().for_each(|it| tools.problem(it));
    each(Inputs::new(places, forced), |read| match read {
        Ok(session) => tools.session(session),
        Err(problem) => tools.problem(&problem),
    });
    Ok(tools)
}

/// The tools that policies list. A policy that has no place for them says nothing.
fn listed(policies: &Policies) -> Option<BTreeMap<String, Option<Access>>> {
    let all = policies.layers.iter().flat_map(|it| it.tools.clone());
    let says = |it: &std::sync::Arc<lawbook_rule::Policy>| {
        it.profile == Profile::Native || it.dialect == "pmstack" || !it.tools.is_empty()
    };
    policies.layers.iter().any(says).then(|| all.collect())
}

impl Tools {
    /// Takes in what could not be read.
    fn problem(&mut self, problem: &Problem) {
        self.unreadable = self.unreadable.saturating_add(1);
        crate::print::error(problem);
    }

    fn session(&mut self, session: &Session<'_>) {
        let mut here = BTreeSet::new();
        for event in &session.events {
            if let What::Call(call) = &event.what {
                let tool = if call.tool.is_empty() { NAMELESS } else { &*call.tool };
                let seen = self.seen.entry(tool.to_owned()).or_default();
                seen.calls = seen.calls.saturating_add(1);
                if here.insert(tool) {
                    seen.traces = seen.traces.saturating_add(1);
                }
            }
        }
        self.traces = self.traces.saturating_add(1);
        self.with_calls = self.with_calls.saturating_add(u64::from(!here.is_empty()));
    }

    fn calls(&self) -> u64 {
        self.seen.values().map(|it| it.calls).sum()
    }

    /// Every tool that was called, the most called first, then those that are only listed.
    fn rows(&self) -> Vec<(&str, Seen)> {
        let mut rows: Vec<(&str, Seen)> = self.seen.iter().map(|it| (&**it.0, *it.1)).collect();
        rows.sort_by_key(|it| std::cmp::Reverse(it.1.calls));
        let listed = self.listed.iter().flatten().map(|it| &**it.0);
        rows.extend(
            listed.filter(|it| !self.seen.contains_key(*it)).map(|it| (it, Seen::default())),
        );
        rows
    }

    fn text(&self) -> String {
        let calls = self.calls();
        let mut out = String::new();
        if calls > 0 {
            out.push_str(&self.table());
            out.push('\n');
        }
        out.push_str(&format!(
            "{}, {} in {} of {}\n",
            counted(self.seen.len(), "tool"),
            counted(calls, "call"),
            self.with_calls,
            counted(self.traces, "trace"),
        ));
        if calls == 0 {
            out.push_str(
                "these traces hold no calls, so no rule about tools can be judged on them: record \
                 tool calls first\n",
            );
        } else {
            out.push_str(&format!("a question mark means a guess by {}\n", self.guess.words()));
        }
        out
    }

    fn table(&self) -> String {
        let mut rows = vec![["tool", "calls", "traces", "access", "policy"].map(str::to_owned)];
        for (tool, seen) in self.rows() {
            let (calls, traces) = (seen.calls.to_string(), seen.traces.to_string());
            let status = self.status(tool, seen).to_owned();
            rows.push([
                shown(&masking::text(tool)).into_owned(),
                calls,
                traces,
                self.access(tool),
                status,
            ]);
        }
        let width = |cell: usize| {
            let cells = rows.iter().filter_map(|it| it.get(cell));
            cells.map(|it| it.chars().count()).max().unwrap_or(0)
        };
        let (a, b, c, d) = (width(0), width(1), width(2), width(3));
        let line = |[tool, calls, traces, access, status]: &[String; 5]| {
            let line = format!("{tool:a$}  {calls:>b$}  {traces:>c$}  {access:d$}  {status}");
            format!("{}\n", line.trim_end())
        };
        rows.iter().map(line).collect()
    }

    /// What a policy says of a tool.
    fn known(&self, tool: &str) -> Option<Access> {
        self.listed.as_ref().and_then(|it| it.get(tool)).copied().flatten()
    }

    fn access(&self, tool: &str) -> String {
        match self.known(tool) {
            Some(access) => access.word().to_owned(),
            None => format!("{}?", self.guess.access(tool).word()),
        }
    }

    fn status(&self, tool: &str, seen: Seen) -> &'static str {
        match &self.listed {
            None => "",
            Some(listed) if !listed.contains_key(tool) => "not listed",
            Some(_) if seen.calls == 0 => "listed, never called",
            Some(_) => "listed",
        }
    }

    fn json(&self) -> String {
        let one = |(tool, seen): (&str, Seen)| {
            let known = self.known(tool);
            let listed = self.listed.as_ref().map(|it| it.contains_key(tool));
            format!(
                "{{\"tool\":{},\"calls\":{},\"traces\":{},\"access\":{},\"guessed\":{},\
                 \"listed\":{}}}",
                quote(&masking::text(tool)),
                seen.calls,
                seen.traces,
                quote(known.unwrap_or_else(|| self.guess.access(tool)).word()),
                known.is_none(),
                listed.map_or("null".to_owned(), |it| it.to_string()),
            )
        };
        let tools: Vec<String> = self.rows().into_iter().map(one).collect();
        format!(
            "{{\"schema\":\"lawbook.tools/1\",\"tools\":[{}],\"summary\":{{\"traces\":{},\
             \"with_calls\":{},\"calls\":{},\"unreadable\":{}}}}}\n",
            tools.join(","),
            self.traces,
            self.with_calls,
            self.calls(),
            self.unreadable,
        )
    }
}
