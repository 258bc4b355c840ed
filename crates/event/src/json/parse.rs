//! Text to tape: one pass, no recursion.

use super::node::{Node, Tag};
use super::repeats::{print_of, repeated_key};
use super::scan::{number_end, past_blank, string_stop};
use super::{Buffers, Grammar, JsonError, JsonErrorKind, Limits, escape};

/// What was seen on the way.
#[derive(Default)]
pub(super) struct Seen {
    /// The first key node that repeats an earlier key of its object.
    pub repeated: Option<u32>,
    pub lone_surrogate: bool,
    pub non_finite: bool,
    pub longest_number: usize,
}

/// Fills `buffers` with the tape of `text`.
pub(super) fn parse(
    text: &str,
    grammar: Grammar,
    limits: &Limits,
    buffers: &mut Buffers,
) -> Result<Seen, JsonError> {
    buffers.nodes.clear();
    buffers.decoded.clear();
    buffers.marks.clear();
    let bytes_max = limits.bytes_max.min(Limits::BYTES_HARD_MAX);
    if text.len() > bytes_max {
        return Err(JsonError::new(JsonErrorKind::Bytes, text, bytes_max));
    }
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        grammar,
        depth_max: limits.depth_max,
        nodes_max: limits.nodes_max.min(Limits::NODES_HARD_MAX),
        at: 0,
        buffers,
        seen: Seen::default(),
    };
    match parser.run() {
        Ok(()) => Ok(parser.seen),
        Err(kind) => {
            let kind = if parser.at >= text.len() { kind.at_end() } else { kind };
            Err(JsonError::new(kind, text, parser.at))
        }
    }
}

impl JsonErrorKind {
    /// A syntax error at the very end of the text is an early end.
    fn at_end(self) -> Self {
        if self.is_limit() { self } else { Self::Eof }
    }
}

struct Parser<'t, 'b> {
    text: &'t str,
    bytes: &'t [u8],
    grammar: Grammar,
    depth_max: usize,
    nodes_max: usize,
    /// Where the parser stands; the place of the error when it fails.
    at: usize,
    buffers: &'b mut Buffers,
    seen: Seen,
}

/// The container that is being read.
#[derive(Clone, Copy)]
struct Open {
    node: u32,
    is_object: bool,
    count: u32,
}

type Step<T> = Result<T, JsonErrorKind>;

impl Parser<'_, '_> {
    fn run(&mut self) -> Step<()> {
        let mut open: Option<Open> = None;
        let mut depth = 0_usize;
        loop {
            self.at = past_blank(self.bytes, self.at);
            let byte = self.byte();
            if matches!(byte, b'{' | b'[') {
                depth = depth.wrapping_add(1);
                if depth > self.depth_max {
                    return Err(JsonErrorKind::Depth);
                }
                let inner = self.enter(open, byte == b'{')?;
                open = Some(inner);
                self.at = past_blank(self.bytes, self.at);
                let close = if inner.is_object { b'}' } else { b']' };
                if self.byte() != close {
                    if inner.is_object {
                        self.key()?;
                    }
                    continue;
                }
            } else {
                self.scalar(byte)?;
                if let Some(open) = &mut open {
                    open.count = open.count.wrapping_add(1);
                }
            }
            // A value has just ended: commas lead on, brackets close.
            loop {
                self.at = past_blank(self.bytes, self.at);
                let Some(inner) = open else { return self.end() };
                match (self.byte(), inner.is_object) {
                    (b',', true) => {
                        self.at = past_blank(self.bytes, self.at.wrapping_add(1));
                        self.key()?;
                        break;
                    }
                    (b',', false) => {
                        self.at = self.at.wrapping_add(1);
                        break;
                    }
                    (b'}', true) | (b']', false) => {
                        depth = depth.wrapping_sub(1);
                        open = self.leave(inner);
                    }
                    _ => return Err(JsonErrorKind::ExpectedCommaOrClose),
                }
            }
        }
    }

    #[inline]
    fn byte(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    #[inline]
    fn push(&mut self, node: Node) -> Step<()> {
        if self.buffers.nodes.len() >= self.nodes_max {
            return Err(JsonErrorKind::Nodes);
        }
        self.buffers.nodes.push(node);
        Ok(())
    }

    fn end(&self) -> Step<()> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(JsonErrorKind::Trailing) }
    }

    /// Opens a container. Its link leads to its parent until it is closed.
    #[inline]
    fn enter(&mut self, parent: Option<Open>, is_object: bool) -> Step<Open> {
        let node = self.buffers.nodes.len() as u32;
        if let Some(parent) = parent {
            self.set_count(parent.node, parent.count);
        }
        let tag = if is_object { Tag::Object } else { Tag::Array };
        let link = parent.map_or(u32::MAX, |parent| parent.node);
        self.push(Node::new(tag, self.at, self.at, link))?;
        self.at = self.at.wrapping_add(1);
        Ok(Open { node, is_object, count: 0 })
    }

    /// Closes a container and gives its parent, which has one more value now.
    #[inline]
    fn leave(&mut self, inner: Open) -> Option<Open> {
        self.at = self.at.wrapping_add(1);
        let next = self.buffers.nodes.len() as u32;
        let node = self.buffers.nodes.get_mut(inner.node as usize)?;
        let parent = node.link;
        node.end = self.at as u32;
        node.link = next;
        node.set_count(inner.count);
        if inner.is_object {
            let found = repeated_key(self.text, self.buffers, inner.node, inner.count);
            if let Some(found) = found {
                self.seen.repeated = Some(self.seen.repeated.map_or(found, |it| it.min(found)));
            }
        }
        let outer = self.buffers.nodes.get(parent as usize)?;
        Some(Open {
            node: parent,
            is_object: outer.is_object(),
            count: outer.count().wrapping_add(1),
        })
    }

    #[inline]
    fn set_count(&mut self, node: u32, count: u32) {
        if let Some(node) = self.buffers.nodes.get_mut(node as usize) {
            node.set_count(count);
        }
    }

    #[inline]
    fn key(&mut self) -> Step<()> {
        if self.byte() != b'"' {
            return Err(JsonErrorKind::ExpectedKey);
        }
        self.string(true)?;
        self.at = past_blank(self.bytes, self.at);
        if self.byte() != b':' {
            return Err(JsonErrorKind::ExpectedColon);
        }
        self.at = self.at.wrapping_add(1);
        Ok(())
    }

    #[inline]
    fn scalar(&mut self, byte: u8) -> Step<()> {
        match byte {
            b'"' => self.string(false),
            b'0'..=b'9' => self.number(),
            b'-' if self.rest_starts("-Infinity") => self.non_finite("-Infinity"),
            b'-' => self.number(),
            b't' => self.literal("true", Tag::True),
            b'f' => self.literal("false", Tag::False),
            b'n' => self.literal("null", Tag::Null),
            b'N' => self.non_finite("NaN"),
            b'I' => self.non_finite("Infinity"),
            _ => Err(JsonErrorKind::ExpectedValue),
        }
    }

    #[inline]
    fn string(&mut self, is_key: bool) -> Step<()> {
        let start = self.at;
        let from = start.wrapping_add(1);
        let stop = string_stop(self.bytes, from);
        match self.bytes.get(stop) {
            Some(b'"') => {
                self.at = stop.wrapping_add(1);
                let key = if is_key { self.bytes.get(from..stop) } else { None };
                let print = key.map_or(0, print_of);
                self.push(Node::new(Tag::Plain, start, self.at, print))
            }
            Some(b'\\') => self.decoded(start, stop),
            Some(_) => self.fail(JsonErrorKind::Control, stop),
            None => self.fail(JsonErrorKind::Eof, stop),
        }
    }

    fn decoded(&mut self, start: usize, stop: usize) -> Step<()> {
        let mark = self.buffers.marks.len() as u32;
        self.buffers.marks.push(self.buffers.decoded.len() as u32);
        let from = start.wrapping_add(1);
        match escape::decode(self.text, from, stop, &mut self.buffers.decoded) {
            Ok((quote, lone)) => {
                self.seen.lone_surrogate |= lone;
                self.at = quote.wrapping_add(1);
                self.push(Node::new(Tag::Decoded, start, self.at, mark))
            }
            Err((kind, at)) => self.fail(kind, at),
        }
    }

    #[inline]
    fn number(&mut self) -> Step<()> {
        let start = self.at;
        match number_end(self.bytes, start) {
            Ok(end) if !self.bytes.get(end).is_some_and(|byte| is_number_like(*byte)) => {
                self.at = end;
                let length = end.wrapping_sub(start);
                self.seen.longest_number = self.seen.longest_number.max(length);
                self.push(Node::new(Tag::Number, start, end, 0))
            }
            Ok(at) | Err(at) => self.fail(JsonErrorKind::Number, at),
        }
    }

    fn rest_starts(&self, word: &str) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    fn literal(&mut self, word: &str, tag: Tag) -> Step<()> {
        if !self.rest_starts(word) {
            return Err(JsonErrorKind::ExpectedValue);
        }
        let start = self.at;
        self.at = start.wrapping_add(word.len());
        self.push(Node::new(tag, start, self.at, 0))
    }

    fn non_finite(&mut self, word: &str) -> Step<()> {
        if self.grammar == Grammar::Strict {
            return Err(JsonErrorKind::ExpectedValue);
        }
        self.seen.non_finite = true;
        self.literal(word, Tag::Number)
    }

    fn fail(&mut self, kind: JsonErrorKind, at: usize) -> Step<()> {
        self.at = at;
        Err(kind)
    }
}

/// Bytes that, right after a number, show that the number itself is badly written.
fn is_number_like(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'+' | b'-' | b'_')
}
