//! One run, recorded in the formats of several frameworks: every recording must show the same
//! findings, or say that it lacks what a rule needs.
//!
//! The recordings stand in the corpus, under `_scripted`. Without them this step says so and passes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, check};
use lawbook_event::What;
use lawbook_trace::{Limits, Readings, Source, read};

use super::corpus;
use crate::repo::Repo;
use crate::report::Report;

/// A policy that finds something in each run, by rules of several kinds.
const POLICY: &str = r"
lawbook: 1
default: allow
tools:
  calculate: {access: read}
rules:
  - {id: found-first, require_before: {tools: [get_order_details], first: [get_user_details], success: true}}
  - {id: say-yes, confirm: {tools: [exchange_delivered_order_items, modify_pending_order_items, cancel_pending_order, return_delivered_order_items]}}
  - {id: once, at_most: {tools: [get_product_details, get_order_details], max: 1, successes: true}}
  - {id: no-look-up, never: {tools: [find_user_id_by_name_zip]}}
  - {id: short, arg_size: {tools: [get_user_details], max_chars: 10}}
";

/// The names of the runs, as files are called after them.
const RUNS: [&str; 5] = ["task0-par", "task0-seq", "task35-seq", "task46-par", "task64-seq"];

/// Which call of which tool.
type Place = (String, usize);

/// What one recording shows.
#[derive(Default)]
struct Shown {
    /// Its calls. A run that broke off in one framework has fewer than elsewhere.
    calls: BTreeSet<Place>,
    /// The call, and the rule.
    findings: BTreeSet<(Place, String)>,
    /// The rules that could not be told somewhere.
    unknown: BTreeSet<String>,
}

/// Compares the recordings of every run.
pub fn compare(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let Some(root) = corpus::place(repo).map(|it| it.join("_scripted")).filter(|it| it.is_dir())
    else {
        report.skip("one run in several formats: the corpus is not beside the repository");
        return Ok(());
    };
    let loaded = load("same_run.yaml", POLICY.as_bytes(), &Options::default());
    let policy = loaded.policy.ok_or_else(|| format!("{:?}", loaded.problems))?;
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut files = Vec::new();
    list(&root, &mut files)?;
    let (mut alike, mut lacking, mut differing) = (0_u64, 0_u64, 0_u64);
    for run in RUNS {
        let of_run = files.iter().filter(|it| it.to_string_lossy().contains(run));
        let shown: BTreeMap<&PathBuf, Shown> =
            of_run.map(|path| Ok((path, shown(&engine, path)?))).collect::<Result<_, String>>()?;
        let most = shown.values().map(|it| &it.findings).max_by_key(|it| it.len());
        let most = most.cloned().unwrap_or_default();
        if most.is_empty() {
            return Err(format!("{run}: nothing was found in any format"));
        }
        for (path, one) in shown.iter().filter(|it| !it.1.calls.is_empty()) {
            let name = path.strip_prefix(&root).unwrap_or(path).display();
            let more: Vec<_> = one.findings.difference(&most).collect();
            let less = most.difference(&one.findings).filter(|it| one.calls.contains(&it.0));
            let silent: Vec<_> = less.filter(|it| !one.unknown.contains(&it.1)).collect();
            if !more.is_empty() || !silent.is_empty() {
                println!("{name}: more than elsewhere: {more:?}; less, and silent: {silent:?}");
                differing += 1;
            } else if one.unknown.is_empty() {
                alike += 1;
            } else {
                lacking += 1;
            }
        }
    }
    println!("{alike} recordings show the same findings, {lacking} the same or unknown");
    report.count(alike + lacking, differing);
    Ok(())
}

/// Every file of a folder and those in it.
fn list(folder: &Path, out: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        if path.is_dir() {
            list(&path, out)?;
        } else {
            out.push(path);
        }
    }
    out.sort();
    Ok(())
}

fn shown(engine: &Engine, path: &Path) -> Result<Shown, String> {
    let bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let source = Source::new(path.to_string_lossy());
    let mut shown = Shown::default();
    read(&bytes, None, Readings::FULL, &source, &Limits::default(), &mut |session| {
        let mut nth: BTreeMap<String, usize> = BTreeMap::new();
        let mut places = BTreeMap::new();
        for event in &session.events {
            if let What::Call(call) = &event.what {
                let count = nth.entry(call.tool.to_string()).or_default();
                *count += 1;
                places.insert(call.step, (call.tool.to_string(), *count));
                shown.calls.insert((call.tool.to_string(), *count));
            }
        }
        let checked = check(engine, &session.events);
        for finding in &checked.findings {
            if let Some((tool, nth)) = finding.step.and_then(|it| places.get(&it)) {
                shown.findings.insert(((tool.clone(), *nth), finding.rule.to_string()));
            }
        }
        shown.unknown.extend(checked.unknowns.iter().map(|it| it.rule.to_string()));
    });
    Ok(shown)
}
