//! `lawbook hook status`: whether hooks are set up as they were, and how often they ask.

use std::path::{Path, PathBuf};

use clap::Args;
use lawbook::Verdict;
use lawbook_bridge::{Failing, HOSTS, Host, Record, Store};
use lawbook_diag::Problem;

use super::answer::home;
use super::settings::has;
use super::setup::{Installed, Scope, digest, read};
use super::{host, switches};
use crate::commands::rule::written;
use crate::commands::stopped;
use crate::exit::Exit;

/// Say whether the hooks of coding agents are set up as they were, and how often they ask.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The coding agent; all of them if left out
    #[arg(value_name = "HOST")]
    pub host: Option<String>,
    #[command(flatten)]
    pub scope: Scope,
    /// The folder that sessions are kept in
    #[arg(long, value_name = "FOLDER", env = "LAWBOOK_STORE", hide_env = true)]
    pub store: Option<PathBuf>,
}

/// Runs the command: 0 where all that is set up is as it was, 1 where something changed.
pub fn run(args: &StatusArgs) -> Exit {
    match status(args) {
        Ok((text, true)) => written(&text),
        Ok((text, false)) => written(&text).max(Exit::Found),
        Err(problem) => stopped(&[problem]),
    }
}

fn status(args: &StatusArgs) -> Result<(String, bool), Problem> {
    let hosts = match &args.host {
        Some(name) => vec![host(name)?],
        None => HOSTS.to_vec(),
    };
    let mut out = String::new();
    let mut same = true;
    for host in hosts {
        out.push_str(&format!("{}\n", host.title()));
        match about(host, args, &mut out) {
            Ok(it) => same &= it,
            Err(problem) if args.host.is_some() => return Err(problem),
            Err(problem) => out.push_str(&format!("  {}\n", problem.message)),
        }
    }
    Ok((out, same))
}

fn about(host: &dyn Host, args: &StatusArgs, out: &mut String) -> Result<bool, Problem> {
    let named = args.scope.is_named();
    let files = match named {
        true => vec![args.scope.file(host)?],
        false => Scope::every(host),
    };
    let mut same = true;
    let mut nowhere = Vec::new();
    for file in &files {
        match in_file(host, args, file, out)? {
            Some(it) => same &= it,
            None => nowhere.push(file.display().to_string()),
        }
    }
    let mut say = |line: String| out.push_str(&format!("  {line}\n"));
    if nowhere.len() == files.len() {
        say(format!("not set up in {}", nowhere.join(", ")));
    } else if let Some(file) = files.first() {
        for off in switches::off(host, file) {
            same = false;
            say(format!("OFF: {off}"));
        }
    }
    say(match host.failing() {
        Failing::Opens => "fails open: a hook that takes too long lets the call run".to_owned(),
        Failing::Blocks { since } => format!("fails closed, {since}"),
    });
    let asks = host.abilities().iter().any(|it| it.asks);
    say(match asks {
        true => "asks a person in some modes; elsewhere what needs one is denied".to_owned(),
        false => "asks nobody: what needs a person is denied".to_owned(),
    });
    say(rate(host, args));
    Ok(same)
}

/// How the hooks in one settings file are; none where there are none and never were.
fn in_file(
    host: &dyn Host,
    args: &StatusArgs,
    file: &Path,
    out: &mut String,
) -> Result<Option<bool>, Problem> {
    let mut say = |line: String| out.push_str(&format!("  {line}\n"));
    let text = read(file)?.unwrap_or_default();
    let shown = file.display();
    let place = Installed::place(args.store.as_deref(), file);
    let installed = place.as_deref().and_then(Installed::read).filter(|it| it.host == host.name());
    let mut same = true;
    match (has(&text, host.name()), &installed) {
        (false, None) => return Ok(None),
        (false, Some(_)) => {
            same = false;
            say(format!("CHANGED: the hooks are gone from {shown}"));
        }
        (true, None) => say(format!("set up in {shown}, not by this user or not into this store")),
        (true, Some(installed)) => {
            say(format!("set up in {shown}"));
            let settings = lawbook::digest(text.as_bytes());
            let mut compare = |what: &str, path: &str, was: &str, now: Option<&str>| {
                let line = match now {
                    Some(now) if now == was => format!("{what} {path}: as it was"),
                    Some(_) => format!("CHANGED: {what} {path}"),
                    None => format!("GONE: {what} {path}"),
                };
                same &= now == Some(was);
                say(line);
            };
            compare("settings", &shown.to_string(), &installed.settings, Some(&settings));
            let (binary, was) = &installed.binary;
            compare("program", binary, was, digest(Path::new(binary)).as_deref());
            for (policy, was) in &installed.policies {
                compare("policy", policy, was, digest(Path::new(policy)).as_deref());
            }
        }
    }
    Ok(Some(same))
}

/// How many calls were asked about, of all that are still kept.
fn rate(host: &dyn Host, args: &StatusArgs) -> String {
    let Some(root) = args.store.clone().or_else(home) else { return "no store".to_owned() };
    let folder = root.join(host.name());
    let (mut calls, mut asked, mut denied, mut yes) = (0_u64, 0_u64, 0_u64, 0_u64);
    let count = |it: &mut u64| *it = it.saturating_add(1);
    for file in Store::at(root).files().into_iter().filter(|it| it.starts_with(&folder)) {
        for (_, record) in Store::records(&file) {
            match record {
                Record::Call { verdict, .. } => {
                    count(&mut calls);
                    match verdict {
                        Verdict::Ask => count(&mut asked),
                        Verdict::Deny => count(&mut denied),
                        Verdict::Allow => {}
                    }
                }
                Record::Approval { .. } => count(&mut yes),
                _ => {}
            }
        }
    }
    format!(
        "in the last {} days: {calls} calls, {asked} asked about ({}), {yes} of them with a yes, \
         {denied} denied",
        lawbook_bridge::KEPT_DAYS,
        share(asked, calls)
    )
}

fn share(part: u64, whole: u64) -> String {
    let tenths = part.saturating_mul(1000).checked_div(whole).unwrap_or_default();
    let (whole, tenth) = (tenths.checked_div(10), tenths.checked_rem(10));
    format!("{}.{} %", whole.unwrap_or_default(), tenth.unwrap_or_default())
}
