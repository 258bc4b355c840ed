//! Sets of characters, and which case variants belong to them.

use super::output::push_char;

/// How letters of another case count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    /// They are other letters.
    None,
    /// As Python folds text: Unicode's simple folding, and all four kinds of i.
    Python,
    /// Only ASCII letters have two cases.
    Ascii,
    /// As ECMAScript folds without the flag `u`: no ASCII letter equals a letter beyond ASCII.
    JavaScript,
}

/// A class under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Charset {
    negated: bool,
    ranges: Vec<(char, char)>,
    /// Classes in the engines' syntax: `\p{Nd}`.
    classes: String,
}

/// Ranges beyond ASCII up to this many characters get case variants one by one.
const FOLDED_RANGE_MAX: u32 = 1024;

/// Upper-case letters with more than one lower-case letter beyond ASCII.
const LOWER_TWINS: [[char; 3]; 10] = [
    ['Β', 'β', 'ϐ'],
    ['Ε', 'ε', 'ϵ'],
    ['Θ', 'θ', 'ϑ'],
    ['Κ', 'κ', 'ϰ'],
    ['Μ', 'μ', 'µ'],
    ['Π', 'π', 'ϖ'],
    ['Ρ', 'ρ', 'ϱ'],
    ['Σ', 'σ', 'ς'],
    ['Φ', 'φ', 'ϕ'],
    ['Ṡ', 'ṡ', 'ẛ'],
];

impl Charset {
    pub fn of(it: char) -> Self {
        let mut set = Charset::default();
        set.add_range(it, it);
        set
    }

    pub fn open(negated: bool) -> Self {
        Charset { negated, ..Charset::default() }
    }

    pub fn of_class(class: &str) -> Self {
        Charset { classes: class.to_owned(), ..Charset::default() }
    }

    pub fn add_range(&mut self, low: char, high: char) {
        self.ranges.push((low, high));
    }

    pub fn add_class(&mut self, class: &str) {
        self.classes.push_str(class);
    }

    /// The set as both engines read it.
    pub fn write(mut self, fold: Fold) -> String {
        let is_single = !self.negated && self.classes.is_empty();
        match (fold, self.ranges.as_slice()) {
            (Fold::None, [(low, high)]) if is_single && low == high => {
                let mut out = String::new();
                push_char(&mut out, *low);
                return out;
            }
            (Fold::None, _) => {}
            (Fold::Python, _) => self.add_kinds_of_i(),
            (Fold::Ascii, _) => self.add_ascii_cases(),
            (Fold::JavaScript, _) => {
                self.add_cases_beyond_ascii();
                self.add_ascii_cases();
            }
        }
        let class = self.class();
        let has_letters = !self.ranges.is_empty();
        if fold == Fold::Python && has_letters { format!("(?i:{class})") } else { class }
    }

    fn class(&self) -> String {
        if self.ranges.is_empty() && self.classes.is_empty() {
            // ECMAScript's `[]` matches nothing and `[^]` everything.
            return if self.negated { r"[\s\S]" } else { r"[^\s\S]" }.to_owned();
        }
        let mut out = String::from(if self.negated { "[^" } else { "[" });
        for (low, high) in &self.ranges {
            push_char(&mut out, *low);
            if low != high {
                out.push('-');
                push_char(&mut out, *high);
            }
        }
        out.push_str(&self.classes);
        out.push(']');
        out
    }

    fn holds(&self, it: char) -> bool {
        self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&it))
    }

    /// Python takes i, I, dotless ı and dotted İ for one letter; simple folding keeps them apart.
    fn add_kinds_of_i(&mut self) {
        let kinds = ['i', 'I', 'ı', 'İ'];
        if kinds.iter().any(|it| self.holds(*it)) {
            self.ranges.extend(kinds.map(|it| (it, it)));
        }
    }

    fn add_ascii_cases(&mut self) {
        let mut more = Vec::new();
        for (from, to, other) in [('a', 'z', 'A'), ('A', 'Z', 'a')] {
            for (low, high) in &self.ranges {
                let (low, high) = ((*low).max(from), (*high).min(to));
                if low <= high {
                    let shift = |it: char| {
                        let place = u32::from(it).wrapping_sub(u32::from(from));
                        char::from_u32(place.wrapping_add(u32::from(other))).unwrap_or(it)
                    };
                    more.push((shift(low), shift(high)));
                }
            }
        }
        self.ranges.extend(more);
    }

    fn add_cases_beyond_ascii(&mut self) {
        let mut more = Vec::new();
        for (low, high) in &self.ranges {
            let low = (*low).max('\u{80}');
            let width = u32::from(*high).saturating_sub(u32::from(low));
            if low > *high || width > FOLDED_RANGE_MAX {
                continue;
            }
            for it in low..=*high {
                let upper = single(it.to_uppercase()).unwrap_or(it);
                more.push(upper);
                more.extend(single(upper.to_lowercase()));
                let twins = LOWER_TWINS.iter().filter(|twins| twins.contains(&upper));
                more.extend(twins.flatten());
            }
        }
        more.retain(|it| !it.is_ascii());
        self.ranges.extend(more.into_iter().map(|it| (it, it)));
    }
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next()?;
    chars.next().is_none().then_some(first)
}
