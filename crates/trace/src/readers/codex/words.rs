//! Which words of a user's message a person wrote.

/// Texts that begin like this are written by the program, not by a person.
const WRITTEN_BY_PROGRAM: [&str; 12] = [
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "<user_action>",
    "<subagent_notification>",
    "<skill>",
    "<collaboration_mode>",
    "# AGENTS.md instructions",
    "Another language model started to solve this problem",
];

/// Whether a person wrote a text of the role `user`.
pub fn is_human(text: &str) -> bool {
    let text = text.trim_start();
    !text.is_empty() && !WRITTEN_BY_PROGRAM.iter().any(|it| text.starts_with(it))
}
