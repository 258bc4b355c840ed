//! Going through a value from outside to inside without recursion.

use std::vec;

use super::unique::{sorted_entries, unique_entries};
use crate::json::{Items, Kind, Value};

/// What meets the parts of a value on the way.
pub(super) trait Visitor<'d> {
    /// A list or an object begins.
    fn open(&mut self, kind: Kind);
    /// It ends.
    fn close(&mut self, kind: Kind);
    /// Another item or entry follows.
    fn separate(&mut self);
    /// A key; its value follows.
    fn key(&mut self, key: &'d str);
    /// A value that holds no others.
    fn scalar(&mut self, value: Value<'d>);
}

/// In which order the entries of an object are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As in the text, one value per key.
    Text,
    /// By key.
    Sorted,
    /// As ECMAScript lists own keys: array indexes first.
    JavaScript,
}

enum Frame<'d> {
    Items(Items<'d>),
    Entries(vec::IntoIter<(&'d str, Value<'d>)>),
}

/// Shows `root` and everything inside it to `visitor`.
pub(super) fn walk<'d>(root: Value<'d>, order: Order, visitor: &mut impl Visitor<'d>) {
    let mut frames: Vec<Frame<'d>> = Vec::new();
    let mut value = root;
    loop {
        let mut first = true;
        match value.kind() {
            Kind::Array => frames.push(Frame::Items(value.items())),
            Kind::Object => frames.push(Frame::Entries(entries(value, order).into_iter())),
            _ => {
                visitor.scalar(value);
                first = false;
            }
        }
        if first {
            visitor.open(value.kind());
        }
        // Leave every container that has nothing more to show.
        value = loop {
            let Some(frame) = frames.last_mut() else { return };
            let (key, next, kind) = match frame {
                Frame::Items(items) => (None, items.next(), Kind::Array),
                Frame::Entries(entries) => match entries.next() {
                    Some((key, value)) => (Some(key), Some(value), Kind::Object),
                    None => (None, None, Kind::Object),
                },
            };
            let Some(next) = next else {
                visitor.close(kind);
                frames.pop();
                first = false;
                continue;
            };
            if !first {
                visitor.separate();
            }
            if let Some(key) = key {
                visitor.key(key);
            }
            break next;
        };
    }
}

pub(super) fn entries<'d>(value: Value<'d>, order: Order) -> Vec<(&'d str, Value<'d>)> {
    match order {
        Order::Text => unique_entries(value),
        Order::Sorted => sorted_entries(value),
        Order::JavaScript => {
            let mut entries = unique_entries(value);
            // The sort is stable, so keys that are no index keep their order behind the others.
            entries.sort_by_key(|(key, _)| array_index(key).unwrap_or(u32::MAX));
            entries
        }
    }
}

/// The array index that a key spells, as ECMAScript defines it.
fn array_index(key: &str) -> Option<u32> {
    let plain = key == "0" || (!key.starts_with('0') && key.bytes().all(|it| it.is_ascii_digit()));
    if plain { key.parse().ok().filter(|index| *index != u32::MAX) } else { None }
}
