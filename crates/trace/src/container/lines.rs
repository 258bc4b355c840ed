//! Lines of a block of bytes.

use lawbook_diag::Problem;

use crate::Source;

/// One line that is not blank, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'b> {
    /// Its number, from 1.
    pub number: u32,
    /// The text.
    pub text: &'b str,
}

/// The lines of a block, blank ones left out. A line that is not UTF-8 is a problem.
#[derive(Clone, Debug)]
pub struct Lines<'b, 's> {
    rest: &'b [u8],
    number: u32,
    source: &'s Source,
}

impl<'b, 's> Lines<'b, 's> {
    /// The lines of `block`, whose first line has the number `first`.
    #[must_use]
    pub fn new(block: &'b [u8], first: u32, source: &'s Source) -> Self {
        Lines { rest: block, number: first, source }
    }

    /// The number that the line after the last one would have.
    #[must_use]
    pub fn next_number(&self) -> u32 {
        self.number
    }

    fn invalid(&self, number: u32, error: &std::str::Utf8Error) -> Problem {
        let column = u32::try_from(error.valid_up_to()).unwrap_or(u32::MAX).saturating_add(1);
        Problem::new(self.source.name.clone(), "not_utf8", "the line is not UTF-8")
            .at(number, column)
            .help("save the file as UTF-8")
    }
}

impl<'b> Iterator for Lines<'b, '_> {
    type Item = Result<Line<'b>, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let end = memchr::memchr(b'\n', self.rest);
            let (line, rest) = match end.and_then(|end| self.rest.split_at_checked(end)) {
                Some((line, rest)) => (line, rest.get(1..).unwrap_or_default()),
                None => (self.rest, &[][..]),
            };
            let number = self.number;
            self.rest = rest;
            if end.is_some() {
                self.number = self.number.saturating_add(1);
            }
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            return Some(match simdutf8::compat::from_utf8(line) {
                Ok(text) => Ok(Line { number, text }),
                Err(_) => match std::str::from_utf8(line) {
                    Ok(text) => Ok(Line { number, text }),
                    Err(error) => Err(self.invalid(number, &error)),
                },
            });
        }
        None
    }
}

/// How many bytes of a block are whole lines: up to and with its last line end.
#[must_use]
pub fn block_end(block: &[u8]) -> usize {
    memchr::memrchr(b'\n', block).map_or(0, |at| at.saturating_add(1))
}
