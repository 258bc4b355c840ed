//! What rules may know of the session as a whole.

use std::sync::{Arc, OnceLock};

use lawbook_event::json::{Document, Grammar, Limits, Value};
use lawbook_event::{JAVASCRIPT, Path, RecordingPart, Semantics, Start};

/// The session's own facts, read once at its start.
#[derive(Clone, Debug, Default)]
pub struct Session {
    id: String,
    attributes: Option<Arc<Document<'static>>>,
    metadata: Option<Arc<Document<'static>>>,
    cwd: Option<String>,
    workspace: Option<String>,
    home: Option<String>,
    wordless: bool,
    dropped: bool,
    recording: Arc<Recording>,
}

/// The recording as its own system sees it, parsed when a policy first asks for a path of it.
#[derive(Debug, Default)]
struct Recording {
    texts: [String; 2],
    parsed: [OnceLock<Option<Document<'static>>>; 2],
}

/// A place in the session that a policy names.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionPath {
    /// The session's id.
    Id,
    /// An attribute, by its whole name, dots included.
    Attribute(String),
    /// A path into the metadata.
    Metadata(Path),
    /// The working directory.
    Cwd,
    /// The workspace.
    Workspace,
    /// A path into the recording itself, or else into what its own system makes of it.
    Recording(Path),
}

/// What stands at a place in the session.
#[derive(Clone, Copy, Debug)]
pub enum SessionValue<'s> {
    /// A JSON value.
    Json(Value<'s>),
    /// A text of the session's own.
    Text(&'s str),
    /// How many items or characters stand there.
    Count(usize),
}

impl Session {
    /// The facts of a session that starts.
    #[must_use]
    pub fn new(start: &Start<'_>) -> Self {
        Session {
            id: start.id.clone().into_owned(),
            attributes: object(&start.attributes),
            metadata: object(&start.metadata),
            cwd: start.cwd.as_deref().map(str::to_owned),
            workspace: start.workspace.as_deref().map(str::to_owned),
            home: start.home.as_deref().map(str::to_owned),
            wordless: start.wordless,
            dropped: start.dropped,
            recording: Arc::new(Recording::new(start)),
        }
    }

    /// The session's id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The working directory that the session started in, if it is known.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.cwd.as_deref()
    }

    /// The folder that the agent may work in, if it is known.
    #[must_use]
    pub fn workspace(&self) -> Option<&str> {
        self.workspace.as_deref()
    }

    /// The home directory, if it is known.
    #[must_use]
    pub fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// Whether nothing is known of it, but whether it is without words.
    #[must_use]
    pub fn says_nothing(&self) -> bool {
        let texts = [&self.cwd, &self.workspace, &self.home];
        let documents = [&self.attributes, &self.metadata];
        self.id.is_empty()
            && !self.dropped
            && texts.iter().all(|it| it.is_none())
            && documents.iter().all(|it| it.is_none())
            && self.recording.texts.iter().all(String::is_empty)
    }

    /// Whether what user and agent said is not in the recording.
    #[must_use]
    pub fn is_wordless(&self) -> bool {
        self.wordless
    }

    /// Whether what the recording does not say of the session may have been left out.
    #[must_use]
    pub fn is_dropped(&self) -> bool {
        self.dropped
    }

    /// What stands at a place, if anything.
    #[must_use]
    pub fn value(&self, path: &SessionPath, values: &dyn Semantics) -> Option<SessionValue<'_>> {
        match path {
            SessionPath::Id => (!self.id.is_empty()).then_some(SessionValue::Text(&self.id)),
            SessionPath::Attribute(name) => {
                self.attributes.as_ref()?.root().get(name).map(SessionValue::Json)
            }
            SessionPath::Metadata(path) => {
                values.path(self.metadata.as_ref()?.root(), path).map(SessionValue::Json)
            }
            SessionPath::Cwd => self.cwd.as_deref().map(SessionValue::Text),
            SessionPath::Workspace => self.workspace.as_deref().map(SessionValue::Text),
            SessionPath::Recording(path) => {
                if self.recording.texts.iter().all(String::is_empty) {
                    return self.own(path, values);
                }
                self.recording.value(0, path).or_else(|| self.recording.value(1, path))
            }
        }
    }

    /// What stands at a path of a session that comes without its recording.
    fn own(&self, path: &Path, values: &dyn Semantics) -> Option<SessionValue<'_>> {
        match path.text() {
            "id" => self.value(&SessionPath::Id, values),
            text => {
                let inner = Path::parse(text.strip_prefix("metadata.")?);
                self.value(&SessionPath::Metadata(inner), values)
            }
        }
    }
}

impl Recording {
    fn new(start: &Start<'_>) -> Self {
        let texts = [&start.recording, &start.normalised];
        Recording { texts: texts.map(|it| it.clone().into_owned()), parsed: Default::default() }
    }

    /// What stands at a path, as ECMAScript follows it: whoever names any path of a recording
    /// means its system's reading of it.
    fn value(&self, which: usize, path: &Path) -> Option<SessionValue<'_>> {
        let (text, parsed) = (self.texts.get(which)?, self.parsed.get(which)?);
        let read = || Document::parse_owned(text.clone(), Grammar::Python, &Limits::DEFAULT).ok();
        let root = parsed.get_or_init(read).as_ref()?.root();
        let found = JAVASCRIPT.path(root, path).map(SessionValue::Json);
        found.or_else(|| JAVASCRIPT.length(root, path).map(SessionValue::Count))
    }
}

fn object(text: &str) -> Option<Arc<Document<'static>>> {
    if text.is_empty() {
        return None;
    }
    let document =
        Document::parse_owned(text.to_owned(), Grammar::Python, &Limits::DEFAULT).ok()?;
    document.root().is_object().then(|| Arc::new(document))
}

impl SessionPath {
    /// The place that a native policy means: `session.id`, `session.cwd`, `session.workspace`,
    /// `session.metadata.NAME`, `session.attributes["NAME"]`; any other text is an attribute's
    /// whole name.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let Some(inside) = text.strip_prefix("session.") else {
            return SessionPath::Attribute(text.to_owned());
        };
        let bracketed = inside.strip_prefix("attributes[\"").and_then(|it| it.strip_suffix("\"]"));
        match (inside, bracketed) {
            ("id", _) => SessionPath::Id,
            ("cwd", _) => SessionPath::Cwd,
            ("workspace", _) => SessionPath::Workspace,
            (_, Some(name)) => SessionPath::Attribute(name.to_owned()),
            _ => match inside.strip_prefix("metadata.") {
                Some(path) => SessionPath::Metadata(Path::parse(path)),
                None => SessionPath::Attribute(text.to_owned()),
            },
        }
    }

    /// The part of the recording that it looks at, beside what a session says of itself.
    #[must_use]
    pub fn part(&self) -> Option<RecordingPart> {
        let SessionPath::Recording(path) = self else { return None };
        let mut parts = path.parts();
        match parts.next().map(|it| it.split('[').next().unwrap_or(it)) {
            Some("id") if path.text() == "id" => None,
            Some("metadata") if path.text().starts_with("metadata.") => {
                parts.any(|it| it == "length").then_some(RecordingPart::Itself)
            }
            Some("title" | "shape" | "input" | "output" | "steps") => {
                Some(RecordingPart::Normalised)
            }
            _ => Some(RecordingPart::Itself),
        }
    }

    /// The place as a policy writes it.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            SessionPath::Id => "session.id".to_owned(),
            SessionPath::Attribute(name) => format!("session.attributes[\"{name}\"]"),
            SessionPath::Metadata(path) => format!("session.metadata.{}", path.text()),
            SessionPath::Cwd => "session.cwd".to_owned(),
            SessionPath::Workspace => "session.workspace".to_owned(),
            SessionPath::Recording(path) => path.text().to_owned(),
        }
    }
}
