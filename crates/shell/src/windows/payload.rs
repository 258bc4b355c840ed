//! What a command carries that another shell or another program will run.

mod encoded;

use super::scan::{Language, literal};
use crate::Word;

/// Something that is run by the command that carries it.
#[derive(Clone, Debug)]
pub(super) enum Carried {
    /// A text for a shell.
    Text(Language, String),
    /// A program and its arguments.
    Words(Language, Vec<Word>),
}

/// What a command carries.
#[derive(Debug, Default)]
pub(super) struct Carries {
    pub(super) what: Vec<Carried>,
    /// The construct that it is, if the command alone does not tell what it does.
    pub(super) why: Option<&'static str>,
}

const SHELL: &str = "a payload of another shell";
const PROGRAM: &str = "a program that runs another";
const CODE: &str = "a command that runs code";

/// What a command carries, by its program and its arguments.
pub(super) fn of(language: Language, program: &str, args: &[Word]) -> Carries {
    if !carries(language, program) {
        return Carries::default();
    }
    let plain = |it: &Word| it.shown().replace("(…)", "$_");
    let shown: Vec<String> = args.iter().map(plain).collect();
    let known = |what: Vec<Carried>, why| Carries { what, why: Some(why) };
    let words = |rest: &[Word]| vec![Carried::Words(language, rest.to_vec())];
    let line =
        |of, text: Option<String>| text.map(|it| Carried::Text(of, it)).into_iter().collect();
    match program {
        "cmd" => known(line(Language::Cmd, behind_slash(&shown)), SHELL),
        "powershell" | "pwsh" | "powershell_ise" => known(of_powershell(program, &shown), SHELL),
        "bash" | "sh" | "zsh" | "dash" | "ksh" | "ash" | "fish" => {
            known(line(Language::Bash, behind_cluster(&shown)), SHELL)
        }
        "wsl" => known(line(Language::Bash, joined(past_options(&shown, &WSL_VALUES))), SHELL),
        "ssh" | "plink" => {
            let rest = past_options(&shown, &SSH_VALUES).get(1..);
            known(line(Language::Bash, rest.and_then(joined)), SHELL)
        }
        "Invoke-Expression" => known(line(Language::PowerShell, of_expression(&shown)), CODE),
        "Start-Process" => known(words(&of_start(args)), PROGRAM),
        "start" | "call" if language == Language::Cmd => {
            known(words(args.get(title(args)..).unwrap_or(&[])), PROGRAM)
        }
        "set" | "setx" | "path" if language == Language::Cmd && !args.is_empty() => {
            known(Vec::new(), "an assignment")
        }
        "forfiles" => known(line(Language::Cmd, behind_slash(&shown)), PROGRAM),
        "ForEach-Object" if !args.is_empty() => known(Vec::new(), "a member called by its name"),
        "Set-Alias" | "New-Alias" => known(
            args.last().map(|it| words(std::slice::from_ref(it))).unwrap_or_default(),
            "a new name",
        ),
        "Set-Item" | "New-Item" | "Set-Content" | "Copy-Item" | "Rename-Item"
            if shown.iter().any(|it| names_code(it)) =>
        {
            known(Vec::new(), "a new name")
        }
        _ if RUNNERS.contains(&program) => {
            let rest = args.iter().position(|it| !is_option(&it.shown()));
            known(words(rest.and_then(|at| args.get(at..)).unwrap_or(&[])), PROGRAM)
        }
        _ if RUNS_CODE.iter().any(|it| it.eq_ignore_ascii_case(program)) => known(Vec::new(), CODE),
        _ => Carries::default(),
    }
}

/// Whether a command may carry something, by its program.
pub(super) fn carries(language: Language, program: &str) -> bool {
    CARRIERS.contains(&program)
        || RUNNERS.contains(&program)
        || RUNS_CODE.iter().any(|it| it.eq_ignore_ascii_case(program))
        || language == Language::Cmd && ["start", "call", "set", "setx", "path"].contains(&program)
}

/// Programs whose arguments are read each in its own way.
const CARRIERS: [&str; 25] = [
    "cmd",
    "powershell",
    "pwsh",
    "powershell_ise",
    "bash",
    "sh",
    "zsh",
    "dash",
    "ksh",
    "ash",
    "fish",
    "wsl",
    "ssh",
    "plink",
    "Invoke-Expression",
    "Start-Process",
    "forfiles",
    "ForEach-Object",
    "Set-Alias",
    "New-Alias",
    "Set-Item",
    "New-Item",
    "Set-Content",
    "Copy-Item",
    "Rename-Item",
];

/// Programs whose first argument that is no option is a program.
const RUNNERS: [&str; 17] = [
    "sudo", "gsudo", "doas", "env", "nohup", "time", "nice", "stdbuf", "xargs", "busybox",
    "winpty", "command", "exec", "eval", "setsid", "psexec", "runas",
];

/// Programs and cmdlets whose arguments are code or the name of what holds it.
const RUNS_CODE: [&str; 36] = [
    "Invoke-Command",
    "Invoke-Item",
    "Invoke-History",
    "Invoke-CimMethod",
    "Invoke-WmiMethod",
    "Set-WmiInstance",
    "Start-Job",
    "start-threadjob",
    "new-object",
    "add-type",
    "new-service",
    "Import-Module",
    "New-Module",
    "Import-Alias",
    "Enter-PSSession",
    "New-PSSession",
    "Set-ExecutionPolicy",
    "register-objectevent",
    "register-engineevent",
    "register-wmievent",
    "register-scheduledjob",
    "register-scheduledtask",
    "set-psbreakpoint",
    "trace-command",
    "schtasks",
    "at",
    "wmic",
    "mshta",
    "wscript",
    "cscript",
    "rundll32",
    "regsvr32",
    "msbuild",
    "explorer",
    "pcalua",
    "conhost",
];

const WSL_VALUES: [&str; 6] = ["-d", "--distribution", "-u", "--user", "--cd", "--shell-type"];
const SSH_VALUES: [&str; 12] =
    ["-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-W", "-b", "-c"];

fn is_option(it: &str) -> bool {
    it.starts_with(['-', '/', '\u{2013}', '\u{2014}', '\u{2015}'])
}

/// Whether a path is on a drive that holds functions, aliases or variables of programs.
fn names_code(path: &str) -> bool {
    let path = path.to_lowercase();
    ["function:", "alias:", "env:"].iter().any(|it| path.contains(it))
}

fn joined(rest: &[String]) -> Option<String> {
    (!rest.is_empty()).then(|| rest.join(" "))
}

/// What stands behind leading options and their values.
fn past_options<'a>(args: &'a [String], valued: &[&str]) -> &'a [String] {
    let mut at = 0_usize;
    while let Some(it) = args.get(at) {
        at = match it.as_str() {
            "--" | "-e" | "--exec" => return args.get(at.saturating_add(1)..).unwrap_or(&[]),
            it if valued.contains(&it) => at.saturating_add(2),
            it if it.starts_with('-') => at.saturating_add(1),
            _ => break,
        };
    }
    args.get(at..).unwrap_or(&[])
}

/// What stands behind `/c`, `/k` or `/r`, also where it is glued to it.
fn behind_slash(args: &[String]) -> Option<String> {
    let at = args.iter().position(|it| {
        let it = it.to_lowercase();
        ["/c", "/k", "/r"].iter().any(|flag| it.contains(flag))
    })?;
    let first = args.get(at)?;
    let lower = first.to_lowercase();
    let cut = ["/c", "/k", "/r"].iter().filter_map(|flag| lower.find(flag)).min()?;
    let glued = first.get(cut.saturating_add(2)..).unwrap_or_default();
    let rest = args.get(at.saturating_add(1)..).unwrap_or_default();
    Some(format!("{glued} {}", rest.join(" ")))
}

/// What stands behind `-c`, alone or at the end of a cluster of short options.
fn behind_cluster(args: &[String]) -> Option<String> {
    let runs = |it: &String| it.starts_with('-') && !it.starts_with("--") && it.contains('c');
    let at = args.iter().position(runs)?;
    args.get(at.saturating_add(1)..)?.iter().find(|it| !it.starts_with(['-', '+'])).cloned()
}

/// What PowerShell is given to run: options may be shortened, and begin with a slash too.
fn of_powershell(program: &str, args: &[String]) -> Vec<Carried> {
    let text = |of, it: Option<String>| it.map(|it| Carried::Text(of, it)).into_iter().collect();
    let mut at = 0_usize;
    while let Some(it) = args.get(at) {
        at = at.saturating_add(1);
        let rest = args.get(at..).unwrap_or(&[]);
        let lower = it.trim_start_matches(is_dash).to_lowercase();
        let (name, glued) = lower.split_once(':').unwrap_or((&lower, ""));
        if !is_option(it) && program == "pwsh" {
            return of_file(args.get(at.saturating_sub(1)..).unwrap_or(&[]));
        }
        if !is_option(it) {
            return text(
                Language::PowerShell,
                joined(args.get(at.saturating_sub(1)..).unwrap_or(&[])),
            );
        }
        let short = |full: &str| !name.is_empty() && full.starts_with(name);
        if name == "ec" || (short("encodedcommand") && name != "ex") {
            let payload = Some(glued).filter(|it| !it.is_empty()).map(str::to_owned);
            let payload = payload.or_else(|| rest.first().cloned()).unwrap_or_default();
            return text(Language::PowerShell, encoded::decode(&payload));
        }
        if short("command") || name == "cwa" || short("commandwithargs") {
            return text(Language::PowerShell, joined(rest));
        }
        if short("file") {
            return of_file(rest);
        }
        if OPTIONS_WITH_VALUE.iter().any(|it| short(it)) || ["ep", "wd", "if", "of"].contains(&name)
        {
            at = at.saturating_add(1);
        }
    }
    Vec::new()
}

/// The options of PowerShell that take the next argument.
const OPTIONS_WITH_VALUE: [&str; 10] = [
    "executionpolicy",
    "version",
    "windowstyle",
    "inputformat",
    "outputformat",
    "configurationname",
    "configurationfile",
    "workingdirectory",
    "custompipename",
    "settingsfile",
];

fn is_dash(it: char) -> bool {
    matches!(it, '-' | '/' | '\u{2013}' | '\u{2014}' | '\u{2015}')
}

fn of_file(args: &[String]) -> Vec<Carried> {
    let words = args.iter().map(|it| literal(it, 0..0)).collect::<Vec<_>>();
    if words.is_empty() { Vec::new() } else { vec![Carried::Words(Language::PowerShell, words)] }
}

fn of_expression(args: &[String]) -> Option<String> {
    let named = |it: &&String| !(it.starts_with('-') && "-command".starts_with(&it.to_lowercase()));
    let rest: Vec<String> = args.iter().filter(named).cloned().collect();
    joined(&rest)
}

/// The program that `Start-Process` starts, and what it is given.
fn of_start(args: &[Word]) -> Vec<Word> {
    let mut words = Vec::new();
    let mut at = 0_usize;
    while let Some(it) = args.get(at) {
        at = at.saturating_add(1);
        let name = it.shown().to_lowercase();
        let name = name.trim_start_matches(is_dash);
        let short = |full: &&&str| full.starts_with(name);
        if it.shown().starts_with(is_dash) && START_VALUES.iter().find(short).is_some() {
            at = at.saturating_add(1);
            continue;
        }
        let is_parameter = START_PARAMETERS.iter().find(short).is_some();
        if !(it.shown().starts_with('-') && is_parameter) {
            words.extend(
                it.shown()
                    .split(' ')
                    .filter(|it| !it.is_empty())
                    .map(|part| literal(part, it.source.clone())),
            );
        }
    }
    words
}

const START_VALUES: [&str; 7] = [
    "workingdirectory",
    "verb",
    "windowstyle",
    "redirectstandarderror",
    "redirectstandardinput",
    "redirectstandardoutput",
    "credential",
];
const START_PARAMETERS: [&str; 8] = [
    "filepath",
    "argumentlist",
    "args",
    "wait",
    "nonewwindow",
    "passthru",
    "loaduserprofile",
    "usenewenvironment",
];

/// How many words of `start` and `call` stand in front of the program: a title in quotes, options.
fn title(args: &[Word]) -> usize {
    let quoted = |it: &Word| {
        matches!(it.pieces.first(), None | Some(crate::Piece::Literal { quoted: true, .. }))
    };
    let first = usize::from(args.first().is_some_and(quoted) && args.len() > 1);
    let behind = args.get(first..).unwrap_or(&[]);
    let options = behind.iter().take_while(|it| it.shown().starts_with('/')).count();
    first.saturating_add(options)
}
