//! Recorded sessions of Claude Code through its hooks: each call is answered as a check of the
//! recording judges it at the time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use lawbook::{Options as DoorOptions, Time};
use lawbook_bridge::{Around, Door, OnError, Store, named};
use lawbook_dialect::{Options, load};
use lawbook_engine::{Engine, live};
use lawbook_event::What;
use lawbook_trace::{Limits, Source, read};

use super::corpus;
use crate::repo::Repo;
use crate::report::Report;

#[path = "../../../crates/bridge/tests/replay/session.rs"]
mod session;

/// Where the recordings stand in the corpus.
const FOLDER: &str = "claude-code";

/// Rules that look back, and rules that don't.
const POLICY: &str = "
lawbook: 1
default: allow
denied_patterns: []
rules:
  - {id: edits, at_most: {tools: [Edit, MultiEdit, Write], max: 5}}
  - {id: commands, verdict: ask, at_most: {tools: [Bash], max: 10}}
  - {id: same-file, at_most: {tools: [Read], max: 1, per: file_path}}
  - {id: no-web, never: {tools: [WebFetch, WebSearch]}}
  - {id: no-force, arg_never_matches: {tools: [Bash], arg: command, pattern: '--force'}}
";

/// Sends every recording through the hooks.
pub fn compare(repo: &Repo, under: &str, report: &mut Report) -> Result<(), String> {
    let Some(folder) = corpus::place(repo).map(|it| it.join(FOLDER)) else {
        report.skip("the hooks: recordings of Claude Code stand in the corpus, which is not here");
        return Ok(());
    };
    if !FOLDER.starts_with(under) && !under.starts_with(FOLDER) {
        return Ok(());
    }
    let entries = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|it| Some(it.ok()?.path())).collect();
    files.sort();
    let (mut same, mut wrong) = (0, Vec::new());
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let checked = checked(&text)?;
        for (id, verdict) in answered(repo, &text)? {
            match checked.get(&id) {
                Some(wanted) if *wanted == verdict => same += 1,
                wanted => {
                    let name = file.file_name().unwrap_or_default().to_string_lossy();
                    wrong.push(format!("{name} {id}: {verdict}, and a check says {wanted:?}"));
                }
            }
        }
    }
    report.count(same, wrong.len() as u64);
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// What a check says of each call at the time.
fn checked(text: &str) -> Result<BTreeMap<String, String>, String> {
    let loaded = load("hooks.yaml", POLICY.as_bytes(), &Options::default());
    let policy = loaded.policy.ok_or_else(|| format!("{:?}", loaded.problems))?;
    let engine = Engine::new(vec![Arc::new(policy)], None);
    let mut out = BTreeMap::new();
    let (source, limits) = (Source::new("recording"), Limits::default());
    let wanted = Default::default();
    read(text.as_bytes(), None, wanted, &source, &limits, &mut |it| {
        live(&engine, &it.events, |event, judgement| {
            if let What::Call(call) = &event.what
                && let Some(id) = &call.id
            {
                let id = id.clone().into_owned();
                out.entry(id).or_insert_with(|| judgement.verdict.word().to_owned());
            }
            true
        });
    });
    Ok(out)
}

/// What the hooks answer for each call.
fn answered(repo: &Repo, text: &str) -> Result<Vec<(String, &'static str)>, String> {
    let folder = repo.target().join("peers").join("hooks");
    if Path::new(&folder).exists() {
        fs::remove_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let door = Door {
        policy: DoorOptions::new().texts([("hooks.yaml", POLICY)]),
        store: Some(Store::at(&folder)),
        auto_allow: false,
        unattended: false,
        on_error: OnError::Deny,
        mask: lawbook::Mask::default(),
        around: Around::default(),
    };
    let host = named("claude-code").ok_or("there is no host `claude-code`")?;
    let mut out = Vec::new();
    for (place, (id, input)) in session::inputs(text).into_iter().enumerate() {
        let now = Time { nanos: i64::try_from(place).unwrap_or(i64::MAX) };
        let answer = door.answer(host, input.to_string().as_bytes(), now);
        out.extend(id.map(|id| (id, session::verdict(&answer.stdout))));
    }
    Ok(out)
}
