//! A policy, ready to judge.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use lawbook_engine::{Engine, Remembered};
use lawbook_event::{Reading, Readings};
use lawbook_rule::{Past, Policy as Rules, Rule};
use lawbook_session::PolicyText;
use sha2::{Digest, Sha256};

use crate::{Error, Options};

/// One policy, or several of which a later one only tightens, ready to judge. Cloning is cheap.
///
/// ```
/// use lawbook::Policy;
///
/// let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny, tools: {look_up: {access: read}}}")?;
/// assert!(policy.digest().starts_with("sha256:"));
/// # Ok::<(), lawbook::Error>(())
/// ```
#[derive(Clone)]
pub struct Policy {
    inner: Arc<Inner>,
}

struct Inner {
    parts: Vec<Part>,
    digest: String,
    notes: Vec<String>,
    beyond_a_question: Vec<String>,
    unattended: bool,
    /// The text, where there is one alone: what an agent's record holds of its policy.
    source: Option<PolicyText>,
}

/// Policies that are judged over the same reading of a recording.
pub(crate) struct Part {
    /// The policies made ready.
    pub engine: Arc<Engine>,
    /// The reading.
    pub reading: Reading,
    /// The place of each of its policies in the order given.
    pub layers: Vec<usize>,
}

impl Policy {
    /// Loads a policy file, with all that [`Options`] would choose left as it is.
    ///
    /// # Errors
    /// When the file can't be read, and for everything that is wrong in it, all at once.
    ///
    /// ```
    /// let error = lawbook::Policy::load("not-there.yaml").unwrap_err();
    /// assert_eq!(error.code(), "unreadable");
    /// ```
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Options::new().load([path])
    }

    /// Reads the text of a policy; `name` is what problems call it.
    ///
    /// # Errors
    /// For everything that is wrong with it, all at once.
    ///
    /// ```
    /// let error = lawbook::Policy::from_text("p.yaml", "lawbook: 2").unwrap_err();
    /// assert_eq!(error.problems()[0].source, "p.yaml");
    /// ```
    pub fn from_text(name: &str, text: &str) -> Result<Self, Error> {
        Options::new().texts([(name, text)])
    }

    /// The digest that answers and logs name the policy by: of the file's bytes, or of the digests
    /// of all files, one a line, where there are several.
    ///
    /// ```
    /// use lawbook::{Policy, digest};
    ///
    /// let text = "{lawbook: 1, default: deny}";
    /// assert_eq!(Policy::from_text("p.yaml", text)?.digest(), digest(text.as_bytes()));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.inner.digest
    }

    /// What should be known of how it is held: the profile, rules that were never proven, rules
    /// that no live door can judge. Every answer carries them.
    ///
    /// ```
    /// # use lawbook::Policy;
    /// let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: deny, rules: [{id: whole, complete: {}}]}")?;
    /// assert!(policy.notes().iter().any(|it| it.contains("`whole`")));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.inner.notes
    }

    /// Makes loaded policies ready.
    pub(crate) fn new(
        layers: Vec<Arc<Rules>>,
        unattended: bool,
        mut notes: Vec<String>,
        source: Option<PolicyText>,
    ) -> Self {
        let digests: Vec<&str> = layers.iter().map(|it| &*it.digest).collect();
        let digest = match digests.as_slice() {
            [one] => (*one).to_owned(),
            several => digest(several.join("\n").as_bytes()),
        };
        notes.extend(lifelong(&layers));
        notes.extend(named(
            &layers,
            |it| it.body.watches().end,
            "judged when a session ends, which says nothing of a call",
        ));
        let untimed = "counted by the times of earlier calls, which `messages` must carry";
        let beyond_a_question = named(&layers, |it| it.body.past().times, untimed);
        let beyond_a_question = beyond_a_question.into_iter().collect();
        let parts = parts(layers);
        Policy {
            inner: Arc::new(Inner { parts, digest, notes, beyond_a_question, unattended, source }),
        }
    }

    /// What of a call of this tool rules keep in mind, so that whoever stores a session can leave
    /// out the rest.
    ///
    /// ```
    /// use lawbook::Policy;
    ///
    /// let text = "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [pay], max: 1}}]}";
    /// let policy = Policy::from_text("p.yaml", text)?;
    /// assert!(policy.remembers("pay").args);
    /// assert!(!policy.remembers("look_up").args);
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn remembers(&self, tool: &str) -> Remembered {
        let parts = self.parts().iter().map(|it| it.engine.remembers(tool));
        parts.fold(Remembered::default(), |all, it| Remembered {
            args: all.args || it.args,
            answers: all.answers || it.answers,
        })
    }

    /// Whether any rule reads what the user and the agent say.
    ///
    /// ```
    /// # use lawbook::Policy;
    /// let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow}")?;
    /// assert!(!policy.reads_words());
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn reads_words(&self) -> bool {
        self.parts().iter().any(|it| it.engine.needs().words)
    }

    /// Whether any rule rests on what happened earlier in the session.
    ///
    /// ```
    /// # use lawbook::Policy;
    /// let policy = Policy::from_text("p.yaml", "{lawbook: 1, default: allow}")?;
    /// assert!(!policy.looks_back());
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn looks_back(&self) -> bool {
        self.parts().iter().any(|it| it.engine.looks_back())
    }

    /// The text that an agent's record holds; none where several policies stand together.
    pub(crate) fn source(&self) -> Option<&PolicyText> {
        self.inner.source.as_ref()
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.inner.parts
    }

    /// What a question without a session behind it can't show.
    pub(crate) fn beyond_a_question(&self) -> &[String] {
        &self.inner.beyond_a_question
    }

    /// Whether nobody can be asked.
    pub(crate) fn is_unattended(&self) -> bool {
        self.inner.unattended
    }

    /// The readings of messages that are wanted.
    pub(crate) fn wanted(&self) -> Readings {
        self.parts().iter().map(|it| it.reading).fold(Readings::default(), Readings::and)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy").field("digest", &self.inner.digest).finish_non_exhaustive()
    }
}

/// The digest of a policy file's bytes: `sha256:` and 64 hexadecimal digits.
///
/// ```
/// assert!(lawbook::digest(b"{}").starts_with("sha256:44136fa355b3678a"));
/// ```
#[must_use]
pub fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|it| format!("{it:02x}")).collect();
    format!("sha256:{hex}")
}

fn parts(layers: Vec<Arc<Rules>>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for reading in [Reading::Full, Reading::Faultgate, Reading::Pmstack] {
        let of = layers.iter().enumerate().filter(|it| it.1.reading == reading);
        let (places, own): (Vec<usize>, Vec<Arc<Rules>>) =
            of.map(|(place, rules)| (place, rules.clone())).unzip();
        if !own.is_empty() {
            parts.push(Part { engine: Arc::new(Engine::new(own, None)), reading, layers: places });
        }
    }
    parts
}

/// A note for rules that rest on everything an agent ever did.
fn lifelong(layers: &[Arc<Rules>]) -> Option<String> {
    let life = Past { life: true, ..Past::default() };
    let rests = |it: &Rule| it.body.past().shared(life).is_some();
    named(layers, rests, "unknown at this door, which does not see the whole life of an agent")
}

/// One note for all rules of a sort.
fn named(layers: &[Arc<Rules>], sort: impl Fn(&Rule) -> bool, what: &str) -> Option<String> {
    let rules = layers.iter().flat_map(|it| &it.rules).filter(|it| sort(it));
    let ids: Vec<String> = rules.map(|it| format!("`{}`", it.id)).collect();
    (!ids.is_empty()).then(|| format!("{}: {what}", ids.join(", ")))
}
