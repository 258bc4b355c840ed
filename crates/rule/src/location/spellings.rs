//! The spellings of a path: what some reader would make of its text before it follows it.

use std::fmt;

use unicode_normalization::UnicodeNormalization;

use crate::spelling::percent_decoded;

/// How many bytes a path may have.
pub(super) const PATH_BYTES_MAX: usize = 16 * 1024;

/// What keeps a text from naming a place that can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Odd {
    /// Nothing stands there.
    Empty,
    /// It holds a NUL or another control character.
    Control,
    /// It is longer than any path.
    TooLong,
    /// Its percent escapes stand for bytes that are no text.
    Bytes,
    /// It is an address of another scheme than `file`, or a file on another machine.
    Address,
    /// It is the home directory of another user.
    OthersHome,
    /// It leads above a folder that is not known.
    Above,
    /// It is relative to a drive, names a device or a stream: only Windows can tell where it leads.
    Windows,
    /// It starts with a variable.
    Variable,
    /// Its alternatives in braces lead upwards.
    Braces,
}

impl fmt::Display for Odd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Odd::Empty => "is empty",
            Odd::Control => "holds a control character",
            Odd::TooLong => "is longer than any path",
            Odd::Bytes => "holds escapes that are no text",
            Odd::Address => "is an address and no path",
            Odd::OthersHome => "stands on the home of another user",
            Odd::Above => "leads above a folder that is not known",
            Odd::Windows => "leads where only Windows can tell",
            Odd::Variable => "starts with a variable",
            Odd::Braces => "leads upwards in braces",
        })
    }
}

/// Every spelling of a path, its own first.
pub(super) fn each(text: &str) -> Result<Vec<String>, Odd> {
    if text.len() > PATH_BYTES_MAX {
        return Err(Odd::TooLong);
    }
    let mut spellings: Vec<String> = Vec::new();
    add(text.to_owned(), &mut spellings)?;
    // Twice, since gateways and applications each decode once.
    let mut last = text.to_owned();
    for _ in 0..2 {
        let Some(bytes) = percent_decoded(&last) else { break };
        last = String::from_utf8(bytes).map_err(|_| Odd::Bytes)?;
        add(last.clone(), &mut spellings)?;
    }
    Ok(spellings)
}

/// Adds a text, without the scheme of a file, and what it is with look-alikes and back-slashes
/// taken for what they look like.
fn add(text: String, spellings: &mut Vec<String>) -> Result<(), Odd> {
    let composed: String = if text.is_ascii() { text.clone() } else { text.nfkc().collect() };
    let own = [text, composed];
    for text in own {
        let straight = text.replace('\\', "/");
        for text in [text, straight] {
            let path = of_file(&text)?.to_owned();
            sound(&path)?;
            if !spellings.contains(&path) {
                spellings.push(path);
            }
        }
    }
    Ok(())
}

/// What keeps any spelling from being a path.
fn sound(path: &str) -> Result<(), Odd> {
    if path.trim().is_empty() {
        return Err(Odd::Empty);
    }
    if path.chars().any(char::is_control) {
        return Err(Odd::Control);
    }
    if starts_with_variable(path) {
        return Err(Odd::Variable);
    }
    let pieces = || path.split(['/', '\\', '{', '}', ',']);
    if path.contains('{') && pieces().any(|it| it == "..") {
        return Err(Odd::Braces);
    }
    Ok(())
}

/// The path of a `file:` address; any other text as it stands.
fn of_file(text: &str) -> Result<&str, Odd> {
    let trimmed = text.trim_start();
    let (scheme, rest) = trimmed.split_once(':').unwrap_or_default();
    if scheme.eq_ignore_ascii_case("file") {
        let Some(rest) = rest.strip_prefix("//") else { return Ok(rest) };
        let at = rest.find(['/', '\\']).unwrap_or(rest.len());
        let (host, path) = rest.split_at_checked(at).unwrap_or_default();
        let here = host.is_empty() || host.eq_ignore_ascii_case("localhost");
        // `file:///C:/x` is a path of Windows behind a slash.
        let inner = path.get(1..).unwrap_or_default();
        let path = if matches!(drive(inner), Ok(Some(_))) { inner } else { path };
        return if here { Ok(path) } else { Err(Odd::Address) };
    }
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it));
    if is_scheme && (rest.starts_with("//") || rest.starts_with("\\\\")) {
        return Err(Odd::Address);
    }
    Ok(text)
}

/// Whether a path starts with what shells and programs replace: `$HOME/`, `${X}`, `$(x)`, `%X%`.
fn starts_with_variable(path: &str) -> bool {
    if let Some(rest) = path.strip_prefix('$') {
        let name = rest.split(['/', '\\']).next().unwrap_or_default();
        let shouts = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
        return rest.starts_with(['{', '('])
            || rest.to_ascii_lowercase().starts_with("env:")
            || (!name.is_empty() && name.chars().all(shouts));
    }
    let named = path.strip_prefix('%').and_then(|it| it.split_once('%'));
    path.starts_with('`')
        || named.is_some_and(|(name, _)| {
            name.starts_with(|it: char| it.is_ascii_alphabetic())
                && name.chars().all(|it| it.is_ascii_alphanumeric() || "_()".contains(it))
        })
}

/// The drive or share that a path of Windows starts with, and what follows it. Back-slashes have
/// been read as slashes where they are to be.
pub(super) fn drive(text: &str) -> Result<Option<(String, &str)>, Odd> {
    let unc = text.strip_prefix("\\\\").or_else(|| text.strip_prefix("//?/"));
    if unc.or_else(|| text.strip_prefix("//./")).is_some() {
        return Err(Odd::Windows);
    }
    let mut chars = text.chars();
    let (letter, colon) = (chars.next(), chars.next());
    if !(letter.is_some_and(|it| it.is_ascii_alphabetic()) && colon == Some(':')) {
        return Ok(None);
    }
    let (drive, rest) = text.split_at_checked(2).unwrap_or_default();
    if !rest.starts_with(['/', '\\']) {
        return Err(Odd::Windows);
    }
    Ok(Some((drive.to_ascii_lowercase(), rest)))
}

/// A part of a path as Windows reads it: in any case, without dots and blanks at its end.
pub(super) fn windows_part(part: &str) -> Result<String, Odd> {
    if part.contains(':') {
        return Err(Odd::Windows);
    }
    let kept = part.trim_end_matches(['.', ' ']);
    if kept.is_empty() {
        return Err(Odd::Windows);
    }
    Ok(kept.to_lowercase())
}
