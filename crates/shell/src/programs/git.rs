//! git: global options with values, options that run programs, and the forms of its subcommands
//! that change something although others only show.

use super::copies::{leaves, makes};
use super::{Call, Found, Program};
use crate::reading::{Given, Grammar, Opt, flag, glued, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Git = Git;

/// It runs what the repository's configuration says.
pub(super) struct Git;

static GLOBAL: &[Opt] = &[
    valued("-C").directory(),
    valued("-c").executes(),
    valued("--config-env").executes(),
    glued("--exec-path").executes(),
    valued("--git-dir").executes(),
    valued("--work-tree").executes(),
    valued("--namespace").executes(),
    valued("--super-prefix").executes(),
    flag("-p --paginate").executes(),
    flag("-P --no-pager"),
    flag("--bare"),
    flag("--no-optional-locks"),
    flag("--literal-pathspecs"),
    flag("--no-replace-objects"),
    flag("-v --version"),
    flag("-h --help"),
];

static OPTIONS: &[Opt] = &[
    valued("--output").writes(),
    flag("--ext-diff").executes(),
    flag("--textconv").executes(),
    flag("--text"),
    flag("--no-ext-diff"),
    flag("--no-textconv"),
    valued("-n --max-count"),
    valued("--author"),
    valued("--since --after"),
    valued("--until --before"),
    valued("--grep"),
    valued("--format"),
    glued("--pretty"),
    glued("--color"),
    glued("-U --unified"),
    glued("--stat"),
    glued("--abbrev"),
    glued("-M --find-renames"),
    valued("--diff-filter"),
];

static MESSAGE: &[Opt] = &[
    valued("-m --message"),
    valued("-F --file"),
    valued("-C --reuse-message"),
    valued("-c --reedit-message"),
    valued("-t --template"),
    valued("--author"),
    valued("--date"),
    valued("--trailer"),
    valued("--fixup"),
    flag("-a --all"),
    flag("-n --no-verify"),
    glued("-S --gpg-sign"),
    glued("-u --untracked-files"),
];

static FETCH: &[Opt] = &[
    valued("--upload-pack").executes(),
    valued("--receive-pack --exec").executes(),
    valued("-o --push-option --server-option"),
    flag("-f --force"),
    flag("-d --delete"),
    flag("-u --set-upstream"),
    flag("-n --dry-run"),
    flag("-q --quiet"),
    valued("--depth"),
    valued("--filter"),
];

static CLONE: &[Opt] = &[
    valued("-u --upload-pack").executes(),
    valued("-c --config").executes(),
    valued("--template").executes(),
    valued("-b --branch"),
    valued("-o --origin"),
    valued("--depth"),
    flag("-q --quiet"),
];

static BRANCH: &[Opt] = &[
    flag("-d --delete").changes(),
    flag("-D").changes(),
    flag("-m --move").changes(),
    flag("-M").changes(),
    flag("-c --copy").changes(),
    flag("-C").changes(),
    flag("-f --force").changes(),
    valued("-u --set-upstream-to").changes(),
    flag("--unset-upstream").changes(),
    flag("--edit-description").changes(),
    glued("-t --track").changes(),
    flag("-a --all"),
    flag("-r --remotes"),
    flag("-l --list"),
    flag("-v --verbose"),
    flag("--show-current"),
    valued("--contains --no-contains --points-at --sort --format"),
    glued("--merged --no-merged"),
];

static TAG: &[Opt] = &[
    flag("-d --delete").changes(),
    flag("-f --force").changes(),
    flag("-a --annotate").changes(),
    flag("-s --sign").changes(),
    valued("-u --local-user").changes(),
    valued("-m --message").changes(),
    valued("-F --file").changes(),
    flag("-l --list"),
    glued("-n"),
    valued("--contains --no-contains --points-at --sort --format"),
    glued("--merged --no-merged"),
];

static REBASE: &[Opt] = &[
    valued("-x --exec").executes(),
    flag("-i --interactive"),
    valued("--onto"),
    valued("-s --strategy"),
    valued("-X --strategy-option"),
];

static GREP: &[Opt] = &[
    glued("-O --open-files-in-pager").executes(),
    valued("-e"),
    valued("-f"),
    valued("-A"),
    valued("-B"),
    valued("-C"),
    valued("-m --max-count"),
    flag("-n --line-number"),
    flag("-i --ignore-case"),
    flag("-l --files-with-matches"),
];

static CONFIG: &[Opt] = &[
    flag("--get"),
    flag("--get-all"),
    flag("--get-regexp"),
    flag("--get-urlmatch"),
    flag("-l --list"),
    valued("-f --file"),
    valued("--blob"),
    valued("--type"),
    valued("--default"),
    flag("-e --edit").changes(),
    flag("--global --system --local --worktree"),
    flag("--show-origin"),
    flag("--unset").changes(),
    flag("--unset-all").changes(),
    flag("--add").changes(),
    flag("--replace-all").changes(),
    flag("--remove-section").changes(),
    flag("--rename-section").changes(),
];

static GRAMMAR: Grammar = Grammar {
    one_dash: false,
    leads: false,
    global: GLOBAL,
    assigns: false,
    goals: false,
    options: OPTIONS,
    commands: &[
        ("archive", &[valued("-o --output").writes(), valued("--exec").executes()]),
        ("branch", BRANCH),
        ("clone", CLONE),
        ("commit", MESSAGE),
        ("config", CONFIG),
        ("add", &[flag("-A --all --no-ignore-removal"), flag("-u --update"), flag("-f --force")]),
        ("clean", &[flag("-f --force"), flag("-d"), flag("-x"), flag("-n --dry-run")]),
        ("checkout", &[valued("-b"), valued("-B"), flag("-f --force")]),
        ("difftool", &[valued("-x --extcmd").executes(), valued("-t --tool").executes()]),
        ("fetch", FETCH),
        ("filter-branch", &[valued("--tree-filter --index-filter --msg-filter").executes()]),
        ("format-patch", &[valued("-o --output-directory").writes()]),
        ("grep", GREP),
        (
            "init",
            &[
                valued("--template").trusts(),
                valued("--separate-git-dir").writes(),
                valued("-b --initial-branch"),
                valued("--object-format --ref-format"),
                flag("-q --quiet"),
                flag("--bare"),
            ],
        ),
        ("log", &[valued("-S"), valued("-G"), valued("-L")]),
        ("ls-remote", FETCH),
        ("merge", &[valued("-m --message"), valued("-s --strategy").executes()]),
        ("mergetool", &[valued("-t --tool").executes()]),
        ("pull", FETCH),
        ("push", FETCH),
        ("rebase", REBASE),
        ("reset", &[flag("--hard"), flag("--soft"), flag("-q --quiet")]),
        ("send-email", &[valued("--smtp-server --to-cmd --cc-cmd").executes()]),
        ("stash", &[valued("-m --message"), flag("-u --include-untracked"), flag("-k")]),
        ("submodule", &[flag("-q --quiet"), flag("--recursive")]),
        (
            "switch",
            &[
                valued("-c --create"),
                valued("-C --force-create").changes(),
                flag("-f --force --discard-changes").changes(),
            ],
        ),
        ("tag", TAG),
    ],
};

/// Subcommands whose next word tells whether they only show, with the words that do.
const SHOWING: &[(&str, &[&str])] = &[
    ("bisect", &["log", "view", "visualize"]),
    ("notes", &["list", "show"]),
    ("reflog", &["exists", "list", "show"]),
    ("remote", &["get-url", "show"]),
    ("stash", &["list", "show"]),
    ("submodule", &["status", "summary"]),
    ("worktree", &["list"]),
];

/// Words behind those subcommands that change something or run something.
const CHANGING: &[&str] = &[
    "absorbgitdirs",
    "add",
    "append",
    "apply",
    "branch",
    "clear",
    "copy",
    "create",
    "deinit",
    "delete",
    "drop",
    "edit",
    "expire",
    "foreach",
    "init",
    "lock",
    "merge",
    "move",
    "pop",
    "prune",
    "push",
    "remove",
    "rename",
    "repair",
    "rm",
    "run",
    "save",
    "set-branch",
    "set-branches",
    "set-head",
    "set-url",
    "store",
    "sync",
    "unlock",
    "update",
];

impl Program for Git {
    fn names(&self) -> &'static [&'static str] {
        &["git"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = !call.reading.operands.is_empty();
        let Some(command) = call.operand(0) else { return };
        let next = call.reading.operands.get(1);
        let changes = match command {
            "branch" => next.is_some() && !lists(call) && !begins(call),
            "tag" => next.is_some() && !lists(call),
            "config" => {
                let names = call.reading.operands.len().saturating_sub(1);
                let reads = ["--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l"];
                let word = next.and_then(|it| it.text.as_deref());
                !reads.iter().any(|it| call.reading.has(it))
                    && !matches!(word, Some("get" | "list"))
                    && names > 0
                    && !asks(call)
            }
            "symbolic-ref" => call.reading.operands.len() > 2,
            _ => subcommand(command, next.map(|it| it.text.as_deref())),
        };
        if changes {
            let words = call.reading.operands.len().min(
                if command == "branch" || command == "tag" || command == "config" {
                    usize::MAX
                } else {
                    2
                },
            );
            let message = format!("`{}` changes more than it shows", call.subject());
            found.words(EffectKind::Writes, call, words.saturating_add(1), message);
        }
        match command {
            "push" => push(call, found),
            "mv" => moves(call, found),
            "init" => {
                if let Some(word) = call.word(1) {
                    makes(word, call, found);
                }
            }
            _ => {}
        }
        if matches!(command, "fetch" | "pull" | "push" | "ls-remote") {
            reaches(call, found);
        }
    }
}

/// Whether a subcommand that may only show is called in a form that does more.
fn subcommand(command: &str, next: Option<Option<&str>>) -> bool {
    let Some((_, showing)) = SHOWING.iter().find(|it| it.0 == command) else { return false };
    match next {
        None => matches!(command, "stash" | "bisect"),
        Some(None) => true,
        Some(Some(next)) => {
            !showing.contains(&next)
                && (CHANGING.contains(&next) || matches!(command, "stash" | "bisect"))
        }
    }
}

/// Whether a new branch begins and no other changes: names that are known, and no option that
/// could do more.
fn begins(call: &Call<'_>) -> bool {
    let quiet = ["--no-track", "--quiet", "--track", "-q", "-t"];
    plain(call) && call.reading.options.iter().all(|it| quiet.contains(&it.written.as_str()))
}

/// Whether the value of one setting is asked for.
fn asks(call: &Call<'_>) -> bool {
    let places = ["--global", "--local", "--system", "--worktree"];
    let known = |it: &Given| places.contains(&it.written.as_str());
    plain(call) && call.reading.operands.len() == 2 && call.reading.options.iter().all(known)
}

/// Whether all words are known, and none could become an option.
fn plain(call: &Call<'_>) -> bool {
    let known = call.reading.operands.iter().all(|it| it.text.is_some() && !it.doubtful);
    known && call.reading.wild.is_empty() && !call.reading.full
}

/// Whether a branch or tag command only lists.
fn lists(call: &Call<'_>) -> bool {
    let listing =
        ["-l", "-a", "-r", "--contains", "--merged", "--show-current", "-n", "--sort", "--format"];
    listing.iter().any(|it| call.reading.has(it))
}

/// A `+` before a name forces a push, and a `:` deletes.
fn push(call: &Call<'_>, found: &mut Found) {
    let names = call.reading.operands.iter().skip(1);
    for name in names {
        if name.start.starts_with('+') {
            found.implies.push("-f");
        } else if name.start.starts_with(':') && name.start.len() > 1 {
            found.implies.push("-d");
        }
    }
}

/// What is moved goes from where it was, and to what the last word names.
fn moves(call: &Call<'_>, found: &mut Found) {
    let last = call.reading.operands.len().saturating_sub(1);
    for word in (1..last).filter_map(|it| call.word(it)).filter(|it| leaves(it, call)) {
        found.effects.extend(Effect::changes(word, call.cwd));
    }
    if let Some(word) = call.word(last).filter(|_| last > 0) {
        makes(word, call, found);
    }
}

/// A remote that is no plain name is a place that the repository does not know.
fn reaches(call: &Call<'_>, found: &mut Found) {
    let several = call.reading.has("--multiple");
    let count = if several { usize::MAX } else { 1 };
    for operand in call.reading.operands.iter().skip(1).take(count) {
        let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
        let known = operand
            .text
            .as_deref()
            .is_some_and(|it| it.bytes().all(plain) && !it.starts_with('.') && !it.is_empty());
        if !known {
            let command = call.operand(0).unwrap_or_default();
            let shown = call.words.get(operand.at).map(crate::Word::shown).unwrap_or_default();
            let message =
                format!("`git {command}` reaches `{shown}`, which is no name of a remote");
            let effect = Effect::new(EffectKind::Network, shown, message);
            found.effects.push(effect.named(Named::Words(3)));
        }
    }
}
