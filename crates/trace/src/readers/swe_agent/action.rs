//! Actions that are written as text: a command line, or a block of code in a message.

/// The fences that mark an action of mini-swe-agent, the newer first.
const FENCES: [&str; 2] = ["```mswea_bash_command", "```bash"];

/// Commands of SWE-agent's own, in its sets of tools; every other line goes to bash.
const OWN: [&str; 36] = [
    "open",
    "goto",
    "scroll_up",
    "scroll_down",
    "create",
    "edit",
    "edit_linting",
    "insert",
    "append",
    "search_dir",
    "search_file",
    "find_file",
    "filemap",
    "str_replace_editor",
    "view_image",
    "undo_edit",
    "submit",
    "exit_forfeit",
    "exit_cost",
    "exit_context",
    "exit_format",
    "exit_error",
    "exit_api",
    "skip",
    "set_cursors",
    "decompile",
    "disassemble",
    "connect_start",
    "connect_sendline",
    "connect_exec",
    "debug_start",
    "debug_add_breakpoint",
    "debug_continue",
    "debug_step",
    "debug_exec",
    "debug_stop",
];

/// The tool of a command line: a command of SWE-agent's own by its name, and bash for all others,
/// also where such a command is a part of a longer line.
pub fn tool(action: &str) -> &str {
    let word = action.split_whitespace().next().unwrap_or("");
    let line = action.lines().next().unwrap_or("");
    match OWN.iter().find(|it| **it == word) {
        Some(own) if stands_alone(line) => own,
        _ => "bash",
    }
}

/// Whether a line is one command: nothing outside of its quotes chains, feeds or runs another.
fn stands_alone(line: &str) -> bool {
    let (mut quote, mut escaped) = (None, false);
    for it in line.chars() {
        match (quote, it) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(it),
            (Some(open), it) if it == open => quote = None,
            // These run commands within double quotes, too.
            (None | Some('"'), '`' | '$') => return false,
            (None, ';' | '|' | '&' | '<' | '>') => return false,
            _ => {}
        }
    }
    true
}

/// The only action in a message. A message with none or with several is refused by the agent.
pub fn only(words: &str) -> Option<&str> {
    FENCES.iter().find_map(|fence| only_behind(words, fence))
}

/// Whether a message has an action that is marked as mini-swe-agent's own.
pub fn is_marked(words: &str) -> bool {
    FENCES.first().is_some_and(|fence| words.contains(fence))
}

fn only_behind<'d>(words: &'d str, fence: &str) -> Option<&'d str> {
    let mut found = None;
    let mut rest = words;
    while let Some((_, after)) = rest.split_once(fence) {
        let Some(body) = after.trim_start_matches([' ', '\t', '\r']).strip_prefix('\n') else {
            rest = after;
            continue;
        };
        let (action, after) = body.split_once("\n```")?;
        if found.replace(action.trim()).is_some() {
            return None;
        }
        rest = after;
    }
    found
}
