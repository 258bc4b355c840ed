//! What is forbidden, searched for among the words of a text of which commands may be missing.

use std::collections::{BTreeMap, BTreeSet};

use super::folded::{Spoken, folded};
use super::{Bench, whole};
use crate::prefix::{Fit, spellings};
use crate::raw::{self, Words};
use crate::reading::Reading;
use crate::{Matcher, Prefix, Reason, Segment, Shell, Verdict, programs, windows};

/// How many words are read as their programs read them; behind those it matters only which words
/// stand there, so that a hostile text costs little.
const READ_MAX: usize = 1024;
/// How many words a place costs beside those that are read.
const PLACE_WORDS: usize = 4;
/// How many places a pattern is compared at.
const PATTERN_PLACES_MAX: usize = 1024;

/// Denials that a text holds, each rule once.
pub(super) fn search(bench: &Bench<'_>) -> Vec<Reason> {
    let mut search = Search::of(bench);
    if search.rules.is_empty() {
        return Vec::new();
    }
    let windows = search.speakers.fold();
    for text in bench.analysis.texts() {
        raw::each(text, windows, |it| search.piece(it));
    }
    search.out
}

struct Search<'s, 'b> {
    bench: &'s Bench<'b>,
    rules: Vec<Denial<'b>>,
    /// The rules that are made of leading words and options.
    speakers: Speakers,
    /// The numbers of the others.
    patterns: Vec<usize>,
    /// The piece that was looked at last, since hostile texts repeat.
    last: String,
    /// How many words may still be read as their programs read them.
    left: usize,
    places: usize,
    out: Vec<Reason>,
}

/// A rule that denies and was not met yet.
struct Denial<'b> {
    number: usize,
    matcher: &'b Matcher,
    /// Its leading words and options, where it is made of those.
    prefix: Option<Prefix>,
    /// Every way to write each option of it.
    options: Vec<Vec<String>>,
    met: bool,
}

impl<'s, 'b> Search<'s, 'b> {
    fn of(bench: &'s Bench<'b>) -> Self {
        let entries = bench.rules.entries.iter().enumerate();
        let denies = entries.filter(|it| it.1.verdict == Verdict::Deny);
        let rules: Vec<_> =
            denies.map(|(number, rule)| Denial::of(number, &rule.matcher)).collect();
        let patterns = rules.iter().enumerate().filter(|it| it.1.prefix.is_none());
        let patterns = patterns.map(|it| it.0).collect();
        let speakers = Speakers::new(&rules, bench.is_windows());
        let (left, places) = (READ_MAX, PATTERN_PLACES_MAX);
        let (last, out) = (String::new(), Vec::new());
        Search { bench, rules, speakers, patterns, last, left, places, out }
    }

    fn piece(&mut self, words: &Words<'_>) {
        if words.text == self.last {
            return;
        }
        words.text.clone_into(&mut self.last);
        for place in 0..self.patterns.len() {
            let number = self.patterns.get(place).copied().unwrap_or_default();
            let waiting = self.rules.get(number).filter(|it| !it.met);
            let Some(matcher) = waiting.map(|it| it.matcher) else { continue };
            match matcher {
                Matcher::Regex(it) if it.is_match(words.text) => self.meets(number),
                Matcher::Glob(it) if self.pattern(it, words) => self.meets(number),
                _ => {}
            }
        }
        self.prefixes(words);
    }

    /// A pattern may begin at each word that its own first word may be.
    fn pattern(&mut self, glob: &crate::Glob, words: &Words<'_>) -> bool {
        // Such a pattern fits from any word on, if it fits at all.
        if glob.text.starts_with('*') && words.from(raw::WORDS_MAX).next().is_none() {
            return glob.is_match(words.text);
        }
        let end = glob.text.find([' ', '*', '?']).unwrap_or(glob.text.len());
        let head = glob.text.get(..end).unwrap_or_default();
        let first = head.bytes().next();
        for (at, word) in words.from(0).enumerate() {
            let begins = first.is_none_or(|it| word.bytes().any(|byte| byte == it));
            if !begins
                || !programs::identity(word).name.starts_with(head) && !word.starts_with(head)
            {
                continue;
            }
            if self.places == 0 {
                // Nothing is let through for being far behind.
                return words.text.contains(head);
            }
            self.places = self.places.saturating_sub(1);
            let mut text = String::new();
            for word in words.from(at).take(raw::WORDS_MAX) {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(if text.is_empty() { programs::identity(word).name } else { word });
            }
            if glob.is_match(&text) {
                return true;
            }
        }
        false
    }

    fn prefixes(&mut self, words: &Words<'_>) {
        for (at, word) in words.from(0).enumerate() {
            let mine: Vec<usize> = self.waiting(word).collect();
            if mine.is_empty() {
                continue;
            }
            if self.left == 0 {
                return self.skim(words, at);
            }
            let behind: Vec<_> =
                words.from(at).take(raw::WORDS_MAX).map(crate::Word::plain).collect();
            self.left = self.left.saturating_sub(behind.len().saturating_add(PLACE_WORDS));
            let Some(segment) = segment(behind, self.bench.shell) else { continue };
            let folded = self.speakers.fold().then(|| folded(&segment));
            for number in mine {
                let Some(rule) = self.rules.get(number) else { continue };
                let fit = match (&folded, &rule.prefix) {
                    (Some(it), _) => self.bench.folded.get(rule.number).map(|rule| rule.fit(it)),
                    (None, prefix) => prefix.as_ref().map(|it| self.bench.loose(it, &segment)),
                };
                if fit == Some(Fit::Yes) {
                    self.meets(number);
                }
            }
        }
    }

    /// Meets each rule all of whose words stand somewhere behind its program.
    fn skim(&mut self, words: &Words<'_>, at: usize) {
        let mut firsts: Vec<(usize, usize)> = Vec::new();
        for (place, word) in words.from(at).enumerate() {
            for number in self.waiting(word) {
                if firsts.iter().all(|it| it.0 != number) {
                    firsts.push((number, place));
                }
            }
        }
        for (number, first) in firsts {
            let behind = words.from(at).skip(first.saturating_add(1));
            let fold = self.speakers.fold();
            if self.rules.get(number).is_some_and(|it| it.stands(behind, fold)) {
                self.meets(number);
            }
        }
    }

    /// The rules that were not met yet and may speak of the program that a word names.
    fn waiting(&self, word: &str) -> impl Iterator<Item = usize> {
        let waits = |it: &usize| self.rules.get(*it).is_some_and(|it| !it.met);
        self.speakers.of(word).iter().copied().filter(waits)
    }

    fn meets(&mut self, number: usize) {
        let Some(rule) = self.rules.get_mut(number) else { return };
        rule.met = true;
        let number = rule.number;
        if let Some(rule) = self.bench.rules.entries.get(number) {
            let message = format!("it holds what the rule `{}` forbids", rule.text);
            self.out.push(Reason { rule: Some(number), ..whole(Verdict::Deny, message) });
        }
    }
}

/// The rules by the programs that they name, so that a word costs little.
enum Speakers {
    /// Where names are compared as they stand, a path aside.
    Plain {
        by_name: BTreeMap<String, Vec<usize>>,
        /// The characters that the names end with.
        ends: BTreeSet<u8>,
    },
    /// Where names have aliases.
    Folded(Spoken),
}

impl Speakers {
    fn new(rules: &[Denial<'_>], windows: bool) -> Self {
        let all = rules.iter().enumerate();
        let named = all.flat_map(|(number, rule)| rule.programs().map(move |it| (number, it)));
        if windows {
            let mut spoken = Spoken::default();
            named.for_each(|(number, it)| spoken.add(number, it));
            return Speakers::Folded(spoken);
        }
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, it) in named {
            by_name.entry(programs::identity(it).name.to_owned()).or_default().push(number);
        }
        let ends = by_name.keys().filter_map(|it| it.bytes().next_back()).collect();
        Speakers::Plain { by_name, ends }
    }

    /// Whether case does not matter.
    fn fold(&self) -> bool {
        matches!(self, Speakers::Folded(_))
    }

    /// The rules that speak of a word.
    fn of(&self, word: &str) -> &[usize] {
        match self {
            Speakers::Folded(it) => it.of(word),
            Speakers::Plain { by_name, ends } => {
                // Most words end otherwise than every name.
                let ends = word.bytes().next_back().is_some_and(|it| ends.contains(&it));
                let name = programs::identity(word).name;
                let found = ends.then(|| by_name.get(name)).flatten();
                let kin = || programs::kin(name).and_then(|it| by_name.get(it));
                found.or_else(kin).map(Vec::as_slice).unwrap_or_default()
            }
        }
    }
}

impl<'b> Denial<'b> {
    fn of(number: usize, matcher: &'b Matcher) -> Self {
        let prefix = match matcher {
            Matcher::Prefix(it) => Some(it.clone()),
            Matcher::Glob(it) => it.prefix(),
            Matcher::Regex(_) => None,
        };
        let options = prefix.as_ref().map(spellings).unwrap_or_default();
        Denial { number, matcher, prefix, options, met: false }
    }

    /// The words of it that name programs, as written.
    fn programs(&self) -> impl Iterator<Item = &str> {
        let prefix = self.prefix.iter();
        prefix.filter_map(|it| it.words.first()).flatten().map(String::as_str)
    }

    /// Whether its words stand among others in their order, and its options anywhere.
    fn stands<'w>(&self, words: impl Iterator<Item = &'w str> + Clone, fold: bool) -> bool {
        let Some(prefix) = &self.prefix else { return false };
        let same = |it: &str, word: &str| it == word || fold && it.eq_ignore_ascii_case(word);
        let spelled = |word: &str, it: &[String]| {
            let folds = fold && word.bytes().any(|it| it.is_ascii_uppercase());
            is_spelled(word, it) || folds && is_spelled(&word.to_ascii_lowercase(), it)
        };
        let mut operands = words.clone();
        let mut all = prefix.words.iter().skip(1);
        all.all(|word| operands.any(|it| word.iter().any(|word| same(it, word))))
            && self.options.iter().all(|it| words.clone().any(|word| spelled(word, it)))
    }
}

/// Whether a word gives an option that is written in one of some ways.
fn is_spelled(word: &str, spellings: &[String]) -> bool {
    let end = word.bytes().position(|it| it == b'=').unwrap_or(word.len());
    let name = word.get(..end).unwrap_or(word);
    let letters = word.starts_with('-') && !word.starts_with("--");
    spellings.iter().any(|it| {
        let mut letter = it.chars();
        match (letter.next(), letter.next(), letter.next()) {
            (Some('-'), Some(letter), None) => letters && word.contains(letter),
            _ => it == name || name.len() > 3 && it.starts_with(name),
        }
    })
}

fn segment(words: Vec<crate::Word>, shell: Shell) -> Option<Segment> {
    let first = words.first()?.literal()?;
    let windows = matches!(shell, Shell::PowerShell | Shell::Cmd);
    let name =
        if windows { windows::resolve(&first) } else { programs::identity(&first).name.to_owned() };
    let grammar = crate::prefix::grammar(&name);
    let reading = Reading::of(words.get(1..)?, grammar);
    Some(Segment { program: Some(name), reading, argv: words, ..Segment::default() })
}
