use std::hash::{DefaultHasher, Hasher};

use lawbook_event::Seal;

use super::{PIECES_MAX, Sealed};
use crate::Keys;
use crate::spoken::{Wording, holds_token};
use crate::wire::{Coded, Reader, Writer};

/// A digest that hides as little as a test needs.
struct Hashed;

impl Seal for Hashed {
    fn seal(&self, text: &str) -> [u8; 16] {
        let mut hasher = DefaultHasher::new();
        hasher.write(text.as_bytes());
        let hash = hasher.finish().to_be_bytes();
        std::array::from_fn(|it| hash[it % 8] ^ u8::try_from(it / 8).unwrap())
    }
}

fn sealed(text: &str) -> Wording {
    Wording::Sealed(Sealed::of(text, Keys::sealed(&Hashed)))
}

const TEXTS: [&str; 12] = [
    "Shall I refund 80.50 to A-1?",
    "Refund $80 to ann@example.com, order BW1042.",
    "12 Main Street, flat 3",
    "1,80 and 80, then 80.",
    "été’s naïve — 東京 で ５",
    "a a",
    "",
    "  ",
    "-5 or +5?",
    "A-1/B_2#3.4",
    "x\ny",
    "I move 500 € to account 4711؟",
];

const VALUES: [&str; 26] = [
    "80",
    "80.50",
    "50",
    "A-1",
    "1",
    "a",
    "a a",
    "-5",
    "5",
    "+5",
    "$80",
    "$",
    "Main Street",
    "12 Main",
    "flat 3",
    "flat 3 ",
    "ann",
    "ann@example.com",
    "東京",
    "で",
    "５",
    "—",
    "B_2",
    "4",
    "x\ny",
    "",
];

#[test]
fn sealed_words_hold_what_the_words_hold() {
    let keys = Keys::sealed(&Hashed);
    let mut held = 0;
    for text in TEXTS {
        for value in VALUES {
            let wanted = holds_token(text, value);
            assert_eq!(sealed(text).hold(value, keys), wanted, "`{value}` in `{text}`");
            held += usize::from(wanted);
        }
    }
    assert!(held > 20, "{held}");
}

#[test]
fn sealed_words_are_added_to_as_words_are() {
    let keys = Keys::sealed(&Hashed);
    for first in TEXTS {
        for second in TEXTS {
            let (mut plain, mut kept) = (Wording::Plain(first.to_owned()), sealed(first));
            plain.push(Wording::Plain(second.to_owned()));
            kept.push(sealed(second));
            assert_eq!(kept, sealed(&format!("{first}\n{second}")));
            assert_eq!(kept.asks(), plain.asks());
            assert_eq!(kept.name_identifiers(), plain.name_identifiers());
            for number in [80.0, 80.5, 180.0, 5.0, 500.0, 4711.0, 3.0] {
                let of = |it: &Wording| {
                    (it.numbers().contain(number, keys), it.prices().contain(number, keys))
                };
                assert_eq!(of(&kept), of(&plain), "{number} in `{first}`, `{second}`");
            }
        }
    }
}

#[test]
fn sealed_words_come_back_from_bytes_and_show_none() {
    for text in TEXTS {
        let mut out = Writer::default();
        sealed(text).write(&mut out);
        let bytes = out.into_bytes();
        let mut from = Reader::new(&bytes);
        assert_eq!((Wording::read(&mut from), from.end()), (Ok(sealed(text)), Ok(())));
        for word in text.split_whitespace().filter(|it| it.len() > 4) {
            assert!(!bytes.windows(word.len()).any(|it| it == word.as_bytes()), "{word}");
        }
    }
}

#[test]
fn of_a_long_text_the_end_is_kept() {
    let keys = Keys::sealed(&Hashed);
    let text = format!("first {} last", "word ".repeat(PIECES_MAX / 2));
    let kept = sealed(&text);
    assert!(kept.is_cut() && kept.hold("last", keys) && !kept.hold("first", keys));
    let mut grown = sealed("first");
    grown.push(sealed(&"word ".repeat(PIECES_MAX / 2 - 1)));
    assert!(!grown.is_cut() && grown.hold("first", keys));
    grown.push(sealed("last"));
    assert!(grown.is_cut() && grown.hold("last", keys) && !grown.hold("first", keys));
}
