//! Looking around in a text without ever leaving it.

use crate::digits::is_digit;
use crate::marks::is_mark;

/// The character before a place.
pub fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The character at a place.
pub fn after(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The byte at a place; 0 past the end.
pub fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or_default()
}

/// Whether it can stand in a word.
pub fn is_word(it: char) -> bool {
    it == '_' || it.is_alphanumeric() && (it.is_ascii() || !is_mark(it))
}

/// Whether nothing of this sort stands right before a place.
pub fn free_before(text: &str, at: usize, bad: impl Fn(char) -> bool) -> bool {
    !before(text, at).is_some_and(bad)
}

/// Whether nothing of this sort stands right after a place.
pub fn free_after(text: &str, at: usize, bad: impl Fn(char) -> bool) -> bool {
    !after(text, at).is_some_and(bad)
}

/// Where the bytes of this sort end that begin at a place.
pub fn run(text: &str, at: usize, class: impl Fn(u8) -> bool) -> usize {
    run_most(text, at, usize::MAX, class)
}

/// The same, looking at no more than `most` bytes: where another run can begin inside of one, the
/// bound keeps the work in proportion to the text.
pub fn run_most(text: &str, at: usize, most: usize, class: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    at.saturating_add(rest.iter().take(most).take_while(|it| class(**it)).count())
}

/// Where the digits end that begin at a place, and how many there are. It looks at no more than
/// `most` of them.
pub fn digits(text: &str, at: usize, most: usize) -> (usize, usize) {
    chars(text, at, most, is_digit)
}

/// Where the characters of this sort end that begin at a place, and how many there are. It looks at
/// no more than `most` of them.
pub fn chars(text: &str, at: usize, most: usize, class: impl Fn(char) -> bool) -> (usize, usize) {
    let (mut end, mut count) = (at, 0_usize);
    for it in text.get(at..).unwrap_or_default().chars().take(most) {
        if !class(it) {
            break;
        }
        end = end.saturating_add(it.len_utf8());
        count = count.saturating_add(1);
    }
    (end, count)
}

/// Where exactly so many digits end.
pub fn exactly(text: &str, at: usize, count: usize) -> Option<usize> {
    let (end, found) = digits(text, at, count);
    (found == count).then_some(end)
}

/// Where a word stands next, from a place on.
pub fn find_from(text: &str, word: &str, from: usize) -> Option<usize> {
    text.get(from..).and_then(|it| it.find(word)).map(|it| from.saturating_add(it))
}
