//! What somebody said, and what is kept of it: the words, or under a seal what stands for them.

use std::cell::OnceCell;

use lawbook_event::Speaker;

use crate::Keys;
use crate::wire::{Broken, Coded, Reader, Writer};

mod sealed;

pub use self::sealed::PIECES_MAX;
use self::sealed::Sealed;

/// How many numbers of a text are looked at.
pub(crate) const NAMED_MAX: usize = 100;

/// What somebody said, read once for all rules.
#[derive(Debug)]
pub struct Spoken<'m> {
    /// Who.
    pub who: Speaker,
    /// The words.
    pub text: &'m str,
    /// The message that holds them.
    pub message: u64,
    /// The recording holds a part of them only, or none.
    pub cut: bool,
    keys: Keys<'m>,
    sealed: OnceCell<Sealed>,
}

impl<'m> Spoken<'m> {
    /// Words, and how keys are made of them.
    #[must_use]
    pub fn new(who: Speaker, text: &'m str, message: u64, keys: Keys<'m>) -> Self {
        Spoken { who, text, message, cut: false, keys, sealed: OnceCell::new() }
    }

    /// The same words, where they are what is left of more.
    #[must_use]
    pub fn cut(self, cut: bool) -> Self {
        Spoken { cut, ..self }
    }

    /// How keys are made.
    #[must_use]
    pub fn keys(&self) -> Keys<'m> {
        self.keys
    }

    /// What is kept of the words.
    pub(crate) fn wording(&self) -> Wording {
        if !self.keys.is_sealed() {
            return Wording::Plain(self.text.to_owned());
        }
        Wording::Sealed(self.sealed.get_or_init(|| Sealed::of(self.text, self.keys)).clone())
    }
}

/// Words as they are kept. Under a seal none can be read, and what rules ask of them can still be
/// told.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wording {
    Plain(String),
    Sealed(Sealed),
}

/// Numbers as they are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Figures {
    Plain(Vec<f64>),
    Sealed(Vec<[u8; 8]>),
}

impl Wording {
    /// Adds words of the same message.
    pub fn push(&mut self, more: Wording) {
        match (&mut *self, more) {
            (Wording::Plain(text), Wording::Plain(more)) => {
                text.push('\n');
                text.push_str(&more);
            }
            (Wording::Sealed(words), Wording::Sealed(more)) => words.push(more),
            // One session is sealed or not: only bytes that were changed come here.
            (_, more) => *self = more,
        }
    }

    /// Whether they ask something, in any script.
    pub fn asks(&self) -> bool {
        match self {
            Wording::Plain(text) => asks(text),
            Wording::Sealed(words) => words.asks,
        }
    }

    /// Whether they hold a value as a run of whole tokens.
    pub fn hold(&self, value: &str, keys: Keys<'_>) -> bool {
        match self {
            Wording::Plain(text) => holds_token(text, value),
            Wording::Sealed(words) => words.hold(value, keys),
        }
    }

    /// Whether only a part of them is kept, so that what they don't hold may have been said.
    pub fn is_cut(&self) -> bool {
        matches!(self, Wording::Sealed(words) if words.cut)
    }

    /// The numbers among their words.
    pub fn numbers(&self) -> Figures {
        match self {
            Wording::Plain(text) => Figures::Plain(numbers(text)),
            Wording::Sealed(words) => Figures::Sealed(words.numbers.clone()),
        }
    }

    /// The numbers among their words, also where a sign of money is joined to them.
    pub fn prices(&self) -> Figures {
        match self {
            Wording::Plain(text) => Figures::Plain(prices(text)),
            Wording::Sealed(words) => Figures::Sealed(words.prices.clone()),
        }
    }

    /// Whether one of their words looks like an identifier.
    pub fn name_identifiers(&self) -> bool {
        match self {
            Wording::Plain(text) => names_identifiers(text),
            Wording::Sealed(words) => words.identifiers,
        }
    }
}

impl Figures {
    /// Numbers to keep.
    pub fn of(numbers: Vec<f64>, keys: Keys<'_>) -> Self {
        match keys.is_sealed() {
            false => Figures::Plain(numbers),
            true => {
                Figures::Sealed(numbers.into_iter().map(|it| sealed::number(it, keys)).collect())
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        match self {
            Figures::Plain(numbers) => numbers.is_empty(),
            Figures::Sealed(numbers) => numbers.is_empty(),
        }
    }

    /// Whether a number is among them.
    pub fn contain(&self, number: f64, keys: Keys<'_>) -> bool {
        match self {
            Figures::Plain(numbers) => numbers.contains(&number),
            Figures::Sealed(numbers) => {
                keys.is_sealed() && numbers.contains(&sealed::number(number, keys))
            }
        }
    }

    /// Whether all of them are among others.
    pub fn are_within(&self, others: &Figures) -> bool {
        match (self, others) {
            (Figures::Plain(own), Figures::Plain(others)) => {
                own.iter().all(|it| others.contains(it))
            }
            (Figures::Sealed(own), Figures::Sealed(others)) => {
                own.iter().all(|it| others.contains(it))
            }
            (Figures::Plain(_), Figures::Sealed(_)) | (Figures::Sealed(_), Figures::Plain(_)) => {
                self.is_empty()
            }
        }
    }
}

impl Coded for Wording {
    fn write(&self, out: &mut Writer) {
        match self {
            Wording::Plain(text) => {
                out.byte(0);
                out.text(text);
            }
            Wording::Sealed(words) => {
                out.byte(1);
                words.write(out);
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => from.text().map(|it| Wording::Plain(it.to_owned())),
            1 => Sealed::read(from).map(Wording::Sealed),
            _ => Err(Broken),
        }
    }
}

impl Coded for Figures {
    fn write(&self, out: &mut Writer) {
        match self {
            Figures::Plain(numbers) => {
                out.byte(0);
                let bits: Vec<[u8; 8]> = numbers.iter().map(|it| it.to_be_bytes()).collect();
                out.each(bits.iter());
            }
            Figures::Sealed(numbers) => {
                out.byte(1);
                out.each(numbers.iter());
            }
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => {
                let numbers = from.each::<[u8; 8]>()?.into_iter().map(f64::from_be_bytes);
                Ok(Figures::Plain(numbers.collect()))
            }
            1 => from.each().map(Figures::Sealed),
            _ => Err(Broken),
        }
    }
}

/// Signs of currencies.
pub(crate) const MONEY: [char; 5] = ['$', '€', '£', '¥', '₹'];

/// Whether a text asks something, in any script.
fn asks(text: &str) -> bool {
    text.contains(['?', '？', '؟', '՞', '⁇', '⁈', '⁉'])
}

fn edge(it: char) -> bool {
    !it.is_alphanumeric()
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split_whitespace().map(|it| it.trim_matches(edge));
    words.filter_map(number).take(NAMED_MAX).collect()
}

fn prices(text: &str) -> Vec<f64> {
    let words = text.split(|it: char| it.is_whitespace() || MONEY.contains(&it));
    words.filter_map(|it| number(it.trim_matches(edge))).take(NAMED_MAX).collect()
}

fn names_identifiers(text: &str) -> bool {
    text.split_whitespace().any(|it| is_identifier(it.trim_matches(edge)))
}

/// The number that a word is, with commas between its digits.
pub(crate) fn number(word: &str) -> Option<f64> {
    let digits = word.bytes().any(|it| it.is_ascii_digit());
    let plain = word.bytes().all(|it| it.is_ascii_digit() || it == b'.' || it == b',');
    if digits && plain { word.replace(',', "").parse().ok() } else { None }
}

/// A word such as `A-1` or `BW1042`: a letter first, digits in it, and no space.
pub(crate) fn is_identifier(word: &str) -> bool {
    word.starts_with(|it: char| it.is_alphabetic())
        && word.contains(|it: char| it.is_ascii_digit())
        && !word.contains(char::is_whitespace)
}

/// Whether a value is made of digits.
fn is_number(value: &str) -> bool {
    value.bytes().all(|it| it.is_ascii_digit() || it == b'.')
}

/// Whether a text holds a value as a run of whole tokens.
fn holds_token(text: &str, value: &str) -> bool {
    let edge = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    !value.is_empty()
        && text.match_indices(value).any(|(at, found)| {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let end = at.saturating_add(found.len());
            let mut after = text.get(end..).unwrap_or_default().chars();
            let next = after.next();
            // `1` is not named by `A-1`: a piece of an identifier names nothing.
            let joined = matches!(before, Some('-' | '_' | '/' | '#' | '.'))
                && text
                    .get(..at)
                    .and_then(|it| it.chars().rev().nth(1))
                    .is_some_and(char::is_alphanumeric);
            // `80` is not named by `80.50`, nor by `1,80`.
            let number_goes_on = matches!(next, Some('.' | ','))
                && after.next().is_some_and(|it| it.is_ascii_digit());
            edge(before) && edge(next) && !number_goes_on && !(joined && is_number(value))
        })
}
