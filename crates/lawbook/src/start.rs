//! What is known of a conversation before anything is said in it.

use std::borrow::Cow;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Writer};

use crate::Error;

/// What is known of a conversation before anything is said in it: facts of the host, never of the
/// model.
///
/// ```
/// use lawbook::Start;
///
/// let start = Start::new("chat-7")
///     .attribute("enduser.id", "C-123")
///     .metadata(r#"{"channel": "sms"}"#)
///     .workspace("srv/agent");
/// # let _ = start;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    id: String,
    attributes: Vec<(String, String)>,
    metadata: String,
    cwd: Option<String>,
    workspace: Option<String>,
    pub(crate) partial: bool,
    home: Option<String>,
}

impl Start {
    /// The start of the session of this id. Without an id, `""`, rules that read it are unknown.
    ///
    /// ```
    /// let start = lawbook::Start::new("chat-7");
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>) -> Self {
        Start { id: id.into(), ..Start::default() }
    }

    /// The same with an attribute, whose name is taken whole, dots included.
    ///
    /// ```
    /// # use lawbook::Start;
    /// let start = Start::new("chat-7").attribute("enduser.id", "C-123");
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn attribute(self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let mut text = Writer::new();
        text.string(&value.into());
        self.attribute_json(name, text.finish())
    }

    /// The same with an attribute that is no text, as its JSON.
    ///
    /// ```
    /// use lawbook::Start;
    ///
    /// let start = Start::new("chat-7").attribute_json("tier", "3");
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn attribute_json(mut self, name: impl Into<String>, json: impl Into<String>) -> Self {
        self.attributes.push((name.into(), json.into()));
        self
    }

    /// The same with metadata, as the text of a JSON object.
    ///
    /// ```
    /// # use lawbook::Start;
    /// let start = Start::new("chat-7").metadata(r#"{"channel": "sms"}"#);
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn metadata(self, json: impl Into<String>) -> Self {
        Start { metadata: json.into(), ..self }
    }

    /// The same with the folder that relative paths stand on.
    ///
    /// ```
    /// # use lawbook::Start;
    /// let start = Start::new("chat-7").cwd("srv/agent/reports");
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn cwd(self, folder: impl Into<String>) -> Self {
        Start { cwd: Some(folder.into()), ..self }
    }

    /// The same with the folder that the agent may work in.
    ///
    /// ```
    /// # use lawbook::Start;
    /// let start = Start::new("chat-7").workspace("srv/agent");
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn workspace(self, folder: impl Into<String>) -> Self {
        Start { workspace: Some(folder.into()), ..self }
    }

    /// The same with the home directory of the user that the agent works as.
    ///
    /// ```
    /// # use lawbook::Start;
    /// let start = Start::new("chat-7").home("/srv/agent");
    /// # let _ = start;
    /// ```
    #[must_use]
    pub fn home(self, folder: impl Into<String>) -> Self {
        Start { home: Some(folder.into()), ..self }
    }

    /// The event that it is.
    /// The same, where the session began earlier and its beginning is not told: rules that look back
    /// are unknown in it.
    ///
    /// ```
    /// # use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// let text = "{lawbook: 1, default: allow, rules: [{id: one, at_most: {tools: [pay], max: 1}}]}";
    /// let policy = Policy::from_text("p.yaml", text)?;
    /// # let now = Time { nanos: 0 };
    /// let mut session = Session::begin(&policy, &Start::new("s-1").partial(true), now)?;
    /// let answer = session.call(&Call::new("c1", "pay", "{}"), now)?;
    /// assert_eq!((answer.verdict(), answer.only_unknown()), (Verdict::Deny, true));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn partial(self, partial: bool) -> Self {
        Start { partial, ..self }
    }

    pub(crate) fn event(&self) -> Result<lawbook_event::Start<'_>, Error> {
        let mut attributes = Writer::new();
        attributes.object();
        for (name, value) in &self.attributes {
            parse(name, value)?;
            attributes.key(name).raw(value);
        }
        attributes.end_object();
        let attributes = attributes.finish();
        parse("attributes", &attributes)?;
        if !self.metadata.is_empty() && !parse("metadata", &self.metadata)?.root().is_object() {
            return Err(wrong("wrong_shape", "`metadata` is no JSON object".to_owned()));
        }
        Ok(lawbook_event::Start {
            id: Cow::Borrowed(&self.id),
            attributes: Cow::Owned(attributes),
            metadata: Cow::Borrowed(&self.metadata),
            cwd: self.cwd.as_deref().map(Cow::Borrowed),
            workspace: self.workspace.as_deref().map(Cow::Borrowed),
            home: self.home.as_deref().map(Cow::Borrowed),
            ..lawbook_event::Start::default()
        })
    }
}

/// A value that two readers can't read differently.
fn parse<'t>(what: &str, text: &'t str) -> Result<Document<'t>, Error> {
    let document = Document::parse(text, Grammar::Strict, &Limits::DEFAULT)
        .map_err(|error| wrong("not_json", format!("`{what}`: {error}")))?;
    match document.duplicate_key() {
        Some((key, _)) => Err(wrong("duplicate_key", format!("`{what}` has `{key}` twice"))),
        None => Ok(document),
    }
}

fn wrong(code: &'static str, message: String) -> Error {
    Problem::new("start", code, message).into()
}
