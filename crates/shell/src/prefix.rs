//! Rules of leading words and options: how they are written, and when they fit a segment.

use crate::programs::{self, identity};
use crate::reading::{Grammar, Operand, PLAIN, Reading};
use crate::{MatcherError, Prefix, Segment};

/// How well a rule fits a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It does not.
    No,
    /// It may, by what is known only when the text runs.
    Maybe,
    /// It does.
    Yes,
}

impl Prefix {
    /// A prefix as a policy writes it, split as a shell splits words. An option that takes a value
    /// keeps it behind `=`.
    ///
    /// # Errors
    ///
    /// The text is empty, or holds what a shell would not read as plain words.
    pub fn parse(text: &str) -> Result<Self, MatcherError> {
        let mut rest = split(text)?.into_iter().peekable();
        let grammar = rest.peek().map_or(&PLAIN, |it| grammar(it));
        let mut out = Prefix { words: Vec::new(), options: Vec::new() };
        while let Some(word) = rest.next() {
            if word.len() < 2 || !word.starts_with('-') || out.words.is_empty() {
                out.words.push(vec![word]);
                continue;
            }
            let command = out.words.get(1).and_then(|it| it.first()).map(String::as_str);
            let value = if grammar.takes_value(&word, command) { rest.next() } else { None };
            out.options.push(value.map_or(word.clone(), |value| format!("{word}={value}")));
        }
        match out.words.is_empty() {
            true => {
                Err(error("a rule without words", "name the program first, as in `git status`"))
            }
            false => Ok(out),
        }
    }

    /// Whether the rule fits a call of its program for certain, by the letter.
    pub(crate) fn is_strict(&self, segment: &Segment, others: &[&Reading]) -> bool {
        let Some((program, words)) = self.words.split_first() else { return false };
        program.iter().any(|it| names_strictly(it, segment))
            && words_strictly(words, &segment.reading.operands)
            && self.has_options(segment, others)
    }

    /// Whether the options of the rule are all there.
    pub(crate) fn has_options(&self, segment: &Segment, others: &[&Reading]) -> bool {
        let grammar = segment.program.as_deref().map_or(&PLAIN, grammar);
        let readings = || std::iter::once(&segment.reading).chain(others.iter().copied());
        expanded(&self.options, grammar)
            .iter()
            .all(|(name, value)| readings().any(|it| given(it, name, value.as_deref()).is_some()))
    }

    /// How well the rule fits a call of its program, however the call is dressed.
    pub(crate) fn loose(&self, segment: &Segment) -> Fit {
        let Some((program, words)) = self.words.split_first() else { return Fit::No };
        let Some(name) = segment.program.as_deref() else { return Fit::No };
        if !program.iter().any(|it| identity(it).name == name) {
            return Fit::No;
        }
        self.loose_words(words, segment)
    }

    /// How well a rule without its first words fits a segment.
    pub(crate) fn loose_words(&self, words: &[Vec<String>], segment: &Segment) -> Fit {
        let reading = &segment.reading;
        let first = words.len();
        let mut plain = reading.operands.iter().take(first).map(|it| (it.doubtful, &it.text));
        if plain.all(|it| matches!(it, (false, Some(_)))) && other(words, &reading.operands) {
            return Fit::No;
        }
        let all: Vec<_> = reading.operands.iter().take(first).collect();
        let sure: Vec<_> = reading.operands.iter().filter(|it| !it.doubtful).take(first).collect();
        let wild = !reading.wild.is_empty();
        let fit = words_loosely(words, &all, wild).max(words_loosely(words, &sure, wild));
        if fit == Fit::No {
            return fit;
        }
        let grammar = segment.program.as_deref().map_or(&PLAIN, grammar);
        let options =
            expanded(&self.options, grammar).into_iter().map(|(name, value)| {
                match given(reading, &name, None).or_else(|| shortened(reading, &name)) {
                    Some(found) => match (value, found.value.as_ref().map(crate::Word::literal)) {
                        (None, _) => Fit::Yes,
                        (Some(wanted), Some(Some(found))) if wanted == found => Fit::Yes,
                        (Some(_), Some(Some(_))) => Fit::No,
                        (Some(_), _) => Fit::Maybe,
                    },
                    None if wild || reading.full => Fit::Maybe,
                    None => Fit::No,
                }
            });
        options.min().unwrap_or(Fit::Yes).min(fit)
    }

    /// Whether the rule names an option, by its name or as written.
    pub(crate) fn names_option(&self, program: &str, name: &str, written: &str) -> bool {
        let grammar = grammar(program);
        expanded(&self.options, grammar).iter().any(|it| it.0 == name || it.0 == written)
            || self.words.iter().skip(1).flatten().any(|it| it == written)
    }
}

/// How a program reads its words.
pub(crate) fn grammar(program: &str) -> &'static Grammar {
    programs::find(identity(program).name).map_or(&PLAIN, |it| it.grammar())
}

/// Each option of a rule, in every way that its program knows to write it.
pub(crate) fn spellings(prefix: &Prefix) -> Vec<Vec<String>> {
    let program = prefix.words.first().and_then(|it| it.first());
    let grammar = program.map_or(&PLAIN, |it| grammar(it));
    let names = expanded(&prefix.options, grammar).into_iter().map(|it| it.0);
    names.map(|it| grammar.spellings(&it)).collect()
}

/// Options of a rule one by one, by the names that reports use.
fn expanded(options: &[String], grammar: &Grammar) -> Vec<(String, Option<String>)> {
    let mut out = Vec::new();
    for option in options {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (option.as_str(), None),
        };
        let known = grammar.canonical(name);
        if known != name || name.starts_with("--") || grammar.one_dash || name.chars().count() == 2
        {
            out.push((known, value));
            continue;
        }
        for letter in name.chars().skip(1) {
            out.push((grammar.canonical(&format!("-{letter}")), value.clone()));
        }
    }
    out
}

fn given<'r>(
    reading: &'r Reading,
    name: &str,
    value: Option<&str>,
) -> Option<&'r crate::reading::Given> {
    reading.options.iter().find(|it| {
        let fits = |wanted: &str| {
            it.value.as_ref().and_then(crate::Word::literal).is_some_and(|it| it == wanted)
        };
        it.name == name && value.is_none_or(fits)
    })
}

/// An option of a call that is short for one of a rule.
fn shortened<'r>(reading: &'r Reading, name: &str) -> Option<&'r crate::reading::Given> {
    let short = |it: &&crate::reading::Given| {
        it.written.len() > 3 && it.written.starts_with("--") && name.starts_with(&it.written)
    };
    reading.options.iter().find(short)
}

/// Whether a rule's word names the program of a segment: a bare name those in trusted folders.
pub(crate) fn names_strictly(word: &str, segment: &Segment) -> bool {
    let Some(written) = segment.argv.first().and_then(crate::Word::literal) else { return false };
    if word.contains('/') {
        return tidy(word) == tidy(&written);
    }
    !segment.by_path && segment.program.as_deref() == Some(word)
}

pub(crate) fn words_strictly(words: &[Vec<String>], operands: &[Operand]) -> bool {
    let fits = |(word, operand): (&Vec<String>, &Operand)| {
        let text = operand.text.as_ref();
        !operand.doubtful && text.is_some_and(|it| word.contains(it))
    };
    operands.len() >= words.len() && words.iter().zip(operands).all(fits)
}

/// Whether the first operand, which is known, is none that the rule names.
fn other(words: &[Vec<String>], operands: &[Operand]) -> bool {
    let text = operands.first().and_then(|it| it.text.as_ref());
    words
        .first()
        .zip(text)
        .is_some_and(|(word, text)| !word.iter().any(|it| tidy(it) == tidy(text)))
}

fn words_loosely(words: &[Vec<String>], operands: &[&Operand], wild: bool) -> Fit {
    let mut out = Fit::Yes;
    for (number, word) in words.iter().enumerate() {
        let fit = match operands.get(number) {
            None if wild => Fit::Maybe,
            None => Fit::No,
            Some(operand) => match &operand.text {
                Some(text) if word.iter().any(|it| tidy(it) == tidy(text)) => Fit::Yes,
                Some(_) => Fit::No,
                None if word.iter().any(|it| it.starts_with(&operand.start)) => Fit::Maybe,
                None => Fit::No,
            },
        };
        out = out.min(fit);
    }
    // A word that may become several moves all that stand behind it.
    let moved =
        operands.iter().take(words.len()).any(|it| it.text.is_none() && it.start.is_empty());
    if moved { out.max(Fit::Maybe) } else { out }
}

/// A path without what does not change where it leads.
fn tidy(word: &str) -> &str {
    let word = word.strip_prefix("./").unwrap_or(word);
    if word.len() > 1 { word.strip_suffix('/').unwrap_or(word) } else { word }
}

fn error(message: &str, help: &str) -> MatcherError {
    MatcherError { message: message.to_owned(), help: help.to_owned() }
}

/// The words of a rule, quotes removed.
fn split(text: &str) -> Result<Vec<String>, MatcherError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut rest = text.chars();
    while let Some(it) = rest.next() {
        match it {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let out = word.get_or_insert_default();
                loop {
                    match rest.next() {
                        Some(inner) if inner == it => break,
                        Some('\\') if it == '"' => out.extend(rest.next()),
                        Some(inner) => out.push(inner),
                        None => {
                            let message = format!("`{text}` opens a quote that it does not close");
                            return Err(error(
                                &message,
                                "close it, or write a backslash before it",
                            ));
                        }
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(rest.next()),
            ';' | '|' | '&' | '<' | '>' | '(' | ')' | '`' | '\n' => {
                let message = format!("`{text}` is more than the words of one command");
                return Err(error(&message, "write one rule for each command, without operators"));
            }
            '$' => {
                let message = format!("`{text}` holds `$`, which stands for itself in a rule");
                return Err(error(&message, "write it in single quotes, or name the words"));
            }
            it => word.get_or_insert_default().push(it),
        }
    }
    words.extend(word);
    Ok(words)
}
