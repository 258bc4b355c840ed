//! Numbers of cards: groups of digits whose check digit is right.

use std::ops::Range;

use crate::Mode;
use crate::digits::{is_digit, value};
use crate::text::{after, byte, digits, free_after, free_before, is_word};

/// Digits of a group, and groups that are looked at together.
const GROUP_MIN: usize = 3;
const GROUP_MAX: usize = 19;
const GROUPS_MAX: usize = 16;

/// Digits of a card.
const CARD_MIN: usize = 13;
const CARD_MAX: usize = 19;

/// Looks at every run of groups: a card may stand beside another number.
pub fn find(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    let mut done = 0;
    for (at, it) in text.char_indices() {
        let apart = |it: char| is_word(it) || it == '.';
        if at < done || !is_digit(it) || !free_before(text, at, apart) {
            continue;
        }
        let groups = groups(text, at, mode);
        if let Some(last) = groups.last() {
            done = last.end;
            cards(text, &groups, out);
        }
    }
}

/// The groups of the run that begins here; none where it goes over into something else.
fn groups(text: &str, at: usize, mode: Mode) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut from = at;
    while groups.len() < GROUPS_MAX {
        let (end, count) = digits(text, from, GROUP_MAX);
        if count < GROUP_MIN {
            break;
        }
        groups.push(from..end);
        if !matches!(byte(text, end), b' ' | b'-') {
            break;
        }
        from = end.saturating_add(1);
    }
    let decimal = |end: usize| {
        byte(text, end) == b'.' && after(text, end.saturating_add(1)).is_some_and(is_digit)
    };
    let ends = |it: &Range<usize>| free_after(text, it.end, is_word) && !decimal(it.end);
    if groups.last().is_some_and(ends) {
        return groups;
    }
    // A word behind the run says nothing of the groups before it.
    groups.pop();
    if mode == Mode::Compatible { Vec::new() } else { groups }
}

/// The longest windows of groups that are cards, from the first group on.
fn cards(text: &str, groups: &[Range<usize>], out: &mut Vec<Range<usize>>) {
    let mut rest = groups;
    while let Some(first) = rest.first() {
        let card = |count: &usize| {
            let last = rest.get(count.saturating_sub(1))?;
            is_card(text, first.start..last.end).then_some(first.start..last.end)
        };
        let found = (1..=rest.len()).rev().find_map(|it| card(&it).map(|card| (card, it)));
        let taken = found.as_ref().map_or(1, |it| it.1);
        out.extend(found.map(|it| it.0));
        rest = rest.get(taken..).unwrap_or_default();
    }
}

fn is_card(text: &str, range: Range<usize>) -> bool {
    let digits = text.get(range).unwrap_or_default().chars().rev().filter_map(value);
    let (mut sum, mut count) = (0_u32, 0_usize);
    for digit in digits {
        let twice = digit.saturating_mul(2);
        let worth = match count % 2 {
            0 => digit,
            _ if twice > 9 => twice.saturating_sub(9),
            _ => twice,
        };
        sum = sum.saturating_add(worth);
        count = count.saturating_add(1);
        if count > CARD_MAX {
            return false;
        }
    }
    count >= CARD_MIN && sum % 10 == 0
}
