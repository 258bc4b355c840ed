//! The command that a call holds: in which argument it stands, which shell runs it and where.

use std::borrow::Cow;
use std::sync::LazyLock;

use lawbook_event::json::Value;
use lawbook_event::{Path, Skeleton};
use lawbook_shell::{Shell, World};

use crate::{Asked, Fields, Footing, Location, ToolName, Tools};

/// How many commands of one call are looked at.
const COMMANDS_MAX: usize = 64;

/// The command tools of coding agents, with the shell that runs what they are given.
const HOLDERS: &[(&str, Shell)] = &[
    // Claude Code.
    ("Bash", Shell::Bash),
    ("Monitor", Shell::Bash),
    ("PowerShell", Shell::PowerShell),
    // Codex; the last types into a shell that runs already.
    ("shell", Shell::Bash),
    ("shell_command", Shell::Bash),
    ("local_shell", Shell::Bash),
    ("local_shell_call", Shell::Bash),
    ("container.exec", Shell::Bash),
    ("exec", Shell::Bash),
    ("exec_command", Shell::Bash),
    ("command_execution", Shell::Bash),
    ("unified_exec", Shell::Bash),
    ("write_stdin", Shell::Bash),
    // Gemini CLI and its kin.
    ("run_shell_command", Shell::Bash),
    // Cursor.
    ("run_terminal_cmd", Shell::Bash),
    ("run_terminal_command", Shell::Bash),
    // Cline, OpenHands, SWE-agent, Goose, VS Code and others.
    ("execute_command", Shell::Bash),
    ("execute_bash", Shell::Bash),
    ("execute_shell", Shell::Bash),
    ("execute_shell_command", Shell::Bash),
    ("run_in_terminal", Shell::Bash),
    ("run_command", Shell::Bash),
    ("run_bash", Shell::Bash),
    ("bash_command", Shell::Bash),
    ("terminal", Shell::Bash),
    ("sh", Shell::Bash),
    ("zsh", Shell::Zsh),
    ("pwsh", Shell::PowerShell),
    ("cmd", Shell::Cmd),
];

/// The arguments in which those tools hold a command. Each that is there is judged.
const HOLDING: &[&str] =
    &["command", "cmd", "script", "chars", "commands[*]", "action.command", "action.commands[*]"];

/// The arguments in which a call names the folder that its command runs in.
const FOLDERS: &[&str] =
    &["workdir", "cwd", "working_directory", "directory", "dir_path", "action.working_directory"];

/// The command tools of the coding agents that are known.
#[must_use]
pub fn command_tools() -> Tools {
    Tools::Named(HOLDERS.iter().map(|(name, _)| ToolName::literal(*name)).collect())
}

/// Whether a tool is one of them, under whatever prefix.
#[must_use]
pub fn runs_commands(tool: &str) -> bool {
    let name = Skeleton::new(tool);
    HOLDERS.iter().any(|it| Skeleton::new(it.0).means(&name))
}

/// The arguments in which those tools hold a command.
#[must_use]
pub fn command_arguments() -> &'static [Path] {
    static PATHS: LazyLock<Vec<Path>> =
        LazyLock::new(|| HOLDING.iter().map(|it| Path::parse(it)).collect());
    &PATHS
}

/// Whether a tool may be called without a command: it then only waits for more output.
#[must_use]
pub fn may_idle(tool: &str) -> bool {
    Skeleton::new("write_stdin").means(&Skeleton::new(tool))
}

/// What a call holds where a command should be.
#[derive(Debug, Default)]
pub struct Commands {
    /// The commands, each with the argument that holds it.
    pub texts: Vec<(Path, String)>,
    /// What keeps it from being told, if anything.
    pub hidden: Option<Hidden>,
}

/// Why the command of a call can't be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hidden {
    /// The arguments can't be read; the words say why.
    Unreadable(&'static str),
    /// The recording doesn't carry them, or a part only.
    Unrecorded,
    /// What stands there is no command: a number, an object, a list with either in it.
    NoText,
    /// There are more than are looked at.
    TooMany,
}

impl Commands {
    /// The commands that a call holds in any of these arguments.
    #[must_use]
    pub fn of(asked: &Asked<'_>, arguments: &[Path]) -> Self {
        let mut commands = Commands::default();
        let values = asked.manner.values;
        let root = match asked.args.fields(values) {
            Fields::Object(root) => root,
            Fields::Empty => return commands,
            Fields::Unreadable(why) => {
                return Commands { hidden: Some(Hidden::Unreadable(why)), ..commands };
            }
            Fields::Unrecorded => {
                return Commands { hidden: Some(Hidden::Unrecorded), ..commands };
            }
        };
        for path in arguments {
            let mut found = Vec::new();
            values.each(root, path, &mut found);
            for value in found.into_iter().filter(|it| !it.is_null()) {
                match line(value) {
                    Some(_) if commands.texts.len() >= COMMANDS_MAX => {
                        commands.hidden = Some(Hidden::TooMany);
                    }
                    Some(text) => commands.texts.push((path.clone(), text)),
                    None => commands.hidden = Some(Hidden::NoText),
                }
            }
        }
        commands
    }
}

/// A command as one line: a text as it stands, an argument vector with each word quoted.
fn line(value: Value<'_>) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(text.to_owned());
    }
    if !value.is_array() {
        return None;
    }
    let words: Option<Vec<Cow<'_, str>>> =
        value.items().map(|it| it.as_str().map(quoted)).collect();
    words.map(|it| it.join(" "))
}

/// A word that a shell reads as exactly these characters.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |it: u8| it.is_ascii_alphanumeric() || b"-_./:=@%+,".contains(&it);
    if !word.is_empty() && word.bytes().all(plain) && !word.starts_with('=') {
        // `NAME=value` in front of a program would be an assignment, and is a program here.
        if !word.contains('=') {
            return Cow::Borrowed(word);
        }
    }
    Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
}

/// The shell that a tool's name tells.
fn shell_of(tool: &str) -> Shell {
    let name = Skeleton::new(tool);
    let known = HOLDERS.iter().find(|it| Skeleton::new(it.0).means(&name));
    known.map_or(Shell::Bash, |it| it.1)
}

/// The folders that the command of a call runs in, and its shell.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The shell.
    pub shell: Shell,
    /// The working directory, if it is known.
    pub cwd: Option<String>,
    /// The workspace, if it is known.
    pub workspace: Option<String>,
    /// The home directory, if it is known.
    pub home: Option<String>,
    /// The folder that the call names, where that is not in the workspace.
    pub outside: Option<String>,
}

impl Surroundings {
    /// What a call and its session say.
    #[must_use]
    pub fn of(asked: &Asked<'_>, shell: Option<Shell>) -> Self {
        let footing = asked.footing();
        let mut here = Surroundings {
            shell: shell.unwrap_or_else(|| shell_of(&asked.call.tool)),
            cwd: footing.cwd.map(str::to_owned),
            workspace: asked.workspace().map(str::to_owned),
            home: footing.home.map(str::to_owned),
            outside: None,
        };
        if let Some(folder) = folder(asked) {
            let workspace = asked.workspace().unwrap_or(".");
            let root = Location::plain(workspace, Footing { cwd: None, ..footing });
            let there = Location::readings(folder, footing).unwrap_or_default();
            let is_inside = root
                .is_ok_and(|root| !there.is_empty() && there.iter().all(|it| it.is_within(&root)));
            here.outside = (!is_inside).then(|| folder.to_owned());
            let known = there.first().filter(|it| !it.is_floating());
            here.cwd = known.map(Location::text).or(here.cwd);
        }
        here
    }

    /// The world that a command is judged in.
    #[must_use]
    pub fn world(&self) -> World<'_> {
        World {
            shell: self.shell,
            cwd: self.cwd.as_deref(),
            workspace: self.workspace.as_deref(),
            home: self.home.as_deref(),
        }
    }
}

/// The folder that a call runs in, where its arguments name one.
fn folder<'a>(asked: &'a Asked<'_>) -> Option<&'a str> {
    let values = asked.manner.values;
    let Fields::Object(root) = asked.args.fields(values) else { return None };
    let at = |name: &&str| values.path(root, &Path::parse(name));
    FOLDERS.iter().find_map(at).and_then(|it| it.as_str()).filter(|it| !it.is_empty())
}
