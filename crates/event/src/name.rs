//! Tool names as people see them.

use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::UnicodeNormalization;

/// What a name looks like: two names that a person could take for one have one skeleton.
///
/// Case, white space around it, invisible characters, compatibility forms (NFKC) and look-alikes
/// (UTS 39, ASCII ones included: `1`, `I` and `l`; `0` and `o`; `rn` and `m`) make no difference.
/// Skeletons are for comparing, not for showing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skeleton {
    whole: String,
    /// Where the tool's own name begins, behind every `mcp__server__` and `server.`.
    tool_at: usize,
}

impl Skeleton {
    /// The skeleton of a name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        if name.is_ascii() {
            return from_lower(name.bytes().map(|byte| char::from(byte.to_ascii_lowercase())));
        }
        let visible: String = name.nfkc().filter(|it| !is_invisible(*it)).collect();
        let one_case = visible.to_uppercase().to_lowercase();
        let plain: String = unicode_security::confusable_detection::skeleton(&one_case).collect();
        from_lower(plain.to_lowercase().chars())
    }

    /// All of it.
    #[must_use]
    pub fn whole(&self) -> &str {
        &self.whole
    }

    /// The tool's own name.
    #[must_use]
    pub fn tool(&self) -> &str {
        self.whole.get(self.tool_at..).unwrap_or_default()
    }

    /// Everything in front of it; empty when the name says no server.
    #[must_use]
    pub fn server(&self) -> &str {
        self.whole.get(..self.tool_at).unwrap_or_default()
    }

    /// Whether both mean one tool: the same name, and the same server where both say one.
    #[must_use]
    pub fn means(&self, other: &Skeleton) -> bool {
        let (here, there) = (self.server(), other.server());
        self.tool() == other.tool()
            && (ends_with_server(here, there) || ends_with_server(there, here))
    }
}

/// Whether `whole` is `server` with no more than further prefixes in front of it.
fn ends_with_server(whole: &str, server: &str) -> bool {
    let front = whole.strip_suffix(server);
    server.is_empty()
        || front.is_some_and(|it| it.is_empty() || it.ends_with('.') || it.ends_with("__"))
}

/// The skeleton of a tool's own name.
#[must_use]
pub fn skeleton(name: &str) -> String {
    Skeleton::new(name).tool().to_owned()
}

/// What a person's name looks like: two spellings that could be taken for one person are one. Empty
/// where nothing of it can be seen.
///
/// ```
/// use lawbook_event::person;
///
/// assert_eq!(person("dana"), person(" Dana\u{200b} "));
/// assert_ne!(person("dana"), person("dan"));
/// ```
#[must_use]
pub fn person(name: &str) -> String {
    let skeleton = Skeleton::new(name);
    let words: Vec<&str> = skeleton.whole().split_whitespace().collect();
    words.join(" ")
}

/// The rest of the way for a name in lower case: ASCII look-alikes to one form, prefixes found.
fn from_lower(name: impl Iterator<Item = char>) -> Skeleton {
    let visible: String = name.filter(|it| *it == ' ' || !is_invisible(*it)).collect();
    let mut tool = visible.trim();
    // A pattern that would lose all but its star keeps its prefix.
    let behind_star = tool.rfind('*').map_or(usize::MAX, |at| tool.len().saturating_sub(at));
    let mut server = String::new();
    while let Some(rest) = behind_prefix(tool).filter(|it| it.len() < behind_star) {
        let prefix = tool.get(..tool.len().saturating_sub(rest.len())).unwrap_or_default();
        server.extend(prefix.chars().filter(|it| !it.is_whitespace()));
        tool = rest.trim_start();
    }
    let server = one_form(&server);
    let tool_at = server.len();
    Skeleton { whole: server + &one_form(tool), tool_at }
}

fn one_form(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for it in name.chars() {
        match it {
            'i' | '1' | '|' => out.push('l'),
            '0' => out.push('o'),
            'm' => out.push_str("rn"),
            _ => out.push(it),
        }
    }
    out
}

/// What stands behind the first prefix that is one.
fn behind_prefix(name: &str) -> Option<&str> {
    // Behind UTS 39 an `m` is `rn` already.
    let server = name.strip_prefix("mcp__").or_else(|| name.strip_prefix("rncp__"));
    let tool = server.and_then(|rest| rest.split_once("__"));
    let named = |tool: &&str| !tool.trim().is_empty();
    tool.map(|it| it.1).filter(named).or_else(|| name.rsplit_once('.').map(|it| it.1)).filter(named)
}

fn is_invisible(it: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    let is_ignorable = matches!(
        it,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}'
    );
    is_ignorable
        || matches!(get_general_category(it), Control | Format | LineSeparator | ParagraphSeparator)
}

#[cfg(test)]
mod tests {
    use super::{Skeleton, skeleton};

    #[test]
    fn dressed_names_have_one_skeleton() {
        let cases = [
            ("delete_user", "Delete_User"),
            ("delete_user", " delete_user"),
            ("delete_user", "delete_user\n"),
            ("delete_user", "delete\u{200b}_user"),
            ("delete_user", "delete_us\u{0435}r"),
            ("delete_user", "ｄｅｌｅｔｅ_ｕｓｅｒ"),
            ("delete_user", "deIete_user"),
            ("delete_user", "de1ete_user"),
            ("delete_user", "mcp__admin__delete_user"),
            ("delete_user", "MCP__admin__DELETE_USER"),
            ("delete_user", "admin.delete_user"),
            ("delete_user", "functions.mcp__admin__delete_user"),
            ("delete_user", "mcp__x__admin.delete_user"),
            ("delete_user", "mcp__x__mcp__admin__delete_user"),
            ("delete_user", "mcp__admin.delete_user"),
            ("delete_user", "mcp__admin__ delete_user"),
            ("delete_user", "admin. delete_user"),
            ("delete_user", "functions. mcp__\u{430}dmin__ delete_user "),
            ("delete_user", "mcp__\u{430}dmin__delete_user"),
            ("delete_user", "\u{202e}delete_user\u{ad}"),
            ("delete_user", "delete_user\u{fe0f}"),
            ("move_funds", "rnove_funds"),
            ("move_funds", "m\u{43e}ve_funds"),
            ("straße", "STRASSE"),
            ("issue_refund", "ıssue_refund"),
        ];
        for (plain, dressed) in cases {
            assert_eq!(skeleton(plain), skeleton(dressed), "{dressed:?}");
        }
    }

    #[test]
    fn a_server_that_both_name_must_be_the_same() {
        for (one, other, means) in [
            ("files.delete", "delete", true),
            ("delete", "users.delete", true),
            ("files.delete", "users.delete", false),
            ("mcp__files__delete", "MCP__Files__Delete", true),
            ("mcp__files__delete", "functions.mcp__ files __delete", true),
            ("files.delete", "file_files.delete", false),
            ("mcp__files__delete", "mcp__users__delete", false),
        ] {
            assert_eq!(Skeleton::new(one).means(&Skeleton::new(other)), means, "{one} {other}");
        }
    }

    #[test]
    fn the_server_is_everything_in_front_of_the_tool() {
        for (name, server) in [
            ("delete", ""),
            ("files.delete", "files."),
            ("functions. mcp__files__ delete", "functions.rncp__files__"),
            ("mcp__x__files.delete", "rncp__x__files."),
        ] {
            assert_eq!(Skeleton::new(name).server(), server.replace('i', "l"), "{name}");
        }
        let long = "mcp__a__".repeat(50_000) + "delete";
        assert_eq!(skeleton(&long), "delete");
    }

    #[test]
    fn different_names_stay_apart() {
        let cases = [
            ("delete_user", "delete_users"),
            ("delete_user", "delete-user"),
            ("delete_user", "undelete_user"),
            ("get", "set"),
            ("mcp__a__b__c", "c"),
            ("mcp__github__*", "*"),
            ("github.*", "*"),
            ("x.", ""),
            ("x. ", ""),
            ("functions.github.*", "*"),
        ];
        for (one, other) in cases {
            assert_ne!(skeleton(one), skeleton(other), "{one} {other}");
        }
    }
}
