//! Decimal numbers of any size, compared by value without expanding an exponent.

use std::cmp::Ordering;

/// How many digits the head holds: as many as always fit 64 bits.
const HEAD_DIGITS: usize = 19;

/// An exponent of more digits makes no number: no amount needs it, and offsets stay 64-bit.
const EXPONENT_DIGITS_MAX: usize = 15;

/// Up to this many places before or after the point a decimal is written out.
const PLAIN_PLACES_MAX: i64 = 40;

/// `0.HEAD TAIL × 10^point`, without leading or trailing zeros.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// Where the point stands, counted from the first digit; 0 for zero.
    point: i64,
    /// The first 19 digits, filled up with zeros on the right.
    head: u64,
    /// The digits after them; nearly always none.
    tail: Vec<u8>,
}

impl Decimal {
    /// Reads a JSON number.
    pub fn parse(lexeme: &str) -> Option<Self> {
        let (negative, rest) = match lexeme.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, lexeme),
        };
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = Digits::default();
        for byte in whole.bytes().chain(fraction.bytes()) {
            digits.push(byte)?;
        }
        if digits.seen == 0 {
            return None;
        }
        let whole_places = i64::try_from(whole.len()).ok()?;
        let zeros = i64::try_from(digits.leading_zeros).ok()?;
        let point = exponent.checked_add(whole_places)?.checked_sub(zeros)?;
        Some(digits.finish(negative, point))
    }

    /// The exact value of a finite double.
    pub fn from_double(double: f64) -> Option<Self> {
        // No double has more than 1,074 digits after the point.
        Self::parse(&format!("{double:.1074}"))
    }

    fn is_zero(&self) -> bool {
        self.head == 0
    }

    /// The next whole number that is not below it, and whether it is that number; none for what is
    /// negative or has more than 19 digits before the point.
    pub fn ceil(&self) -> Option<(u64, bool)> {
        if self.is_zero() {
            return Some((0, true));
        }
        if self.negative {
            return None;
        }
        let places = u32::try_from(self.point.max(0)).ok()?;
        let head_digits = u32::try_from(HEAD_DIGITS).ok()?;
        let unit = 10u64.checked_pow(head_digits.checked_sub(places)?)?;
        let whole = self.head.checked_div(unit)?;
        let is_whole = self.head.checked_rem(unit)? == 0 && self.tail.is_empty() && self.point > 0;
        Some((if is_whole { whole } else { whole.checked_add(1)? }, is_whole))
    }

    /// Compares by value.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_size(other),
            (true, true) => other.compare_size(self),
        }
    }

    fn compare_size(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (false, false) => self
                .point
                .cmp(&other.point)
                .then_with(|| self.head.cmp(&other.head))
                .then_with(|| self.tail.cmp(&other.tail)),
        }
    }

    /// One text per value: `7.0` gives `7`, `1.50` gives `1.5`, `1e400` stays short.
    pub fn canonical(&self) -> String {
        let mut digits = format!("{:019}", self.head);
        digits.extend(self.tail.iter().map(|digit| char::from(*digit)));
        digits.truncate(digits.trim_end_matches('0').len());
        let sign = if self.negative { "-" } else { "" };
        if digits.is_empty() {
            return "0".to_owned();
        }
        let count = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let zeros = |places: i64| "0".repeat(usize::try_from(places).unwrap_or_default());
        if self.point > PLAIN_PLACES_MAX || self.point < PLAIN_PLACES_MAX.saturating_neg() {
            return format!("{sign}0.{digits}e{}", self.point);
        }
        if self.point <= 0 {
            return format!("{sign}0.{}{digits}", zeros(self.point.saturating_neg()));
        }
        if count <= self.point {
            return format!("{sign}{digits}{}", zeros(self.point.saturating_sub(count)));
        }
        let (whole, fraction) = digits.split_at(usize::try_from(self.point).unwrap_or_default());
        format!("{sign}{whole}.{fraction}")
    }
}

fn exponent_of(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match digits.trim_start_matches('0') {
        "" if !digits.is_empty() => "0",
        short => short,
    };
    if digits.len() > EXPONENT_DIGITS_MAX || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let size: i64 = digits.parse().ok()?;
    Some(if negative { size.saturating_neg() } else { size })
}

/// Digits on their way into a decimal.
#[derive(Default)]
struct Digits {
    seen: usize,
    leading_zeros: usize,
    head: u64,
    in_head: usize,
    tail: Vec<u8>,
}

impl Digits {
    fn push(&mut self, byte: u8) -> Option<()> {
        if !byte.is_ascii_digit() {
            return None;
        }
        self.seen = self.seen.wrapping_add(1);
        if self.in_head == 0 && byte == b'0' {
            self.leading_zeros = self.leading_zeros.wrapping_add(1);
        } else if self.in_head < HEAD_DIGITS {
            let digit = u64::from(byte.wrapping_sub(b'0'));
            self.head = self.head.wrapping_mul(10).wrapping_add(digit);
            self.in_head = self.in_head.wrapping_add(1);
        } else {
            self.tail.push(byte);
        }
        Some(())
    }

    fn finish(mut self, negative: bool, point: i64) -> Decimal {
        if self.head == 0 {
            return Decimal { negative: false, point: 0, head: 0, tail: Vec::new() };
        }
        for _ in self.in_head..HEAD_DIGITS {
            self.head = self.head.wrapping_mul(10);
        }
        let zeros = self.tail.iter().rev().take_while(|digit| **digit == b'0').count();
        self.tail.truncate(self.tail.len().saturating_sub(zeros));
        Decimal { negative, point, head: self.head, tail: self.tail }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::Decimal;

    #[test]
    fn compares_by_value() {
        let ascending = [
            "-1e999999999",
            "-9007199254740993",
            "-9007199254740992",
            "-1.5",
            "-1e-999999999",
            "0",
            "1e-999999999",
            "0.1",
            "0.10000000000000000000000000001",
            "1.5",
            "500",
            "500.00000000000000001",
            "9007199254740992",
            "9007199254740993",
            "123456789012345678901234567890",
            "123456789012345678901234567891",
            "1e999999999",
            "1.0000000000000000000000000000000000001e999999999",
        ];
        for (at, a) in ascending.iter().enumerate() {
            for (other, b) in ascending.iter().enumerate() {
                let order = Decimal::parse(a).unwrap().compare(&Decimal::parse(b).unwrap());
                assert_eq!(order, at.cmp(&other), "{a} {b}");
            }
        }
    }

    #[test]
    fn equal_values_have_one_text() {
        let cases = [
            (&["0", "-0", "0.000", "0e99", "-0.0e-5"][..], "0"),
            (&["7", "7.0", "70e-1", "0.7E+1", "0.0000007e7"], "7"),
            (&["1.5", "1.50", "15e-1", "0.15e1"], "1.5"),
            (&["-120", "-1.2e2", "-12e1", "-120.0"], "-120"),
            (&["0.001", "1e-3", "0.0010"], "0.001"),
            (&["1e400", "10e399", "0.1e401"], "0.1e401"),
            (&["12345678901234567890.5", "1234567890123456789050e-2"], "12345678901234567890.5"),
            (&["10000000000000000000", "1e19"], "10000000000000000000"),
        ];
        for (texts, canonical) in cases {
            for text in texts {
                let read = Decimal::parse(text).unwrap();
                assert_eq!(read.canonical(), canonical, "{text}");
                assert_eq!(read.compare(&Decimal::parse(texts[0]).unwrap()), Ordering::Equal);
                assert_eq!(read, Decimal::parse(texts[0]).unwrap());
            }
        }
    }

    #[test]
    fn refuses_what_is_no_decimal() {
        for text in ["", "-", "e5", "1e", "1e+", "1ex", "NaN", "1,0", "1e1234567890123456", "0x1"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn doubles_have_their_exact_value() {
        let exact = Decimal::from_double(0.1).unwrap();
        let tenth = Decimal::parse("0.1").unwrap();
        assert_eq!(exact.compare(&tenth), Ordering::Greater);
        let small = Decimal::from_double(5e-324).unwrap();
        assert_eq!(small.compare(&Decimal::parse("5e-324").unwrap()), Ordering::Less);
        let big = Decimal::from_double(9007199254740992.0).unwrap();
        assert_eq!(big.canonical(), "9007199254740992");
    }
}
