//! One pass over the bytes that says which sorts of things a text can hold at all, so that a text
//! with none of them costs no more than that.

use crate::digits::is_digit;

/// Digits that the shortest masked number has.
const NUMBER_MIN: u32 = 8;

/// Which sorts of things a text may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// What looks like the beginning of a secret.
    pub secret: bool,
    /// An `@`.
    pub at: bool,
    /// Digits enough for a number of a person, a card or a phone.
    pub number: bool,
    /// Digits and points as in an address.
    pub dotted: bool,
    /// Colons as in an address.
    pub colons: bool,
    /// Two capitals before a digit, as an account begins.
    pub account: bool,
}

/// What a byte may be part of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Of nothing.
    Other,
    /// Of a word.
    Letter,
    Digit,
    /// What stands between the digits of a number, and what ends the prefix of a secret.
    Joint,
    Colon,
    At,
    /// A letter that ends what a secret begins with.
    Key,
    Foreign,
}

static CLASSES: [Class; 256] = classes();

#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn classes() -> [Class; 256] {
    let mut out = [Class::Other; 256];
    let mut at = 0_usize;
    while at < 256 {
        #[allow(clippy::cast_possible_truncation)]
        let byte = at as u8;
        out[at] = match byte {
            b'0'..=b'9' => Class::Digit,
            b' ' | b'-' | b'.' | b'(' | b')' | b'+' | b'_' | b'/' => Class::Joint,
            b':' => Class::Colon,
            b'@' => Class::At,
            b'J' | b'I' | b'k' | b'K' => Class::Key,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            0x80.. => Class::Foreign,
            _ => Class::Other,
        };
        at += 1;
    }
    out
}

/// The bit that makes a letter a small one, in eight bytes.
const LOWER: u64 = 0x2020_2020_2020_2020;

/// What stands together: the digits, points and colons since the last byte that parts them.
#[derive(Default)]
struct Near {
    digits: u32,
    points: u32,
    colons: u32,
}

impl Hints {
    /// What a text may hold.
    pub fn of(text: &str) -> Hints {
        let mut hints = Hints::default();
        let mut near = Near::default();
        let mut foreign = false;
        // The bytes before, the newest lowest.
        let mut past: u64 = 0;
        for &byte in text.as_bytes() {
            match CLASSES.get(usize::from(byte)).copied().unwrap_or(Class::Other) {
                Class::Letter | Class::Other => near.part(byte),
                Class::Digit => {
                    near.digits = near.digits.saturating_add(1);
                    hints.number |= near.digits >= NUMBER_MIN;
                    hints.account |= two_capitals(past);
                }
                Class::Joint => hints.joint(byte, past, &mut near),
                Class::Colon => {
                    near.colons = near.colons.saturating_add(1);
                    hints.colons |= near.colons >= 7 || ends(past, b":");
                    (near.digits, near.points) = (0, 0);
                }
                Class::At => hints.at = true,
                Class::Key => {
                    hints.secret |= begins(byte, past);
                    near.part(byte);
                }
                Class::Foreign => foreign = true,
            }
            past = (past << 8) | u64::from(byte);
        }
        if foreign && text.chars().any(|it| !it.is_ascii() && is_digit(it)) {
            (hints.number, hints.account) = (true, true);
        }
        hints
    }

    fn joint(&mut self, byte: u8, past: u64, near: &mut Near) {
        near.colons = 0;
        self.secret |= prefixed(byte, past);
        if byte == b'.' {
            near.points = near.points.saturating_add(1);
            self.dotted |= near.points >= 3 && near.digits >= 3;
        }
    }
}

impl Near {
    /// A byte that can't stand in a number; a hexadecimal one can stand in an address.
    fn part(&mut self, byte: u8) {
        (self.digits, self.points) = (0, 0);
        if !byte.is_ascii_hexdigit() {
            self.colons = 0;
        }
    }
}

fn ends(past: u64, with: &[u8]) -> bool {
    let mut past = past;
    with.iter().rev().all(|it| {
        let same = past & 0xff == u64::from(*it);
        past >>= 8;
        same
    })
}

fn two_capitals(past: u64) -> bool {
    let [.., first, second] = past.to_be_bytes();
    first.is_ascii_uppercase() && second.is_ascii_uppercase()
}

/// Whether a byte ends what a secret of a family begins with: each of them but those of
/// [`begins`] ends with a joint.
fn prefixed(byte: u8, past: u64) -> bool {
    let [.., third, second, first] = past.to_be_bytes();
    match byte {
        b' ' => first | 0x20 == b'r' && ends(past | LOWER, b"bearer"),
        b'-' => {
            first == b'k' && matches!(second, b's' | b'p' | b'r')
                || second == b'x' && third == b'o'
                || matches!((second, first), (b'p', b'p') | (b'a', b't') | (b'p', b'i'))
                || ends(past, b"----")
        }
        b'_' => {
            first == b'k' && matches!(second, b's' | b'r')
                || second == b'h' && third == b'g'
                || matches!((second, first), (b'h', b'f') | (b'a', b't') | (b'p', b'm'))
        }
        b'.' => ends(past, b"SG") || ends(past, b"ya29"),
        _ => false,
    }
}

/// Whether a letter ends what a secret without a joint begins with, or the name of one.
fn begins(byte: u8, past: u64) -> bool {
    let [.., second, first] = past.to_be_bytes();
    match byte {
        b'J' => ends(past, b"ey"),
        b'I' => matches!((second, first), (b'A', b'K') | (b'A', b'S')) || first == b'A',
        _ => {
            let word = if matches!(first, b'_' | b'-') { past >> 8 } else { past };
            ends(word | LOWER, b"access")
        }
    }
}
