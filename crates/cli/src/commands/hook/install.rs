//! `lawbook hook install` and `uninstall`: the settings of a coding agent, changed and put back.

use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_bridge::{Failing, Host};
use lawbook_diag::Problem;
use lawbook_mask::Mode as MaskMode;
use lawbook_rule::Profile;

use super::answer::home;
use super::settings::{Commands, take_out};
use super::setup::{Installed, Scope, digest, read, write};
use super::{AnswerArgs, OnErrorArg, host, switches};
use crate::commands::rule::written;
use crate::commands::stopped;
use crate::exit::Exit;
use crate::masking;

/// Set up the hooks of a coding agent.
#[derive(Debug, Args)]
pub struct InstallArgs {
    /// The coding agent: claude-code, codex, cursor, gemini-cli or opencode
    #[arg(value_name = "HOST")]
    pub host: String,
    #[command(flatten)]
    pub scope: Scope,
    #[command(flatten)]
    pub answer: AnswerArgs,
    /// Pin the policy: once it changes, nothing runs until the hooks are set up again
    #[arg(long)]
    pub pin: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Take the hooks of a coding agent away.
#[derive(Debug, Args)]
pub struct UninstallArgs {
    /// The coding agent: claude-code, codex, cursor, gemini-cli or opencode
    #[arg(value_name = "HOST")]
    pub host: String,
    #[command(flatten)]
    pub scope: Scope,
    /// The folder that sessions are kept in
    #[arg(long, value_name = "FOLDER", env = "LAWBOOK_STORE", hide_env = true)]
    pub store: Option<PathBuf>,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub dry_run: bool,
}

/// Sets the hooks up.
pub fn install(args: &InstallArgs) -> Exit {
    match try_install(args) {
        Ok(text) => written(&text),
        Err(problems) => stopped(&problems),
    }
}

/// Takes the hooks away.
pub fn uninstall(args: &UninstallArgs) -> Exit {
    match try_uninstall(args) {
        Ok(text) => written(&text),
        Err(problem) => stopped(&[problem]),
    }
}

fn try_install(args: &InstallArgs) -> Result<String, Vec<Problem>> {
    let one = |it: Problem| vec![it];
    let host = host(&args.host).map_err(one)?;
    let file = args.scope.file(host).map_err(one)?;
    if args.answer.policies.policy.iter().any(|it| crate::policies::is_stdin(it)) {
        let message = "a hook reads its policy each time it is asked, so it must be a file";
        return Err(one(Problem::new("-", "no_file", message).help("name a file with `--policy`")));
    }
    let found = args.answer.policies.files_of_a_door()?;
    let files = found.0.clone();
    super::answer::policy(&args.answer, Ok(found)).map_err(|it| it.problems().to_vec())?;
    let binary = std::env::current_exe()
        .and_then(std::fs::canonicalize)
        .map_err(|it| vec![Problem::new("lawbook", "no_program", it.to_string())])?;
    let mut policies = Vec::new();
    for it in &files {
        let path = std::fs::canonicalize(&it.source)
            .map_err(|error| vec![Problem::new(&it.source, "unreadable", error.to_string())])?;
        policies.push((path.display().to_string(), lawbook::digest(&it.bytes)));
    }
    let pinned = args.pin.then(|| super::answer::pin(&files));
    let words = words(host, &binary, &policies, &args.answer, pinned.as_deref());
    let commands = Commands { words, setup: host.setup() };
    let source = file.display().to_string();
    let before = read(&file).map_err(one)?;
    let there = before.as_deref().unwrap_or_default();
    let text = commands.put_in(&source, there, host.name()).map_err(one)?;
    let mut out = difference(&source, there, &text);
    if text == there {
        out.push_str(&format!("{source}: the hooks are set up already\n"));
    }
    if !args.dry_run {
        let binary = (binary.display().to_string(), digest(&binary).unwrap_or_default());
        let place = Installed::place(args.answer.store.as_deref(), &file);
        let earlier = place.as_deref().and_then(Installed::read);
        // What was there before is what was there before the first time.
        let ours = earlier.filter(|it| it.settings == lawbook::digest(there.as_bytes()));
        let installed = Installed {
            host: host.name().to_owned(),
            settings: lawbook::digest(text.as_bytes()),
            before: ours.map_or(before.clone(), |it| it.before),
            binary,
            policies,
        };
        if let Some(place) = &place {
            write_own(place, &installed.text()).map_err(one)?;
        }
        if text != there {
            write(&file, &text).map_err(one)?;
        }
    }
    for off in switches::off(host, &file) {
        out.push_str(&format!("warning: {off}\n"));
    }
    out.push_str(&notes(host));
    Ok(out)
}

fn try_uninstall(args: &UninstallArgs) -> Result<String, Problem> {
    let host = host(&args.host)?;
    let file = args.scope.file(host)?;
    let source = file.display().to_string();
    let place = Installed::place(args.store.as_deref(), &file);
    let installed = place.as_deref().and_then(Installed::read);
    let Some(there) = read(&file)? else {
        return Ok(format!("{source} is not there\n"));
    };
    // Settings that nobody touched since are put back as they were, to the byte.
    let untouched = installed.filter(|it| it.settings == lawbook::digest(there.as_bytes()));
    let after = match untouched {
        Some(installed) => installed.before,
        None => Some(take_out(&source, &there, host.name())?).filter(|it| !it.is_empty()),
    };
    let mut out = difference(&source, &there, after.as_deref().unwrap_or_default());
    if after.as_deref() == Some(there.as_str()) {
        out.push_str(&format!("{source}: no hooks of Lawbook's\n"));
    }
    if args.dry_run {
        return Ok(out);
    }
    match &after {
        Some(text) if *text != there => write(&file, text)?,
        Some(_) => {}
        None => std::fs::remove_file(&file)
            .map_err(|error| Problem::new(&source, "unusable_file", error.to_string()))?,
    }
    if let Some(place) = place {
        // It says nothing any more, and is not missed.
        std::fs::remove_file(place).ok();
    }
    Ok(out)
}

/// The words of the command that answers, every path whole.
fn words(
    host: &dyn Host,
    binary: &Path,
    policies: &[(String, String)],
    args: &AnswerArgs,
    pinned: Option<&str>,
) -> Vec<String> {
    let mut words = vec![binary.display().to_string(), "hook".to_owned(), host.name().to_owned()];
    let mut flag = |name: &str, value: Option<&str>| {
        words.push(name.to_owned());
        words.extend(value.map(str::to_owned));
    };
    policies.iter().for_each(|it| flag("--policy", Some(&it.0)));
    if let Some(pinned) = pinned {
        flag("--pinned", Some(pinned));
    }
    if let Some(profile) = args.policies.profile {
        flag("--profile", Some(Profile::from(profile).word()));
    }
    if let Some(dialect) = &args.policies.dialect {
        flag("--dialect", Some(dialect));
    }
    if let Some(word) = &args.policies.user_word {
        flag("--user-word", Some(word));
    }
    // Named, so that no variable of a repository leads to another one.
    if let Some(store) = args.store.clone().or_else(home) {
        let store = std::path::absolute(&store).unwrap_or(store);
        flag("--store", Some(&store.display().to_string()));
    }
    if args.on_error == OnErrorArg::Ask {
        flag("--on-error", Some("ask"));
    }
    if masking::mask().mode() == MaskMode::Off {
        flag("--redact", Some("off"));
    }
    for (set, name) in [
        (args.auto_allow, "--auto-allow"),
        (args.unattended, "--unattended"),
        (args.attended, "--attended"),
    ] {
        if set {
            flag(name, None);
        }
    }
    words
}

/// What changes, line by line; what is the same at both ends is left out.
fn difference(source: &str, old: &str, new: &str) -> String {
    if old == new {
        return String::new();
    }
    let (mut old, mut new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = old.iter().zip(&new).take_while(|it| it.0 == it.1).count();
    old.drain(..same);
    new.drain(..same);
    while !old.is_empty() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let mut out = format!("--- {source}\n+++ {source}\n");
    out.push_str(&format!("@@ from line {} @@\n", same.saturating_add(1)));
    old.iter().for_each(|it| out.push_str(&format!("-{it}\n")));
    new.iter().for_each(|it| out.push_str(&format!("+{it}\n")));
    out
}

/// What whoever sets a host up must know.
fn notes(host: &dyn Host) -> String {
    let title = host.title();
    let first = match host.failing() {
        // The notes of such a host say so.
        Failing::Opens => None,
        Failing::Blocks { since } => {
            Some(format!("{title} blocks a call whose hook fails, {since}"))
        }
    };
    let all = first.as_deref().into_iter().chain(host.setup().notes.iter().copied());
    all.map(|it| format!("note: {it}\n")).collect()
}

/// Writes a file of our own, which nobody else reads.
fn write_own(path: &Path, text: &str) -> Result<(), Problem> {
    write(path, text)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let owned = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(path, owned).map_err(|error| {
            Problem::new(path.display().to_string(), "unusable_file", error.to_string())
        })?;
    }
    Ok(())
}
