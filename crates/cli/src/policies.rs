//! The policies of a command: found, read and made ready.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use lawbook_diag::{Problem, nearest};
use lawbook_dialect::{Loaded, Options, load};
use lawbook_event::Time;
use lawbook_report::PolicyLine;
use lawbook_rule::{Policy, Profile, names};
use sha2::{Digest, Sha256};

/// The flags that say which policies are meant.
#[derive(Clone, Debug, Args)]
pub struct PolicyArgs {
    /// A policy file; given several times, later ones only tighten
    #[arg(long, value_name = "FILE", env = "LAWBOOK_POLICY", hide_env = true)]
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
}

/// The file that is looked for where none is named.
const FOUND_NAME: &str = "lawbook.yaml";

/// The policy of last resort: faultgate's denied patterns and nothing else.
const BUILT_IN: &[u8] = b"{}";

/// Its name in reports.
const BUILT_IN_NAME: &str = "built in";

impl PolicyArgs {
    /// The files that are meant: those named, or the one that is found.
    ///
    /// # Errors
    /// For every file that can't be read.
    pub fn files(&self) -> Result<(Vec<PolicyFile>, Vec<String>), Vec<Problem>> {
        if !self.policy.is_empty() {
            return read_all(&self.policy).map(|files| (files, Vec::new()));
        }
        if let Some(path) = upwards() {
            let note = format!("policy found at {}", path.display());
            return read_all(&[path]).map(|files| (files, vec![note]));
        }
        let file = PolicyFile { source: BUILT_IN_NAME.to_owned(), bytes: BUILT_IN.to_vec() };
        let note = format!(
            "no `--policy`, and no `{FOUND_NAME}` here or above: judged by faultgate's default denied \
             patterns alone"
        );
        Ok((vec![file], vec![note]))
    }

    /// Reads and loads the policies, keeping the rules that `select` wants.
    ///
    /// # Errors
    /// For everything that is wrong with them, all at once.
    pub fn load(&self, select: &Selection) -> Result<Policies, Vec<Problem>> {
        let (files, mut notes) = self.files()?;
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
            problems = select.unknown(&layers, &mut notes);
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let lines = layers
            .iter_mut()
            .zip(&files)
            .map(|(policy, file)| {
                select.keep(policy);
                line(policy, file)
            })
            .collect();
        strict.iter_mut().for_each(|it| select.keep(it));
        let ready = |it: Vec<Policy>| it.into_iter().map(Arc::new).collect();
        Ok(Policies { layers: ready(layers), strict: ready(strict), lines, notes })
    }

    fn read(&self, file: &PolicyFile, profile: Option<Profile>) -> Loaded {
        let user_word = self.user_word.as_deref();
        let options = Options { dialect: self.dialect.as_deref(), profile, user_word };
        load(&file.source, &file.bytes, &options)
    }
}

impl Policies {
    /// Whether there is none but the policy of last resort.
    #[must_use]
    pub fn built_in(&self) -> bool {
        self.lines.iter().all(|it| it.source == BUILT_IN_NAME)
    }

    /// Says where policies were found, for commands whose result does not.
    pub fn say_where(&self) {
        if !self.built_in() {
            self.notes.iter().for_each(|it| crate::print::note(it));
        }
    }
}

/// Which rules are kept.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only these, if any are named.
    pub rules: Vec<String>,
    /// Not these.
    pub ignore: Vec<String>,
}

impl Selection {
    fn keep(&self, policy: &mut Policy) {
        let named = |wanted: &[String], id: &str| wanted.iter().any(|it| names(id, it));
        policy.retain(|rule| {
            (self.rules.is_empty() || named(&self.rules, &rule.id))
                && !named(&self.ignore, &rule.id)
        });
    }

    /// A problem for every id that no policy knows. Where all policies are judged as their own
    /// systems do, it is a note, since those systems ignore it.
    fn unknown(&self, layers: &[Policy], notes: &mut Vec<String>) -> Vec<Problem> {
        let lenient = layers.iter().all(|it| it.profile == Profile::Compatible);
        let wanted = self.rules.iter().chain(&self.ignore);
        let mut problems = Vec::new();
        for id in wanted.filter(|id| !layers.iter().any(|it| it.has_rule(id))) {
            let message = format!("no policy has a rule `{id}`");
            if lenient {
                notes.push(message);
            } else {
                problems.push(unknown_rule(id, message, layers));
            }
        }
        problems
    }
}

fn unknown_rule(id: &str, message: String, layers: &[Policy]) -> Problem {
    let ids: Vec<&str> = layers.iter().flat_map(|it| &it.rules).map(|it| it.id.as_ref()).collect();
    let help = match nearest(id, ids.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its rules are {}", ids.join(", ")),
    };
    Problem::new("--rules", "unknown_rule", message).help(help)
}

fn line(policy: &mut Policy, file: &PolicyFile) -> PolicyLine {
    policy.digest = digest(&file.bytes);
    PolicyLine {
        name: policy.name.clone(),
        dialect: policy.dialect.to_owned(),
        digest: policy.digest.clone(),
        profile: policy.profile.word().to_owned(),
        source: file.source.clone(),
        rules: policy.rules.len(),
        not_covered: policy.not_covered.clone(),
    }
}

fn digest(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    let hex: String = hash.iter().map(|it| format!("{it:02x}")).collect();
    format!("sha256:{hex}")
}

fn read_all(paths: &[PathBuf]) -> Result<Vec<PolicyFile>, Vec<Problem>> {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        let source = path.display().to_string();
        match std::fs::read(path) {
            Ok(bytes) => files.push(PolicyFile { source, bytes }),
            Err(error) => {
                let message = format!("the policy can't be read: {error}");
                problems.push(
                    Problem::new(source, "unreadable", message)
                        .help("`lawbook rule` lists what a policy can demand"),
                );
            }
        }
    }
    if problems.is_empty() { Ok(files) } else { Err(problems) }
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
