//! What Python 3.11 knows of Unicode (version 14).

use unicode_general_category::{GeneralCategory, get_general_category};

/// `str.isspace` of one character.
#[must_use]
pub fn is_space(it: char) -> bool {
    it.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&it)
}

/// The value of a decimal digit of any script.
pub(super) fn digit(it: char) -> Option<u32> {
    if it.is_ascii_digit() {
        return it.to_digit(10);
    }
    if category(it) != GeneralCategory::DecimalNumber {
        return None;
    }
    // Digits stand in runs of ten from zero upwards, and runs may touch each other.
    let below = (1_u32..=50).take_while(|back| {
        let before = u32::from(it).checked_sub(*back).and_then(char::from_u32);
        before.is_some_and(|it| category(it) == GeneralCategory::DecimalNumber)
    });
    u32::try_from(below.count()).ok()?.checked_rem(10)
}

/// `str.isprintable` of one character.
pub(super) fn is_printable(it: char) -> bool {
    use GeneralCategory::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, SpaceSeparator, Surrogate,
        Unassigned,
    };
    it == ' '
        || !matches!(
            category(it),
            Control
                | Format
                | Surrogate
                | PrivateUse
                | Unassigned
                | LineSeparator
                | ParagraphSeparator
                | SpaceSeparator
        )
}

/// The category in Unicode 14.
fn category(it: char) -> GeneralCategory {
    if it < '\u{897}' {
        return get_general_category(it);
    }
    let after = ASSIGNED_LATER.partition_point(|(_, last)| *last < it);
    match ASSIGNED_LATER.get(after) {
        Some((first, _)) if *first <= it => GeneralCategory::Unassigned,
        _ => get_general_category(it),
    }
}

/// What the versions 15 to 16 added. Between the characters of a range none was there before.
#[rustfmt::skip]
const ASSIGNED_LATER: [(char, char); 47] = [
    ('\u{897}', '\u{897}'), ('\u{cf3}', '\u{cf3}'), ('\u{ece}', '\u{ece}'),
    ('\u{1b4e}', '\u{1b4f}'), ('\u{1b7f}', '\u{1b7f}'), ('\u{1c89}', '\u{1c8a}'),
    ('\u{2427}', '\u{2429}'), ('\u{2ffc}', '\u{2fff}'), ('\u{31e4}', '\u{31ef}'),
    ('\u{a7cb}', '\u{a7cd}'), ('\u{a7da}', '\u{a7dc}'), ('\u{105c0}', '\u{105f3}'),
    ('\u{10d40}', '\u{10d8f}'), ('\u{10ec2}', '\u{10eff}'), ('\u{1123f}', '\u{11241}'),
    ('\u{11380}', '\u{113e2}'), ('\u{116d0}', '\u{116e3}'), ('\u{11b00}', '\u{11bf9}'),
    ('\u{11f00}', '\u{11f5a}'), ('\u{1342f}', '\u{1342f}'), ('\u{13440}', '\u{143fa}'),
    ('\u{16100}', '\u{16139}'), ('\u{16d40}', '\u{16d79}'), ('\u{18cff}', '\u{18cff}'),
    ('\u{1b132}', '\u{1b132}'), ('\u{1b155}', '\u{1b155}'), ('\u{1cc00}', '\u{1ceb3}'),
    ('\u{1d2c0}', '\u{1d2d3}'), ('\u{1df25}', '\u{1df2a}'), ('\u{1e030}', '\u{1e08f}'),
    ('\u{1e4d0}', '\u{1e5ff}'), ('\u{1f6dc}', '\u{1f6dc}'), ('\u{1f774}', '\u{1f77f}'),
    ('\u{1f7d9}', '\u{1f7d9}'), ('\u{1f8b2}', '\u{1f8c1}'), ('\u{1fa75}', '\u{1fa77}'),
    ('\u{1fa87}', '\u{1fa8f}'), ('\u{1faad}', '\u{1faaf}'), ('\u{1fabb}', '\u{1fabf}'),
    ('\u{1fac6}', '\u{1facf}'), ('\u{1fada}', '\u{1fadf}'), ('\u{1fae8}', '\u{1fae9}'),
    ('\u{1faf7}', '\u{1faf8}'), ('\u{1fbcb}', '\u{1fbef}'), ('\u{2b739}', '\u{2b739}'),
    ('\u{2ebf0}', '\u{2ee5d}'), ('\u{31350}', '\u{323af}'),
];
