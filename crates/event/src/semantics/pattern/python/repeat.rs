//! Quantifiers: `*`, `+?`, `{2,5}`, `{,3}`, and the possessive ones.

use super::{Atom, Step, Translator};
use crate::semantics::pattern::PatternError;
use crate::semantics::pattern::charset::Charset;
use crate::semantics::pattern::output::Mark;

/// CPython counts repetitions up to this.
const REPEAT_MAX: u32 = u32::MAX;

impl Translator {
    pub(super) fn repeat(&mut self, offset: usize) -> Step<()> {
        let Some((low, high)) = self.bounds(offset)? else {
            self.set(Charset::of('{'));
            return Ok(());
        };
        let Some(frame) = self.frames.last_mut() else { return Ok(()) };
        let (mark, width) = match frame.atom {
            Atom::Item(mark, width) => (mark, width),
            Atom::Repeated => return Err(PatternError::new(offset, "multiple repeat")),
            Atom::Nothing | Atom::Anchor => {
                return Err(PatternError::new(offset, "nothing to repeat"));
            }
        };
        frame.branch = frame.branch.replace(width, width.times(low, high));
        frame.atom = Atom::Repeated;
        let is_lazy = self.eat('?');
        let is_possessive = !is_lazy && self.eat('+');
        if width.is_zero() {
            self.repeat_nothing(mark, low, high, is_lazy);
        } else {
            self.out.wrap(mark, "(?:", ")");
            self.out.push(&counts(low, high));
            self.out.push(if is_lazy { "?" } else { "" });
        }
        if is_possessive {
            self.out.wrap_atomic(mark);
        }
        Ok(())
    }

    /// Repeats what has no width: it matches once or not at all, and engines refuse to try more.
    fn repeat_nothing(&mut self, mark: Mark, low: u32, high: Option<u32>, is_lazy: bool) {
        match (low, high) {
            (_, Some(0)) => self.out.wrap(mark, r"(?:|[^\s\S](?:", "))"),
            (0, _) if is_lazy => self.out.wrap(mark, "(?:|", ")"),
            (0, _) => self.out.wrap(mark, "(?:", "|)"),
            _ => self.out.wrap(mark, "(?:", ")"),
        }
    }

    /// The bounds of the quantifier at hand; none when a brace is only a brace.
    fn bounds(&mut self, offset: usize) -> Step<Option<(u32, Option<u32>)>> {
        match self.next() {
            Some('*') => return Ok(Some((0, None))),
            Some('+') => return Ok(Some((1, None))),
            Some('?') => return Ok(Some((0, Some(1)))),
            _ => {}
        }
        let here = self.at;
        if self.peek() == Some('}') {
            return Ok(None);
        }
        let low = self.digits();
        let high = if self.eat(',') { self.digits() } else { low.clone() };
        if !self.eat('}') {
            self.at = here;
            return Ok(None);
        }
        let low = if low.is_empty() { 0 } else { count(&low, offset)? };
        let high = if high.is_empty() { None } else { Some(count(&high, offset)?) };
        if high.is_some_and(|high| high < low) {
            let message = "the least count of a repeat is above its greatest";
            return Err(PatternError::new(offset, message));
        }
        Ok(Some((low, high)))
    }

    fn digits(&mut self) -> String {
        let mut digits = String::new();
        while let Some(it) = self.peek().filter(char::is_ascii_digit) {
            digits.push(it);
            self.at = self.at.saturating_add(1);
        }
        digits
    }
}

fn counts(low: u32, high: Option<u32>) -> String {
    match (low, high) {
        (0, None) => "*".to_owned(),
        (1, None) => "+".to_owned(),
        (0, Some(1)) => "?".to_owned(),
        (_, None) => format!("{{{low},}}"),
        (_, Some(high)) if high == low => format!("{{{low}}}"),
        (_, Some(high)) => format!("{{{low},{high}}}"),
    }
}

fn count(digits: &str, offset: usize) -> Step<u32> {
    let count = digits.parse().ok().filter(|count| *count < REPEAT_MAX);
    count.ok_or_else(|| PatternError::new(offset, "the count of a repeat is too large"))
}
