//! `arg_never_matches`: no argument matches a pattern.

mod cards;

use std::borrow::Cow;

use lawbook_event::json::Value;
use lawbook_event::{ArgsState, Path, Pattern, PatternSet, PatternUse, Semantics, Skeleton};
use unicode_normalization::UnicodeNormalization;

use super::TOOLS;
use crate::argument::cannot_check;
use crate::arguments::decoded;
use crate::params::{Definition, Field, Params, Shape};
use crate::spelling::percent_decoded;
use crate::tools::Name;
use crate::{
    Asked, Body, Fields, Kind, Manner, Objection, Role, Said, Tools, Watches, patch, path_arguments,
};

/// No argument matches any of these patterns.
#[derive(Debug)]
pub struct ArgNeverMatches {
    /// The tools it covers.
    pub tools: Tools,
    /// One argument; none for all of them.
    pub arg: Option<Path>,
    /// Whether the arguments that name files are meant instead, and the files that a patch names.
    pub paths: bool,
    /// The patterns. The first that matches is reported.
    pub patterns: PatternSet,
    /// What the patterns are searched in.
    pub searched: Searched,
    /// Which matches count.
    pub counts: Counts,
    /// Arguments that other rules read as what they are, so that nothing is searched for there.
    pub except: Vec<(Tools, Vec<Path>)>,
    /// Whether messages show how a match ends, four characters and no more.
    pub shows_end: bool,
}

/// Which matches count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// All of them.
    Every,
    /// Those whose digits pass the Luhn check.
    Luhn,
    /// The same, and numbers of cards in any grouping, whatever the patterns say.
    Cards,
}

/// What patterns are searched in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Searched {
    /// The text of the arguments as it stands, escapes and all (faultgate).
    Text,
    /// That text, and every key and value in it after decoding: JSON escapes, percent escapes,
    /// back-slashes and doubled slashes read as the slashes that they become.
    Leaves,
    /// The one argument as the policy's semantics shows it, objects and lists as JSON (pmstack);
    /// without an argument, as [`Searched::Text`].
    Shown,
}

/// The first match that counts.
struct Match {
    /// The place of its pattern; none for a card that no pattern finds.
    pattern: Option<usize>,
    end: String,
}

impl Kind for ArgNeverMatches {
    type Memory = ();
    type Taken = ();
    const NAME: &'static str = "arg_never_matches";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn watches(&self) -> Watches {
        Watches { text: self.arg.is_none() && !self.paths, ..Watches::default() }
    }

    fn judge(&self, (): &(), asked: &Asked<'_>, said: &mut Said) {
        if let Some(found) = self.first_match(asked) {
            let objection = Objection::new(self.message(&found, asked.manner.values));
            said.object(match &self.arg {
                Some(path) => objection.path(path),
                None => objection,
            });
        } else if let Some(why) = self.unreadable(asked) {
            let what = self.place("them for denied patterns");
            said.object(Objection::new(cannot_check(asked, why, what)));
        } else if asked.args.state() != ArgsState::Whole {
            said.gap(
                "arguments",
                "the arguments were not recorded whole, so what they hold is unknown",
            );
        }
    }

    /// What is denied is not told: whoever knows the pattern can write around it.
    fn reply(&self, asked: &Asked<'_>, _objection: &Objection) -> Option<String> {
        let tool = &*asked.call.tool;
        let place = self.place("arguments");
        Some(format!("{tool} was asked with text in its {place} that may not stand there"))
    }
}

impl ArgNeverMatches {
    /// Why the arguments can't be taken apart, where that matters: one argument can't be found in
    /// them, or an escape in them might hide what is denied.
    fn unreadable(&self, asked: &Asked<'_>) -> Option<&'static str> {
        if self.searched != Searched::Leaves {
            return None;
        }
        let Fields::Unreadable(why) = asked.args.fields(asked.manner.values) else { return None };
        let hides =
            self.arg.is_some() || self.paths || !is_plain(asked.args.text().unwrap_or_default());
        hides.then_some(why)
    }

    /// What a message calls the place that is searched.
    fn place<'a>(&'a self, everywhere: &'a str) -> &'a str {
        let everywhere = if self.paths { "paths" } else { everywhere };
        self.arg.as_ref().map_or(everywhere, |it| it.text())
    }

    /// The arguments of a call that are spared.
    fn except(&self, asked: &Asked<'_>) -> Vec<&Path> {
        if self.except.is_empty() {
            return Vec::new();
        }
        let skeleton = Skeleton::new(&asked.call.tool);
        let name = Name { text: &asked.call.tool, skeleton: &skeleton };
        let covering = self.except.iter().filter(|it| it.0.covers(&name, asked.manner.names));
        covering.flat_map(|it| &it.1).collect()
    }

    fn message(&self, found: &Match, values: &dyn Semantics) -> String {
        let pattern = found.pattern.and_then(|it| self.patterns.patterns().get(it));
        let mut message = match pattern {
            Some(it) => format!("argument matches denied pattern {}", values.quote(it.source())),
            None => "argument holds a card number".to_owned(),
        };
        if self.shows_end {
            message.push_str(&format!(", ending in {}", values.quote(&found.end)));
        }
        message
    }

    /// The first of the patterns, in their order, that matches anywhere it is searched for.
    fn first_match(&self, asked: &Asked<'_>) -> Option<Match> {
        let mut first: Option<Match> = None;
        let mut card: Option<Match> = None;
        self.each_text(asked, |text| {
            if self.counts == Counts::Cards && card.is_none() {
                card = cards::card(text).map(|end| Match { pattern: None, end });
            }
            if !self.patterns.may_match(text) {
                return;
            }
            let before = first.as_ref().and_then(|it| it.pattern).unwrap_or(usize::MAX);
            let mut earlier = self.patterns.patterns().iter().take(before).enumerate();
            if let Some(found) = earlier.find_map(|(place, it)| self.found(place, it, text)) {
                first = Some(found);
            }
        });
        first.or(card)
    }

    /// The first match of a pattern that counts.
    fn found(&self, place: usize, pattern: &Pattern, text: &str) -> Option<Match> {
        // Where a search does not end, nothing shows how a match would.
        let mut end = "";
        let counts = |it: &str| self.counts == Counts::Every || luhn(it);
        let found = match self.shows_end || self.counts != Counts::Every {
            false => pattern.is_match(text),
            true => pattern.any_match(text, |it| {
                let found = text.get(it).unwrap_or_default();
                let wanted = counts(found);
                end = if wanted { last_four(found) } else { "" };
                wanted
            }),
        };
        found.then(|| Match { pattern: Some(place), end: end.to_owned() })
    }

    /// Every text that is searched, its other spellings among them.
    fn each_text(&self, asked: &Asked<'_>, mut search: impl FnMut(&str)) {
        let text = asked.args.text().unwrap_or_default();
        if self.paths {
            return each_path(asked, text, &mut search);
        }
        let except = self.except(asked);
        if !except.is_empty()
            && let Fields::Object(root) = asked.args.fields(asked.manner.values)
        {
            return leaves_but(root, &except, asked, &mut |text| spelt(text, &mut search));
        }
        if self.arg.is_none() {
            search(text);
        }
        if let (Searched::Shown, Some(path)) = (self.searched, &self.arg) {
            return shown(path, asked, search);
        }
        if self.searched != Searched::Leaves {
            if self.arg.is_some() {
                search(text);
            }
            return;
        }
        // Without escapes, what stands in a key or value stands in the text, too.
        if self.arg.is_none() && self.patterns.is_local() && is_plain(text) {
            return;
        }
        let mut spelt = |text: &str| spelt(text, &mut search);
        match (asked.args.fields(asked.manner.values), &self.arg) {
            (Fields::Object(root), None) => leaves(root, &mut spelt),
            (Fields::Object(root), Some(path)) => {
                let mut found = Vec::new();
                asked.manner.values.each(root, path, &mut found);
                found.into_iter().for_each(|it| leaves(it, &mut spelt));
            }
            // What can't be taken apart is searched as it stands.
            (Fields::Unreadable(_) | Fields::Unrecorded, _) => spelt(text),
            (Fields::Empty, _) => {}
        }
    }
}

/// Every path that the arguments name, in all of its spellings.
fn each_path(asked: &Asked<'_>, text: &str, search: &mut impl FnMut(&str)) {
    let root = match asked.args.fields(asked.manner.values) {
        Fields::Object(root) => root,
        // What can't be taken apart is searched as it stands.
        Fields::Unreadable(_) | Fields::Unrecorded => return spelt(text, search),
        Fields::Empty => return,
    };
    for path in path_arguments() {
        let mut found = Vec::new();
        asked.manner.values.each(root, path, &mut found);
        for value in found {
            leaves(value, &mut |it| spelt(it, search));
        }
    }
    if patch::applies(&asked.call.tool) {
        patch::patched(root, &mut |it| spelt(it, search));
    }
}

/// A text in all of its spellings.
fn spelt(text: &str, search: &mut impl FnMut(&str)) {
    search(text);
    decodings(text).iter().for_each(|it| search(it));
    // JSON as a text within JSON has escapes of its own.
    if text.contains('\\')
        && text.starts_with(['{', '[', '"'])
        && let Ok(inner) = decoded(text)
    {
        leaves(inner.root(), &mut |it| search(it));
    }
}

/// Every key and value but those at some paths.
fn leaves_but(root: Value<'_>, except: &[&Path], asked: &Asked<'_>, each: &mut impl FnMut(&str)) {
    let mut spared = Vec::new();
    except.iter().for_each(|path| asked.manner.values.each(root, path, &mut spared));
    let is_spared =
        |it: Value<'_>| spared.iter().any(|spared| std::ptr::eq(spared.raw(), it.raw()));
    leaves_where(root, &|it| !is_spared(it), each);
}

/// The one text of an argument as its semantics shows it; none where it is missing.
fn shown(path: &Path, asked: &Asked<'_>, mut search: impl FnMut(&str)) {
    let values = asked.manner.values;
    let Fields::Object(root) = asked.args.fields(values) else { return };
    match values.path(root, path) {
        Some(value) if !values.is_missing(value) => search(&values.show(value)),
        Some(_) => {}
        None => {
            if let Some(length) = values.length(root, path) {
                search(&length.to_string());
            }
        }
    }
}

/// Whether a text holds nothing that a reader or a file system would take for something else.
fn is_plain(text: &str) -> bool {
    let escapes = |it: u8| matches!(it, b'\\' | b'%');
    let slashes = || text.contains('/') && (text.contains("//") || text.contains("/./"));
    text.is_ascii() && !text.bytes().any(escapes) && !slashes()
}

/// Every key, text and number in a value.
fn leaves(root: Value<'_>, each: &mut impl FnMut(&str)) {
    leaves_where(root, &|_| true, each);
}

fn leaves_where<'d>(
    root: Value<'d>,
    wanted: &impl Fn(Value<'d>) -> bool,
    each: &mut impl FnMut(&str),
) {
    let mut left = vec![root];
    while let Some(value) = left.pop() {
        if !wanted(value) {
            continue;
        }
        if let Some(text) = value.as_str().or_else(|| value.number_text()) {
            each(text);
        }
        left.extend(value.items());
        for (key, inner) in value.entries() {
            each(key);
            left.push(inner);
        }
    }
}

/// Other spellings under which a file system or server would take a text.
fn decodings(text: &str) -> Vec<String> {
    let mut spellings = Vec::new();
    let mut last = Cow::Borrowed(text);
    // Twice, since gateways and applications each decode once.
    for _ in 0..2 {
        if let Some(bytes) = percent_decoded(&last) {
            let decoded = String::from_utf8_lossy(&bytes).into_owned();
            spellings.push(decoded.clone());
            last = Cow::Owned(decoded);
        }
    }
    if last.contains('\\') || last.contains("//") || last.contains("/./") {
        let mut straight = last.replace('\\', "/");
        while straight.contains("//") || straight.contains("/./") {
            straight = straight.replace("/./", "/").replace("//", "/");
        }
        spellings.push(straight);
    }
    if !text.is_ascii() {
        let composed: String = text.nfkc().collect();
        spellings.extend((composed != text).then_some(composed));
    }
    spellings
}

/// How a match ends.
fn last_four(text: &str) -> &str {
    let from = text.char_indices().rev().nth(3).map_or(0, |it| it.0);
    text.get(from..).unwrap_or_default()
}

/// Whether the digits of a match pass the Luhn check (ISO/IEC 7812-1, annex B).
fn luhn(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|it| it.to_digit(10)).collect();
    passes_luhn(&digits)
}

fn passes_luhn(digits: &[u32]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let doubled = digit.saturating_mul(2);
            match (place % 2, doubled > 9) {
                (0, _) => *digit,
                (_, true) => doubled.saturating_sub(9),
                (_, false) => doubled,
            }
        })
        .fold(0, u32::saturating_add);
    digits.len() > 1 && sum.is_multiple_of(10)
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::optional("arg", Shape::Path, "The argument; all of them, keys too, if left out."),
    Field::optional(
        "args",
        Shape::OneOf(&["paths"]),
        "Instead of `arg`, `paths`: those in which file tools name files, and files in patches.",
    ),
    Field::required("pattern", Shape::Patterns, "What must not be found anywhere in the text."),
    Field::optional(
        "luhn",
        Shape::Bool,
        "Whether a match counts only if its digits pass the Luhn check, as card numbers do.",
    ),
    Field::optional("flags", Shape::OneOf(&["i"]), "`i`: letters match in either case."),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        ArgNeverMatches::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("arg_never_matches.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = params.tools("tools");
        let any_case = params.text("flags") == Some("i");
        let patterns = params.patterns("pattern", any_case, PatternUse::Deny);
        let paths = params.text("args") == Some("paths");
        if paths && params.has("arg") {
            params.refuse("args", "`arg` and `args` say both where to search", "leave one out");
        }
        let (arg, luhn) = (params.path("arg"), params.flag("luhn").unwrap_or(false));
        let counts = if luhn { Counts::Luhn } else { Counts::Every };
        if patterns.is_empty() {
            return None;
        }
        let (patterns, searched) = (PatternSet::new(patterns), Searched::Leaves);
        let except = Vec::new();
        Some(Box::new(ArgNeverMatches {
            tools,
            arg,
            paths,
            patterns,
            searched,
            counts,
            except,
            shows_end: false,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::{decodings, last_four, luhn};

    #[test]
    fn other_spellings_of_a_path_are_found() {
        for (text, spelling) in [
            ("%2e%2e/", "../"),
            ("%252e%252e%252f", "../"),
            ("..\\..\\etc", "../../etc"),
            ("/etc//passwd", "/etc/passwd"),
            ("/etc/././passwd", "/etc/passwd"),
            ("．．／etc", "../etc"),
        ] {
            assert!(decodings(text).iter().any(|it| it.contains(spelling)), "{text}");
        }
        assert!(decodings("100% sure").is_empty());
    }

    #[test]
    fn luhn_tells_cards_from_numbers() {
        assert!(luhn("4242 4242 4242 4242"));
        assert!(!luhn("4242 4242 4242 4241"));
        assert_eq!((last_four("4242 4242"), last_four("é42")), ("4242", "é42"));
    }
}
