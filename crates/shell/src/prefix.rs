//! Rules of leading words and options: how they are written, and when they fit a segment.

use std::borrow::Cow;

use crate::programs::{self, identity};
use crate::reading::{Grammar, Operand, PLAIN, Reading, is_name};
use crate::rules::Wanted;
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
    /// Words that lead, the program first and each with its alternatives, and options that must all
    /// be present.
    #[must_use]
    pub fn new(words: Vec<Vec<String>>, options: Vec<String>) -> Self {
        let programs = words.first().into_iter().flatten().filter(|_| !options.is_empty());
        let wanted = programs.map(|it| wanted(&options, grammar(it))).collect();
        Prefix { words, options, wanted }
    }

    /// The words that lead, the program first, each with its alternatives.
    #[must_use]
    pub fn words(&self) -> &[Vec<String>] {
        &self.words
    }

    /// Options that must all be present, wherever they stand.
    #[must_use]
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// The same rule with more options.
    #[must_use]
    pub fn with_options(self, more: impl IntoIterator<Item = String>) -> Self {
        Prefix::new(self.words, self.options.into_iter().chain(more).collect())
    }

    /// The options as one of its programs, or the program that one of them runs, knows them.
    fn wanted(&self, program: Option<&str>) -> Cow<'_, [Wanted]> {
        let mut programs = self.words.first().into_iter().flatten();
        let place = programs.position(|it| Some(identity(it).name) == program);
        match place.and_then(|it| self.wanted.get(it)) {
            Some(known) => Cow::Borrowed(known),
            None => Cow::Owned(wanted(&self.options, program.map_or(&PLAIN, grammar))),
        }
    }

    /// A prefix as a policy writes it, split as a shell splits words. An option that takes a value
    /// keeps it behind `=`.
    ///
    /// # Errors
    ///
    /// The text is empty, or holds what a shell would not read as plain words.
    pub fn parse(text: &str) -> Result<Self, MatcherError> {
        let mut rest = split(text)?.into_iter().peekable();
        let grammar = rest.peek().map_or(&PLAIN, |it| grammar(it));
        let (mut words, mut options): (Vec<Vec<String>>, _) = (Vec::new(), Vec::new());
        while let Some(word) = rest.next() {
            let assigned = |it: &str| it.split_once('=').is_some_and(|it| is_name(it.0));
            if grammar.assigns && !words.is_empty() && assigned(&word) {
                options.push(word);
                continue;
            }
            if word.len() < 2 || !word.starts_with('-') || words.is_empty() {
                words.push(vec![word]);
                continue;
            }
            let command = words.get(1).and_then(|it| it.first()).map(String::as_str);
            let value = if grammar.takes_value(&word, command) { rest.next() } else { None };
            options.push(value.map_or(word.clone(), |value| format!("{word}={value}")));
        }
        match words.is_empty() {
            true => {
                Err(error("a rule without words", "name the program first, as in `git status`"))
            }
            false => Ok(Prefix::new(words, options)),
        }
    }

    /// Whether the rule fits a call of its program for certain, by the letter.
    pub(crate) fn is_strict(&self, segment: &Segment, other: Option<&Reading>) -> bool {
        let Some((program, words)) = self.words.split_first() else { return false };
        program.iter().any(|it| names_strictly(it, segment))
            && words_strictly(words, &segment.reading.operands)
            && self.has_options(segment, other)
    }

    /// Whether the options of the rule are all there, in the segment or in another reading.
    pub(crate) fn has_options(&self, segment: &Segment, other: Option<&Reading>) -> bool {
        if self.options.is_empty() {
            return true;
        }
        let readings = || std::iter::once(&segment.reading).chain(other);
        if readings().all(|it| it.options.is_empty()) {
            return false;
        }
        self.wanted(segment.program.as_deref()).iter().all(|wanted| {
            readings().any(|it| given(it, &wanted.name, wanted.value.as_deref()).is_some())
        })
    }

    /// How well the rule fits a call of its program, however the call is dressed.
    pub(crate) fn loose(&self, segment: &Segment) -> Fit {
        let Some((_, words)) = self.words.split_first() else { return Fit::No };
        if self.names_loosely(segment) { self.loose_words(words, segment) } else { Fit::No }
    }

    /// Whether the rule names the program of a segment, by any of its names.
    pub(crate) fn names_loosely(&self, segment: &Segment) -> bool {
        let Some(program) = self.words.first() else { return false };
        let Some(name) = segment.program.as_deref() else { return false };
        program.iter().any(|it| programs::means(identity(it).name, name))
    }

    /// How well a rule without its first words fits a segment.
    pub(crate) fn loose_words(&self, words: &[Vec<String>], segment: &Segment) -> Fit {
        let reading = &segment.reading;
        if words.len() == 1 && reading.goals {
            let each =
                reading.operands.iter().map(|it| words_loosely(words, std::iter::once(it), false));
            if each.max() == Some(Fit::Yes) {
                return self.options_loosely(segment, Fit::Yes);
            }
        }
        let first = words.len();
        let mut plain = reading.operands.iter().take(first).map(|it| (it.doubtful, &it.text));
        if plain.all(|it| matches!(it, (false, Some(_)))) && other(words, &reading.operands) {
            return Fit::No;
        }
        let all = reading.operands.iter().take(first);
        let sure = reading.operands.iter().filter(|it| !it.doubtful).take(first);
        let wild = !reading.wild.is_empty();
        let fit = words_loosely(words, all, wild).max(words_loosely(words, sure, wild));
        if fit == Fit::No { fit } else { self.options_loosely(segment, fit) }
    }

    /// How well the options of the rule fit a segment whose words do.
    fn options_loosely(&self, segment: &Segment, fit: Fit) -> Fit {
        if self.options.is_empty() {
            return fit;
        }
        let reading = &segment.reading;
        let wild = !reading.wild.is_empty();
        if reading.options.is_empty() {
            return if wild || reading.full { Fit::Maybe } else { Fit::No };
        }
        let wanted = self.wanted(segment.program.as_deref());
        let options = wanted.iter().map(|it| {
            match given(reading, &it.name, None).or_else(|| shortened(reading, &it.name)) {
                Some(found) => match (&it.value, found.value.as_ref().map(crate::Word::literal)) {
                    (None, _) => Fit::Yes,
                    (Some(wanted), Some(Some(found))) if *wanted == found => Fit::Yes,
                    (Some(wanted), Some(_)) if all_given(reading, &it.name, wanted) => Fit::Yes,
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
        self.wanted(Some(program)).iter().any(|it| it.name == name || it.name == written)
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
    let wanted = prefix.wanted(program.map(|it| identity(it).name));
    wanted.iter().map(|it| grammar.spellings(&it.name)).collect()
}

/// Options of a rule one by one, by the names that reports use.
fn wanted(options: &[String], grammar: &Grammar) -> Vec<Wanted> {
    let mut out = Vec::new();
    for option in options {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) if name.len() > 1 || is_name(name) => {
                (name, Some(value.to_owned()))
            }
            _ => (option.as_str(), None),
        };
        let known = grammar.canonical(name);
        let assigned = grammar.assigns && value.is_some() && is_name(name);
        if known != name
            || assigned
            || name.starts_with("--")
            || grammar.one_dash
            || name.chars().count() <= 2
        {
            out.push(Wanted { name: known, value });
            continue;
        }
        for letter in name.chars().skip(1) {
            let name = grammar.canonical(&format!("-{letter}"));
            out.push(Wanted { name, value: value.clone() });
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

/// Whether an option that may be given again has a value that a rule wants.
fn all_given(reading: &Reading, name: &str, wanted: &str) -> bool {
    given(reading, name, Some(wanted)).is_some()
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

fn words_loosely<'o>(
    words: &[Vec<String>],
    mut operands: impl Iterator<Item = &'o Operand> + Clone,
    wild: bool,
) -> Fit {
    // A word that may become several moves all that stand behind it.
    let moved = operands.clone().any(|it| it.text.is_none() && it.start.is_empty());
    let mut out = Fit::Yes;
    for word in words {
        let fit = match operands.next() {
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
