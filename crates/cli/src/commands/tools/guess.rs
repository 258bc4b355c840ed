//! A first guess at whether a tool reads or writes. It knows the tool's name and nothing else.

use lawbook_rule::Access;

use crate::policies::Policies;

/// Whose words a guess goes by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guess {
    /// Ours: the first word of the name.
    #[default]
    Word,
    /// pmstack's: how the name starts, so that a tool is guessed as pmstack's own list has it.
    Pmstack,
}

impl Guess {
    /// Whose words serve these policies: pmstack's where a policy of pmstack's is among them.
    #[must_use]
    pub fn of(policies: &Policies) -> Self {
        let pmstack = policies.layers.iter().any(|it| it.dialect == "pmstack");
        if pmstack { Guess::Pmstack } else { Guess::Word }
    }

    /// What a tool does. What is not known to read writes.
    #[must_use]
    pub fn access(self, tool: &str) -> Access {
        match self {
            Guess::Word => by_word(tool),
            Guess::Pmstack => Access::by_name(tool),
        }
    }

    /// What the guess goes by, for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Guess::Word => "the first word of the name",
            Guess::Pmstack => "the start of the name, as pmstack guesses",
        }
    }
}

/// The words by which a name says that a tool only looks.
const READING: &[&str] = &[
    "check",
    "count",
    "describe",
    "fetch",
    "find",
    "get",
    "head",
    "list",
    "load",
    "lookup",
    "look",
    "peek",
    "query",
    "read",
    "retrieve",
    "search",
    "select",
    "show",
    "status",
    "view",
    "calculate",
    "compute",
    "verify",
    "validate",
    "think",
    "cat",
    "grep",
    "glob",
    "ls",
];

/// Whether a tool reads or writes, by the words in its name. What is not known to read writes.
fn by_word(tool: &str) -> Access {
    let name = tool.rsplit([':', '/', '.']).next().unwrap_or(tool);
    let name = name.rsplit_once("__").map_or(name, |it| it.1);
    let mut word = String::new();
    for c in name.chars() {
        let ends = word.ends_with(char::is_lowercase) && c.is_uppercase();
        if !word.is_empty() && (ends || !c.is_alphanumeric()) {
            break;
        }
        if c.is_alphanumeric() {
            word.push(c);
        }
    }
    let word = word.to_lowercase();
    if READING.contains(&word.as_str()) { Access::Read } else { Access::Write }
}

#[cfg(test)]
mod tests {
    use super::Guess;
    use lawbook_rule::Access;

    #[test]
    fn the_first_word_of_a_name_says_what_a_tool_does() {
        for tool in
            ["get_order", "listUsers", "mcp__shop__find_item", "shop.lookup_account", "Read"]
        {
            assert_eq!(Guess::Word.access(tool), Access::Read, "{tool}");
        }
        for tool in ["issue_credit", "set_list", "getaway", "transfer", ""] {
            assert_eq!(Guess::Word.access(tool), Access::Write, "{tool}");
        }
    }

    #[test]
    fn pmstack_looks_at_how_a_name_starts() {
        for tool in ["get_order", "getaway", "VERIFY_identity", "Listing", "find_technician_slots"]
        {
            assert_eq!(Guess::Pmstack.access(tool), Access::Read, "{tool}");
        }
        for tool in ["request_supervisor_approval", "check_status", "mcp__x__get_y", ""] {
            assert_eq!(Guess::Pmstack.access(tool), Access::Write, "{tool}");
        }
    }
}
