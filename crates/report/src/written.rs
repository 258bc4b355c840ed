//! What becomes of the sessions of a report in formats that have a bound for them.

/// What becomes of the sessions of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// All are written as they come.
    None,
    /// They are written as they come, up to so many lines; the lines beyond are counted.
    Lines(usize),
    /// They are held back until the numbers stand, up to so many lines; the lines beyond are
    /// counted.
    Held(usize),
}

/// What became of the sessions of a report, for its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The lines that were held back.
    pub held: String,
    /// How many lines are left out.
    pub left_out: u64,
    wrote: bool,
    lines: usize,
}

impl Written {
    /// Takes in the text of a session or of several, and gives what can be written now.
    pub fn take<'t>(&mut self, bound: Bound, between: &'static str, text: &'t str) -> Vec<&'t str> {
        if text.is_empty() {
            return Vec::new();
        }
        let kept = match bound {
            Bound::None => text,
            Bound::Lines(most) | Bound::Held(most) => self.within(most, text, between),
        };
        if kept.is_empty() {
            return Vec::new();
        }
        let between = if self.wrote { between } else { "" };
        self.wrote = true;
        if matches!(bound, Bound::Held(_)) {
            self.held.push_str(between);
            self.held.push_str(kept);
            return Vec::new();
        }
        vec![between, kept]
    }

    /// Whether no line of a session is there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.wrote
    }

    /// The first lines of a text, as many as there is room for.
    fn within<'t>(&mut self, most: usize, text: &'t str, between: &str) -> &'t str {
        let room = most.saturating_sub(self.lines);
        let all = text.lines().count();
        self.lines = self.lines.saturating_add(all.min(room));
        let more = all.saturating_sub(room);
        self.left_out = self.left_out.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
        if more == 0 {
            return text;
        }
        let end: usize = text.split_inclusive('\n').take(room).map(str::len).sum();
        let kept = text.get(..end).unwrap_or_default();
        kept.strip_suffix(between).unwrap_or(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, Written};

    #[test]
    fn lines_beyond_the_bound_are_counted_and_nothing_is_left_hanging() {
        let mut written = Written::default();
        let bound = Bound::Lines(3);
        assert_eq!(written.take(bound, ",\n", "a,\nb"), ["", "a,\nb"]);
        assert_eq!(written.take(bound, ",\n", "c,\nd,\ne"), [",\n", "c"]);
        assert!(written.take(bound, ",\n", "f").is_empty());
        assert_eq!(written.left_out, 3);
    }

    #[test]
    fn what_is_held_stands_at_the_end_and_has_a_bound_too() {
        let mut written = Written::default();
        assert!(written.take(Bound::Held(2), "\n", "a").is_empty());
        assert!(written.take(Bound::Held(2), "\n", "b\nc").is_empty());
        assert_eq!((written.held.as_str(), written.left_out), ("a\nb", 1));
    }
}
