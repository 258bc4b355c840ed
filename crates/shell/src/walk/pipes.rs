//! What is said into the pipes of a text, as far as that can be told: it serves to find what is
//! forbidden, and allows nothing.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::{Assignment, Command, Place, Script, Word};

/// How many texts of one pipe are kept.
const TEXTS_MAX: usize = 64;

/// The texts that are said into each pipe.
#[derive(Debug, Default)]
pub(super) struct Pipes {
    texts: BTreeMap<u32, Vec<Rc<str>>>,
    /// The number of the newest pipe.
    newest: u32,
}

impl Pipes {
    /// Makes numbers of this text for the pipes of a script; what feeds the script feeds those of
    /// its commands that no pipe of its own feeds.
    pub fn number(&mut self, script: &mut Script, outer: &Place) {
        let base = self.newest;
        self.newest = base.saturating_add(script.pipes);
        let own = |it: u32, other: u32| if it == 0 { other } else { it.saturating_add(base) };
        for command in &mut script.commands {
            let place = &mut command.place;
            place.fed |= outer.fed;
            place.reads = own(place.reads, outer.reads);
            place.feeds = own(place.feeds, outer.feeds);
        }
    }

    /// Keeps what a command says into its pipe: a text of its own, or what is said to it.
    pub fn say(&mut self, place: &Place, text: Option<String>, passes: bool) {
        let passed = passes.then(|| self.texts.get(&place.reads).cloned()).flatten();
        let texts = self.texts.entry(place.feeds).or_default();
        let more = passed.into_iter().flatten().chain(text.map(Rc::from));
        for text in more {
            if texts.len() <= TEXTS_MAX && !texts.iter().any(|it| Rc::ptr_eq(it, &text)) {
                texts.push(text);
            }
        }
    }

    /// What is said into a pipe, one text on each line; none where that is more than may be read.
    pub fn said(&self, pipe: u32, bytes: usize) -> Option<String> {
        let Some(texts) = self.texts.get(&pipe) else { return Some(String::new()) };
        let length: usize = texts.iter().map(|it| it.len().saturating_add(1)).sum();
        if length > bytes || texts.len() > TEXTS_MAX {
            return None;
        }
        Some(texts.iter().map(|it| it.trim_end_matches('\n')).collect::<Vec<_>>().join("\n"))
    }
}

/// The words that a script is called with, as assignments in front of it: `$0`, `$1` and so on.
pub(super) fn given(words: Vec<Word>, script: &Script) -> Option<Command> {
    let place = script.commands.first()?.place;
    if words.is_empty() {
        return None;
    }
    let all: Option<Vec<String>> = words.iter().skip(1).map(Word::literal).collect();
    let all = all.map(|it| Word::plain(&it.join(" ")));
    let named = |(number, value): (usize, Word)| (number.to_string(), value);
    let all = all.into_iter().flat_map(|it| ["@", "*"].map(|name| (name.to_owned(), it.clone())));
    let assignments = words.into_iter().enumerate().map(named).chain(all);
    let assignments =
        assignments.map(|(name, value)| Assignment { name, subscript: false, value }).collect();
    let place = Place { conditional: false, reads: 0, feeds: 0, ..place };
    Some(Command { assignments, place, ..Command::default() })
}
