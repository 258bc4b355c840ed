//! Numbers of payment cards in a text, however their digits are grouped.

use std::ops::RangeInclusive;

/// Digits in one run beyond which it is no card with something beside it.
const DIGITS_MAX: usize = 32;

/// How many characters may stand between two digits of a number.
const APART_MAX: usize = 4;

/// What numbers of cards begin with, as many digits as the bounds have, and how long they are.
const CARDS: [(RangeInclusive<u32>, &[usize]); 15] = [
    (4..=4, &[13, 16, 19]),
    (51..=55, &[16]),
    (2221..=2720, &[16]),
    (34..=34, &[15]),
    (37..=37, &[15]),
    (36..=36, &[14]),
    (38..=39, &[14]),
    (300..=305, &[14]),
    (3528..=3589, &[16]),
    (6011..=6011, &[16, 19]),
    (644..=659, &[16, 19]),
    (62..=62, &[16, 17, 18, 19]),
    (50..=50, &[16, 17, 18, 19]),
    (56..=58, &[16, 17, 18, 19]),
    (60..=69, &[16, 19]),
];

/// How many digits stand in each group of a card's number as it is printed.
const GROUPS: [&[usize]; 5] =
    [&[4, 4, 4, 4, 3], &[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 1]];

/// The digits zero of scripts whose digits follow each other in order, but for the plain ones.
const ZEROS: [u32; 24] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50,
    0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
];

/// The last four digits of the first number in a text that is a card's: it begins and is as long
/// as one, and its digits pass the Luhn check. White space, dots, dashes and the like may stand
/// between the digits, and letters or more digits around them. Where the digits stand in the
/// groups of a printed card, commas, brackets and any other marks may stand between the groups.
pub(super) fn card(text: &str) -> Option<String> {
    let mut run = Vec::new();
    let mut groups = Groups::default();
    let mut apart = 0_usize;
    for it in text.chars() {
        if let Some(digit) = digit(it) {
            groups.digit(digit, apart > 0);
            run.push(digit);
            apart = 0;
            continue;
        }
        apart = apart.saturating_add(1);
        let found = if it.is_alphanumeric() || apart > APART_MAX { groups.end() } else { None };
        if found.is_some() {
            return found;
        }
        if !joins(it) || apart > APART_MAX {
            if let Some(found) = within(&run) {
                return Some(found);
            }
            run.clear();
        }
    }
    groups.end().or_else(|| within(&run))
}

fn digit(it: char) -> Option<u32> {
    if it.is_ascii() {
        return it.to_digit(10);
    }
    let code = u32::from(it);
    ZEROS.iter().filter_map(|zero| code.checked_sub(*zero)).find(|it| *it < 10)
}

/// The newest digits of a text, in the groups in which they stand.
#[derive(Debug, Default)]
struct Groups {
    digits: Vec<u32>,
    sizes: Vec<usize>,
}

impl Groups {
    fn digit(&mut self, digit: u32, apart: bool) {
        if apart || self.sizes.is_empty() {
            self.sizes.push(0);
        }
        if let Some(size) = self.sizes.last_mut() {
            *size = size.saturating_add(1);
        }
        self.digits.push(digit);
    }

    /// The card that stands in these groups, if one does. They are left empty.
    fn end(&mut self) -> Option<String> {
        let (digits, sizes) = (std::mem::take(&mut self.digits), std::mem::take(&mut self.sizes));
        let mut from = 0_usize;
        for at in 0..sizes.len() {
            let rest = sizes.get(at..)?;
            for groups in GROUPS.iter().filter(|it| rest.starts_with(it)) {
                let number = digits.get(from..)?.get(..groups.iter().sum())?;
                let card = CARDS
                    .iter()
                    .any(|(with, lengths)| begins(number, with) && lengths.contains(&number.len()));
                if card && super::passes_luhn(number) {
                    return Some(last_four(number));
                }
            }
            from = from.saturating_add(*rest.first()?);
        }
        None
    }
}

fn last_four(number: &[u32]) -> String {
    let last = number.get(number.len().saturating_sub(4)..).unwrap_or_default();
    last.iter().map(u32::to_string).collect()
}

/// Whether a character may stand between two digits of one number.
fn joins(it: char) -> bool {
    it.is_whitespace()
        || matches!(it, '.' | '-' | '_' | '/' | '*' | '\u{b7}' | '\u{ad}' | '\u{feff}')
        || matches!(it, '\u{200b}'..='\u{200f}' | '\u{2010}'..='\u{2015}' | '\u{2060}')
}

fn within(run: &[u32]) -> Option<String> {
    if run.len() > DIGITS_MAX {
        return None;
    }
    (0..run.len()).find_map(|from| {
        let rest = run.get(from..)?;
        let lengths = CARDS.iter().filter(|it| begins(rest, &it.0)).flat_map(|it| it.1);
        let mut numbers = lengths.filter_map(|it| rest.get(..*it));
        numbers.find(|it| super::passes_luhn(it)).map(last_four)
    })
}

fn begins(digits: &[u32], with: &RangeInclusive<u32>) -> bool {
    let places = with.start().checked_ilog10().unwrap_or(0).saturating_add(1);
    let head = digits.iter().take(usize::try_from(places).unwrap_or(usize::MAX));
    with.contains(&head.fold(0, |sum, it| sum.saturating_mul(10).saturating_add(*it)))
}

#[cfg(test)]
mod tests {
    use super::card;

    #[test]
    fn a_card_is_found_in_any_grouping() {
        for text in [
            "4111111111111111",
            "4111 1111 1111 1111",
            "4111.1111.1111.1111",
            "4111\u{a0}1111\u{a0}1111\u{a0}1111",
            "4111    1111    1111    1111",
            "4111-1111-1111-1111",
            "1 4111 1111 1111 1111",
            "x4111111111111111y",
            "_4111111111111111_",
            "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
            "41111111111\u{200b}11111",
            "4111, 1111, 1111, 1111",
            "[4111] [1111] [1111] [1111]",
            "(4111)(1111)|1111|1111",
            "٤١١١ ١١١١ ١١١١ ١١١١",
            "card 9: 4111:1111:1111:1111",
        ] {
            assert_eq!(card(text).as_deref(), Some("1111"), "{text}");
        }
        assert_eq!(card("card 6304 0000 0000 0000 000").as_deref(), Some("0000"));
        assert_eq!(card("3782 822463 10005").as_deref(), Some("0005"));
    }

    #[test]
    fn other_numbers_are_left() {
        for text in [
            "",
            "1712345678901",
            "4111111111111112",
            "9411 0000 0000 0000",
            "4, 111, 1111, 1111, 1111, 1",
            "[4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]",
            "2024-05-06T10:11:12",
            "order 20240506 for 555-0100",
        ] {
            assert_eq!(card(text), None, "{text}");
        }
        assert_eq!(card(&"4111111111111111".repeat(3)), None);
    }
}
