//! What Codex writes as the output of a call.

use std::borrow::Cow;

use lawbook_event::Answer;
use lawbook_event::json::Value;

use crate::{attr, content};

/// Tools that run commands; what they return begins with lines of the program.
const SHELLS: [&str; 7] = [
    "shell",
    "shell_command",
    "exec_command",
    "write_stdin",
    "local_shell",
    "container.exec",
    "unified_exec",
];

/// How many lines in front of an output are the program's.
const HEAD_LINES_MAX: usize = 8;

/// What a person or a rule said no to did not run.
const DID_NOT_RUN: [&str; 6] = [
    "exec command rejected by user",
    "patch rejected by user",
    "rejected by user",
    "user rejected MCP tool call",
    "user cancelled MCP tool call",
    "patch rejected: ",
];

/// The answer in an `output`, and whether it says that the call did not run. `exit_code` is what
/// another line says of the same call.
pub fn answer<'d>(
    tool: &str,
    output: Option<Value<'d>>,
    exit_code: Option<i64>,
) -> (Answer<'d>, bool) {
    let mut error = exit_code.map(|it| it != 0);
    let mut given = output;
    if let Some(inner) = output.and_then(|it| it.get("success")).and_then(Value::as_bool) {
        error = Some(!inner);
        given = output.and_then(|it| it.get("content"));
    }
    let text = content::result(given);
    let Some(text) = text else {
        return (Answer { recorded: false, error, ..Answer::default() }, false);
    };
    let (text, inner) = unwrapped(text);
    error = inner.map(|it| it != 0).or(error);
    if SHELLS.contains(&tool) {
        error = error.or_else(|| head_code(&text).map(|it| it != 0));
    }
    let refused = DID_NOT_RUN.iter().any(|it| text.trim_start().starts_with(it));
    let error = if refused { Some(true) } else { error };
    (Answer { recorded: true, text, error, ..Answer::default() }, refused)
}

/// The text inside `{"output": …, "metadata": {"exit_code": …}}`, and the code.
fn unwrapped(text: Cow<'_, str>) -> (Cow<'_, str>, Option<i64>) {
    let inner = (text.starts_with('{') && text.contains("\"metadata\"")).then(|| {
        let document = attr::parse(&text)?;
        let root = document.root();
        let code = root.get("metadata")?.get("exit_code").and_then(Value::number_text);
        Some((root.get("output")?.as_str()?.to_owned(), code.and_then(|it| it.parse().ok())))
    });
    match inner.flatten() {
        Some((output, code)) => (Cow::Owned(output), code),
        None => (text, None),
    }
}

/// The exit code in the lines that the program puts in front of what a command printed.
fn head_code(text: &str) -> Option<i64> {
    let head = text.lines().take(HEAD_LINES_MAX).take_while(|line| !line.starts_with("Output:"));
    const PHRASES: [&str; 2] = ["Process exited with code ", "Exit code: "];
    let code = |line: &str| {
        PHRASES.iter().find_map(|phrase| line.strip_prefix(phrase)?.trim().parse().ok())
    };
    head.filter_map(code).last()
}

#[cfg(test)]
mod tests {
    use super::{head_code, unwrapped};

    #[test]
    fn exit_codes_stand_before_the_output() {
        let text = "Chunk ID: a\nProcess exited with code 2\nOutput:\nExit code: 0\n";
        assert_eq!(head_code(text), Some(2));
        assert_eq!(head_code("Output:\nExit code: 3"), None);
        assert_eq!(head_code("Exit code: 1\nWall time: 2 s\nOutput:\n"), Some(1));
    }

    #[test]
    fn wrapped_outputs() {
        let wrapped = r#"{"output":"done\n","metadata":{"exit_code":3,"duration_seconds":0.1}}"#;
        assert_eq!(unwrapped(wrapped.into()), ("done\n".into(), Some(3)));
        assert_eq!(unwrapped("{\"metadata\": 1}".into()), ("{\"metadata\": 1}".into(), None));
    }
}
