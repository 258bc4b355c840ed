//! Patterns over a whole segment, words joined by one space.

use crate::prefix::Fit;
use crate::programs;
use crate::segment::Named;
use crate::{Glob, Prefix, Segment};

/// The texts that a pattern is compared with.
pub(crate) struct Text {
    /// As written.
    written: String,
    /// With the program by its name, where its path is trusted.
    named: Option<String>,
    /// With the program by its name, whatever its path.
    bare: Option<String>,
    /// The same with the files that redirections feed it behind its words.
    fed: Option<String>,
}

impl Text {
    /// The texts of a segment.
    pub fn of(segment: &Segment) -> Text {
        let words: Vec<String> = segment.argv.iter().map(crate::Word::shown).collect();
        let written = words.join(" ");
        let bare = segment.program.as_ref().map(|name| {
            let rest = words.iter().skip(1);
            rest.fold(name.clone(), |out, it| format_joined(out, it))
        });
        let bare = bare.filter(|it| *it != written);
        let named = bare.clone().filter(|_| !segment.by_path);
        let fed = (!segment.reads.is_empty()).then(|| {
            let text = bare.clone().unwrap_or_else(|| written.clone());
            segment.reads.iter().fold(text, |out, it| format_joined(out, &it.shown()))
        });
        Text { written, named, bare, fed }
    }

    /// Whether a pattern fits one of them.
    pub fn fits(&self, strict: bool, pattern: impl Fn(&str) -> bool) -> bool {
        if strict {
            return pattern(&self.written) || self.named.as_deref().is_some_and(pattern);
        }
        let others = [self.bare.as_deref(), self.fed.as_deref()];
        pattern(&self.written) || others.into_iter().flatten().any(pattern)
    }
}

fn format_joined(mut out: String, word: &str) -> String {
    out.push(' ');
    out.push_str(word);
    out
}

impl Glob {
    /// Whether it fits everything.
    pub(crate) fn is_all(&self) -> bool {
        !self.text.is_empty() && self.text.chars().all(|it| it == '*')
    }

    /// Whether it fits a text.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        let pattern = self.text.trim();
        if let Some(head) = pattern.strip_suffix(" *")
            && !head.contains(['*', '?'])
            && text == head
        {
            return true;
        }
        self.walk(pattern.as_bytes(), text.as_bytes())
    }

    /// Goes along both; a `*` that took too little takes one more.
    fn walk(&self, pattern: &[u8], text: &[u8]) -> bool {
        let (mut p, mut t) = (0_usize, 0_usize);
        let mut star: Option<(usize, usize)> = None;
        while let Some(it) = text.get(t) {
            match pattern.get(p) {
                Some(b'*') => {
                    star = Some((p, t));
                    p = p.saturating_add(1);
                }
                Some(b'?') if self.question => {
                    p = p.saturating_add(1);
                    t = t.saturating_add(1);
                    // One character may be several bytes.
                    while text.get(t).is_some_and(|it| it & 0xC0 == 0x80) {
                        t = t.saturating_add(1);
                    }
                }
                Some(wanted) if wanted == it => {
                    p = p.saturating_add(1);
                    t = t.saturating_add(1);
                }
                _ => {
                    let Some((at, from)) = star else { return false };
                    let from = from.saturating_add(1);
                    star = Some((at, from));
                    p = at.saturating_add(1);
                    t = from;
                }
            }
        }
        pattern.get(p..).unwrap_or_default().iter().all(|it| *it == b'*')
    }

    /// The leading words and options that it names, where it is made of those alone.
    pub(crate) fn prefix(&self) -> Option<Prefix> {
        let mut pieces = self.text.split('*');
        let head = pieces.next()?;
        let whole = !self.text.contains('*') || head.ends_with(' ');
        if !whole || self.question && self.text.contains('?') {
            return None;
        }
        let prefix = Prefix::parse(head).ok()?;
        let mut options: Vec<String> = Vec::new();
        for piece in pieces.map(str::trim).filter(|it| !it.is_empty()) {
            if !piece.starts_with('-') {
                return None;
            }
            options.extend(piece.split_whitespace().map(str::to_owned));
        }
        Some(if options.is_empty() { prefix } else { prefix.with_options(options) })
    }

    /// How well it fits the words `name=value` of a call, in whatever order they stand.
    pub(crate) fn assigned(&self, segment: &Segment) -> Fit {
        let name = segment.program.as_deref().unwrap_or_default();
        if !crate::prefix::grammar(name).assigns {
            return Fit::No;
        }
        let mut words = self.text.split_whitespace();
        if !words.next().is_some_and(|it| programs::means(programs::identity(it).name, name)) {
            return Fit::No;
        }
        let fits = |word: &str| {
            let Some((key, value)) = word.split_once('=') else { return Fit::No };
            let pattern = Glob { text: value.to_owned(), question: self.question };
            let given = segment.reading.options.iter().filter(|it| it.name == key);
            let fit = given.filter_map(|it| it.value.as_ref()).map(|value| match value.literal() {
                Some(text) if pattern.is_match(&text) => Fit::Yes,
                Some(_) => Fit::No,
                None => Fit::Maybe,
            });
            fit.max().unwrap_or(if segment.reading.full { Fit::Maybe } else { Fit::No })
        };
        words.map(fits).min().unwrap_or(Fit::No)
    }

    /// Whether it names what a rule must name.
    pub(crate) fn names(&self, named: &Named) -> bool {
        let mut words = self.text.split_whitespace();
        match named {
            Named::Never | Named::Words(usize::MAX) => false,
            Named::Option(name, written) => {
                words.any(|it| it == written || it == name || it.split('=').next() == Some(written))
            }
            Named::Words(count) => {
                words.take_while(|it| !it.contains('*')).filter(|it| !it.starts_with('-')).count()
                    >= *count
            }
        }
    }
}
