//! How many words make the action of a command, as data that users can extend.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::programs;
use crate::{Analysis, Judgement, Segment, Verdict};

/// The words that make an action, by the words that they begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arity {
    entries: BTreeMap<String, usize>,
}

static KNOWN: LazyLock<Arity> = LazyLock::new(|| {
    let mut arity = Arity::default();
    // A line that can't be read would be missing; a test holds that there is none.
    arity.extend(include_str!("arity.tsv")).ok();
    arity
});

impl Arity {
    /// The actions that are known here.
    #[must_use]
    pub fn known() -> &'static Arity {
        &KNOWN
    }

    /// Adds a prefix whose action has so many words, the program among them.
    pub fn add(&mut self, prefix: &str, words: usize) {
        let prefix = prefix.split_whitespace().collect::<Vec<_>>().join(" ");
        self.entries.insert(prefix, words.max(1));
    }

    /// Adds the lines of a table: a prefix, a tab, a number; `#` begins a remark.
    ///
    /// # Errors
    ///
    /// The number of the first line that can't be read, counted from 1.
    pub fn extend(&mut self, table: &str) -> Result<(), usize> {
        for (number, line) in table.lines().enumerate() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') || line.starts_with("prefix\t") {
                continue;
            }
            let entry = line.split_once('\t');
            let entry = entry.and_then(|(prefix, words)| Some((prefix, words.parse().ok()?)));
            match entry {
                Some((prefix, words)) if words > 0 => self.add(prefix, words),
                _ => return Err(number.saturating_add(1)),
            }
        }
        Ok(())
    }

    /// The prefixes and how many words their actions have.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.entries.iter().map(|(prefix, words)| (prefix.as_str(), *words))
    }

    /// The same with the entries of another, which count where both have one.
    #[must_use]
    pub fn with(mut self, other: &Arity) -> Self {
        self.entries.extend(other.entries.iter().map(|(prefix, words)| (prefix.clone(), *words)));
        self
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The words of the action of a segment, the program first; options are no part of it.
    #[must_use]
    pub fn action(&self, segment: &Segment) -> Vec<String> {
        let mut words = self.words(segment);
        let count = match words.get(1).map(String::as_str) {
            Some("-m") => words.len(),
            _ => self.entry(&words).unwrap_or(1),
        };
        words.truncate(count);
        words
    }

    /// The program and the words behind it that may be a part of its action.
    fn words(&self, segment: &Segment) -> Vec<String> {
        let Some(program) = segment.program.clone() else { return Vec::new() };
        let mut words = vec![program];
        // `python -m x` has the name of a module where others have a subcommand.
        if let Some(module) = segment.reading.options.iter().find(|it| it.name == "-m") {
            let known = format!("{} -m", words.concat());
            if self.entries.contains_key(&known) {
                let value = module.value.as_ref().and_then(crate::Word::literal);
                words.push("-m".to_owned());
                words.extend(value);
                return words;
            }
        }
        let known = |it: &crate::reading::Operand| it.text.clone().filter(|_| !it.doubtful);
        let longest = self.entries.values().copied().max().unwrap_or(1);
        words.extend(segment.reading.operands.iter().map_while(known).take(longest));
        words
    }

    /// How many words the longest prefix that is known gives an action.
    fn entry(&self, words: &[String]) -> Option<usize> {
        (1..=words.len()).rev().find_map(|length| {
            self.entries.get(&words.get(..length).unwrap_or_default().join(" ")).copied()
        })
    }
}

/// The words of the action of a segment, by the table that is known here.
#[must_use]
pub fn action(segment: &Segment) -> Vec<String> {
    Arity::known().action(segment)
}

/// How many rules are suggested at once.
pub const SUGGESTIONS_MAX: usize = 5;

/// Rules that would cover what was asked about, by the actions that are known here.
#[must_use]
pub fn suggest(analysis: &Analysis, judgement: &Judgement) -> Vec<String> {
    Arity::known().suggest(analysis, judgement)
}

impl Arity {
    /// Rules that would cover what was asked about: one for each segment that no rule covers, or
    /// none at all where a rule must not.
    #[must_use]
    pub fn suggest(&self, analysis: &Analysis, judgement: &Judgement) -> Vec<String> {
        let about_all = judgement.reasons.iter().any(|it| it.segment.is_none());
        if about_all || judgement.verdict != Verdict::Ask {
            return Vec::new();
        }
        let mut out = BTreeSet::new();
        for (segment, judged) in analysis.segments.iter().zip(&judgement.segments) {
            if judged.verdict == Verdict::Allow {
                continue;
            }
            // A rule that asks was meant, and no rule covers what a segment does beyond its action.
            if judged.rule.is_some() || !segment.effects.is_empty() {
                return Vec::new();
            }
            let Some(rule) = self.rule(segment) else { return Vec::new() };
            out.insert(rule);
        }
        if out.len() > SUGGESTIONS_MAX { Vec::new() } else { out.into_iter().collect() }
    }

    fn rule(&self, segment: &Segment) -> Option<String> {
        let program = segment.program.as_deref().filter(|_| !segment.by_path)?;
        if programs::find(program).is_some_and(|it| it.is_opaque()) {
            return None;
        }
        let words = self.words(segment);
        let never = |it: &&str| {
            let mut never = it.split(' ').enumerate();
            never.all(|(at, word)| words.get(at).is_some_and(|it| it == word))
        };
        if NEVER.iter().any(never) {
            return None;
        }
        let action = match self.entry(&words) {
            // A prefix that is shorter than its action would cover other actions too.
            Some(count) => words.get(..count)?.to_vec(),
            // Whether a program that nothing is known of has actions can't be told.
            None if !WHOLE.contains(&program) || self.has_actions(program) => return None,
            None => vec![program.to_owned()],
        };
        let plain = |it: &String| {
            let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_.:+@/".contains(it);
            !it.is_empty() && it.chars().all(is_plain)
        };
        action.iter().all(plain).then(|| action.join(" "))
    }

    fn has_actions(&self, program: &str) -> bool {
        self.entries.keys().any(|it| it.split(' ').next() == Some(program))
    }
}

/// What runs whatever it is given, reaches an account as a whole, or takes something away, although
/// its name alone, or the name and a word, look like an action.
const NEVER: &[&str] = &[
    "ansible",
    "at",
    "aws",
    "az",
    "batch",
    "bun x",
    "bunx",
    "cargo generate",
    "cargo install",
    "crontab",
    "dd",
    "deno run",
    "docker buildx",
    "docker compose exec",
    "docker compose run",
    "docker container exec",
    "docker container run",
    "docker exec",
    "docker run",
    "doas",
    "find",
    "gcloud",
    "gdb",
    "gh alias",
    "gh api",
    "gh auth",
    "gh extension",
    "gh secret",
    "git bisect",
    "git config",
    "git rebase",
    "git submodule",
    "go generate",
    "go run",
    "java",
    "kubectl exec",
    "lldb",
    "make",
    "nc",
    "ncat",
    "npm exec",
    "npx",
    "parallel",
    "pipx run",
    "pnpm dlx",
    "pnpm exec",
    "poetry run",
    "rm",
    "screen",
    "socat",
    "strace",
    "systemd-run",
    "tee",
    "tmux",
    "uv run",
    "uvx",
    "yarn dlx",
    "yarn workspace",
    "yarn workspaces",
];

/// Programs whose name is the whole action: they have no subcommands and run nothing that they are
/// given.
const WHOLE: &[&str] = &[
    "actionlint",
    "basename",
    "black",
    "cat",
    "cd",
    "cksum",
    "cloc",
    "cmp",
    "column",
    "comm",
    "cut",
    "date",
    "df",
    "diff",
    "dig",
    "dirname",
    "du",
    "echo",
    "egrep",
    "eslint",
    "false",
    "fgrep",
    "file",
    "flake8",
    "fold",
    "free",
    "grep",
    "hadolint",
    "head",
    "hexdump",
    "id",
    "isort",
    "jest",
    "jq",
    "ls",
    "lsof",
    "md5sum",
    "mkdir",
    "mypy",
    "nl",
    "nm",
    "nproc",
    "nslookup",
    "objdump",
    "od",
    "paste",
    "pgrep",
    "ping",
    "prettier",
    "printf",
    "ps",
    "pwd",
    "pylint",
    "pyright",
    "pytest",
    "readelf",
    "readlink",
    "realpath",
    "rev",
    "rg",
    "rustfmt",
    "seq",
    "sha1sum",
    "sha256sum",
    "sha512sum",
    "shellcheck",
    "sleep",
    "sort",
    "stat",
    "strings",
    "stylelint",
    "tac",
    "tail",
    "test",
    "tokei",
    "touch",
    "tr",
    "tree",
    "true",
    "tsc",
    "type",
    "uname",
    "uniq",
    "uptime",
    "vitest",
    "wc",
    "which",
    "whoami",
    "xxd",
];
