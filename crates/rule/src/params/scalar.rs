//! What a plain word in a policy means: nothing, a truth value, a number or text.

use lawbook_event::json::write_string;

use super::{Fault, Form, Node};

/// What a scalar means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar<'n> {
    /// Nothing: `null`, `~` or no text at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, written as JSON writes it.
    Number(&'n str),
    /// A number to some readers and not to others: `007`, `0x1F`, `1_000`, `.5`.
    Unclear(&'n str),
    /// Text.
    Text(&'n str),
}

impl Node {
    /// What a scalar means; none for lists and maps.
    #[must_use]
    pub fn scalar(&self) -> Option<Scalar<'_>> {
        match &self.form {
            Form::Scalar { text, quoted: true } => Some(Scalar::Text(text)),
            Form::Scalar { text, quoted: false } => Some(plain(text)),
            Form::List(_) | Form::Map(_) => None,
        }
    }

    /// The words of a scalar as they stand; none for lists, maps and nothing.
    #[must_use]
    pub fn words(&self) -> Option<&str> {
        match (&self.form, self.scalar()) {
            (_, None | Some(Scalar::Null)) => None,
            (Form::Scalar { text, .. }, _) => Some(text),
            (Form::List(_) | Form::Map(_), _) => None,
        }
    }

    /// The value as JSON text; numbers that are not clear are told.
    pub fn json(&self, faults: &mut Vec<Fault>) -> String {
        let mut out = String::new();
        let mut left = vec![Part::Value(self)];
        while let Some(part) = left.pop() {
            match part {
                Part::Value(node) => node.json_step(&mut out, &mut left, faults),
                Part::Key(key) => write_string(&mut out, key),
                Part::Mark(mark) => out.push(mark),
            }
        }
        out
    }

    fn json_step<'n>(
        &'n self,
        out: &mut String,
        left: &mut Vec<Part<'n>>,
        faults: &mut Vec<Fault>,
    ) {
        match (&self.form, self.scalar()) {
            (Form::List(items), _) => {
                out.push('[');
                left.push(Part::Mark(']'));
                for (place, item) in items.iter().enumerate().rev() {
                    left.push(Part::Value(item));
                    if place > 0 {
                        left.push(Part::Mark(','));
                    }
                }
            }
            (Form::Map(entries), _) => {
                out.push('{');
                left.push(Part::Mark('}'));
                for (place, entry) in entries.iter().enumerate().rev() {
                    left.push(Part::Value(&entry.value));
                    left.push(Part::Mark(':'));
                    left.push(Part::Key(&entry.key));
                    if place > 0 {
                        left.push(Part::Mark(','));
                    }
                }
            }
            (_, None | Some(Scalar::Null)) => out.push_str("null"),
            (_, Some(Scalar::Bool(truth))) => out.push_str(if truth { "true" } else { "false" }),
            (_, Some(Scalar::Number(lexeme))) => out.push_str(lexeme),
            (_, Some(Scalar::Text(text))) => write_string(out, text),
            (_, Some(Scalar::Unclear(text))) => {
                faults.push(unclear(self, text));
                write_string(out, text);
            }
        }
    }
}

enum Part<'n> {
    Value(&'n Node),
    Key(&'n str),
    Mark(char),
}

/// The problem of a number that readers disagree on.
pub(super) fn unclear(node: &Node, text: &str) -> Fault {
    Fault::new(node.span, "unclear_number", format!("`{text}` is a number to some readers only"))
        .help("put it in quotes if it is text, or write the number in plain decimal digits")
}

fn plain(text: &str) -> Scalar<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
        "true" | "True" | "TRUE" => Scalar::Bool(true),
        "false" | "False" | "FALSE" => Scalar::Bool(false),
        _ if is_json_number(text) => Scalar::Number(text),
        _ if resembles_number(text) => Scalar::Unclear(text),
        _ => Scalar::Text(text),
    }
}

fn is_json_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|it| digits(it.strip_prefix(['+', '-']).unwrap_or(it)))
}

/// Whether YAML 1.1 or 1.2 has a schema that takes the word for a number.
fn resembles_number(text: &str) -> bool {
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    let based = |prefix: &str, base: u32| {
        let rest = bare.strip_prefix(prefix).unwrap_or_default();
        !rest.is_empty() && rest.chars().all(|it| it == '_' || it.is_digit(base))
    };
    if based("0x", 16) || based("0o", 8) || based("0b", 2) {
        return true;
    }
    if matches!(bare.to_ascii_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    let begins = bare.starts_with(|it: char| it.is_ascii_digit())
        || (bare.starts_with('.') && bare.len() > 1);
    begins && bare.replace('_', "").parse::<f64>().is_ok()
}

/// The seconds of a duration: `500ms`, `60s`, `5m`, `1h`, `3d`.
#[must_use]
pub fn duration_secs(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(|it: char| it.is_ascii_lowercase());
    let unit = match text.get(digits.len()..)? {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    let clear = !digits.is_empty() && digits.len() <= 9;
    let whole = clear.then(|| digits.parse::<u32>().ok()).flatten()?;
    Some(f64::from(whole) * unit).filter(|_| digits.bytes().all(|it| it.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::{Scalar, duration_secs, plain};

    #[test]
    fn plain_words_mean_what_every_reader_agrees_on() {
        for (text, meaning) in [
            ("", Scalar::Null),
            ("null", Scalar::Null),
            ("yes", Scalar::Text("yes")),
            ("no", Scalar::Text("no")),
            ("off", Scalar::Text("off")),
            ("True", Scalar::Bool(true)),
            ("12", Scalar::Number("12")),
            ("-0.50", Scalar::Number("-0.50")),
            ("1e3", Scalar::Number("1e3")),
            ("12345678901234567890123", Scalar::Number("12345678901234567890123")),
            ("007", Scalar::Unclear("007")),
            ("0x1F", Scalar::Unclear("0x1F")),
            ("1_000", Scalar::Unclear("1_000")),
            (".5", Scalar::Unclear(".5")),
            ("5.", Scalar::Unclear("5.")),
            ("+1", Scalar::Unclear("+1")),
            (".NaN", Scalar::Unclear(".NaN")),
            ("1.2.3", Scalar::Text("1.2.3")),
            ("2026-01-01", Scalar::Text("2026-01-01")),
            ("-", Scalar::Text("-")),
            (".", Scalar::Text(".")),
            ("é", Scalar::Text("é")),
        ] {
            assert_eq!(plain(text), meaning, "{text}");
        }
    }

    #[test]
    fn durations_have_one_unit() {
        for (text, secs) in [
            ("500ms", Some(0.5)),
            ("60s", Some(60.0)),
            ("5m", Some(300.0)),
            ("1h", Some(3_600.0)),
            ("3d", Some(259_200.0)),
            ("60", None),
            ("s", None),
            ("1h30m", None),
            ("-1s", None),
            ("1.5h", None),
            ("99999999999d", None),
        ] {
            assert_eq!(duration_secs(text), secs, "{text}");
        }
    }
}
