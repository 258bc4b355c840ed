//! `lawbook hook answers`: rules that would have spared a person the questions they said yes to.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lawbook_bridge::{HOSTS, Host, Record, Store};
use lawbook_diag::Problem;
use lawbook_event::EXACT;
use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_rule::{command_arguments, runs_commands};
use lawbook_shell::{Arity, Rules, Shell, World, analyse, judge};

use super::answer::home;
use super::host;
use crate::commands::rule::written;
use crate::commands::shell::rules;
use crate::commands::stopped;
use crate::exit::Exit;
use crate::masking;
use crate::policies::{Otherwise, PolicyArgs, Selection};

/// Propose rules for commands that a person said yes to. Nothing is written.
#[derive(Debug, Args)]
pub struct AnswersArgs {
    /// The coding agent; all of them if left out
    #[arg(value_name = "HOST")]
    pub host: Option<String>,
    #[command(flatten)]
    pub policies: PolicyArgs,
    /// The folder that sessions are kept in
    #[arg(long, value_name = "FOLDER", env = "LAWBOOK_STORE", hide_env = true)]
    pub store: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &AnswersArgs) -> Exit {
    match proposed(args) {
        Ok(text) => written(&text),
        Err(problems) => stopped(&problems),
    }
}

fn proposed(args: &AnswersArgs) -> Result<String, Vec<Problem>> {
    let policies = args.policies.load(&Selection::default(), Otherwise::Nothing)?;
    let mut known: Vec<&Rules> = rules(&policies, Shell::Bash).into_iter().map(|it| it.1).collect();
    let mut arity = Arity::known().clone();
    for rule in policies.layers.iter().flat_map(|it| &it.rules) {
        if let Some(own) = rule.body.arity() {
            arity = arity.with(own);
        }
    }
    let nothing = Rules::default();
    if known.is_empty() {
        known.push(&nothing);
    }
    let hosts = match &args.host {
        Some(name) => vec![host(name).map_err(|it| vec![it])?],
        None => HOSTS.to_vec(),
    };
    let Some(root) = args.store.clone().or_else(home) else {
        let problem = Problem::new("hook", "no_store", "there is no folder of sessions");
        return Err(vec![problem.help("name one with `--store`")]);
    };
    let (mut counts, mut yes, mut bare) = (BTreeMap::<String, u64>::new(), 0_u64, 0_u64);
    for (command, cwd) in hosts.into_iter().flat_map(|it| confirmed(it, &root)) {
        yes = yes.saturating_add(1);
        let cwd = cwd.as_deref();
        let world = World { shell: Shell::Bash, cwd, workspace: cwd, home: None };
        let analysis = analyse(&command, &world);
        let each = known.iter().map(|it| arity.suggest(&analysis, &judge(&analysis, it, &world)));
        // A rule with a secret in it belongs in no policy.
        let rules: Vec<String> = each.flatten().filter(|it| !masking::mask().changes(it)).collect();
        bare = bare.saturating_add(u64::from(rules.is_empty()));
        for rule in rules {
            let count = counts.entry(rule).or_default();
            *count = count.saturating_add(1);
        }
    }
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(text(&counts, yes, bare))
}

/// The commands that a person said yes to, with the folder that their session works in.
fn confirmed(host: &dyn Host, root: &std::path::Path) -> Vec<(String, Option<String>)> {
    let folder = root.join(host.name());
    let files = Store::at(root.to_owned()).files();
    let mut out = Vec::new();
    for file in files.into_iter().filter(|it| it.starts_with(&folder)) {
        let (mut calls, mut cwd) = (BTreeMap::new(), None);
        for (_, record) in Store::records(&file) {
            match record {
                Record::Start { cwd: folder, .. } => cwd = folder,
                Record::Call { id, tool, args: Some(args), .. } if runs_commands(&tool) => {
                    calls.insert(id, args);
                }
                Record::Approval { id } => {
                    let command = calls.get(&id).and_then(|it| command(it));
                    out.extend(command.map(|it| (it, cwd.clone())));
                }
                _ => {}
            }
        }
    }
    out
}

fn command(args: &str) -> Option<String> {
    let document = Document::parse(args, Grammar::Strict, &Limits::DEFAULT).ok()?;
    let found = command_arguments().iter().find_map(|it| EXACT.path(document.root(), it));
    found?.as_str().map(str::to_owned)
}

fn text(counts: &[(String, u64)], yes: u64, bare: u64) -> String {
    if yes == 0 {
        return "no command was asked about and said yes to in the sessions that are kept\n"
            .to_owned();
    }
    let mut out = format!("{yes} commands were said yes to\n");
    if !counts.is_empty() {
        out.push_str("rules that would have spared the question, under `allow`:\n");
    }
    for (rule, count) in counts {
        out.push_str(&format!("  - {rule}  # {count} times\n"));
    }
    if bare > 0 {
        out.push_str(&format!(
            "{bare} of them are better asked about each time: they run what they are given, write \
             where no rule lets them, or were meant to be asked about\n"
        ));
    }
    out
}
