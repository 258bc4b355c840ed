//! A number as one of the semantics reads it: comparable and printable.

use std::cmp::Ordering;

use super::decimal::Decimal;
use super::{javascript, python};

/// A number and the way in which its system compares and prints it.
#[derive(Clone, Debug)]
pub struct Number(Form);

#[derive(Clone, Debug)]
enum Form {
    /// Compared by its decimal digits, printed as it was written.
    Exact(Decimal, Text),
    /// A Python integer that no double holds exactly, and the double next to it.
    PythonInt(Decimal, f64),
    /// A Python float, or an integer that a double holds exactly.
    Python(f64),
    /// An ECMAScript number.
    JavaScript(f64),
}

/// Short text in place, long text on the heap.
#[derive(Clone, Debug)]
enum Text {
    Short([u8; 22], u8),
    Long(Box<str>),
}

/// Integers below this size are doubles without loss.
const EXACT_INT_MAX: f64 = 9_007_199_254_740_992.0;

impl Number {
    /// A decimal by its JSON text, without any loss.
    #[must_use]
    pub fn exact(lexeme: &str) -> Option<Self> {
        Self::exact_shown(lexeme, lexeme)
    }

    /// A decimal that prints as `shown`.
    pub(super) fn exact_shown(lexeme: &str, shown: &str) -> Option<Self> {
        Some(Number(Form::Exact(Decimal::parse(lexeme)?, Text::new(shown))))
    }

    /// What Python's json module makes of a number: an integer of any size, or a float.
    #[must_use]
    pub fn python(lexeme: &str) -> Option<Self> {
        let double = python::json_double(lexeme)?;
        let is_int = python::is_int(lexeme);
        if !is_int || double.abs() < EXACT_INT_MAX {
            return Some(Self::float(double));
        }
        Some(Number(Form::PythonInt(Decimal::parse(lexeme)?, double)))
    }

    /// A Python float. An infinite one stands for an integer beyond the largest double.
    #[must_use]
    pub fn float(double: f64) -> Self {
        Number(Form::Python(double))
    }

    /// An ECMAScript number.
    #[must_use]
    pub fn javascript(double: f64) -> Self {
        Number(Form::JavaScript(double))
    }

    /// Whether the number lies beyond the largest double, where its system counts in doubles.
    #[must_use]
    pub fn is_beyond_double(&self) -> bool {
        match &self.0 {
            Form::PythonInt(_, double) | Form::Python(double) => double.is_infinite(),
            // In ECMAScript infinity is a number like any other.
            Form::JavaScript(_) | Form::Exact(..) => false,
        }
    }

    /// Whether it is no number at all: NaN differs from everything, itself included.
    #[must_use]
    pub fn is_nan(&self) -> bool {
        self.double().is_some_and(f64::is_nan)
    }

    fn double(&self) -> Option<f64> {
        match &self.0 {
            Form::Python(double) | Form::JavaScript(double) => Some(*double),
            Form::Exact(..) | Form::PythonInt(..) => None,
        }
    }

    /// Compares by exact value, whatever the two are made of.
    #[must_use]
    pub fn compare(&self, other: &Number) -> Ordering {
        match (&self.0, &other.0) {
            (
                Form::Exact(a, _) | Form::PythonInt(a, _),
                Form::Exact(b, _) | Form::PythonInt(b, _),
            ) => a.compare(b),
            (Form::Python(a) | Form::JavaScript(a), Form::Python(b) | Form::JavaScript(b)) => {
                a.partial_cmp(b).unwrap_or(Ordering::Equal)
            }
            (Form::Python(a) | Form::JavaScript(a), Form::Exact(b, _) | Form::PythonInt(b, _)) => {
                double_with_decimal(*a, b)
            }
            (Form::Exact(a, _) | Form::PythonInt(a, _), Form::Python(b) | Form::JavaScript(b)) => {
                double_with_decimal(*b, a).reverse()
            }
        }
    }

    /// The value alone as a text: the decimal, or `x` and the bits of the double in hexadecimal
    /// digits. How it was written is left out, and that compares as the number does.
    ///
    /// ```
    /// use lawbook_event::Number;
    ///
    /// let paid = Number::exact("80.00").map(|it| it.value_text());
    /// assert_eq!(paid.as_deref(), Some("80"));
    /// assert_eq!(Number::of_value_text("80"), Number::exact("80.00"));
    /// ```
    #[must_use]
    pub fn value_text(&self) -> String {
        match &self.0 {
            Form::Exact(decimal, _) | Form::PythonInt(decimal, _) => decimal.canonical(),
            Form::Python(double) | Form::JavaScript(double) => {
                format!("x{:016x}", double.to_bits())
            }
        }
    }

    /// The number that [`Number::value_text`] wrote; none where the text is no such value.
    #[must_use]
    pub fn of_value_text(text: &str) -> Option<Self> {
        match text.strip_prefix('x') {
            Some(bits) => Some(Self::float(f64::from_bits(u64::from_str_radix(bits, 16).ok()?))),
            None => Self::exact(text),
        }
    }

    /// The number, if it is whole, not negative and fits 64 bits.
    ///
    /// ```
    /// use lawbook_event::Number;
    ///
    /// assert_eq!(Number::exact("7.0").and_then(|it| it.whole()), Some(7));
    /// assert_eq!(Number::exact("7.5").and_then(|it| it.whole()), None);
    /// assert_eq!(Number::exact("-1").and_then(|it| it.whole()), None);
    /// ```
    #[must_use]
    pub fn whole(&self) -> Option<u64> {
        self.ceil().filter(|it| it.1).map(|it| it.0)
    }

    /// As many whole units as cover the number: the next whole number that is not below it. None
    /// for what is negative or does not fit 64 bits.
    ///
    /// ```
    /// use lawbook_event::Number;
    ///
    /// assert_eq!(Number::exact("80.01").and_then(|it| it.credits()), Some(81));
    /// assert_eq!(Number::exact("1e-30").and_then(|it| it.credits()), Some(1));
    /// assert_eq!(Number::exact("1e30").and_then(|it| it.credits()), None);
    /// ```
    #[must_use]
    pub fn credits(&self) -> Option<u64> {
        self.ceil().map(|it| it.0)
    }

    fn ceil(&self) -> Option<(u64, bool)> {
        match &self.0 {
            Form::Exact(decimal, _) | Form::PythonInt(decimal, _) => decimal.ceil(),
            Form::Python(double) | Form::JavaScript(double) => {
                double.is_finite().then(|| Decimal::from_double(*double))??.ceil()
            }
        }
    }

    /// As its system prints it in a message: the text itself, Python's `%g`, ECMAScript's own.
    #[must_use]
    pub fn display(&self) -> String {
        match &self.0 {
            Form::Exact(_, text) => text.as_str().to_owned(),
            Form::PythonInt(_, double) | Form::Python(double) => python::general(*double),
            Form::JavaScript(double) => javascript::number_text(*double),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Number) -> bool {
        !self.is_nan() && !other.is_nan() && self.compare(other) == Ordering::Equal
    }
}

/// The shortest digits that read back as `double`, with an exponent: `1.5e16`.
pub(super) fn shortest(double: f64) -> String {
    let short = format!("{double:e}");
    let digits = short.bytes().take_while(|it| *it != b'e').filter(u8::is_ascii_digit).count();
    // Of two equally near forms the last digit is to be even; rounding to a width does that.
    let even = format!("{double:.*e}", digits.saturating_sub(1));
    if even.parse() == Ok(double) { even } else { short }
}

/// `1.5e3` written out: `1500`.
pub(super) fn plain(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    let places = usize::try_from(exponent.unsigned_abs()).unwrap_or_default();
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat(places.saturating_sub(1)));
    }
    let whole_places = places.saturating_add(1);
    match digits.split_at_checked(whole_places) {
        Some((whole, "")) => format!("{sign}{whole}"),
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
        None => format!("{sign}{digits:0<whole_places$}"),
    }
}

fn double_with_decimal(double: f64, decimal: &Decimal) -> Ordering {
    match Decimal::from_double(double) {
        Some(exact) => exact.compare(decimal),
        None if double == f64::NEG_INFINITY => Ordering::Less,
        None => Ordering::Greater,
    }
}

impl Text {
    fn new(text: &str) -> Self {
        let mut short = [0; 22];
        match (short.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Text::Short(short, length)
            }
            _ => Text::Long(text.into()),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            Text::Short(bytes, length) => {
                let bytes = bytes.get(..usize::from(*length)).unwrap_or_default();
                std::str::from_utf8(bytes).unwrap_or_default()
            }
            Text::Long(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use super::Number;

    #[test]
    fn python_compares_floats_with_integers_exactly() {
        let float = |text: &str| Number::float(text.parse().unwrap());
        let cases = [
            ("9007199254740992", "9007199254740993", Less),
            ("9007199254740994", "9007199254740993", Greater),
            ("500.00000000000000001", "500", Equal),
            ("1e22", "10000000000000000000000", Equal),
            ("1e23", "100000000000000000000000", Less),
            ("-1e23", "-100000000000000000000000", Greater),
            ("inf", "100000000000000000000000", Greater),
            ("-inf", "-100000000000000000000000", Less),
            ("0.1", "0.1", Equal),
        ];
        for (double, bound, order) in cases {
            assert_eq!(float(double).compare(&Number::python(bound).unwrap()), order, "{double}");
            assert_eq!(Number::python(bound).unwrap().compare(&float(double)), order.reverse());
        }
        let largest = "9".repeat(308);
        assert_eq!(float("1e308").compare(&Number::python(&largest).unwrap()), Greater);
    }

    #[test]
    fn a_value_comes_back_from_its_text() {
        let big = "9".repeat(400);
        let decimals = ["80.00", "-0.5", "1e400", "-1e-400", "0", "0.00", big.as_str()];
        let exact = decimals.into_iter().filter_map(Number::exact);
        let python = ["9007199254740993", "7", "0.1"].into_iter().filter_map(Number::python);
        let doubles = [f64::INFINITY, -0.0, 1e308, f64::MIN_POSITIVE].map(Number::javascript);
        for number in exact.chain(python).chain(doubles) {
            let back = Number::of_value_text(&number.value_text());
            assert_eq!(back.as_ref(), Some(&number), "{number:?}");
            assert_eq!(back.map(|it| it.value_text()), Some(number.value_text()));
        }
        assert!(Number::of_value_text("x").is_none() && Number::of_value_text("y1").is_none());
    }

    #[test]
    fn exact_numbers_print_as_written() {
        for text in ["80.00", "1e3", "-0.50", "123456789012345678901234567890.00"] {
            assert_eq!(Number::exact(text).unwrap().display(), text);
        }
        assert_eq!(Number::exact("1.50"), Number::exact("15e-1"));
        assert_ne!(Number::exact("1.50"), Number::exact("1.51"));
        assert_ne!(Number::float(f64::NAN), Number::float(f64::NAN));
    }
}
