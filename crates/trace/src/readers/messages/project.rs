//! pmstack's own files: projects that hold traces, and the files that hold none.

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value, Writer};
use lawbook_event::{JAVASCRIPT, Path};

use crate::Source;

/// The format of a project.
const PROJECT: &str = "pmstack.project/1";

/// Other formats of pmstack, and what they are.
const OTHERS: [(&str, &str); 3] = [
    ("pmstack.policy/", "a pmstack policy"),
    ("pmstack.checks/", "a file of pmstack checks"),
    ("pmstack.intents/", "a pmstack intent map"),
];

fn format(root: Value<'_>) -> Option<&str> {
    root.get("format").and_then(Value::as_str)
}

/// Whether a document is a project.
pub fn is_project(root: Value<'_>) -> bool {
    format(root) == Some(PROJECT)
}

/// The file that holds a project's traces, relative to the project's folder, where the project
/// does not hold them itself.
#[must_use]
pub fn traces_file(bytes: &[u8]) -> Option<String> {
    memchr::memmem::find(bytes, PROJECT.as_bytes())?;
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document = Document::parse(text, Grammar::Python, &Limits::DEFAULT).ok()?;
    let root = document.root();
    let file = root.get("tracesFile").and_then(Value::as_str).filter(|it| !it.is_empty())?;
    is_project(root).then(|| file.to_owned())
}

/// A project that holds the traces of its file. What could not be read of them comes back too.
#[must_use]
pub fn with_traces(project: &[u8], traces: &[u8], source: &Source) -> (Vec<u8>, Vec<Problem>) {
    let limits = crate::Limits::default();
    let contents = match crate::open(traces, source, &limits) {
        Ok(contents) => contents,
        Err(problem) => return (project.to_vec(), vec![problem]),
    };
    let (parts, problems) = contents.parts(source, &limits);
    let text = std::str::from_utf8(project).unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut writer = Writer::new();
    writer.object();
    if let Ok(document) = Document::parse(text, Grammar::Python, &limits.json) {
        let entries = document.root().entries().filter(|it| it.0 != "traces");
        entries.for_each(|(key, value)| _ = writer.key(key).raw(value.raw()));
    }
    writer.key("traces").array();
    for root in parts.iter().map(|it| it.document.root()) {
        let list = root.get("traces").filter(|it| it.is_array()).unwrap_or(root);
        if list.is_array() {
            list.items().for_each(|it| _ = writer.raw(it.raw()));
        } else {
            writer.raw(list.raw());
        }
    }
    writer.end_array().end_object();
    (writer.finish().into_bytes(), problems)
}

/// What a document of pmstack is that holds no traces.
pub fn other(root: Value<'_>) -> Option<&'static str> {
    let format = format(root)?;
    OTHERS.iter().find(|it| format.starts_with(it.0)).map(|it| it.1)
}

/// Where a project's traces have their parts, if not under the usual names.
#[derive(Clone, Debug, Default)]
pub struct FieldMap {
    paths: [Option<Path>; 5],
}

const FIELDS: [&str; 5] = ["id", "title", "input", "output", "messages"];

impl FieldMap {
    /// The field map of a project.
    pub fn of_project(project: Value<'_>) -> Self {
        let map = project.get("experience").and_then(|it| it.get("fieldMap"));
        let path = |key: &str| {
            let path = map?.get(key)?.as_str().filter(|it| !it.is_empty())?;
            Some(Path::parse(path))
        };
        FieldMap { paths: FIELDS.map(path) }
    }

    /// The parts of a trace that it names.
    pub fn of<'d>(&self, trace: Value<'d>) -> Mapped<'d> {
        let [id, title, input, output, messages] = self
            .paths
            .each_ref()
            .map(|path| path.as_ref().and_then(|path| JAVASCRIPT.path(trace, path)));
        Mapped { id, title, input, output, messages }
    }
}

/// The parts of a trace that stand under other names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mapped<'d> {
    pub id: Option<Value<'d>>,
    pub title: Option<Value<'d>>,
    pub input: Option<Value<'d>>,
    pub output: Option<Value<'d>>,
    pub messages: Option<Value<'d>>,
}

impl<'d> Mapped<'d> {
    /// The part under a usual name.
    pub fn get(&self, key: &str) -> Option<Value<'d>> {
        match key {
            "title" => self.title,
            "input" => self.input,
            "output" => self.output,
            "messages" => self.messages,
            _ => None,
        }
    }
}
