//! PowerShell and cmd: names of programs are found so that what is forbidden is denied; only
//! plain words are more than a question.

use crate::reading::{PLAIN, Reading};
use crate::{Analysis, Piece, Segment, Unclear, Word, World, catastrophe};

/// Names that PowerShell and cmd give to a program beside its own.
const ALIASES: &[(&str, &str)] = &[
    ("cat", "get-content"), ("cd", "set-location"), ("chdir", "set-location"), ("clc", "clear-content"),
    ("copy", "copy-item"), ("cp", "copy-item"), ("cpi", "copy-item"), ("curl", "invoke-webrequest"),
    ("del", "remove-item"), ("dir", "get-childitem"), ("echo", "write-output"), ("erase", "remove-item"),
    ("gc", "get-content"), ("gci", "get-childitem"), ("iex", "invoke-expression"),
    ("icm", "invoke-command"), ("irm", "invoke-restmethod"), ("iwr", "invoke-webrequest"),
    ("kill", "stop-process"), ("ls", "get-childitem"), ("mi", "move-item"), ("move", "move-item"),
    ("mv", "move-item"), ("ni", "new-item"), ("pwd", "get-location"), ("rd", "remove-item"),
    ("ren", "rename-item"), ("ri", "remove-item"), ("rm", "remove-item"), ("rmdir", "remove-item"),
    ("saps", "start-process"), ("sc", "set-content"), ("sl", "set-location"), ("spps", "stop-process"),
    ("start", "start-process"), ("type", "get-content"), ("wget", "invoke-webrequest"),
];

/// Reads a text of PowerShell or cmd.
pub(crate) fn analyse(text: &str, world: &World<'_>) -> Analysis {
    let mut out = Analysis { text: text.to_owned(), ..Analysis::default() };
    let plain = |it: char| it.is_ascii_alphanumeric() || " -_./:\\=,+".contains(it);
    if !text.chars().all(plain) || text.trim().is_empty() {
        out.unclear.push(Unclear::Construct("more than plain words of PowerShell or cmd"));
    }
    // A backtick and a caret escape what follows, so that they may stand inside of a name.
    let joined: String = text.chars().filter(|it| !matches!(it, '`' | '^' | '"' | '\'')).collect();
    let ends = |it: char| matches!(it, ';' | '|' | '&' | '(' | ')' | '{' | '}' | '\n' | '\r' | '=' | '@');
    let pieces: Vec<&str> =
        if out.unclear.is_empty() { vec![joined.as_str()] } else { joined.split(ends).collect() };
    for piece in pieces.into_iter().take(crate::walk::SEGMENTS_MAX) {
        let words: Vec<Word> = piece.split_whitespace().map(word).collect();
        let Some(first) = words.first().and_then(Word::literal) else { continue };
        let name = name(&first);
        wipes(&name, piece, world, &mut out);
        let rest = words.get(1..).unwrap_or_default();
        let reading = Reading::of(rest, &PLAIN);
        let by_path = first.contains(['/', '\\']);
        let segment = Segment { argv: words, program: Some(name), by_path, ..Segment::default() };
        out.segments.push(Segment { reading, source: 0..text.len(), ..segment });
    }
    catastrophe::raw(text, &mut out);
    out
}

/// The name that a word names a program by: lower case, without folder and ending, aliases known.
pub(crate) fn name(word: &str) -> String {
    let word = word.to_ascii_lowercase();
    let word = word.rsplit(['/', '\\']).next().unwrap_or_default();
    let ends = [".exe", ".cmd", ".bat", ".com", ".ps1"];
    let word = ends.iter().find_map(|it| word.strip_suffix(it)).unwrap_or(word);
    let known = ALIASES.iter().find(|it| it.0 == word);
    known.map_or(word, |it| it.1).to_owned()
}

/// A word of plain text.
pub(crate) fn word(text: &str) -> Word {
    let piece = Piece::Literal { text: text.to_owned(), quoted: false };
    Word { pieces: vec![piece], ..Word::default() }
}

/// Removing a drive or the home directory with all that lies in it.
fn wipes(name: &str, piece: &str, world: &World<'_>, out: &mut Analysis) {
    let lower = piece.to_ascii_lowercase();
    let words = || lower.split_whitespace().skip(1);
    let recursive = words().any(|it| it.starts_with("-r") || it == "/s");
    if name != "remove-item" || !recursive {
        return;
    }
    let home = world.home.map(str::to_ascii_lowercase);
    for word in words() {
        let bare = word.trim_end_matches(['*', '.', '\\', '/']);
        let drive = bare.len() == 2 && bare.ends_with(':') || bare.is_empty() && word.len() < 4 && word.starts_with(['/', '\\']);
        let known = matches!(bare, "~" | "$home" | "$env:userprofile" | "%userprofile%" | "$env:systemdrive");
        if drive || known || home.as_deref() == Some(bare) && !bare.is_empty() {
            out.catastrophes.push("removes a drive or the home directory".to_owned());
        }
    }
}
