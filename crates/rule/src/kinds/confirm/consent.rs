//! What counts as a yes: patterns, and the words beside a match that take it back.

use std::borrow::Cow;
use std::ops::Range;

use lawbook_event::{JAVASCRIPT, JavaScriptFlags, Pattern, PatternUse, javascript_pattern};

/// What counts as a yes.
#[derive(Debug)]
pub struct Consent {
    patterns: Vec<Pattern>,
    refusals: Refusals,
    /// What makes a message no yes at all.
    doubt: Option<Pattern>,
}

/// Which refusals in a message count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusals {
    /// A word of refusal, doubt or condition, or a question mark, outside of the match: a pattern
    /// may hold such words itself.
    OutsideMatch,
    /// A word of refusal right before a match, or with one word between, and `not` right after it
    /// (pmstack).
    Beside,
    /// The same, and a word of refusal, doubt or condition anywhere, or a question mark.
    Anywhere,
}

/// Words that refuse what follows them, in lower case.
const REFUSING: [&str; 9] =
    ["no", "nope", "not", "never", "cannot", "dont", "cant", "wont", "wait"];

/// Words of refusal, doubt or condition, and questions in any script.
pub const DOUBT: &str = concat!(
    r"\b(?:no|nope|nah|not|nothing|never|neither|nor|nobody|none|cannot|cant|dont|wont|wait|stop",
    r"|cancel|later|tomorrow|maybe|perhaps|forget|refuse[sd]?|den(?:y|ied)|other|instead|unless|until",
    r"|but|if|before|after|however|only|what|was|which|how|why|(?:did i|would you|could you)|hold (?:on|off)",
    r"|\w+n['’ʼ]t)\b|[?？؟՞⁇⁈⁉]",
);

impl Consent {
    /// Patterns with the refusals that count.
    #[must_use]
    pub fn new(patterns: Vec<Pattern>, refusals: Refusals) -> Self {
        let flags = JavaScriptFlags { ignore_case: true, ..JavaScriptFlags::default() };
        let doubt = (refusals != Refusals::Beside)
            .then(|| javascript_pattern(DOUBT, flags, PatternUse::Deny).ok())
            .flatten();
        Consent { patterns, refusals, doubt }
    }

    /// Whether a message of the user is a yes.
    #[must_use]
    pub fn is_yes(&self, text: &str) -> bool {
        if self.refusals == Refusals::OutsideMatch {
            let doubts = self.doubts(text);
            let is_yes = |found: Range<usize>| !doubts.is_outside(&found);
            return self.patterns.iter().any(|it| it.any_match(text, is_yes));
        }
        if self.doubt.as_ref().is_some_and(|it| it.is_match(text)) {
            return false;
        }
        let text = straight(text);
        let mut runs = None;
        self.patterns.iter().any(|pattern| {
            pattern.any_match(&text, |found| {
                let runs = runs.get_or_insert_with(|| Runs::of(&text));
                !found.is_empty() && !runs.refuse_before(found.start) && !runs.refuse_after(found)
            })
        })
    }

    fn doubts(&self, text: &str) -> Doubts {
        let mut doubts = Doubts::default();
        if let Some(doubt) = &self.doubt {
            let _ = doubt.any_match(text, |it| {
                let first = doubts.ends.map_or(it.end, |ends| ends.0);
                doubts.ends = Some((first, it.start));
                false
            });
        }
        doubts
    }
}

/// Where words of doubt stand in a text.
#[derive(Clone, Copy, Debug, Default)]
struct Doubts {
    /// The end of the first and the start of the last, if there are any.
    ends: Option<(usize, usize)>,
}

impl Doubts {
    /// Whether one of them stands before or after a match.
    fn is_outside(self, found: &Range<usize>) -> bool {
        self.ends.is_some_and(|(first, last)| first <= found.start || last >= found.end)
    }
}

/// The text with straight apostrophes.
fn straight(text: &str) -> Cow<'_, str> {
    match text.contains(['’', '‘']) {
        true => Cow::Owned(text.replace(['’', '‘'], "'")),
        false => Cow::Borrowed(text),
    }
}

/// What the characters of a run are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Letters, digits, `_` and apostrophes.
    Word,
    Space,
    Other,
}

/// A text cut into runs of one class, made once for all matches: a look beside each of many
/// matches then costs no walk through the text.
struct Runs<'t> {
    text: &'t str,
    /// Where each run begins, and what it is.
    starts: Vec<(usize, Class)>,
}

impl<'t> Runs<'t> {
    fn of(text: &'t str) -> Self {
        let mut starts: Vec<(usize, Class)> = Vec::new();
        for (at, it) in text.char_indices() {
            let class = class(it);
            if starts.last().is_none_or(|last| last.1 != class) {
                starts.push((at, class));
            }
        }
        Runs { text, starts }
    }

    /// Whether a word of refusal ends right before `at`, or before one word that does.
    fn refuse_before(&self, at: usize) -> bool {
        let mut before = self.before(at);
        let Some((Class::Space, _)) = before.next() else { return false };
        let Some((Class::Word, near)) = before.next() else { return false };
        let space = before.next().is_some_and(|it| it.0 == Class::Space);
        let far = before.next().filter(|it| space && it.0 == Class::Word).map(|it| it.1);
        let apart = before.next().is_some_and(|it| it.0 == Class::Space);
        let farther = before.next().filter(|it| apart && it.0 == Class::Word).map(|it| it.1);
        refuses(near, far) || far.is_some_and(|it| refuses(it, farther))
    }

    /// Whether `n't` or the word `not` follows a match.
    fn refuse_after(&self, found: Range<usize>) -> bool {
        let rest = self.text.get(found.end..).unwrap_or_default();
        if rest.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("n't")) {
            return true;
        }
        let next = self.starts.partition_point(|it| it.0 <= found.end);
        let here = self.starts.get(next.saturating_sub(1));
        if here.is_none_or(|it| it.1 != Class::Space) || found.end == self.text.len() {
            return false;
        }
        let word = self.starts.get(next).map_or("", |it| self.text.get(it.0..).unwrap_or_default());
        let after = word.get(3..).and_then(|it| it.chars().next());
        word.get(..3).is_some_and(|it| it.eq_ignore_ascii_case("not"))
            && after.is_none_or(|it| !is_word(it))
    }

    /// The runs that end at `at` or before it, the nearest first; the nearest may begin one.
    fn before(&self, at: usize) -> impl Iterator<Item = (Class, &'t str)> {
        let count = self.starts.partition_point(|it| it.0 < at);
        let mut end = at;
        self.starts.iter().take(count).rev().map(move |(start, class)| {
            let run = self.text.get(*start..end).unwrap_or_default();
            end = *start;
            (*class, run)
        })
    }
}

/// Whether a word refuses what follows it; `before` is the word in front of it.
fn refuses(word: &str, before: Option<&str>) -> bool {
    let word = word.to_ascii_lowercase();
    if let ("on" | "off", Some(before)) = (word.as_str(), before) {
        return before.eq_ignore_ascii_case("hold");
    }
    let negated = word.strip_suffix("n't");
    REFUSING.contains(&word.as_str())
        || negated
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_lowercase()))
}

fn class(it: char) -> Class {
    if is_word(it) || it == '\'' {
        Class::Word
    } else if JAVASCRIPT.trim(it.encode_utf8(&mut [0; 4])).is_empty() {
        Class::Space
    } else {
        Class::Other
    }
}

/// `\w` of ECMAScript.
fn is_word(it: char) -> bool {
    it.is_ascii_alphanumeric() || it == '_'
}
