//! Text that is a decimal number beyond doubt: `12`, `-0.50`, `$1,200.50`.

use std::borrow::Cow;

/// The JSON number that `text` states. Text that two readers could read as two amounts is none.
pub(super) fn plain(text: &str) -> Option<Cow<'_, str>> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('$').unwrap_or(text)),
    };
    let (whole, fraction) = match rest.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (rest, None),
    };
    if !fraction.unwrap_or_default().bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let mut groups = whole.split(',');
    let first = groups.next().unwrap_or_default();
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_group = |group: &str| group.len() == 3 && is_digits(group);
    let leads = !first.is_empty() && is_digits(first) && (first == "0" || !first.starts_with('0'));
    if !leads {
        return None;
    }
    if !whole.contains(',') {
        return Some(if sign.is_empty() { Cow::Borrowed(rest) } else { Cow::Borrowed(text) });
    }
    let grouped = first.len() <= 3 && first != "0" && groups.all(is_group);
    grouped.then(|| Cow::Owned(format!("{sign}{}", rest.replace(',', ""))))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn reads_plain_amounts() {
        let cases = [
            ("0", "0"),
            ("12", "12"),
            ("-0.50", "-0.50"),
            ("$5", "5"),
            ("$1,200.50", "1200.50"),
            ("1,234,567", "1234567"),
            ("-1,200", "-1200"),
            ("1200.50", "1200.50"),
        ];
        for (text, number) in cases {
            assert_eq!(plain(text).as_deref(), Some(number), "{text}");
        }
    }

    #[test]
    fn refuses_what_can_be_read_twice() {
        let texts = [
            "", "-", "$", ".", "1.", ".5", "1.250,75", "500 USD", "USD 500", "€5", "-$5", "$-5",
            "$$5", "+5", "1e3", "1_000", "1,20", "1,2000", "12,00", "0,500", "1234,567", ",500",
            "1,", "007", "0x10", "(5)", "1 000", "1.2.3", "１２", "--5", "NaN", "Infinity",
            "1,200,50", "5%",
        ];
        for text in texts {
            assert_eq!(plain(text), None, "{text}");
        }
    }
}
