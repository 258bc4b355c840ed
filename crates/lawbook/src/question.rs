//! The question as JSON, `lawbook.question/1`: read strictly, everything wrong told with its place.

mod fields;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use lawbook_diag::{Problem, place};
use lawbook_event::json::{Document, Grammar, Kind, Limits, Value};
use lawbook_event::{Args, ArgsState, Start};

use crate::Error;
use fields::Fields;

/// How many bytes one question may have.
///
/// ```
/// assert_eq!(lawbook::QUESTION_BYTES_MAX, 64 * 1024 * 1024);
/// ```
pub const QUESTION_BYTES_MAX: usize = 64 * 1024 * 1024;

/// How many calls one question may ask about.
///
/// ```
/// assert_eq!(lawbook::CALLS_MAX, 1_000);
/// ```
pub const CALLS_MAX: usize = 1_000;

const SCHEMA: &str = "lawbook.question/1";

/// The name of a question in problems.
const NAME: &str = "question";

/// What is asked.
#[derive(Debug)]
pub struct Question<'d> {
    /// The session as the host knows it.
    pub start: Start<'d>,
    /// Whether `messages` hold the whole conversation so far.
    pub complete: bool,
    /// The conversation so far; none if there was none.
    pub messages: Option<Value<'d>>,
    /// Who said yes to which call.
    pub approvals: BTreeMap<&'d str, &'d str>,
    /// The calls in `messages` that did not run.
    pub refused: BTreeSet<&'d str>,
    /// Whether there are facts.
    pub has_facts: bool,
    /// The calls that are asked about, in order.
    pub calls: Vec<Proposed<'d>>,
    /// The time that the question claims.
    pub claimed_at: Option<&'d str>,
}

/// A call that is asked about.
#[derive(Clone, Debug)]
pub struct Proposed<'d> {
    /// The host's own id.
    pub id: Option<&'d str>,
    /// The tool.
    pub tool: &'d str,
    /// The server that offers it.
    pub server: Option<&'d str>,
    /// The arguments.
    pub args: Args<'d>,
}

/// The text of a question.
///
/// # Errors
/// When it is too long, or no UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, Error> {
    if bytes.len() > QUESTION_BYTES_MAX {
        let message = format!("the question has more than {QUESTION_BYTES_MAX} bytes");
        let problem = Problem::new(NAME, "too_large", message);
        return Err(problem.help("leave out what is old, and say `history: partial`").into());
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes)
        .map_err(|_| Problem::new(NAME, "not_utf8", "the question is not UTF-8 text").into())
}

/// The document of a question. Two readers must not read it differently, so no key stands twice.
///
/// # Errors
/// When it is no JSON, or is nested too deeply, or has a key twice in one object.
pub fn document(text: &str) -> Result<Document<'_>, Error> {
    let limits = Limits { bytes_max: QUESTION_BYTES_MAX, ..Limits::DEFAULT };
    let document = Document::parse(text, Grammar::Strict, &limits).map_err(|error| {
        let said = error.to_string();
        let words = said.split_once(" at line ").map_or(said.as_str(), |(words, _)| words);
        let code = if error.kind.is_limit() { "too_large" } else { "not_json" };
        at(Problem::new(NAME, code, words.to_owned()), text, error.offset)
    })?;
    if let Some((key, offset)) = document.duplicate_key() {
        let message = format!("`{key}` stands twice in one object");
        return Err(at(Problem::new(NAME, "duplicate_key", message), text, offset).into());
    }
    Ok(document)
}

fn at(problem: Problem, text: &str, offset: usize) -> Problem {
    let (line, column) = place(text, offset);
    problem.at(line, column)
}

const KEYS: &[&str] = &[
    "schema",
    "session",
    "history",
    "messages",
    "approvals",
    "refused",
    "facts",
    "call",
    "calls",
    "at",
];
const SESSION_KEYS: &[&str] = &["id", "attributes", "metadata", "cwd", "workspace"];
const APPROVAL_KEYS: &[&str] = &["call", "by"];
const CALL_KEYS: &[&str] = &["id", "tool", "server", "args", "at"];

impl<'d> Question<'d> {
    /// Reads a question.
    ///
    /// # Errors
    /// For everything that is wrong with it.
    pub fn read(document: &'d Document<'d>) -> Result<Self, Error> {
        let mut fields = Fields::new(NAME, document.text());
        let question = read(&mut fields, document.root());
        let problems = fields.finish();
        match question {
            Some(question) if problems.is_empty() => Ok(question),
            _ => Err(Error::from(problems)),
        }
    }
}

fn read<'d>(fields: &mut Fields<'d>, root: Value<'d>) -> Option<Question<'d>> {
    let whole = fields.object(root, "the question", KEYS)?;
    if let Some(schema) = whole.get("schema").filter(|it| it.as_str() != Some(SCHEMA)) {
        fields.wrong(schema, "wrong_schema", format!("this is no `{SCHEMA}`"), None);
    }
    let start = whole.get("session").and_then(|it| session(fields, it)).unwrap_or_default();
    let complete = history(fields, root);
    let messages = whole.get("messages").filter(|it| !it.is_null());
    let messages = messages.filter(|it| fields.is(*it, Kind::Array, "`messages`", "a list"));
    let approvals = whole.get("approvals").map(|it| approvals(fields, it)).unwrap_or_default();
    let refused = whole.get("refused").map(|it| refused(fields, it)).unwrap_or_default();
    let facts =
        whole.get("facts").filter(|it| fields.is(*it, Kind::Object, "`facts`", "an object"));
    let calls = calls(fields, root);
    let claimed_at = whole.get("at").and_then(|it| fields.moment(it));
    Some(Question {
        start,
        complete: complete?,
        messages: messages.filter(|it| !it.is_empty()),
        approvals,
        refused,
        has_facts: facts.is_some_and(|it| !it.is_empty()),
        calls: calls?,
        claimed_at,
    })
}

fn history(fields: &mut Fields<'_>, root: Value<'_>) -> Option<bool> {
    let help = "say `complete` if `messages` hold the whole conversation, else `partial`";
    match root.get("history").map(|it| (it, it.as_str())) {
        Some((_, Some("complete"))) => Some(true),
        Some((_, Some("partial"))) => Some(false),
        Some((it, _)) => {
            let message = "`history` is neither `complete` nor `partial`";
            fields.wrong(it, "wrong_value", message.to_owned(), Some(help));
            None
        }
        None => {
            fields.wrong(root, "missing_key", "`history` is missing".to_owned(), Some(help));
            None
        }
    }
}

fn session<'d>(fields: &mut Fields<'d>, value: Value<'d>) -> Option<Start<'d>> {
    let session = fields.object(value, "`session`", SESSION_KEYS)?;
    let object = |fields: &mut Fields<'d>, key: &str| {
        let value = session.get(key).filter(|it| !it.is_null())?;
        let named = format!("`session.{key}`");
        fields.is(value, Kind::Object, &named, "an object").then(|| Cow::Borrowed(value.raw()))
    };
    let attributes = object(fields, "attributes").unwrap_or_default();
    let metadata = object(fields, "metadata").unwrap_or_default();
    let text = |fields: &mut Fields<'d>, key: &str| {
        let named = format!("`session.{key}`");
        session.get(key).and_then(|it| fields.text(it, &named)).map(Cow::Borrowed)
    };
    Some(Start {
        id: text(fields, "id").unwrap_or_default(),
        attributes,
        metadata,
        cwd: text(fields, "cwd"),
        workspace: text(fields, "workspace"),
        ..Start::default()
    })
}

fn approvals<'d>(fields: &mut Fields<'d>, list: Value<'d>) -> BTreeMap<&'d str, &'d str> {
    let mut out = BTreeMap::new();
    if !fields.is(list, Kind::Array, "`approvals`", "a list") {
        return out;
    }
    for one in list.items() {
        let Some(one) = fields.object(one, "an approval", APPROVAL_KEYS) else { continue };
        let call = fields.needed(one, "call", "an approval");
        let by = fields.needed(one, "by", "an approval");
        if let (Some(call), Some(by)) = (call, by) {
            out.insert(call, by);
        }
    }
    out
}

fn refused<'d>(fields: &mut Fields<'d>, list: Value<'d>) -> BTreeSet<&'d str> {
    if !fields.is(list, Kind::Array, "`refused`", "a list") {
        return BTreeSet::new();
    }
    list.items().filter_map(|it| fields.text(it, "a call id in `refused`")).collect()
}

fn calls<'d>(fields: &mut Fields<'d>, root: Value<'d>) -> Option<Vec<Proposed<'d>>> {
    match (root.get("call"), root.get("calls")) {
        (Some(call), None) => Some(vec![proposed(fields, call)?]),
        (None, Some(list)) => {
            if !fields.is(list, Kind::Array, "`calls`", "a list") {
                return None;
            }
            if list.is_empty() || list.len() > CALLS_MAX {
                let message = format!("`calls` holds {} calls, not 1 to {CALLS_MAX}", list.len());
                fields.wrong(list, "calls_max", message, None);
                return None;
            }
            let calls: Vec<Proposed<'d>> =
                list.items().filter_map(|it| proposed(fields, it)).collect();
            Some(calls)
        }
        (Some(_), Some(both)) => {
            let message = "`call` and `calls` stand side by side".to_owned();
            fields.wrong(both, "two_forms", message, Some("ask about one call or about a list"));
            None
        }
        (None, None) => {
            let help = "give `call`, or `calls` for those of one message";
            fields.wrong(root, "missing_key", "no call is asked about".to_owned(), Some(help));
            None
        }
    }
}

fn proposed<'d>(fields: &mut Fields<'d>, value: Value<'d>) -> Option<Proposed<'d>> {
    let call = fields.object(value, "a call", CALL_KEYS)?;
    if let Some(at) = call.get("at") {
        fields.moment(at);
    }
    let text = |fields: &mut Fields<'d>, key: &str| {
        let value = call.get(key).filter(|it| !it.is_null())?;
        fields.text(value, &format!("`{key}` of a call"))
    };
    let id = text(fields, "id").filter(|it| !it.is_empty());
    let server = text(fields, "server").filter(|it| !it.is_empty());
    let tool = fields.needed(call, "tool", "a call")?;
    Some(Proposed { id, tool, server, args: args(call.get("args")) })
}

/// The text that the tool receives: a text as it stands, anything else as its JSON.
fn args<'d>(given: Option<Value<'d>>) -> Args<'d> {
    let (text, state) = match given.map(|it| (it, it.kind())) {
        None => ("", ArgsState::Unrecorded),
        Some((_, Kind::Null)) => ("", ArgsState::Whole),
        Some((text, Kind::String)) => (text.as_str().unwrap_or_default(), ArgsState::Whole),
        Some((value, _)) => (value.raw(), ArgsState::Whole),
    };
    Args { text: Cow::Borrowed(text), state }
}
