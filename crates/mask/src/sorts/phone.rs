//! Numbers of phones.

use std::ops::Range;

use crate::Mode;
use crate::digits::is_digit;
use crate::text::{after, before, byte, digits, exactly, free_after, free_before, is_word};

/// Digits of a number in faultgate's reading, the country's own among them.
const DIGITS_MIN: usize = 9;
const DIGITS_MAX: usize = 15;

/// Digits of a number that begins with its country.
const WORLD_MIN: usize = 8;

/// Looks at every place where a number can begin.
pub fn find(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    let mut done = 0;
    for (at, it) in text.char_indices() {
        let starts = it == '+' || it == '(' || is_digit(it);
        if !starts || at < done || !is_free(text, at) {
            continue;
        }
        let found = if mode == Mode::Compatible { compatible(text, at) } else { known(text, at) };
        if let Some((end, phone)) = found {
            out.extend(phone.then_some(at..end));
            done = end;
        }
    }
}

/// The end of what stands here, and whether it is a phone: what has too few or too many digits is
/// passed over as a whole.
fn compatible(text: &str, at: usize) -> Option<(usize, bool)> {
    let end = loose_end(text, at)?;
    let held = text.get(at..end)?;
    let count = held.chars().filter(|it| is_digit(*it)).count();
    Some((end, (DIGITS_MIN..=DIGITS_MAX).contains(&count)))
}

/// The same where a number must also look like one of a country.
fn known(text: &str, at: usize) -> Option<(usize, bool)> {
    if let Some(end) = world_end(text, at).or_else(|| pairs_end(text, at)) {
        return Some((end, true));
    }
    if let Some(end) = american_end(text, at) {
        return Some((end, true));
    }
    let told = matches!(byte(text, at), b'+' | b'(' | b'0');
    compatible(text, at).filter(|it| it.1 && told)
}

fn is_joint(it: char) -> bool {
    matches!(it, ' ' | '.' | '-')
}

fn joint(text: &str, at: usize) -> Option<usize> {
    after(text, at).filter(|it| is_joint(*it)).map(|_| at.saturating_add(1))
}

fn is_free(text: &str, at: usize) -> bool {
    let apart = |it: char| is_word(it) || matches!(it, '.' | '+' | '-');
    let joined = before(text, at).is_some_and(is_joint)
        && at.checked_sub(1).and_then(|it| before(text, it)).is_some_and(is_digit);
    free_before(text, at, apart) && !joined
}

fn ends(text: &str, end: usize) -> bool {
    let apart = |it: char| is_word(it) || matches!(it, '.' | '-');
    let next = joint(text, end).unwrap_or(end);
    free_after(text, end, apart) && free_after(text, next, is_digit)
}

/// The end of a number as faultgate reads it: an area, and two groups of three or four digits.
fn loose_end(text: &str, at: usize) -> Option<usize> {
    areas(text, at).find_map(|area| tail_end(text, joint(text, area)?))
}

fn tail_end(text: &str, at: usize) -> Option<usize> {
    let counts = || [4, 3].into_iter();
    counts().find_map(|first| {
        let middle = exactly(text, at, first)?;
        let starts = joint(text, middle).into_iter().chain([middle]);
        starts.into_iter().find_map(|it| {
            counts().find_map(|last| exactly(text, it, last).filter(|end| ends(text, *end)))
        })
    })
}

/// Where an area can end, the longest first, with its country where one is named.
fn areas(text: &str, at: usize) -> impl Iterator<Item = usize> {
    let country = (byte(text, at) == b'+').then(|| at.saturating_add(1));
    let plain = country.is_none().then_some(at);
    let dialled = country.into_iter().flat_map(move |it| {
        let ends = [3, 2, 1].into_iter().filter_map(move |count| exactly(text, it, count));
        ends.flat_map(move |end| joint(text, end).into_iter().chain([end]))
    });
    dialled.chain(plain).flat_map(move |it| area_ends(text, it))
}

fn area_ends(text: &str, at: usize) -> impl Iterator<Item = usize> {
    let open = byte(text, at) == b'(';
    let start = at.saturating_add(usize::from(open));
    [4, 3, 2].into_iter().filter_map(move |count| {
        let end = exactly(text, start, count)?;
        if !open {
            return Some(end);
        }
        (byte(text, end) == b')').then(|| end.saturating_add(1))
    })
}

/// A number that begins with its country: `+` or `00`, and digits in any groups.
fn world_end(text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let sign = if rest.starts_with('+') { 1 } else { 2 };
    let dialled = rest.starts_with('+') || rest.starts_with("00");
    let start = at.saturating_add(sign);
    if !dialled || !(b'1'..=b'9').contains(&byte(text, start)) {
        return None;
    }
    let (mut end, mut count, mut groups) = (start, 0_usize, 0_usize);
    let mut next = start;
    loop {
        let (group, more) = digits(text, next, DIGITS_MAX.saturating_add(1));
        if more == 0 || count.saturating_add(more) > DIGITS_MAX {
            break;
        }
        (end, count, groups) = (group, count.saturating_add(more), groups.saturating_add(1));
        next = past_joints(text, end);
        if next == end {
            break;
        }
    }
    let spoken = sign == 1 || groups > 1;
    (spoken && count >= WORLD_MIN && free_after(text, end, is_word)).then_some(end)
}

/// What parts two groups: a joint, a bracket, or both.
fn past_joints(text: &str, at: usize) -> usize {
    let mut next = at;
    for _ in 0..2 {
        match after(text, next) {
            Some(' ' | '.' | '-' | '(' | ')' | '/') => next = next.saturating_add(1),
            _ => break,
        }
    }
    next
}

/// A number of a country that writes pairs: a zero and a digit, then four pairs.
fn pairs_end(text: &str, at: usize) -> Option<usize> {
    let mut end = exactly(text, at, 2).filter(|_| byte(text, at) == b'0')?;
    for _ in 0..4 {
        end = exactly(text, joint(text, end)?, 2)?;
    }
    ends(text, end).then_some(end)
}

/// A number of North America: three, three and four digits, of which the first two groups begin
/// with no 0 or 1.
fn american_end(text: &str, at: usize) -> Option<usize> {
    let trunk = text.get(at..)?.starts_with('1').then(|| at.saturating_add(1));
    let start = trunk.and_then(|it| joint(text, it)).unwrap_or(at);
    let group = |at: usize| {
        let fits = (b'2'..=b'9').contains(&byte(text, at));
        exactly(text, at, 3).filter(|_| fits).and_then(|it| joint(text, it))
    };
    let end = exactly(text, group(group(start)?)?, 4)?;
    ends(text, end).then_some(end)
}
