//! Amounts in text as pmstack reads them: a sign, one currency mark, commas, a unit behind.

const CODES: [&str; 11] =
    ["usd", "eur", "gbp", "cad", "aud", "nzd", "inr", "jpy", "chf", "dollars", "dollar"];
const UNITS: [&str; 2] = ["%", "percent"];

/// The number in trimmed text.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = without_prefix(text, &CODES).unwrap_or(text);
    let (sign, rest) = sign(text);
    let rest = rest.strip_prefix(['$', '€', '£']).unwrap_or(rest);
    let (sign, rest) = if sign.is_some() { (sign, rest) } else { self::sign(rest) };
    let end = rest.find(|it: char| !is_mantissa(it)).unwrap_or(rest.len());
    let (mantissa, rest) = rest.split_at_checked(end)?;
    let (exponent, rest) = exponent(rest);
    let unit = rest.trim_start();
    let known =
        unit.is_empty() || UNITS.iter().chain(&CODES).any(|it| unit.eq_ignore_ascii_case(it));
    if !known || !is_number(mantissa) {
        return None;
    }
    let digits = mantissa.replace(',', "");
    format!("{}{digits}{exponent}", sign.unwrap_or_default()).parse().ok()
}

fn without_prefix<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    words.iter().find_map(|word| {
        let (head, rest) = text.split_at_checked(word.len())?;
        head.eq_ignore_ascii_case(word).then(|| rest.trim_start())
    })
}

fn sign(text: &str) -> (Option<&str>, &str) {
    let (head, rest) = text.split_at_checked(1).unwrap_or(("", text));
    if matches!(head, "+" | "-") { (Some(head), rest) } else { (None, text) }
}

fn is_mantissa(it: char) -> bool {
    it.is_ascii_digit() || matches!(it, ',' | '.')
}

/// Commas anywhere before the point; digits behind it, or else a digit last.
fn is_number(mantissa: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match mantissa.split_once('.') {
        Some((_, fraction)) => !fraction.is_empty() && is_digits(fraction),
        None => mantissa.ends_with(|it: char| it.is_ascii_digit()),
    }
}

fn exponent(text: &str) -> (&str, &str) {
    let none = ("", text);
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return none };
    let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    if count == 0 {
        return none;
    }
    let marks = text.len().saturating_sub(digits.len());
    text.split_at_checked(marks.saturating_add(count)).unwrap_or(none)
}

#[cfg(test)]
mod tests {
    use super::number;
    use crate::JAVASCRIPT;
    use crate::json::{Document, Grammar, Limits};

    #[test]
    fn reads_amounts() {
        let cases = [
            ("80", 80.0),
            ("-$80", -80.0),
            ("$-80", -80.0),
            ("+5", 5.0),
            ("1,00", 100.0),
            ("1,2,3.5", 123.5),
            ("8%", 8.0),
            ("40percent", 40.0),
            ("USD 500", 500.0),
            ("500USD", 500.0),
            ("jpy12", 12.0),
            ("£20", 20.0),
            ("1e999", f64::INFINITY),
            (".5", 0.5),
            (",5", 5.0),
            ("80 dollars", 80.0),
            ("CHF 7 chf", 7.0),
            ("1.5E+2 eur", 150.0),
        ];
        for (text, value) in cases {
            assert_eq!(number(text), Some(value), "{text}");
        }
    }

    #[test]
    fn reads_what_pmstack_reads() {
        let table = include_str!("../../../../../conformance/dialects/pmstack/numbers.json");
        let table = Document::parse(table, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let rows: Vec<_> = table.root().get("rows").unwrap().items().collect();
        assert!(rows.len() > 30);
        for row in rows {
            let found = JAVASCRIPT.number(row.item(0).unwrap()).map(|it| it.display().to_string());
            assert_eq!(found.as_deref(), row.item(1).unwrap().as_str(), "{}", row.raw());
        }
    }

    #[test]
    fn a_long_text_costs_no_more_than_its_length() {
        let digits = "1".repeat(32_000);
        assert_eq!(number(&digits), Some(f64::INFINITY));
        assert_eq!(number(&format!("{digits}x")), None);
        assert_eq!(number(&format!("{}x", "1,".repeat(16_000))), None);
    }

    #[test]
    fn leaves_the_rest() {
        let texts = [
            "", "5.", "1_000", "twelve", "--5", "NaN", "Infinity", "$$5", "5 $", "5 euros", "-",
            "(80)", "80/2", ".", ",", "5,", "20€", "1 000", "0x10", "1.2.3", "+$-5", "5e", "e5",
        ];
        for text in texts {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
