//! Text to tape: one pass, no recursion.

use super::node::{Node, Tag};
use super::repeats::{print_of, repeated_key};
use super::scan::{number_end, past_blank, string_stop};
use super::tape::{Buffers, Piece, SECOND};
use super::{Grammar, JsonError, JsonErrorKind, Limits, escape};

/// What was seen on the way.
#[derive(Clone, Copy, Debug, Default)]
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
    buffers.clear();
    Parser::new(text, grammar, limits, buffers).text()
}

impl JsonErrorKind {
    /// A syntax error at the very end of the text is an early end.
    fn at_end(self) -> Self {
        if self.is_limit() { self } else { Self::Eof }
    }
}

pub(super) struct Parser<'t, 'b> {
    text: &'t str,
    bytes: &'t [u8],
    grammar: Grammar,
    limits: Limits,
    /// Where the parser stands; the place of the error when it fails.
    pub at: usize,
    buffers: &'b mut Buffers,
    /// Whether nodes are added to the second piece.
    into_second: bool,
    /// Most brackets that were open at one place.
    deepest: usize,
    pub seen: Seen,
    /// Where it stops if it comes there in a list.
    pub cut: Option<usize>,
}

/// The rest of a list.
#[derive(Debug)]
pub(super) struct Rest {
    piece: Piece,
    items: u32,
    /// Where the list is closed.
    end: usize,
    deepest: usize,
    seen: Seen,
}

/// Where a parser goes on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    open: Option<Open>,
    depth: usize,
    /// Whether a value has just ended.
    after_value: bool,
    /// The list whose end is the end.
    list: Option<u32>,
}

/// Why a parser stops.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// So many values were there.
    End(u32),
    /// It came to where the text is cut.
    Cut(Place),
}

/// The container that is being read.
#[derive(Clone, Copy, Debug)]
struct Open {
    node: u32,
    is_object: bool,
    count: u32,
}

pub(super) type Step<T> = Result<T, JsonErrorKind>;

impl<'t, 'b> Parser<'t, 'b> {
    pub fn new(text: &'t str, grammar: Grammar, limits: &Limits, buffers: &'b mut Buffers) -> Self {
        Parser {
            text,
            bytes: text.as_bytes(),
            grammar,
            limits: Limits { nodes_max: limits.nodes_max.min(Limits::NODES_HARD_MAX), ..*limits },
            at: 0,
            buffers,
            into_second: false,
            deepest: 0,
            seen: Seen::default(),
            cut: None,
        }
    }

    /// Reads the whole text.
    fn text(mut self) -> Result<Seen, JsonError> {
        let bytes_max = self.limits.bytes_max();
        if self.text.len() > bytes_max {
            return Err(JsonError::new(JsonErrorKind::Bytes, self.text, bytes_max));
        }
        let stop = self.run(Place::default());
        self.ended(stop)
    }

    /// What becomes of the text.
    pub fn ended(self, stop: Step<Stop>) -> Result<Seen, JsonError> {
        stop.and_then(|_| self.end()).map(|()| self.seen).map_err(|kind| {
            let kind = if self.at >= self.text.len() { kind.at_end() } else { kind };
            JsonError::new(kind, self.text, self.at)
        })
    }

    /// Reads the items of a list from one of them on, into the second piece; nothing where they are
    /// not JSON. The first node stands for the list as long as it is read.
    pub fn rest_of_list(mut self, at: usize) -> Option<Rest> {
        self.into_second = true;
        let open = self.enter(None, false).ok()?;
        self.at = at;
        let place = Place { open: Some(open), list: Some(open.node), ..Place::default() };
        let Ok(Stop::End(items)) = self.run(place) else { return None };
        let (deepest, end, seen) = (self.deepest, self.at, self.seen);
        let piece = std::mem::take(&mut self.buffers.second);
        Some(Rest { piece, items, end, deepest, seen })
    }

    /// Takes over the rest of the list that is open at a place, and says where to go on.
    pub fn take(&mut self, rest: Option<Rest>, place: Place) -> Place {
        let (Some(rest), Some(open)) = (rest, place.open) else { return place };
        // The first node of the second piece is none of the text.
        let first = self.buffers.first.nodes.len().saturating_sub(1);
        let nodes_max = self.limits.nodes_max.saturating_sub(first);
        let deepest = place.depth.wrapping_add(rest.deepest);
        // What passes a limit is read again, to find out where it does.
        if deepest > self.limits.depth_max || rest.piece.nodes.len() > nodes_max {
            return place;
        }
        self.limits.nodes_max = nodes_max;
        self.buffers.second = rest.piece;
        self.into_second = true;
        self.at = rest.end;
        let seen = rest.seen;
        self.seen.repeated = self.seen.repeated.or(seen.repeated);
        self.seen.lone_surrogate |= seen.lone_surrogate;
        self.seen.non_finite |= seen.non_finite;
        self.seen.longest_number = self.seen.longest_number.max(seen.longest_number);
        let open = Open { count: open.count.wrapping_add(rest.items), ..open };
        Place { open: Some(open), after_value: true, ..place }
    }

    /// Reads a value, or the rest of a list up to its bracket.
    pub fn run(&mut self, from: Place) -> Step<Stop> {
        let Place { mut open, mut depth, after_value, list } = from;
        if after_value && let Some(stop) = self.after_value(&mut open, &mut depth, list)? {
            return Ok(stop);
        }
        loop {
            self.at = past_blank(self.bytes, self.at);
            let byte = self.byte();
            if matches!(byte, b'{' | b'[') {
                depth = depth.wrapping_add(1);
                if depth > self.limits.depth_max {
                    return Err(JsonErrorKind::Depth);
                }
                self.deepest = self.deepest.max(depth);
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
            if let Some(stop) = self.after_value(&mut open, &mut depth, list)? {
                return Ok(stop);
            }
        }
    }

    /// A value has just ended: commas lead on, brackets close.
    #[inline(always)]
    fn after_value(
        &mut self,
        open: &mut Option<Open>,
        depth: &mut usize,
        list: Option<u32>,
    ) -> Step<Option<Stop>> {
        loop {
            self.at = past_blank(self.bytes, self.at);
            let Some(inner) = *open else { return Ok(Some(Stop::End(1))) };
            match (self.byte(), inner.is_object) {
                (b',', true) => {
                    self.at = past_blank(self.bytes, self.at.wrapping_add(1));
                    self.key()?;
                    return Ok(None);
                }
                (b',', false) => {
                    self.at = self.at.wrapping_add(1);
                    let place = Place { open: *open, depth: *depth, after_value: false, list };
                    return Ok((self.cut == Some(self.at)).then_some(Stop::Cut(place)));
                }
                (b']', false) if list == Some(inner.node) => {
                    return Ok(Some(Stop::End(inner.count)));
                }
                (b'}', true) | (b']', false) => {
                    *depth = depth.wrapping_sub(1);
                    *open = self.leave(inner);
                }
                _ => return Err(JsonErrorKind::ExpectedCommaOrClose),
            }
        }
    }

    #[inline]
    fn byte(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or_default()
    }

    #[inline]
    fn push(&mut self, node: Node) -> Step<()> {
        let nodes_max = self.limits.nodes_max;
        let nodes = &mut self.piece().nodes;
        if nodes.len() >= nodes_max {
            return Err(JsonErrorKind::Nodes);
        }
        nodes.push(node);
        Ok(())
    }

    /// The piece that nodes are added to.
    #[inline]
    fn piece(&mut self) -> &mut Piece {
        if self.into_second { &mut self.buffers.second } else { &mut self.buffers.first }
    }

    /// The index of the next node.
    #[inline]
    fn next_index(&mut self) -> u32 {
        let base = if self.into_second { SECOND } else { 0 };
        base.wrapping_add(self.piece().nodes.len() as u32)
    }

    fn end(&self) -> Step<()> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(JsonErrorKind::Trailing) }
    }

    /// Opens a container. Its link leads to its parent until it is closed.
    #[inline]
    fn enter(&mut self, parent: Option<Open>, is_object: bool) -> Step<Open> {
        let node = self.next_index();
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
        let next = self.next_index();
        let node = self.buffers.node_mut(inner.node)?;
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
        let outer = self.buffers.node(parent)?;
        Some(Open {
            node: parent,
            is_object: outer.is_object(),
            count: outer.count().wrapping_add(1),
        })
    }

    #[inline]
    fn set_count(&mut self, node: u32, count: u32) {
        if let Some(node) = self.buffers.node_mut(node) {
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
        let (base, text) = (if self.into_second { SECOND } else { 0 }, self.text);
        let piece = self.piece();
        let mark = base.wrapping_add(piece.marks.len() as u32);
        piece.marks.push(piece.decoded.len() as u32);
        let from = start.wrapping_add(1);
        match escape::decode(text, from, stop, &mut piece.decoded) {
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
