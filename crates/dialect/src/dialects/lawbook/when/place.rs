//! The places that a condition may look at.

use lawbook_diag::{Span, nearest};
use lawbook_event::Path;
use lawbook_rule::params::Fault;
use lawbook_rule::{Place, SessionPath};

use super::fault;

/// A place by its text, which stands at `span`.
pub(super) fn parse(text: &str, span: Span) -> Result<Place, Fault> {
    let root = text.find(['.', '[']).map_or(text, |end| text.get(..end).unwrap_or(text));
    let rest = text.get(root.len()..).unwrap_or_default();
    match root {
        "session" => session(rest, span),
        "call" => call(rest, span),
        "args" => argument(rest, span),
        _ => {
            let message = format!("`{root}` is no place that a condition knows");
            let help = match nearest(root, ["session", "call", "args"]) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => {
                    "places start with `session`, `call` or `args`; put text in quotes".to_owned()
                }
            };
            Err(fault(span, message, help))
        }
    }
}

fn session(rest: &str, span: Span) -> Result<Place, Fault> {
    if let Some(name) = bracketed(rest).or_else(|| bracketed(rest.strip_prefix(".attributes")?)) {
        return Ok(Place::Session(SessionPath::Attribute(name.to_owned())));
    }
    let inside = rest.strip_prefix('.').unwrap_or_default();
    let path = match inside.split_once('.') {
        Some(("metadata", path)) if is_path(path) => SessionPath::Metadata(Path::parse(path)),
        Some(("attributes", name)) if is_name(name) => SessionPath::Attribute(name.to_owned()),
        _ => match inside {
            "id" => SessionPath::Id,
            "cwd" => SessionPath::Cwd,
            "workspace" => SessionPath::Workspace,
            _ => {
                let message = format!("`session{rest}` is no place in a session");
                let help = "there are `session.id`, `session.cwd`, `session.workspace`, \
`session.metadata.NAME` and `session[\"ATTRIBUTE\"]`";
                return Err(fault(span, message, help));
            }
        },
    };
    Ok(Place::Session(path))
}

fn call(rest: &str, span: Span) -> Result<Place, Fault> {
    if rest == ".tool" {
        return Ok(Place::Tool);
    }
    match rest.strip_prefix(".args") {
        Some(path) => argument(path, span),
        None => {
            let message = format!("`call{rest}` is no place in a call");
            Err(fault(span, message, "there are `call.tool` and `call.args.NAME`"))
        }
    }
}

fn argument(rest: &str, span: Span) -> Result<Place, Fault> {
    let path = bracketed(rest).filter(|it| !it.contains(['.', '['])).or_else(|| {
        let path = rest.strip_prefix('.')?;
        is_path(path).then_some(path)
    });
    match path {
        Some(path) => Ok(Place::Arg(Path::parse(path))),
        None => Err(fault(
            span,
            format!("`args{rest}` is no single argument"),
            "name one by its path, as in `args.customer.id`",
        )),
    }
}

/// The name in `["…"]`.
fn bracketed(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('[')?.strip_suffix(']')?;
    let quote = inner.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let name = inner.strip_prefix(quote)?.strip_suffix(quote)?;
    (!name.is_empty() && !name.contains(quote)).then_some(name)
}

fn is_path(text: &str) -> bool {
    is_name(text) && !Path::parse(text).is_plural() && !text.contains(['"', '\''])
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.split('.').all(|it| !it.is_empty())
}
