//! The policies of a command: found, read and made ready.

mod selection;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use lawbook_diag::Problem;
use lawbook_dialect::{Loaded, Options, load};
use lawbook_event::Time;
use lawbook_report::PolicyLine;
use lawbook_rule::{Policy, Profile};

use crate::environment;
use crate::input::{near, stdin_twice};

pub use selection::Selection;

/// The flags that say which policies are meant.
#[derive(Clone, Debug, Args)]
pub struct PolicyArgs {
    /// A policy file, or `-` for standard input; given several times, later ones only tighten
    #[arg(long, value_name = "FILE")]
    pub policy: Vec<PathBuf>,
    /// How a policy of another system is read
    #[arg(long, value_name = "PROFILE", env = "LAWBOOK_PROFILE", hide_env = true)]
    pub profile: Option<ProfileName>,
    /// The dialect of the policies, where their content does not show it
    #[arg(long, value_name = "NAME", env = "LAWBOOK_DIALECT", hide_env = true)]
    pub dialect: Option<String>,
    /// What the user is called in messages, instead of the policy's own word
    #[arg(long, value_name = "WORD", env = "LAWBOOK_USER_WORD", hide_env = true)]
    pub user_word: Option<String>,
}

/// How a policy of another system is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProfileName {
    /// Exactly what the system itself finds
    Compatible,
    /// The full reading, with its faults closed
    Strict,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Compatible => Profile::Compatible,
            ProfileName::Strict => Profile::Strict,
        }
    }
}

/// A policy file that was read.
#[derive(Clone, Debug)]
pub struct PolicyFile {
    /// Its name in reports.
    pub source: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl PolicyFile {
    /// Whether it stands in a file, so that a line of it can be pointed at.
    #[must_use]
    pub fn is_there(&self) -> bool {
        ![BUILT_IN_NAME, CODING_NAME, "-"].contains(&self.source.as_str())
    }
}

/// The policies of a command, in the order given.
#[derive(Debug)]
pub struct Policies {
    /// The policies.
    pub layers: Vec<Arc<Policy>>,
    /// The same in the strict reading, where a policy of another system has one.
    pub strict: Vec<Arc<Policy>>,
    /// What reports say of them.
    pub lines: Vec<PolicyLine>,
    /// What should be known first, as where a policy was found.
    pub notes: Vec<String>,
    /// The files, in the same order.
    pub files: Vec<PolicyFile>,
}

/// The file that is looked for where none is named.
const FOUND_NAME: &str = "lawbook.yaml";

/// The policy of last resort: faultgate's denied patterns and nothing else.
const BUILT_IN: &[u8] = b"{}";

/// Its name in reports.
const BUILT_IN_NAME: &str = "built in";

/// What coding agents are held to, where nothing else is named.
pub const CODING: &[u8] = include_bytes!("../../dialect/packs/coding.yaml");

/// Its name in reports.
const CODING_NAME: &str = "built in: coding agents";

/// What a command does where no policy is named and none is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// It judges by the policy of last resort.
    BuiltIn,
    /// It does without rules.
    Nothing,
    /// The built-in rules for coding agents, also where a policy could be found.
    Coding,
}

/// Policy files, and what should be known of where they come from.
pub type Found = (Vec<PolicyFile>, Vec<String>);

impl PolicyArgs {
    /// The files that are named, by a flag or else by the environment.
    #[must_use]
    pub fn named(&self) -> Vec<PathBuf> {
        if self.policy.is_empty() {
            environment::files("LAWBOOK_POLICY")
        } else {
            self.policy.clone()
        }
    }

    /// The files that are meant: those named, or the one that is found.
    fn files(&self, otherwise: Otherwise) -> Result<Found, Vec<Problem>> {
        let named = self.named();
        if !named.is_empty() {
            return read_all(&named).map(|files| (files, Vec::new()));
        }
        if otherwise == Otherwise::Coding {
            let file = PolicyFile { source: CODING_NAME.to_owned(), bytes: CODING.to_vec() };
            let note = "no `--policy`: judged by the built-in rules for coding agents".to_owned();
            return Ok((vec![file], vec![note]));
        }
        if let Some(path) = upwards() {
            let note = found_at(&path);
            return read_all(&[path]).map(|files| (files, vec![note]));
        }
        let nowhere = format!("no `--policy`, and no `{FOUND_NAME}` here or above");
        if otherwise == Otherwise::Nothing {
            return Ok((Vec::new(), vec![format!("{nowhere}: no rules are looked at")]));
        }
        let file = PolicyFile { source: BUILT_IN_NAME.to_owned(), bytes: BUILT_IN.to_vec() };
        let note = format!("{nowhere}: judged by faultgate's default denied patterns alone");
        Ok((vec![file], vec![note]))
    }

    /// The files that a live door is held to: those named, or the one that is found. Without any it
    /// has nothing to judge by.
    ///
    /// # Errors
    /// For every file that can't be read, and when there is none.
    pub fn files_of_a_door(&self) -> Result<Found, Vec<Problem>> {
        let (files, notes) = self.files(Otherwise::Nothing)?;
        if files.is_empty() {
            return Err(vec![no_policy()]);
        }
        Ok((files, notes))
    }

    /// The same for a hook, which is named its policies by flags and never by a variable: a
    /// repository sets variables for its agents.
    ///
    /// # Errors
    /// For every file that can't be read, and when there is none.
    pub fn files_of_a_hook(&self) -> Result<Found, Vec<Problem>> {
        if !self.policy.is_empty() {
            return self.files_of_a_door();
        }
        match upwards() {
            Some(path) => {
                let note = found_at(&path);
                read_all(&[path]).map(|files| (files, vec![note]))
            }
            None => Err(vec![no_policy()]),
        }
    }

    /// Reads and loads the policies, keeping the rules that `select` wants.
    ///
    /// # Errors
    /// For everything that is wrong with them, all at once.
    pub fn load(&self, select: &Selection, otherwise: Otherwise) -> Result<Policies, Vec<Problem>> {
        let (files, mut notes) = self.files(otherwise)?;
        let mut problems = Vec::new();
        let mut layers = Vec::new();
        let mut strict = Vec::new();
        for file in &files {
            let loaded = self.read(file, self.profile.map(Profile::from));
            problems.extend(loaded.problems);
            let Some(policy) = loaded.policy else { continue };
            if policy.profile == Profile::Compatible {
                strict.extend(self.read(file, Some(Profile::Strict)).policy);
            }
            layers.push(policy);
        }
        if problems.is_empty() {
            notes.extend(open_ended(&layers, &files));
            problems = select.apply(&mut layers, &mut notes);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let lines =
            layers.iter_mut().zip(&files).map(|(policy, file)| self.line(policy, file)).collect();
        strict.iter_mut().for_each(|it| drop(select.keep(it)));
        let ready = |it: Vec<Policy>| it.into_iter().map(Arc::new).collect();
        Ok(Policies { layers: ready(layers), strict: ready(strict), lines, notes, files })
    }

    /// An edited policy, read as its file was.
    #[must_use]
    pub fn again(&self, file: &PolicyFile, dialect: &str, select: &Selection) -> Option<Policy> {
        let profile = self.profile.map(Profile::from);
        let user_word = self.user_word.as_deref();
        let options = Options { dialect: Some(dialect), profile, user_word };
        let mut policy = load(&file.source, &file.bytes, &options).policy?;
        select.keep(&mut policy);
        Some(policy)
    }

    /// The policies of a command that can do without, beside these traces.
    ///
    /// # Errors
    /// For everything that is wrong with them, and when both come from standard input.
    pub fn beside(&self, traces: &[String]) -> Result<Policies, Vec<Problem>> {
        if self.wants_stdin(traces) {
            return Err(vec![stdin_twice()]);
        }
        self.load(&Selection::default(), Otherwise::Nothing)
    }

    /// Whether both a policy and traces would come from standard input.
    #[must_use]
    pub fn wants_stdin(&self, traces: &[String]) -> bool {
        traces.iter().any(|it| it == "-") && self.named().iter().any(|it| is_stdin(it))
    }

    fn read(&self, file: &PolicyFile, profile: Option<Profile>) -> Loaded {
        load(&file.source, &file.bytes, &self.options(profile))
    }

    fn options(&self, profile: Option<Profile>) -> Options<'_> {
        let user_word = self.user_word.as_deref();
        Options { dialect: self.dialect.as_deref(), profile, user_word }
    }

    fn line(&self, policy: &mut Policy, file: &PolicyFile) -> PolicyLine {
        policy.digest = lawbook::digest(&file.bytes);
        let options = self.options(Some(policy.profile));
        let lines = || lawbook_dialect::lines(&file.source, &file.bytes, &options);
        PolicyLine {
            name: policy.name.clone(),
            dialect: policy.dialect.to_owned(),
            digest: policy.digest.clone(),
            profile: policy.profile.word().to_owned(),
            source: file.source.clone(),
            rules: policy.rules.len(),
            not_covered: policy.not_covered.clone(),
            lines: file.is_there().then(lines),
        }
    }
}

fn no_policy() -> Problem {
    let message = format!("no `--policy`, and no `{FOUND_NAME}` here or above");
    Problem::new("policy", "no_policy", message).help("name a policy with `--policy`")
}

impl Policies {
    /// Whether nobody named a policy and none was found.
    #[must_use]
    pub fn is_built_in(&self) -> bool {
        self.lines.iter().all(|it| it.source == BUILT_IN_NAME)
    }

    /// Says where policies were found, for commands whose result does not.
    pub fn say_where(&self) {
        self.notes.iter().for_each(|it| crate::print::note(it));
    }
}

/// A note for native policies that say nothing of tools outside their table, where no policy does.
fn open_ended(layers: &[Policy], files: &[PolicyFile]) -> Vec<String> {
    let lists = |it: &Policy| it.rules.iter().any(|rule| rule.body.name() == "only_listed");
    if layers.iter().any(lists) {
        return Vec::new();
    }
    let silent = |file: &&PolicyFile| {
        let found = lawbook_dialect::lint(&file.source, &file.bytes, &Options::default());
        found.iter().any(|it| it.problem.code == "no_default")
    };
    let native = layers.iter().zip(files).filter(|it| it.0.profile == Profile::Native);
    let note = |file: &PolicyFile| {
        format!("`{}` has no `default`, so tools that it does not list may run", file.source)
    };
    native.map(|it| it.1).filter(silent).map(note).collect()
}

/// Reads files, all problems told at once. `-` is standard input.
///
/// # Errors
/// For every file that can't be read.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<PolicyFile>, Vec<Problem>> {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    if paths.iter().filter(|it| is_stdin(it)).count() > 1 {
        return Err(vec![stdin_twice()]);
    }
    for path in paths {
        match bytes(path) {
            Ok(bytes) => files.push(PolicyFile { source: path.display().to_string(), bytes }),
            Err(error) => problems.push(unreadable(path, &error)),
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
}

/// Whether the word for a file means standard input.
#[must_use]
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if !is_stdin(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
}

/// The problem of a policy that can't be read.
#[must_use]
pub fn unreadable(path: &Path, error: &io::Error) -> Problem {
    let message = format!("the policy can't be read: {error}");
    let problem = Problem::new(path.display().to_string(), "unreadable", message);
    if error.kind() != io::ErrorKind::NotFound {
        return problem;
    }
    match near(path) {
        Some(near) => problem.help(format!("did you mean `{}`?", near.display())),
        None => problem.help("name a policy file that is there; a policy starts with `lawbook: 1`"),
    }
}

/// `lawbook.yaml` here or in the nearest folder above, for commands that need a policy, with a note
/// that names it.
///
/// # Errors
/// When there is none.
pub fn find() -> Result<PathBuf, Vec<Problem>> {
    let Some(path) = upwards() else {
        let message = format!("no `{FOUND_NAME}` here or above");
        return Err(vec![Problem::new("policy", "no_policy", message).help("name a policy file")]);
    };
    crate::print::note(&found_at(&path));
    Ok(path)
}

fn found_at(path: &Path) -> String {
    format!("policy found at {}", path.display())
}

/// `lawbook.yaml` here or in the nearest folder above.
fn upwards() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let found = here.ancestors().map(|it| it.join(FOUND_NAME)).find(|it| it.is_file())?;
    // Shown as it stands to the one who reads it, where that is shorter.
    Some(found.strip_prefix(&here).map(Path::to_owned).unwrap_or(found))
}

/// Now, for waivers that have an end.
#[must_use]
pub fn now() -> Option<Time> {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Time { nanos: i64::try_from(since.as_nanos()).ok()? })
}
