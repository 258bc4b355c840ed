//! Addresses of machines.

use std::net::Ipv6Addr;
use std::ops::Range;

use crate::Mode;
use crate::text::{byte, digits, free_after, free_before, is_word, run, run_most};

/// Characters that the longest address of eight groups has.
const LONGEST: usize = 45;

/// Four numbers with points.
pub fn find_four(text: &str, _: Mode, out: &mut Vec<Range<usize>>) {
    let apart = |it: char| is_word(it) || it == '.';
    let starts = |at: usize, it: u8| it.is_ascii_digit() && free_before(text, at, apart);
    each(text, starts, |at| four_end(text, at).filter(|end| free_after(text, *end, apart)), out);
}

fn four_end(text: &str, at: usize) -> Option<usize> {
    let mut end = octet_end(text, at)?;
    for _ in 0..3 {
        let next = (byte(text, end) == b'.').then(|| end.saturating_add(1))?;
        end = octet_end(text, next)?;
    }
    Some(end)
}

fn octet_end(text: &str, at: usize) -> Option<usize> {
    let (end, count) = digits(text, at, 4);
    let (first, second) = (byte(text, at), byte(text, at.saturating_add(1)));
    let third = byte(text, at.saturating_add(2));
    // The last digit of a number may be of any script, as in faultgate's own reading.
    let fits = match (count, first) {
        (1, _) | (2, b'1'..=b'9') | (3, b'1') => true,
        (3, b'2') => second < b'5' || (second == b'5' && third <= b'5'),
        _ => false,
    };
    fits.then_some(end)
}

/// Groups of hexadecimal digits with colons: all eight, or fewer where `::` stands for the rest.
pub fn find_eight(text: &str, mode: Mode, out: &mut Vec<Range<usize>>) {
    let apart = |it: char| is_word(it) || it == ':';
    let starts =
        |at: usize, it: u8| (it.is_ascii_hexdigit() || it == b':') && free_before(text, at, apart);
    let end = |at: usize| match mode {
        Mode::Compatible => full_end(text, at),
        _ => full_end(text, at).or_else(|| short_end(text, at)),
    };
    each(text, starts, |at| end(at).filter(|end| free_after(text, *end, apart)), out);
}

fn full_end(text: &str, at: usize) -> Option<usize> {
    let group = |at: usize| {
        let end = run(text, at, |it| it.is_ascii_hexdigit());
        (1..=4).contains(&end.saturating_sub(at)).then_some(end)
    };
    let mut end = group(at)?;
    for _ in 0..7 {
        let next = (byte(text, end) == b':').then(|| end.saturating_add(1))?;
        end = group(next)?;
    }
    Some(end)
}

/// Words of programs have `::` too, so an address has a digit, and is neither the own machine nor
/// none.
fn short_end(text: &str, at: usize) -> Option<usize> {
    let class = |it: u8| it.is_ascii_hexdigit() || it == b':' || it == b'.';
    let end = run_most(text, at, LONGEST.saturating_add(1), class);
    let word = text.get(at..end).filter(|it| it.len() <= LONGEST)?;
    let word = word.trim_end_matches('.');
    let address: Ipv6Addr = word.parse().ok()?;
    let own = address.is_loopback() || address.is_unspecified();
    let told = word.bytes().any(|it| it.is_ascii_digit()) && !own;
    told.then(|| at.saturating_add(word.len()))
}

fn each(
    text: &str,
    starts: impl Fn(usize, u8) -> bool,
    end: impl Fn(usize) -> Option<usize>,
    out: &mut Vec<Range<usize>>,
) {
    let mut done = 0;
    for (at, it) in text.bytes().enumerate() {
        if at >= done
            && starts(at, it)
            && let Some(end) = end(at)
        {
            out.push(at..end);
            done = end;
        }
    }
}
