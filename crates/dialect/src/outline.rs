//! The outline of a policy file: its top keys and tables, seen without parsing, so that a file
//! with a fault in it is still known for what it is.

use crate::dialects::tree::plain;

/// What stands at the top of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// Whether the file starts as a JSON object does.
    pub is_json: bool,
    /// The keys with the text that follows them, and where they stand.
    pub keys: Vec<Key>,
    /// The headers of TOML tables, without their outer brackets.
    pub tables: Vec<String>,
    /// Whether a line calls `prefix_rule(`.
    pub calls_prefix_rule: bool,
}

/// One key at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    pub name: String,
    /// The start of the rest of its line, without quotes and white space around it.
    pub value: String,
    /// In bytes from the start of the text.
    pub offset: usize,
}

impl Outline {
    pub(crate) fn of(text: &str) -> Self {
        if text.trim_start().starts_with(['{', '/']) {
            // Some agents' files are JSON in which comments stand.
            let plain = plain(text);
            if plain.trim_start().starts_with('{') {
                return Outline { is_json: true, keys: braced(&plain), ..Outline::default() };
            }
        }
        let mut outline = Outline::default();
        let mut offset = 0_usize;
        for line in text.split_inclusive('\n') {
            outline.take(line.trim_end(), offset);
            offset = offset.saturating_add(line.len());
        }
        outline
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|it| it.name == key)
    }

    pub(crate) fn has_table(&self, header: &str) -> bool {
        self.tables.iter().any(|it| it == header)
    }

    pub(crate) fn value(&self, key: &str) -> Option<&str> {
        self.keys.iter().find(|it| it.name == key).map(|it| it.value.as_str())
    }

    /// Whether there is no key but these.
    pub(crate) fn only(&self, keys: &[&str]) -> bool {
        self.keys.iter().all(|it| keys.contains(&it.name.as_str()))
    }

    /// Takes in a line of a file that is no JSON.
    fn take(&mut self, line: &str, offset: usize) {
        if line.trim_start().starts_with("prefix_rule(") {
            self.calls_prefix_rule = true;
        } else if let Some(header) = header(line) {
            self.tables.push(header);
        } else if let Some(key) = line_key(line, offset) {
            self.keys.push(key);
        }
    }
}

/// The header of a TOML table that a line is, without its outer brackets and a comment behind it.
fn header(line: &str) -> Option<String> {
    let line = line.split('#').next()?.trim();
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    Some(inner.chars().filter(|it| !it.is_whitespace()).collect())
}

/// The key that a line at the left edge starts with.
fn line_key(line: &str, offset: usize) -> Option<Key> {
    let first = line.chars().next()?;
    let (name, rest) = if let Some(inner) = line.strip_prefix(['"', '\'']) {
        let (name, rest) = inner.split_once(first)?;
        (name, rest.trim_start().strip_prefix(':')?)
    } else {
        let end = line.find(':')?;
        (line.get(..end)?, line.get(end.saturating_add(1)..)?)
    };
    let is_word = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']);
    let name = name.trim_end();
    (!name.is_empty() && name.chars().all(is_word) && ends).then(|| Key {
        name: name.to_owned(),
        value: bare(rest),
        offset,
    })
}

/// The keys directly inside the first brace, quoted or not.
fn braced(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut depth = 0_usize;
    let mut word: Option<(usize, usize)> = None;
    let mut chars = text.char_indices();
    while let Some((at, it)) = chars.next() {
        match it {
            '{' | '[' => depth = depth.saturating_add(1),
            '}' | ']' => depth = depth.saturating_sub(1),
            '"' | '\'' => {
                let mut escaped = false;
                let close = chars.find(|&(_, inner)| {
                    let ends = inner == it && !escaped;
                    escaped = inner == '\\' && !escaped;
                    ends
                });
                let end = close.map_or(text.len(), |it| it.0);
                word = Some((at.saturating_add(1), end));
                continue;
            }
            ':' if depth == 1 => {
                if let Some((start, end)) = word
                    && let Some(name) = text.get(start..end)
                {
                    let rest = text.get(at.saturating_add(1)..).unwrap_or_default();
                    keys.push(Key { name: name.to_owned(), value: bare(rest), offset: start });
                }
            }
            _ if it.is_whitespace() => continue,
            _ if it.is_alphanumeric() || matches!(it, '_' | '-' | '.') => {
                let end = at.saturating_add(it.len_utf8());
                word = Some(word.filter(|old| old.1 == at).map_or((at, end), |old| (old.0, end)));
                continue;
            }
            _ => {}
        }
        word = None;
    }
    keys
}

/// The start of what follows a key on its line, which is all that a dialect is known by.
fn bare(rest: &str) -> String {
    let line: String = rest.chars().take(80).take_while(|it| *it != '\n').collect();
    let value = line.trim().trim_end_matches(['}', ',']).trim();
    value.trim_matches(['"', '\'']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::Outline;

    #[test]
    fn top_keys_are_seen_in_every_form() {
        for (text, keys) in [
            ("lawbook: 1\nname: x\nrules:\n  - id: a\n", "lawbook name rules"),
            ("\"lawbook\": 1\n'name' : x\n", "lawbook name"),
            ("{\"allow\": [\"a:b\"], \"limits\": [{\"max\": 1}]}", "allow limits"),
            ("{lawbook: 1, rules: [{id: a}]}", "lawbook rules"),
            ("{\n\t\"format\": \"pmstack.policy/1\",\n\t\"x\": {\"y\": 1}", "format x"),
            ("{\"a\\\"b\": 1, \"c\": \"unfinished", "a\\\"b c"),
            ("# note: this\nhttp://x\n", ""),
            ("// note: this\n/* {x: 1} */ {\"a\": 1, // \"b\": 2\n}", "a"),
            ("{}", ""),
            ("", ""),
        ] {
            let outline = Outline::of(text);
            let seen: Vec<&str> = outline.keys.iter().map(|it| it.name.as_str()).collect();
            assert_eq!(seen.join(" "), keys, "{text}");
        }
    }

    #[test]
    fn tables_and_calls_are_seen() {
        let outline = Outline::of("[[rule]]\ntoolName = \"x\"\n [ rules.shell ] # x\n");
        assert_eq!(outline.tables, ["[rule]", "rules.shell"]);
        assert!(Outline::of("prefix_rule(\n  pattern = [\"git\"],\n)\n").calls_prefix_rule);
        assert_eq!(
            Outline::of("format: pmstack.policy/1\n").value("format"),
            Some("pmstack.policy/1")
        );
    }
}
