//! The policy that an interview led to: written, looked through, and held against the traces.

use std::path::Path;

use lawbook_diag::{Problem, Verdict};
use lawbook_dialect::{Options, lint, load};
use lawbook_engine::{Engine, check as judge};
use std::sync::Arc;

use super::InitArgs;
use super::making::Making;
use crate::commands::check;
use crate::commands::policy::convert::save;
use crate::commands::rule::written;
use crate::exit::Exit;
use crate::input::{Inputs, each, list};
use crate::output::is_stdout;
use crate::policies::{CODING, now};
use crate::print::{counted, note};

/// What a policy says that lists no tool yet.
const EXAMPLE: &str = "\
No tool is listed yet, so none may be called. List them, as in:
  tools:
    look_up_order: {access: read}
    change_order: {access: write, confirm: true}";

/// Whether the file may be written, told before anybody is asked anything.
///
/// # Errors
/// When it is there already.
pub fn may_write(args: &InitArgs) -> Result<(), Problem> {
    if is_stdout(&args.out) || args.force || !args.out.exists() {
        return Ok(());
    }
    Err(Problem::new(args.out.display().to_string(), "exists", "it is there already")
        .help("name another file with `--out`, or replace it with `--force`"))
}

/// Writes the policy and says what the traces make of it.
///
/// # Errors
/// When it can't be written, or does not load, which is a fault of the program.
pub fn policy(args: &InitArgs, making: Making) -> Result<Exit, Vec<Problem>> {
    let (rules, open) = (making.draft.rules.len(), making.open.len());
    let not_covered = making.draft.not_covered.len();
    let text = text(making);
    let source = args.out.display().to_string();
    let loaded = load(&source, text.as_bytes(), &Options::default());
    let odd = lint(&source, text.as_bytes(), &Options::default()).into_iter().filter(|it| !it.note);
    let Some(policy) = loaded.policy else { return Err(loaded.problems) };
    if is_stdout(&args.out) {
        let _ = written(&text);
    } else {
        save(&args.out, &text, args.force).map_err(|it| vec![it])?;
    }
    odd.for_each(|it| note(&format!("lint: {}", it.problem.message)));
    let said = format!(
        "{source}: {}, {} to confirm, {not_covered} not covered",
        counted(rules, "rule"),
        counted(open, "point"),
    );
    say(&args.out, &said);
    if !args.traces.is_empty() {
        let engine = Engine::new(vec![Arc::new(policy)], now());
        say(&args.out, &against(args, &engine)?);
    }
    Ok(Exit::Clean)
}

/// Writes the built-in policy for coding agents as it stands.
///
/// # Errors
/// When it can't be written.
pub fn coding(args: &InitArgs) -> Result<Exit, Problem> {
    let text = String::from_utf8_lossy(CODING);
    if is_stdout(&args.out) {
        return Ok(written(&text));
    }
    save(&args.out, &text, args.force)?;
    let out = args.out.display();
    say(
        &args.out,
        &format!("{out}: the policy for coding agents; `lawbook hook install HOST` uses it"),
    );
    Ok(Exit::Clean)
}

/// Says something beside the policy, which may be on standard output.
fn say(out: &Path, text: &str) {
    if is_stdout(out) {
        note(text);
    } else {
        let _ = written(&format!("{text}\n"));
    }
}

/// What the traces make of the policy.
fn against(args: &InitArgs, engine: &Engine) -> Result<String, Vec<Problem>> {
    let forced = check::reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    let (places, _) = list(&args.traces, true)?;
    if places.contains(&crate::input::Place::Stdin) {
        return Ok("the traces came from standard input and can't be read again".to_owned());
    }
    let (mut traces, mut broken, mut untold) = (0_u64, 0_u64, 0_u64);
    each(Inputs::new(places, forced), |read| {
        let Ok(session) = read else { return };
        let checked = judge(engine, &session.events);
        traces = traces.saturating_add(1);
        broken = broken.saturating_add(u64::from(checked.findings.iter().any(|it| it.counts())));
        untold = untold.saturating_add(u64::from(!checked.unknowns.is_empty()));
    });
    let unknown = match untold {
        0 => String::new(),
        some => format!("; in {} something could not be told", counted(some, "trace")),
    };
    Ok(format!(
        "breaks the policy in {broken} of {}{unknown}: read them next with `lawbook check {} \
         --policy {}`",
        counted(traces, "trace"),
        args.traces.join(" "),
        args.out.display(),
    ))
}

/// The text, with what was decided and what is open as comments.
fn text(making: Making) -> String {
    let Making { mut draft, mut open, decided, .. } = making;
    let starter = if making.is_starter { ", as a start" } else { "" };
    draft.heading = vec![format!(
        "What the agent may do with its tools{starter}. Written by `lawbook policy init`."
    )];
    if draft.default.is_none() {
        // Nobody said it, so what was not looked at does not run.
        draft.default = Some(Verdict::Deny);
    }
    if draft.tools.is_empty() && draft.default == Some(Verdict::Deny) {
        open.insert(0, "tools: none is listed, so none may be called".to_owned());
        draft.heading.extend(EXAMPLE.lines().map(str::to_owned));
    }
    draft.on_tools = vec!["`read` only looks; `write` changes something.".to_owned()];
    let mut closing = Vec::new();
    if !open.is_empty() {
        closing.push(String::new());
        closing.push("To confirm:".to_owned());
        closing.extend(open.iter().map(|it| format!("- {it}")));
    }
    closing.push(String::new());
    closing.push("What was decided:".to_owned());
    closing.extend(decided.iter().map(|it| format!("- {it}")));
    draft.closing = closing;
    draft.text()
}
