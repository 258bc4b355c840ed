//! What an entry of a list wants of a call's arguments.

use lawbook_diag::Verdict;
use lawbook_event::json::Value;
use lawbook_event::{Path, Pattern};

use crate::{Asked, Fields, FileGlob, Found, Standing};

/// What an entry wants of a call's arguments.
#[derive(Debug)]
pub enum Wanted {
    /// The value at a path reads like this.
    Text(Path, Pattern),
    /// What stands in one of these arguments is a path to such a file.
    File(Vec<Path>, FileGlob),
    /// What stands in one of these arguments is an address on such a host.
    Host(Vec<Path>, Pattern),
    /// All arguments, as JSON with sorted keys, read like this.
    Whole(Pattern),
}

/// Why an entry can't be compared with the arguments of a call.
pub(super) enum Hidden<'p> {
    Unreadable,
    Unrecorded(Option<&'p Path>),
}

impl Wanted {
    fn paths(&self) -> &[Path] {
        match self {
            Wanted::Text(path, _) => std::slice::from_ref(path),
            Wanted::File(paths, _) | Wanted::Host(paths, _) => paths,
            Wanted::Whole(_) => &[],
        }
    }

    /// What keeps the arguments from being seen, if anything.
    pub(super) fn hidden(&self, asked: &Asked<'_>) -> Option<Hidden<'_>> {
        let Some(first) = self.paths().first() else {
            return match asked.args.fields(asked.manner.values) {
                Fields::Unreadable(_) => Some(Hidden::Unreadable),
                Fields::Unrecorded => Some(Hidden::Unrecorded(None)),
                Fields::Object(_) | Fields::Empty => None,
            };
        };
        self.paths().iter().find_map(|path| match asked.args.find(asked.manner.values, path) {
            Found::Unreadable(_) => Some(Hidden::Unreadable),
            Found::Unrecorded => Some(Hidden::Unrecorded(Some(first))),
            Found::Value(_) | Found::Absent => None,
        })
    }

    /// Whether the arguments are as wanted. One value is enough to forbid; to permit, all of them
    /// must be.
    pub(super) fn is_met(&self, asked: &Asked<'_>, verdict: Verdict) -> bool {
        let root = match asked.args.fields(asked.manner.values) {
            Fields::Object(root) => root,
            Fields::Empty => return false,
            // What can't be read is taken for what forbids and never for what permits.
            Fields::Unreadable(_) | Fields::Unrecorded => return verdict != Verdict::Allow,
        };
        if let Wanted::Whole(pattern) = self {
            return pattern.is_match(&sorted(root));
        }
        let values = asked.manner.values;
        let mut found = Vec::new();
        self.paths().iter().for_each(|it| values.each(root, it, &mut found));
        found.retain(|it| !values.is_missing(*it));
        // A tool that takes a path works in the working directory where none is given.
        if found.is_empty() && matches!(self, Wanted::File(..)) {
            return self.holds(".", asked, verdict);
        }
        let mut met = found.iter().map(|it| self.holds(&values.text(*it), asked, verdict));
        match verdict {
            Verdict::Allow => !found.is_empty() && met.all(|it| it),
            Verdict::Ask | Verdict::Deny => met.any(|it| it),
        }
    }

    fn holds(&self, text: &str, asked: &Asked<'_>, verdict: Verdict) -> bool {
        let permits = verdict == Verdict::Allow;
        match self {
            Wanted::Text(_, pattern) | Wanted::Whole(pattern) => pattern.is_match(text),
            Wanted::File(_, glob) => {
                let standing = Standing::of(asked.session, asked.call.cwd.as_deref());
                if permits { glob.permits(text, standing) } else { glob.forbids(text, standing) }
            }
            Wanted::Host(_, pattern) => match host(text) {
                Some(host) => pattern.is_match(&host),
                None => !permits,
            },
        }
    }
}

/// The host of an address, in lower case and without a last dot; none where two readers could take
/// it for two hosts.
fn host(address: &str) -> Option<String> {
    let odd = |it: char| it.is_whitespace() || it.is_control() || it == '\\' || !it.is_ascii();
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    if authority.chars().any(odd) || authority.contains(['@', '%']) {
        return None;
    }
    let host = match authority.strip_prefix('[') {
        Some(inner) => inner.split_once(']')?.0,
        None => authority.split(':').next()?,
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// A piece of JSON text that is to be written.
enum Piece<'d> {
    Text(&'static str),
    Key(&'d str),
    Value(Value<'d>),
}

/// A value as JSON with sorted keys and no white space.
fn sorted(root: Value<'_>) -> String {
    let mut out = String::new();
    let mut left = vec![Piece::Value(root)];
    while let Some(piece) = left.pop() {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Key(key) => push_text(&mut out, key),
            Piece::Value(value) if value.is_object() => {
                let mut entries: Vec<_> = value.entries().collect();
                entries.sort_by_key(|it| it.0);
                left.push(Piece::Text("}"));
                for (place, (key, value)) in entries.into_iter().enumerate().rev() {
                    let comma = Piece::Text(if place > 0 { "," } else { "" });
                    left.extend([Piece::Value(value), Piece::Text(":"), Piece::Key(key), comma]);
                }
                out.push('{');
            }
            Piece::Value(value) if value.is_array() => {
                let items: Vec<_> = value.items().collect();
                left.push(Piece::Text("]"));
                for (place, value) in items.into_iter().enumerate().rev() {
                    let comma = Piece::Text(if place > 0 { "," } else { "" });
                    left.extend([Piece::Value(value), comma]);
                }
                out.push('[');
            }
            Piece::Value(value) => match value.as_str() {
                Some(text) => push_text(&mut out, text),
                None => out.push_str(value.raw()),
            },
        }
    }
    out
}

fn push_text(out: &mut String, text: &str) {
    out.push('"');
    for it in text.chars() {
        match it {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            it if it < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(it))),
            it => out.push(it),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{host, sorted};
    use crate::Literal;

    #[test]
    fn keys_are_sorted_at_every_depth() {
        let value = Literal::parse(r#"{"b": [1, {"z": "a\"\n", "a": null}], "a": true}"#).unwrap();
        assert_eq!(sorted(value.value()), r#"{"a":true,"b":[1,{"a":null,"z":"a\"\n"}]}"#);
    }

    #[test]
    fn hosts_are_told_only_where_every_reader_agrees() {
        for (address, told) in [
            ("https://Example.com./x?y#z", Some("example.com")),
            ("http://example.com:8080/", Some("example.com")),
            ("https://[::1]:80/", Some("::1")),
            ("https://example.com@evil.example/", None),
            ("https://example.com\\@evil.example/", None),
            ("https://ex%61mple.com/", None),
            ("example.com", None),
            ("https:///x", None),
        ] {
            assert_eq!(host(address).as_deref(), told, "{address}");
        }
    }
}
