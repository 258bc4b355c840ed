//! How a text is written: without quotes where every reader takes it for that text.

use lawbook_event::json::write_string;
use lawbook_rule::params::{Form, Node, Scalar};

/// Words that some readers of YAML take for a truth value.
const TRUTHS: &[&str] = &["y", "yes", "n", "no", "on", "off"];

/// A scalar on one line; `flow` inside brackets.
pub(crate) fn written(node: &Node, flow: bool) -> String {
    match (&node.form, node.scalar()) {
        (_, Some(Scalar::Null)) if !flow => String::new(),
        (_, Some(Scalar::Null)) => "null".to_owned(),
        (_, Some(Scalar::Bool(truth))) => truth.to_string(),
        (_, Some(Scalar::Number(text) | Scalar::Unclear(text))) => text.to_owned(),
        (Form::Scalar { text, .. }, _) => text_written(text, flow),
        (Form::List(_) | Form::Map(_), _) => String::new(),
    }
}

/// A text on one line.
pub(super) fn text_written(text: &str, flow: bool) -> String {
    let mut out = String::new();
    if is_plain(text, flow) {
        out.push_str(text);
    } else if text.chars().any(char::is_control) || !text.contains(['\\', '"']) {
        write_string(&mut out, text);
    } else {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
    }
    out
}

/// A text of several lines as a block, its lines without indentation; none where a block would not
/// keep it.
pub(super) fn block(node: &Node) -> Option<(&'static str, &str)> {
    let Some(Scalar::Text(text)) = node.scalar() else { return None };
    let (head, lines) = match text.strip_suffix('\n') {
        Some(lines) => ("|", lines),
        None => ("|-", text),
    };
    let keeps =
        |line: &str| !line.ends_with(char::is_whitespace) && !line.chars().any(char::is_control);
    let fits = lines.contains('\n')
        && !lines.starts_with([' ', '\n'])
        && !lines.ends_with('\n')
        && lines.split('\n').all(keeps);
    fits.then_some((head, lines))
}

fn is_plain(text: &str, flow: bool) -> bool {
    let node = Node {
        span: lawbook_diag::Span::default(),
        form: Form::Scalar { text: text.to_owned(), quoted: false },
    };
    let starts = |it: char| it.is_alphanumeric() || matches!(it, '_' | '/' | '$' | '(' | '^');
    matches!(node.scalar(), Some(Scalar::Text(_)))
        && text.starts_with(starts)
        && !TRUTHS.contains(&text.to_ascii_lowercase().as_str())
        && !text.ends_with([':', ' '])
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.contains('\\')
        && !text.chars().any(|it| it.is_control() || (it.is_whitespace() && it != ' '))
        && !(flow && text.contains([',', '[', ']', '{', '}', ':', '"', '\'']))
}
