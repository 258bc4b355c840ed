//! Actions that are written as text: a command line, or a block of code in a message.

/// The fences that mark an action of mini-swe-agent, the newer first.
const FENCES: [&str; 2] = ["```mswea_bash_command", "```bash"];

/// The tool of a command line: its first word.
pub fn tool(action: &str) -> &str {
    action.split_whitespace().next().unwrap_or("")
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
