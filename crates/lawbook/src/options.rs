//! The choices in loading a policy.

use std::path::Path;
use std::sync::Arc;

use lawbook_diag::{Problem, nearest};
use lawbook_event::json::{Document, Grammar, Limits, Writer};
use lawbook_rule::kinds::OWN_PAGES;
use lawbook_rule::{Policy as Rules, Profile, names};
use lawbook_session::PolicyText;

use crate::policy::digest;
use crate::proven::Proven;
use crate::{Error, Policy};

/// How policies are loaded and held.
///
/// ```
/// use lawbook::{Options, Profile};
///
/// let faultgate = r#"{"limits": [{"tool": "pay", "arg": "eur", "max": 10}]}"#;
/// let ours = "{lawbook: 1, default: allow, rules: [{id: no-wires, never: {tools: [wire]}}]}";
/// let policy = Options::new()
///     .profile(Profile::Strict)
///     .user_word("customer")
///     .texts([("policy.json", faultgate), ("ours.yaml", ours)])?;
/// # let _ = policy;
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    profile: Option<Profile>,
    dialect: Option<String>,
    user_word: Option<String>,
    rules: Vec<String>,
    proven: Option<(String, String)>,
    unattended: bool,
    protected: Option<Vec<String>>,
}

impl Options {
    /// Nothing chosen: the dialect is found by content and read strictly, all rules are in force,
    /// and a person can be asked.
    ///
    /// ```
    /// # use lawbook::Options;
    /// let policy = Options::new().texts([("p.yaml", "{lawbook: 1, default: allow}")])?;
    /// # let _ = policy;
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Options::default()
    }

    /// How a policy of another system is read: [`Profile::Strict`] with its faults closed, which is
    /// the default, or [`Profile::Compatible`] exactly as the system itself would.
    ///
    /// ```
    /// use lawbook::{Options, Profile};
    ///
    /// let text = r#"{"limits": [{"tool": "pay", "arg": "eur", "max": 10}]}"#;
    /// let policy = Options::new().profile(Profile::Compatible).texts([("policy.json", text)])?;
    /// # let _ = policy;
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Options { profile: Some(profile), ..self }
    }

    /// The dialect, where the content does not show it.
    ///
    /// ```
    /// # use lawbook::Options;
    /// let error = Options::new().dialect("faultgate").texts([("p", "lawbook: 1")]).unwrap_err();
    /// assert_eq!(error.problems()[0].source, "p");
    /// ```
    #[must_use]
    pub fn dialect(self, name: impl Into<String>) -> Self {
        Options { dialect: Some(name.into()), ..self }
    }

    /// What the user is called in messages, instead of the policy's own word.
    ///
    /// ```
    /// # use lawbook::Options;
    /// let text = "{lawbook: 1, default: deny, tools: {pay: {access: write, confirm: true}}}";
    /// let policy = Options::new().user_word("guest").texts([("p.yaml", text)])?;
    /// # let _ = policy;
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn user_word(self, word: impl Into<String>) -> Self {
        Options { user_word: Some(word.into()), ..self }
    }

    /// The rules that alone are in force, by their ids with or without an index.
    ///
    /// ```
    /// use lawbook::Options;
    ///
    /// # let text = "{lawbook: 1, default: allow, rules: [{id: no-wires, never: {tools: [wire]}}]}";
    /// let error = Options::new().rules(["no-wire"]).texts([("p.yaml", text)]).unwrap_err();
    /// assert_eq!(error.code(), "unknown_rule");
    /// ```
    #[must_use]
    pub fn rules(self, ids: impl IntoIterator<Item: Into<String>>) -> Self {
        Options { rules: ids.into_iter().map(Into::into).collect(), ..self }
    }

    /// The text of a `lawbook.proven/1` file, and its name in problems: the rules that flagged no
    /// good trace. They alone are in force, unless [`Options::rules`] says which are; then rules
    /// that were never proven are named in the notes. What was proven on another text of the policy
    /// is refused.
    ///
    /// ```
    /// # use lawbook::Options;
    /// let text = "{lawbook: 1, default: allow, rules: [{id: no-wires, never: {tools: [wire]}}]}";
    /// let digest = lawbook::digest(text.as_bytes());
    /// let proven =
    ///     format!(r#"{{"schema": "lawbook.proven/1", "policy": "{digest}", "rules": ["no-wires"]}}"#);
    /// let policy = Options::new().proven("proven.json", proven).texts([("p.yaml", text)])?;
    /// assert_eq!(policy.notes(), ["not in force: `denied_patterns`"]);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn proven(self, name: impl Into<String>, text: impl Into<String>) -> Self {
        Options { proven: Some((name.into(), text.into())), ..self }
    }

    /// Whether nobody can be asked, so that every `ask` is a `deny`.
    ///
    /// ```
    /// use lawbook::{Call, Options, Session, Start, Time, Verdict};
    ///
    /// # let text = "{lawbook: 1, default: ask}";
    /// # let now = Time { nanos: 0 };
    /// let policy = Options::new().unattended(true).texts([("p.yaml", text)])?;
    /// let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// assert_eq!(session.call(&Call::new("c1", "pay", "{}"), now)?.verdict(), Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn unattended(self, unattended: bool) -> Self {
        Options { unattended, ..self }
    }

    /// Adds the rule `self_protect`: nothing that an agent does changes these files and folders, the
    /// settings of known agents, or starts a door of Lawbook's. It is a policy of its own, behind
    /// all others.
    ///
    /// ```
    /// use lawbook::{Call, Options, Session, Start, Time, Verdict};
    ///
    /// # let now = Time { nanos: 0 };
    /// let policy = Options::new()
    ///     .protect(["/srv/policy.yaml"])
    ///     .texts([("p.yaml", "{lawbook: 1, default: allow}")])?;
    /// let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// let write = Call::new("c1", "Write", r#"{"file_path": "/srv/policy.yaml"}"#);
    /// assert_eq!(session.call(&write, now)?.verdict(), Verdict::Deny);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn protect(self, paths: impl IntoIterator<Item: Into<String>>) -> Self {
        Options { protected: Some(paths.into_iter().map(Into::into).collect()), ..self }
    }

    /// Loads policy files, of which a later one only tightens.
    ///
    /// # Errors
    /// For every file that can't be read, and for everything that is wrong in them, all at once.
    ///
    /// ```
    /// # use lawbook::Options;
    /// let error = Options::new().load(["floor.yaml", "team.yaml"]).unwrap_err();
    /// // Both are told, not the first alone.
    /// assert_eq!(error.problems().len(), 2);
    /// ```
    #[allow(clippy::disallowed_methods, reason = "the one place where the facade reads files")]
    pub fn load(&self, paths: impl IntoIterator<Item: AsRef<Path>>) -> Result<Policy, Error> {
        let mut files = Vec::new();
        let mut problems = Vec::new();
        for path in paths {
            let path = path.as_ref();
            let name = path.display().to_string();
            match std::fs::read(path) {
                Ok(bytes) => files.push((name, bytes)),
                Err(error) => problems.push(
                    Problem::new(name, "unreadable", format!("the policy can't be read: {error}"))
                        .help("name a policy file that is there"),
                ),
            }
        }
        if !problems.is_empty() {
            return Err(Error::from(problems));
        }
        self.texts(files.iter().map(|(name, bytes)| (name.as_str(), bytes)))
    }

    /// Reads the texts of policies, each with the name that problems call it by; a later one only
    /// tightens.
    ///
    /// # Errors
    /// For everything that is wrong with them, all at once; when no rule is left to judge by; and
    /// for the empty policy `{}` of faultgate, which would let everything pass that its default
    /// patterns don't name.
    ///
    /// ```
    /// # use lawbook::Options;
    /// let error = Options::new().texts([("policy.json", "{}")]).unwrap_err();
    /// assert_eq!(error.code(), "empty_policy");
    /// ```
    pub fn texts<'t>(
        &self,
        texts: impl IntoIterator<Item = (&'t str, impl AsRef<[u8]>)>,
    ) -> Result<Policy, Error> {
        let mut layers = Vec::new();
        let mut problems = Vec::new();
        let mut sources = Vec::new();
        for (name, text) in texts {
            match self.one(name, text.as_ref()) {
                Ok(rules) => {
                    sources.extend(source(name, text.as_ref(), &rules));
                    layers.push(rules);
                }
                Err(wrong) => problems.extend(wrong),
            }
        }
        if layers.is_empty() && problems.is_empty() {
            problems.push(Problem::new("policy", "no_policy", "no policy is named"));
        }
        if !problems.is_empty() {
            return Err(Error::from(problems));
        }
        let mut notes = Vec::new();
        if self.profile.is_none() && layers.iter().any(|it| it.profile == Profile::Strict) {
            notes
                .push("the policy of another system is read strictly, as live doors do".to_owned());
        }
        self.select(&mut layers, &mut notes)?;
        if let Some(paths) = &self.protected {
            layers.push(protection(paths)?);
        }
        let layers: Vec<_> = layers.into_iter().map(Arc::new).collect();
        // What was left out of a text, or added to it, is not in the text.
        let whole = layers.len() == 1 && self.rules.is_empty() && self.proven.is_none();
        let source = sources.pop().filter(|_| whole && self.user_word.is_none());
        Ok(Policy::new(layers, self.unattended, notes, source))
    }

    fn one(&self, name: &str, text: &[u8]) -> Result<Rules, Vec<Problem>> {
        let options = lawbook_dialect::Options {
            dialect: self.dialect.as_deref(),
            profile: Some(self.profile.unwrap_or(Profile::Strict)),
            user_word: self.user_word.as_deref(),
        };
        let loaded = lawbook_dialect::load(name, text, &options);
        let Some(mut rules) = loaded.policy else { return Err(loaded.problems) };
        if says_nothing(text) {
            let message = "the policy is empty, so a live door would let nearly every call run";
            let problem = Problem::new(name, "empty_policy", message);
            return Err(vec![problem.help("list the tools that may run, or the limits they have")]);
        }
        rules.digest = digest(text);
        Ok(rules)
    }

    /// Keeps the rules that are meant to be in force.
    fn select(&self, layers: &mut [Rules], notes: &mut Vec<String>) -> Result<(), Error> {
        let proven = match &self.proven {
            Some((name, text)) => Some(Proven::read(name, text)?),
            None => None,
        };
        if !self.rules.is_empty() {
            self.refuse_unknown(layers)?;
        }
        match &proven {
            None if self.rules.is_empty() => {
                notes.push("no rule in force is proven on reviewed traces yet".to_owned());
            }
            None => {}
            Some(proven) => {
                self.refuse_stale(proven, layers)?;
                notes.extend(proven_notes(proven, layers, &self.rules));
            }
        }
        let mut out = Vec::new();
        for layer in layers.iter_mut() {
            layer.retain(|rule| {
                let named = self.rules.iter().any(|it| names(&rule.id, it));
                let keeps = match &proven {
                    _ if !self.rules.is_empty() => named,
                    Some(proven) => proven.has(&rule.id),
                    None => true,
                };
                if !keeps {
                    out.push(format!("`{}`", rule.id));
                }
                keeps
            });
        }
        if layers.iter().all(|it| it.rules.is_empty()) {
            let problem = Problem::new("policy", "no_rule", "no rule is left to judge by");
            return Err(problem.help("choose other rules, or prove some").into());
        }
        if !out.is_empty() {
            notes.push(format!("not in force: {}", out.join(", ")));
        }
        Ok(())
    }

    /// Rules that came after another text was proven would silently not be in force.
    fn refuse_stale(&self, proven: &Proven, layers: &[Rules]) -> Result<(), Error> {
        if layers.iter().any(|it| it.digest == proven.policy) {
            return Ok(());
        }
        let source = self.proven.as_ref().map_or("proven", |it| it.0.as_str());
        let message = "the rules were proven on another text of the policy";
        let help = "run `lawbook agreement … --proven-out` again";
        Err(Problem::new(source, "stale_proven", message).help(help).into())
    }

    fn refuse_unknown(&self, layers: &[Rules]) -> Result<(), Error> {
        let own = |id: &str| OWN_PAGES.iter().any(|it| it.0 == id);
        let unknown =
            self.rules.iter().filter(|id| !own(id) && !layers.iter().any(|it| it.has_rule(id)));
        let problems: Vec<Problem> = unknown
            .map(|id| {
                let message = format!("no policy has a rule `{id}`");
                let problem = Problem::new("rules", "unknown_rule", message);
                let ids = layers.iter().flat_map(|it| &it.rules).map(|it| &*it.id);
                match nearest(id, ids) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help("name rules by the ids that the policy gives them"),
                }
            })
            .collect();
        if problems.is_empty() { Ok(()) } else { Err(Error::from(problems)) }
    }
}

/// A policy as an agent's record holds it.
fn source(name: &str, text: &[u8], rules: &Rules) -> Option<PolicyText> {
    Some(PolicyText {
        name: name.to_owned(),
        dialect: rules.dialect.to_owned(),
        profile: rules.profile.word().to_owned(),
        text: std::str::from_utf8(text).ok()?.to_owned(),
    })
}

/// The policy that protects files and folders.
fn protection(paths: &[String]) -> Result<Rules, Error> {
    let mut text = Writer::new();
    text.object().key("lawbook").number(1).key("default").string("allow");
    text.key("denied_patterns").array().end_array().key("rules").array().object();
    text.key("id").string("self_protect").key("self_protect").object().key("paths").array();
    for path in paths {
        text.string(path);
    }
    text.end_array().end_object().end_object().end_array().end_object();
    let text = text.finish();
    let options = lawbook_dialect::Options { dialect: Some("lawbook"), ..Default::default() };
    let loaded = lawbook_dialect::load("self_protect", text.as_bytes(), &options);
    let mut rules = loaded.policy.ok_or_else(|| Error::from(loaded.problems))?;
    rules.digest = digest(text.as_bytes());
    Ok(rules)
}

/// Whether a policy is an object without a single key.
fn says_nothing(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else { return false };
    Document::parse(text, Grammar::Python, &Limits::DEFAULT)
        .is_ok_and(|it| it.root().is_object() && it.root().is_empty())
}

fn proven_notes(proven: &Proven, layers: &[Rules], chosen: &[String]) -> Vec<String> {
    let mut notes = Vec::new();
    let rules = || layers.iter().flat_map(|it| &it.rules);
    let gone = proven.rules.iter().filter(|id| !rules().any(|it| *it.id == ***id));
    let gone: Vec<String> = gone.map(|it| format!("`{it}`")).collect();
    if !gone.is_empty() {
        notes.push(format!("proven, but in no policy any more: {}", gone.join(", ")));
    }
    let in_force = |id: &str| chosen.iter().any(|it| names(id, it));
    let unproven = rules().filter(|it| in_force(&it.id) && !proven.has(&it.id));
    let unproven: Vec<String> = unproven.map(|it| format!("`{}`", it.id)).collect();
    if !unproven.is_empty() {
        notes.push(format!("in force, but never proven: {}", unproven.join(", ")));
    }
    notes
}
