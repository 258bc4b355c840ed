//! How many words make the action of a command, as data that users can extend.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::programs;
use crate::{Analysis, Judgement, Segment, Verdict};

/// The words that make an action, by the words that they begin with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arity {
    entries: BTreeMap<String, usize>,
}

static KNOWN: LazyLock<Arity> = LazyLock::new(|| {
    let mut arity = Arity::default();
    // A line that can't be read would be missing; a test holds that there is none.
    arity.extend(include_str!("arity.tsv")).ok();
    arity
});

impl Arity {
    /// The actions that are known here.
    #[must_use]
    pub fn known() -> &'static Arity {
        &KNOWN
    }

    /// Adds a prefix whose action has so many words, the program among them.
    pub fn add(&mut self, prefix: &str, words: usize) {
        let prefix = prefix.split_whitespace().collect::<Vec<_>>().join(" ");
        self.entries.insert(prefix, words.max(1));
    }

    /// Adds the lines of a table: a prefix, a tab, a number; `#` begins a remark.
    ///
    /// # Errors
    ///
    /// The number of the first line that can't be read, counted from 1.
    pub fn extend(&mut self, table: &str) -> Result<(), usize> {
        for (number, line) in table.lines().enumerate() {
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') || line.starts_with("prefix\t") {
                continue;
            }
            let entry = line.split_once('\t');
            let entry = entry.and_then(|(prefix, words)| Some((prefix, words.parse().ok()?)));
            match entry {
                Some((prefix, words)) if words > 0 => self.add(prefix, words),
                _ => return Err(number.saturating_add(1)),
            }
        }
        Ok(())
    }

    /// The prefixes and how many words their actions have.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.entries.iter().map(|(prefix, words)| (prefix.as_str(), *words))
    }

    /// The words of the action of a segment, the program first; options are no part of it.
    #[must_use]
    pub fn action(&self, segment: &Segment) -> Vec<String> {
        let Some(program) = segment.program.clone() else { return Vec::new() };
        let mut words = vec![program];
        // `python -m x` has the name of a module where others have a subcommand.
        if let Some(module) = segment.reading.options.iter().find(|it| it.name == "-m") {
            let known = format!("{} -m", words.concat());
            if self.entries.contains_key(&known) {
                let value = module.value.as_ref().and_then(crate::Word::literal);
                words.push("-m".to_owned());
                words.extend(value);
                return words;
            }
        }
        let known = |it: &crate::reading::Operand| it.text.clone().filter(|_| !it.doubtful);
        words.extend(segment.reading.operands.iter().map_while(known).take(3));
        for length in (1..=words.len().min(3)).rev() {
            let head = words.get(..length).unwrap_or_default().join(" ");
            if let Some(count) = self.entries.get(&head) {
                words.truncate(*count);
                return words;
            }
        }
        words.truncate(1);
        words
    }
}

/// The words of the action of a segment, by the table that is known here.
#[must_use]
pub fn action(segment: &Segment) -> Vec<String> {
    Arity::known().action(segment)
}

/// How many rules are suggested at once.
pub const SUGGESTIONS_MAX: usize = 5;

/// Rules that would cover what was asked about: one for each segment that no rule covers, or none
/// at all where a rule must not.
#[must_use]
pub fn suggest(analysis: &Analysis, judgement: &Judgement) -> Vec<String> {
    let about_all = judgement.reasons.iter().any(|it| it.segment.is_none());
    if about_all || judgement.verdict != Verdict::Ask {
        return Vec::new();
    }
    let mut out = BTreeSet::new();
    for (segment, judged) in analysis.segments.iter().zip(&judgement.segments) {
        if judged.verdict == Verdict::Allow {
            continue;
        }
        // A rule that asks was meant, and no rule covers what a segment does beyond its action.
        if judged.rule.is_some() || !segment.effects.is_empty() {
            return Vec::new();
        }
        let Some(rule) = rule(segment) else { return Vec::new() };
        out.insert(rule);
    }
    if out.len() > SUGGESTIONS_MAX { Vec::new() } else { out.into_iter().collect() }
}

/// Programs that run whatever they are given, although nothing else needs to be known of them.
const NEVER: &[&str] = &["find", "git", "make", "rm", "tee"];

fn rule(segment: &Segment) -> Option<String> {
    let program = segment.program.as_deref().filter(|_| !segment.by_path)?;
    if programs::find(program).is_some_and(|it| it.is_opaque()) {
        return None;
    }
    let action = action(segment);
    let known = Arity::known().entries.contains_key(program)
        || Arity::known().entries.keys().any(|it| it.split(' ').next() == Some(program));
    // A program with subcommands whose action is not known would be covered as a whole.
    if action.len() < 2 && (known || NEVER.contains(&program)) {
        return None;
    }
    let plain = |it: &String| {
        !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || "-_.:+@/".contains(it))
    };
    action.iter().all(plain).then(|| action.join(" "))
}
