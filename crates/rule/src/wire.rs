//! How what a rule takes and remembers is written to bytes and read back: small, total and without a library.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;

/// Writes values one after another.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

/// Reads values in the order in which they were written.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'b> {
    bytes: &'b [u8],
}

/// Bytes that were not written by a [`Writer`], or not for this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// What can be written to bytes and read back.
///
/// Reading is total: any bytes give a value or [`Broken`], never a panic, and never more memory
/// than a small multiple of the bytes.
///
/// ```
/// use lawbook_rule::{Coded, Reader, Writer};
///
/// let mut out = Writer::default();
/// (7_u32, true).write(&mut out);
/// let bytes = out.into_bytes();
/// assert_eq!(<(u32, bool)>::read(&mut Reader::new(&bytes)), Ok((7, true)));
/// assert!(<(u32, bool)>::read(&mut Reader::new(&bytes[..1])).is_err());
/// ```
pub trait Coded: Sized {
    /// Writes the value.
    fn write(&self, out: &mut Writer);

    /// Reads a value.
    ///
    /// # Errors
    /// The bytes end early or hold no such value.
    fn read(from: &mut Reader<'_>) -> Result<Self, Broken>;
}

/// Makes a struct [`Coded`]: its fields, in the order in which they are listed.
///
/// ```
/// use lawbook_rule::{Coded, Reader, Writer, coded};
///
/// #[derive(Debug, PartialEq)]
/// struct Seen {
///     step: u32,
///     late: bool,
/// }
/// coded!(Seen { step, late });
///
/// let mut out = Writer::default();
/// Seen { step: 3, late: true }.write(&mut out);
/// let bytes = out.into_bytes();
/// assert_eq!(Seen::read(&mut Reader::new(&bytes)), Ok(Seen { step: 3, late: true }));
/// ```
#[macro_export]
macro_rules! coded {
    ($name:ident $(<$of:ident>)? { $($field:ident),* $(,)? }) => {
        impl$(<$of: $crate::Coded>)? $crate::Coded for $name$(<$of>)? {
            fn write(&self, out: &mut $crate::Writer) {
                $($crate::Coded::write(&self.$field, out);)*
            }

            fn read(from: &mut $crate::Reader<'_>) -> Result<Self, $crate::Broken> {
                Ok($name { $($field: $crate::Coded::read(from)?),* })
            }
        }
    };
}

impl fmt::Display for Broken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the bytes hold nothing that a rule took or remembers")
    }
}

impl std::error::Error for Broken {}

impl Writer {
    /// The bytes so far.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// One byte.
    pub fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A whole number: seven bits a byte, the lowest first, the high bit where more follow
    /// (unsigned LEB128).
    pub fn whole(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push((number & 0x7f) as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// Bytes whose number the reader knows.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// A text, with its length before it.
    pub fn text(&mut self, text: &str) {
        self.run(text.as_bytes());
    }

    /// Bytes, with their number before them.
    pub fn run(&mut self, bytes: &[u8]) {
        self.whole(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.raw(bytes);
    }

    /// Values, with their number before them.
    pub fn each<'v, T: Coded + 'v>(&mut self, values: impl ExactSizeIterator<Item = &'v T>) {
        self.whole(u64::try_from(values.len()).unwrap_or(u64::MAX));
        for value in values {
            value.write(self);
        }
    }
}

impl<'b> Reader<'b> {
    /// Reads bytes.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Reader { bytes }
    }

    /// Whether everything was read.
    ///
    /// # Errors
    /// Bytes are left.
    pub fn end(&self) -> Result<(), Broken> {
        if self.bytes.is_empty() { Ok(()) } else { Err(Broken) }
    }

    /// What was not read yet.
    #[must_use]
    pub fn rest(&self) -> &'b [u8] {
        self.bytes
    }

    /// One byte.
    ///
    /// # Errors
    /// No byte is left.
    pub fn byte(&mut self) -> Result<u8, Broken> {
        let (first, rest) = self.bytes.split_first().ok_or(Broken)?;
        self.bytes = rest;
        Ok(*first)
    }

    /// A whole number.
    ///
    /// # Errors
    /// It ends early, has more than 64 bits or more bytes than it needs.
    pub fn whole(&mut self) -> Result<u64, Broken> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            let placed = bits << shift;
            if placed >> shift != bits || (byte == 0 && shift > 0) {
                return Err(Broken);
            }
            number |= placed;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Broken)
    }

    /// So many bytes.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn raw(&mut self, count: usize) -> Result<&'b [u8], Broken> {
        let (first, rest) = self.bytes.split_at_checked(count).ok_or(Broken)?;
        self.bytes = rest;
        Ok(first)
    }

    /// Bytes with their number before them.
    ///
    /// # Errors
    /// Fewer are left.
    pub fn run(&mut self) -> Result<&'b [u8], Broken> {
        let count = self.whole()?;
        self.raw(usize::try_from(count).map_err(|_| Broken)?)
    }

    /// A text.
    ///
    /// # Errors
    /// It ends early or is not UTF-8.
    pub fn text(&mut self) -> Result<&'b str, Broken> {
        std::str::from_utf8(self.run()?).map_err(|_| Broken)
    }

    /// Values with their number before them. Each takes at least one byte.
    ///
    /// # Errors
    /// There are fewer, or one is broken.
    pub fn each<T: Coded>(&mut self) -> Result<Vec<T>, Broken> {
        let count = usize::try_from(self.whole()?).map_err(|_| Broken)?;
        // A value without bytes would make any number of them free.
        if count > self.bytes.len() {
            return Err(Broken);
        }
        (0..count).map(|_| T::read(self)).collect()
    }
}

impl Coded for () {
    fn write(&self, _out: &mut Writer) {}

    fn read(_from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok(())
    }
}

impl Coded for bool {
    fn write(&self, out: &mut Writer) {
        out.byte(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Broken),
        }
    }
}

impl Coded for u32 {
    fn write(&self, out: &mut Writer) {
        out.whole(u64::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        u32::try_from(from.whole()?).map_err(|_| Broken)
    }
}

impl Coded for u64 {
    fn write(&self, out: &mut Writer) {
        out.whole(*self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.whole()
    }
}

impl Coded for usize {
    fn write(&self, out: &mut Writer) {
        out.whole(u64::try_from(*self).unwrap_or(u64::MAX));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        usize::try_from(from.whole()?).map_err(|_| Broken)
    }
}

impl Coded for lawbook_event::Time {
    fn write(&self, out: &mut Writer) {
        out.raw(&self.nanos.to_be_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let bytes = from.raw(8)?.try_into().map_err(|_| Broken)?;
        Ok(lawbook_event::Time { nanos: i64::from_be_bytes(bytes) })
    }
}

impl Coded for Box<str> {
    fn write(&self, out: &mut Writer) {
        out.text(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.text().map(Box::from)
    }
}

impl Coded for String {
    fn write(&self, out: &mut Writer) {
        out.text(self);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.text().map(str::to_owned)
    }
}

impl<T: Coded> Coded for Box<T> {
    fn write(&self, out: &mut Writer) {
        (**self).write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        T::read(from).map(Box::new)
    }
}

impl<T: Coded> Coded for VecDeque<T> {
    fn write(&self, out: &mut Writer) {
        out.each(self.iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.each().map(VecDeque::from)
    }
}

impl<T: Coded> Coded for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.each(self.iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        from.each()
    }
}

/// Keys go up, so that equal sets are equal bytes.
impl<T: Coded + Ord> Coded for BTreeSet<T> {
    fn write(&self, out: &mut Writer) {
        out.each(self.iter());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let each: Vec<T> = from.each()?;
        rising(each.iter())?;
        Ok(each.into_iter().collect())
    }
}

impl<K: Coded + Ord, V: Coded> Coded for BTreeMap<K, V> {
    fn write(&self, out: &mut Writer) {
        out.whole(u64::try_from(self.len()).unwrap_or(u64::MAX));
        for (key, value) in self {
            key.write(out);
            value.write(out);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        let each: Vec<(K, V)> = from.each()?;
        rising(each.iter().map(|it| &it.0))?;
        Ok(each.into_iter().collect())
    }
}

/// Refuses keys that don't go up.
pub(crate) fn rising<'k, K: Ord + 'k>(keys: impl Iterator<Item = &'k K>) -> Result<(), Broken> {
    if keys.is_sorted_by(|a, b| a < b) { Ok(()) } else { Err(Broken) }
}

impl<T: Coded> Coded for Option<T> {
    fn write(&self, out: &mut Writer) {
        self.is_some().write(out);
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        bool::read(from)?.then(|| T::read(from)).transpose()
    }
}

impl<A: Coded, B: Coded> Coded for (A, B) {
    fn write(&self, out: &mut Writer) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, Broken> {
        Ok((A::read(from)?, B::read(from)?))
    }
}

#[cfg(test)]
mod tests {
    use super::{Broken, Coded, Reader, Writer};

    fn written(number: u64) -> Vec<u8> {
        let mut out = Writer::default();
        out.whole(number);
        out.into_bytes()
    }

    #[test]
    fn whole_numbers_come_back_and_have_one_spelling() {
        for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let bytes = written(number);
            let mut from = Reader::new(&bytes);
            assert_eq!((from.whole(), from.end()), (Ok(number), Ok(())));
            for end in 0..bytes.len() {
                assert_eq!(Reader::new(&bytes[..end]).whole(), Err(Broken), "{number} cut");
            }
        }
        let more_bits = [0xff; 9].into_iter().chain([0x02]).collect::<Vec<u8>>();
        for bad in [&[0x80, 0x00][..], &[0xff; 11], &more_bits] {
            assert_eq!(Reader::new(bad).whole(), Err(Broken), "{bad:?}");
        }
        assert_eq!(u32::read(&mut Reader::new(&written(1 << 32))), Err(Broken));
    }

    #[test]
    fn a_number_of_values_that_are_not_there_takes_no_memory() {
        let bytes = written(u64::MAX);
        assert_eq!(Reader::new(&bytes).each::<u32>(), Err(Broken));
        assert_eq!(Reader::new(&bytes).each::<()>(), Err(Broken));
        assert_eq!(Reader::new(&bytes).text(), Err(Broken));
    }

    #[test]
    fn texts_are_utf8() {
        assert_eq!(Reader::new(&[2, 0xc3, 0xa9]).text(), Ok("é"));
        assert_eq!(Reader::new(&[1, 0xc3]).text(), Err(Broken));
    }
}
