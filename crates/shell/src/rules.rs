//! Rules over commands: what a policy says of them, in order.

/// What becomes of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A person must say yes first.
    #[default]
    Ask,
    /// It may not run.
    Deny,
}

/// What a policy says of commands.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// The rules, in order.
    pub entries: Vec<Rule>,
    /// Which of several rules that match one segment decides.
    pub pick: Pick,
    /// What becomes of a segment that no rule matches.
    pub otherwise: Verdict,
    /// Folders in which redirections and write flags may write, absolute, or relative to the
    /// workspace (`.` is the workspace itself).
    pub write_roots: Vec<String>,
}

/// Which of several rules that match one segment decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// The strictest.
    #[default]
    Strictest,
    /// The first in order.
    First,
    /// The last in order.
    Last,
}

/// One rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Which segments it speaks of.
    pub matcher: Matcher,
    /// What it says of them.
    pub verdict: Verdict,
    /// The rule as its policy writes it.
    pub text: String,
}

/// The world that a text is judged in.
#[derive(Clone, Debug, Default)]
pub struct World<'w> {
    /// Which shell runs it.
    pub shell: Shell,
    /// The working directory, absolute, if it is known.
    pub cwd: Option<&'w str>,
    /// The workspace: the folder that the agent works in, absolute, if it is known. Where only one
    /// of this and `cwd` is known, it stands for both.
    pub workspace: Option<&'w str>,
    /// The home directory, if it is known.
    pub home: Option<&'w str>,
}

/// Which shell runs a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shell {
    /// bash, sh, zsh and their kin.
    #[default]
    Bash,
    /// zsh, where its text differs from bash's.
    Zsh,
    /// PowerShell.
    PowerShell,
    /// cmd.exe.
    Cmd,
}

/// What the rules say of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judgement {
    /// The strictest verdict of all.
    pub verdict: Verdict,
    /// One verdict for each segment of the analysis.
    pub segments: Vec<Judged>,
    /// Why the verdict is not allow: what no segment carries stands here too.
    pub reasons: Vec<Reason>,
}

/// The verdict on one segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a few words.
    pub why: String,
    /// The rule that decided, by its place among the entries.
    pub rule: Option<usize>,
}

/// One reason why a text is not allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What it asks for.
    pub verdict: Verdict,
    /// The segment that it is about; none where it is about the whole text.
    pub segment: Option<usize>,
    /// The rule that says so, by its place among the entries.
    pub rule: Option<usize>,
    /// The same as a sentence, user's text in backticks.
    pub message: String,
}

/// Which segments a rule speaks of. Allowing matches strictly, asking and denying loosely: through
/// paths, wrappers, quoting, flag order and nesting.
#[derive(Clone, Debug)]
pub enum Matcher {
    /// Leading words and a set of options, as `git push --force`: see [`Prefix`].
    Prefix(Prefix),
    /// A pattern over the whole segment, words joined by one space; `*` stands for any run of
    /// characters and, where it stands last behind a space, for no argument at all too.
    Glob(Glob),
    /// A regular expression over the whole segment, words joined by one space.
    Regex(regex::Regex),
}

/// Why a matcher can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatcherError {
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Matcher {
    /// A regular expression, bounded in size.
    ///
    /// # Errors
    ///
    /// The pattern is no regular expression, or a too large one.
    pub fn regex(pattern: &str) -> Result<Self, MatcherError> {
        let mut builder = regex::RegexBuilder::new(pattern);
        builder.size_limit(1 << 20).build().map(Matcher::Regex).map_err(|it| MatcherError {
            message: format!("`{pattern}` is no regular expression: {it}"),
            help: "write it as the `regex` crate reads it: no look-around, no back references"
                .to_owned(),
        })
    }
}

/// Leading words and a set of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The words that lead, the program first; each with its alternatives.
    pub(crate) words: Vec<Vec<String>>,
    /// Options that must all be present, wherever they stand.
    pub(crate) options: Vec<String>,
    /// The options one by one, by the names that reports use: for each program in turn.
    pub(crate) wanted: Vec<Vec<Wanted>>,
}

/// One option that a rule wants, and its value if it names one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wanted {
    /// The name that reports use.
    pub name: String,
    /// The value.
    pub value: Option<String>,
}

/// A pattern over a whole segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    /// The pattern as written.
    pub text: String,
    /// Whether `?` stands for one character.
    pub question: bool,
}
