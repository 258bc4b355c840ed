//! What `${ … }` stands for.

use super::source::{begins_name, in_name};
use crate::Dynamic;

/// Reads an expansion as written, braces and all.
pub fn read(text: &str) -> Dynamic {
    let text = text.replace("\\\n", "");
    let inner = text.strip_prefix("${").unwrap_or(&text);
    let inner = inner.strip_suffix('}').unwrap_or(inner);
    if let Some(rest) = inner.strip_prefix('!').filter(|it| !it.is_empty()) {
        return behind_bang(rest);
    }
    let counted = inner.strip_prefix('#').filter(|it| !it.is_empty());
    let (name, rest) = split(counted.unwrap_or(inner));
    // What stands in parentheses here are flags of zsh, one of which runs the value as code.
    let code = inner.starts_with('(') || rest == "@P" || rest.ends_with("]@P");
    if code {
        return Dynamic::Indirect;
    }
    Dynamic::Parameter { name: name.to_owned(), plain: rest.is_empty() && counted.is_none() }
}

/// `${!name}` is the value of another name, but `${!name*}` and `${!name[@]}` are lists of names.
fn behind_bang(rest: &str) -> Dynamic {
    let (name, behind) = split(rest);
    match behind {
        "*" | "@" | "[@]" | "[*]" => Dynamic::Parameter { name: name.to_owned(), plain: false },
        _ => Dynamic::Indirect,
    }
}

/// A parameter's name and what stands behind it.
fn split(text: &str) -> (&str, &str) {
    let first = text.bytes().next().unwrap_or_default();
    let end = if begins_name(first) {
        text.bytes().take_while(|it| in_name(*it)).count()
    } else if first.is_ascii_digit() {
        text.bytes().take_while(u8::is_ascii_digit).count()
    } else {
        text.chars().next().map_or(0, char::len_utf8)
    };
    text.split_at_checked(end).unwrap_or((text, ""))
}
