//! Variables that a text sets without an assignment before a command, and subscripts that a program
//! would evaluate out of data.

use std::sync::LazyLock;

use regex::Regex;

use crate::{Script, Unclear, hazard};

/// Where a name stands that is set: the header of a loop, an expansion that assigns, arithmetic, and
/// builtins that take names.
static SETTING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let patterns = [
        r"\b(?:for|select)\s+(\w+)",
        r"\$\{(\w+):?=",
        r"(?:\(\(|\$\[|\blet\s)[^;\n]*?\b(\w+)(?:\[[^\]]*\])?\s*(?:[-+*/%&|^]|<<|>>)?=[^=]",
        r"\b(?:mapfile|readarray|wait\s+-p|getopts\s+\S+)\s[^;|&\n]*?\b(\w+)",
        r"\b(?:declare|local|typeset)\s+-\w*n\w*\s+\w+=(\w+)",
    ];
    Regex::new(&patterns.join("|")).ok()
});

/// A name with a subscript that holds a command.
static SUBSCRIPT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\w\[[^\]\s]*(?:\$\(|`)").ok());

/// What such places make of a text.
pub(crate) fn look(text: &str, script: &Script) -> Vec<Unclear> {
    let mut out = Vec::new();
    let setting = SETTING.as_ref().into_iter().flat_map(|it| it.captures_iter(text));
    let mut names = setting.flat_map(|it| it.iter().skip(1).flatten().collect::<Vec<_>>());
    if names.any(|it| hazard::is_hazard(it.as_str(), None)) {
        out.push(Unclear::Construct("a variable that changes what programs do, set in passing"));
    }
    let words = script.commands.iter().flat_map(|it| {
        let values = it.assignments.iter().map(|it| &it.value);
        it.words.iter().chain(values)
    });
    let quoted = |it: &crate::Piece| match it {
        crate::Piece::Literal { text, quoted: true } => {
            text.contains('[') && SUBSCRIPT.as_ref().is_none_or(|it| it.is_match(text))
        }
        _ => false,
    };
    let mut pieces = words.flat_map(|it| &it.pieces);
    if pieces.any(quoted) {
        out.push(Unclear::Construct("a subscript in quotes that holds a command"));
    }
    // bash takes such a pattern only once told to; zsh runs code in some of them.
    let tests = |it: &&crate::Command| {
        it.words.first().and_then(crate::Word::literal).is_some_and(|it| it == "[[")
    };
    let words = script.commands.iter().filter(|it| !tests(it)).flat_map(|it| {
        let targets = it.redirects.iter().map(|it| &it.target);
        it.words.iter().chain(targets)
    });
    let extended = |it: &crate::Piece| match it {
        crate::Piece::Dynamic { what: crate::Dynamic::Glob, text, .. } => text.contains('('),
        _ => false,
    };
    if !text.contains("extglob") && words.flat_map(|it| &it.pieces).any(extended) {
        out.push(Unclear::Construct("an extended pattern"));
    }
    let mut targets = script.commands.iter().flat_map(|it| &it.redirects);
    if targets.any(|it| it.target.literal().as_deref() == Some("!")) {
        out.push(Unclear::Construct("`!` behind a redirection, which zsh reads otherwise"));
    }
    out
}
