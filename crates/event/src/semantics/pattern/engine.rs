//! The two engines behind a pattern, and the choice between them per text.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use super::PatternError;
use super::output::Output;

/// A compiled pattern of more bytes is refused, `(a{1000}){1000}` for one.
const COMPILED_BYTES_MAX: usize = 4 << 20;

/// A pattern of more instructions for the backtracking engine is refused.
const INSTRUCTIONS_MAX: usize = 1 << 14;

/// Longer texts are not given to the backtracking engine: a step can look at all of the text, so
/// time grows with the square of its length. It is about a second here at worst.
const BACKTRACKING_BYTES_MAX: usize = 32 << 10;

/// Backtracking steps for a text of up to 1 KiB: a hostile pattern is stopped within
/// a millisecond, an honest one needs a few steps per byte.
const STEPS_PER_KIB: usize = 10_000;

/// Each tier serves texts four times as long with four times the steps; the last one is for
/// texts of the greatest length.
const TIERS: usize = 4;

/// How often the backtracking engine searches one text for more matches.
const SEARCHES_MAX: usize = 4_000;

/// The outcome of a search.
pub(super) enum Found<T> {
    Yes(T),
    No,
    /// The step limit came first.
    OverLimit,
}

#[derive(Debug)]
pub(super) struct Engine {
    linear: Option<Linear>,
    backtracking: Option<Backtracking>,
    /// Texts in which this is not found need no backtracking.
    superset: Option<regex::Regex>,
    /// A linear pattern that is found wherever this one is, as a part of a larger one.
    screen: Option<String>,
    /// Whether only the characters of a match decide, and nothing around it.
    is_local: bool,
}

/// The linear engine and the texts on which it means the same as the pattern's own syntax.
#[derive(Debug)]
struct Linear {
    regex: regex::Regex,
    /// Only texts without a line break at their end.
    no_final_newline: bool,
    /// Only texts whose word characters are the same for both.
    plain_words: bool,
}

/// The backtracking engine, compiled once per tier of its step limit.
#[derive(Debug)]
struct Backtracking {
    source: String,
    tiers: [OnceLock<Option<fancy_regex::Regex>>; TIERS],
}

impl Engine {
    /// Compiles a pattern that needs no translation; none when the linear engine cannot run it.
    pub fn linear(source: &str, ignore_case: bool) -> Option<Result<Self, PatternError>> {
        match linear(source, ignore_case) {
            Ok(regex) => {
                let linear = Linear { regex, no_final_newline: false, plain_words: false };
                let screen = Some(part(source, ignore_case));
                let is_local = looks_nowhere(source);
                Some(Ok(Engine {
                    linear: Some(linear),
                    backtracking: None,
                    superset: None,
                    screen,
                    is_local,
                }))
            }
            Err(error @ regex::Error::CompiledTooBig(_)) => Some(Err(too_large(&error))),
            Err(_) => None,
        }
    }

    /// Compiles what a translator wrote.
    pub fn translated(output: Output) -> Result<Self, PatternError> {
        let linear = match &output.linear {
            Some(source) => Some(Linear {
                regex: linear(source, false).map_err(|error| too_large(&error))?,
                no_final_newline: output.has_end_anchor,
                plain_words: output.has_word_boundary,
            }),
            None => None,
        };
        if linear.as_ref().is_some_and(|it| !it.no_final_newline && !it.plain_words) {
            let screen = output.linear.as_deref().map(|it| part(it, false));
            let is_local = output.linear.as_deref().is_some_and(looks_nowhere);
            return Ok(Engine { linear, backtracking: None, superset: None, screen, is_local });
        }
        let screen = Some(part(&output.superset, false));
        let backtracking = Some(Backtracking::new(output.backtracking)?);
        let superset = Some(self::linear(&output.superset, false).map_err(|it| too_large(&it))?);
        Ok(Engine { linear, backtracking, superset, screen, is_local: false })
    }

    /// A linear pattern that is found wherever this one is, as a part of a larger one.
    pub fn screen(&self) -> Option<&str> {
        self.screen.as_deref()
    }

    /// Whether only the characters of a match decide, and nothing around it.
    pub fn is_local(&self) -> bool {
        self.is_local
    }

    pub fn is_match(&self, text: &str) -> Found<()> {
        if let Some(regex) = self.linear_for(text) {
            return if regex.is_match(text) { Found::Yes(()) } else { Found::No };
        }
        if self.cannot_match(text) {
            return Found::No;
        }
        match self.backtracking_for(text).map(|regex| regex.is_match(text)) {
            Some(Ok(true)) => Found::Yes(()),
            Some(Ok(false)) => Found::No,
            Some(Err(_)) | None => Found::OverLimit,
        }
    }

    pub fn find(&self, text: &str) -> Found<Range<usize>> {
        if let Some(regex) = self.linear_for(text) {
            return regex.find(text).map_or(Found::No, |it| Found::Yes(it.range()));
        }
        if self.cannot_match(text) {
            return Found::No;
        }
        match self.backtracking_for(text).map(|regex| regex.find(text)) {
            Some(Ok(Some(found))) => Found::Yes(found.start()..found.end()),
            Some(Ok(None)) => Found::No,
            Some(Err(_)) | None => Found::OverLimit,
        }
    }

    /// Whether any match is wanted. Matches don't overlap; one of nothing is looked past by one
    /// character, as ECMAScript's `matchAll` does.
    pub fn any_match(&self, text: &str, mut wanted: impl FnMut(Range<usize>) -> bool) -> Found<()> {
        let linear = self.linear_for(text);
        if linear.is_none() && self.cannot_match(text) {
            return Found::No;
        }
        let backtracking = if linear.is_none() { self.backtracking_for(text) } else { None };
        let mut at = 0;
        let mut searches = 0_usize;
        while at <= text.len() {
            let found = match (linear, backtracking) {
                (Some(regex), _) => regex.find_at(text, at).map(|it| it.range()),
                (None, Some(regex)) if searches < SEARCHES_MAX => {
                    match regex.find_from_pos(text, at) {
                        Ok(found) => found.map(|it| it.start()..it.end()),
                        Err(_) => return Found::OverLimit,
                    }
                }
                (None, _) => return Found::OverLimit,
            };
            let Some(found) = found else { return Found::No };
            searches = searches.saturating_add(1);
            let next = text.get(found.end..).and_then(|it| it.chars().next());
            let past = next.map_or(1, char::len_utf8);
            at = found.end.saturating_add(if found.is_empty() { past } else { 0 });
            if wanted(found) {
                return Found::Yes(());
            }
        }
        Found::No
    }

    fn linear_for(&self, text: &str) -> Option<&regex::Regex> {
        let linear = self.linear.as_ref()?;
        let fits = (!linear.no_final_newline || !text.ends_with('\n'))
            && (!linear.plain_words || has_plain_words(text));
        fits.then_some(&linear.regex)
    }

    fn cannot_match(&self, text: &str) -> bool {
        self.superset.as_ref().is_some_and(|superset| !superset.is_match(text))
    }

    fn backtracking_for(&self, text: &str) -> Option<&fancy_regex::Regex> {
        self.backtracking.as_ref()?.for_length(text.len())
    }
}

impl Backtracking {
    fn new(source: String) -> Result<Self, PatternError> {
        let first = backtracking(&source, 0).map_err(|error| refused(&error))?;
        let made = Backtracking { source, tiers: Default::default() };
        if let Some(tier) = made.tiers.first() {
            let _ = tier.set(Some(first));
        }
        Ok(made)
    }

    fn for_length(&self, length: usize) -> Option<&fancy_regex::Regex> {
        if length > BACKTRACKING_BYTES_MAX {
            return None;
        }
        let mut tier = 0;
        let mut served = 1024_usize;
        while length > served && tier < TIERS.saturating_sub(1) {
            served = served.saturating_mul(4);
            tier = tier.saturating_add(1);
        }
        let compile = || backtracking(&self.source, tier).ok();
        self.tiers.get(tier)?.get_or_init(compile).as_ref()
    }
}

/// A pattern as an alternative of a larger one.
fn part(source: &str, ignore_case: bool) -> String {
    let flag = if ignore_case { "(?i:" } else { "(?:" };
    format!("{flag}{source})")
}

/// Whether a pattern has no anchor, word boundary or other look at what is around a match.
fn looks_nowhere(source: &str) -> bool {
    regex_syntax::parse(source).is_ok_and(|it| it.properties().look_set().is_empty())
}

fn linear(source: &str, ignore_case: bool) -> Result<regex::Regex, regex::Error> {
    regex::RegexBuilder::new(source)
        .case_insensitive(ignore_case)
        .size_limit(COMPILED_BYTES_MAX)
        .build()
}

fn backtracking(source: &str, tier: usize) -> Result<fancy_regex::Regex, fancy_regex::Error> {
    let factor = 4_usize.saturating_pow(u32::try_from(tier).unwrap_or_default());
    fancy_regex::RegexBuilder::new(source)
        .backtrack_limit(STEPS_PER_KIB.saturating_mul(factor))
        .delegate_size_limit(COMPILED_BYTES_MAX)
        .max_prog_size(INSTRUCTIONS_MAX)
        .build()
}

/// The translators write valid patterns, so only size is left as a reason.
fn too_large(error: &regex::Error) -> PatternError {
    match error {
        regex::Error::CompiledTooBig(_) => PatternError::new(0, TOO_LARGE),
        _ => PatternError::new(0, UNFIT),
    }
}

fn refused(error: &fancy_regex::Error) -> PatternError {
    use fancy_regex::CompileError::{InnerError, PatternTooComplex};
    match error {
        fancy_regex::Error::CompileError(why) => match **why {
            InnerError(_) | PatternTooComplex => PatternError::new(0, TOO_LARGE),
            _ => PatternError::new(0, UNFIT),
        },
        _ => PatternError::new(0, UNFIT),
    }
}

const TOO_LARGE: &str = "the pattern is too large once its repetitions are written out";
const UNFIT: &str = "no bounded engine can run this pattern";

/// Whether Python and the linear engine agree on every word character of `text`.
fn has_plain_words(text: &str) -> bool {
    static DISPUTED: LazyLock<Option<regex::Regex>> =
        LazyLock::new(|| regex::Regex::new(r"[[\w--[\p{L}\p{N}_]][[\p{L}\p{N}_]--\w]]").ok());
    // In an empty text Python finds no `\B`, the linear engine does.
    !text.is_empty()
        && (text.is_ascii() || DISPUTED.as_ref().is_some_and(|disputed| !disputed.is_match(text)))
}
