//! Rules over commands of Windows, where case does not matter and names have aliases.

use std::collections::BTreeMap;

use crate::prefix::{Fit, grammar};
use crate::reading::Reading;
use crate::{Matcher, Prefix, Rule, Segment, Word, windows};

/// A rule as it is compared, its words in lower case.
pub(super) struct Folded {
    /// Its leading words and options, where it is made of those.
    prefix: Option<Prefix>,
    /// The programs that it names.
    programs: Vec<String>,
}

impl Folded {
    pub fn of(rule: &Rule) -> Self {
        let prefix = match &rule.matcher {
            Matcher::Prefix(it) => Some(it.clone()),
            Matcher::Glob(it) => it.prefix(),
            Matcher::Regex(_) => None,
        };
        let lower = |it: &String| it.to_ascii_lowercase();
        let prefix = prefix.map(|it| {
            let words = it.words.iter().map(|it| it.iter().map(lower).collect()).collect();
            Prefix::new(words, it.options.iter().map(lower).collect())
        });
        let first = prefix.as_ref().and_then(|it| it.words.first());
        let programs = first.into_iter().flatten().flat_map(|it| windows::programs(it)).collect();
        Folded { prefix, programs }
    }

    /// Whether it names a program that is named in lower case.
    pub fn names(&self, program: &str) -> bool {
        self.programs.iter().any(|it| it == program)
    }

    /// How well it fits a call of its program that was folded.
    pub fn fit(&self, folded: &Segment) -> Fit {
        let Some(prefix) = &self.prefix else { return Fit::No };
        let words = prefix.words.split_first().map(|it| it.1).unwrap_or_default();
        prefix.loose_words(words, folded)
    }
}

/// Every rule as it is compared, and which of them may speak of a program.
#[derive(Default)]
pub(super) struct FoldedRules {
    rules: Vec<Folded>,
    by_program: BTreeMap<String, Vec<usize>>,
    /// Those that may speak of any program.
    patterns: Vec<usize>,
}

impl FoldedRules {
    pub fn of(rules: &[Rule]) -> Self {
        let mut out = FoldedRules::default();
        for (number, rule) in rules.iter().enumerate() {
            let folded = Folded::of(rule);
            for program in &folded.programs {
                out.by_program.entry(program.clone()).or_default().push(number);
            }
            if !matches!(rule.matcher, Matcher::Prefix(_)) {
                out.patterns.push(number);
            }
            out.rules.push(folded);
        }
        for numbers in out.by_program.values_mut() {
            numbers.extend(&out.patterns);
            numbers.sort_unstable();
            numbers.dedup();
        }
        out
    }

    pub fn get(&self, number: usize) -> Option<&Folded> {
        self.rules.get(number)
    }

    /// The rules that may speak of a program that is named in lower case, in order.
    pub fn speaking(&self, program: &str) -> &[usize] {
        self.by_program.get(program).unwrap_or(&self.patterns)
    }
}

/// A segment as it is compared, its words in lower case.
pub(super) fn folded(segment: &Segment) -> Segment {
    let words = segment.argv.iter().skip(1);
    let rest: Vec<_> = words.map(|it| Word::plain(&it.shown().to_ascii_lowercase())).collect();
    let program = segment.program.as_deref().unwrap_or_default().to_ascii_lowercase();
    let reading = Reading::of(&rest, grammar(&program));
    let by_path = segment.by_path;
    Segment { reading, program: segment.program.clone(), by_path, ..Segment::default() }
}

/// Which rules speak of which words, so that a word costs little.
#[derive(Debug, Default)]
pub(super) struct Spoken {
    /// By a name that stands alone, and so may be an alias.
    bare: BTreeMap<String, Vec<usize>>,
    /// By a name behind a path or in front of an extension.
    dressed: BTreeMap<String, Vec<usize>>,
    /// The characters that these names begin with, one bit for each.
    heads: u128,
}

impl Spoken {
    /// Adds a rule by its number and the word of it that names a program.
    pub fn add(&mut self, number: usize, word: &str) {
        for name in windows::programs(&word.to_ascii_lowercase()) {
            self.heads |= head(name.bytes().next());
            for alias in windows::aliases(&name) {
                self.heads |= head(alias.bytes().next());
                self.bare.entry((*alias).to_owned()).or_default().push(number);
            }
            self.bare.entry(name.clone()).or_default().push(number);
            self.dressed.entry(name).or_default().push(number);
        }
    }

    /// The rules that speak of a word.
    pub fn of(&self, word: &str) -> &[usize] {
        // Most words begin otherwise than every name.
        let slash = word.bytes().rposition(|it| matches!(it, b'\\' | b'/' | b':'));
        let first = word.as_bytes().get(slash.map_or(0, |it| it.saturating_add(1))).copied();
        if head(first) & self.heads == 0 && first.is_some_and(|it| it.is_ascii()) {
            return &[];
        }
        let name = windows::base(word);
        let all = if name.len() == word.len() { &self.bare } else { &self.dressed };
        all.get(&name.to_lowercase()).map(Vec::as_slice).unwrap_or_default()
    }
}

fn head(byte: Option<u8>) -> u128 {
    byte.map_or(0, |it| 1 << (it.to_ascii_lowercase() & 0x7F))
}
