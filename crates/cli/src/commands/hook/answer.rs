//! One event of a coding agent on standard input, one answer on standard output.
//!
//! The exit code is 0 or 2 and never another one: every other code lets the call run.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::Duration;

use lawbook::{Error, Options, Policy};
use lawbook_bridge::{Around, Door, Host, INPUT_BYTES_MAX, OnError, Output, Store};
use lawbook_diag::Problem;

use super::{AnswerArgs, OnErrorArg};
use crate::exit::Exit;
use crate::policies::{Found, PolicyArgs, PolicyFile, now};

/// How long an answer may take, which is less than the time that `lawbook hook install` gives it.
const ANSWER_SECS_MAX: u64 = 8;

/// Answers and ends the process.
pub fn run(host: &dyn Host, args: &AnswerArgs) -> Exit {
    // What a crash has to say goes into the answer, not into the agent's terminal.
    std::panic::set_hook(Box::new(|_| {}));
    watch();
    let output = answered(host, args);
    end(&output)
}

fn answered(host: &dyn Host, args: &AnswerArgs) -> Output {
    let input = match read() {
        Ok(input) => input,
        Err(error) => return Output::block(&format!("lawbook can't read its input: {error}")),
    };
    let Some(at) = now() else {
        return Output::block("lawbook can't read the clock of this machine");
    };
    let door = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| door(args)));
    match door {
        Ok(door) => door.answer(host, &input, at),
        Err(_) => Output::block("lawbook failed while it read the policy"),
    }
}

fn door(args: &AnswerArgs) -> Door {
    Door {
        policy: policy(args, args.policies.files_of_a_hook()),
        store: args.store.clone().or_else(home).map(Store::at),
        auto_allow: args.auto_allow,
        unattended: args.unattended,
        on_error: match args.on_error {
            OnErrorArg::Deny => OnError::Deny,
            OnErrorArg::Ask => OnError::Ask,
        },
        mask: crate::masking::mask().clone(),
        around: Around {
            attended: args.attended,
            entry: std::env::var("CLAUDE_CODE_ENTRYPOINT").ok(),
            home: std::env::var("HOME").or_else(|_| std::env::var("USERPROFILE")).ok(),
        },
    }
}

/// The policy that calls are held to.
///
/// # Errors
/// When it can't be read, or is not the one that is pinned.
pub fn policy(args: &AnswerArgs, found: Result<Found, Vec<Problem>>) -> Result<Policy, Error> {
    let PolicyArgs { profile, dialect, user_word, .. } = &args.policies;
    let (files, _) = found.map_err(Error::from)?;
    let mut options = Options::new().unattended(args.unattended);
    if let Some(profile) = profile {
        options = options.profile((*profile).into());
    }
    if let Some(dialect) = dialect {
        options = options.dialect(dialect);
    }
    if let Some(word) = user_word {
        options = options.user_word(word);
    }
    let options = options.protect(protected(args, &files));
    let policy = options.texts(files.iter().map(|it| (it.source.as_str(), &it.bytes)))?;
    match &args.pinned {
        Some(pinned) if *pinned != pin(&files) => {
            let message = "the policy is not the one that the hook was set up with";
            let help = "run `lawbook hook install` again if you changed it";
            Err(Problem::new("policy", "not_pinned", message).help(help).into())
        }
        _ => Ok(policy),
    }
}

/// The digest of policy files, by which they are pinned.
pub fn pin(files: &[PolicyFile]) -> String {
    let digests: Vec<String> = files.iter().map(|it| lawbook::digest(&it.bytes)).collect();
    lawbook::digest(digests.join("\n").as_bytes())
}

/// What no agent may change: the policies, the sessions and the program.
fn protected(args: &AnswerArgs, files: &[PolicyFile]) -> Vec<String> {
    let policies = files.iter().filter_map(|it| std::path::absolute(&it.source).ok());
    let store = args.store.clone().or_else(home);
    let store = store.and_then(|it| std::path::absolute(it).ok());
    // The name that it was started by may be a link to the program.
    let started = std::env::args_os().next().map(PathBuf::from);
    let started = started.filter(|it| it.components().count() > 1);
    let started = started.and_then(|it| std::path::absolute(it).ok());
    let program = std::env::current_exe().ok().into_iter().chain(started);
    policies.chain(store).chain(program).map(|it| it.display().to_string()).collect()
}

/// The folder that sessions are kept in, where none is named.
pub fn home() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    Some(state.or_else(|| folder("LOCALAPPDATA"))?.join("lawbook/hooks"))
}

fn read() -> io::Result<Vec<u8>> {
    // One byte more than there may be, so that what is too long is seen as such.
    let bound = u64::try_from(INPUT_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let mut input = Vec::new();
    io::stdin().lock().take(bound).read_to_end(&mut input)?;
    Ok(input)
}

/// Ends the process before the agent loses patience: it would let the call run.
#[expect(clippy::disallowed_methods, reason = "the host waits no longer than this")]
fn watch() {
    std::thread::spawn(|| {
        std::thread::sleep(Duration::from_secs(ANSWER_SECS_MAX));
        let late = Output::block("lawbook took too long to judge this call, so it may not run");
        finish(&late)
    });
}

fn end(output: &Output) -> Exit {
    finish(output)
}

/// Writes the answer and ends with its code. One that can't be written is a block by its code.
fn finish(output: &Output) -> ! {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(output.stdout.as_bytes()).and_then(|()| stdout.flush());
    let (reason, code) = match (&written, output.stdout.is_empty()) {
        (Err(error), false) => (format!("lawbook can't write its answer: {error}\n"), 2),
        _ => (output.stderr.clone(), i32::from(output.code)),
    };
    // Nobody is left to hear that standard error is gone.
    io::stderr().lock().write_all(reason.as_bytes()).ok();
    std::process::exit(code)
}
