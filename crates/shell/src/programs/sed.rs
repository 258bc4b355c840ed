//! sed: its scripts write files and run programs, and one option edits in place.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, glued, valued};
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Sed = Sed;

/// It runs scripts of its own language.
pub(super) struct Sed;

static GRAMMAR: Grammar = Grammar::of(&[
    glued("-i --in-place").changes(),
    valued("-e --expression"),
    valued("-f --file").executes(),
    valued("-l --line-length"),
    flag("-n --quiet --silent"),
    flag("-E -r --regexp-extended"),
    flag("-s --separate"),
    flag("-z --null-data"),
    flag("-u --unbuffered"),
    flag("--posix"),
    flag("--sandbox"),
    flag("--debug"),
    flag("--follow-symlinks"),
]);

impl Program for Sed {
    fn names(&self) -> &'static [&'static str] {
        &["gsed", "sed"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let given = call.reading.options.iter().filter(|it| it.name == "-e");
        let mut scripts: Vec<&Word> = given.filter_map(|it| it.value.as_ref()).collect();
        if scripts.is_empty() && !call.reading.has("-f") {
            scripts.extend(call.word(0));
        }
        for script in scripts {
            let (does, message) = match script.literal() {
                Some(text) => match command(&text) {
                    Some('e') => (EffectKind::Executes, "a command in the script of `sed` runs a program"),
                    Some(_) => (EffectKind::Writes, "a command in the script of `sed` writes or reads a file"),
                    None => continue,
                },
                None => (EffectKind::Unknown, "the script of `sed` is known only when it runs"),
            };
            found.effects.push(Effect::new(does, script.shown(), message.to_owned()));
        }
    }
}

/// The first command of a script that writes, reads or runs something.
fn command(script: &str) -> Option<char> {
    let mut rest = script.chars().peekable();
    while let Some(it) = rest.next() {
        match it {
            // An address.
            '/' => skip(&mut rest, '/'),
            '\\' => {
                if let Some(end) = rest.next() {
                    skip(&mut rest, end);
                }
            }
            'w' | 'W' | 'e' | 'r' | 'R' => return Some(it),
            's' => {
                let end = rest.next()?;
                skip(&mut rest, end);
                skip(&mut rest, end);
                while let Some(it) = rest.next_if(|it| !matches!(it, ';' | '\n' | '}' | ' ')) {
                    if matches!(it, 'e' | 'w') {
                        return Some(it);
                    }
                }
            }
            'y' => {
                let end = rest.next()?;
                skip(&mut rest, end);
                skip(&mut rest, end);
            }
            // Text, a label or a comment, to the end of the line.
            'a' | 'i' | 'c' | '#' => while rest.next_if(|it| *it != '\n').is_some() {},
            ':' | 'b' | 't' | 'T' | 'q' | 'Q' | 'l' | 'L' => {
                while rest.next_if(|it| !matches!(it, ';' | '\n' | '}')).is_some() {}
            }
            _ => {}
        }
    }
    None
}

/// Goes behind the next delimiter that no backslash stands before.
fn skip(rest: &mut std::iter::Peekable<std::str::Chars<'_>>, end: char) {
    while let Some(it) = rest.next() {
        match it {
            '\\' => drop(rest.next()),
            it if it == end => return,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn a_script_that_only_edits_its_input_is_told_from_one_that_does_more() {
        for script in ["s/a/b/", "1,5p", "/write/d", "s|w|e|g", "$!N;P;D", "a we wrote", "y/we/rw/"] {
            assert_eq!(command(script), None, "{script}");
        }
        for script in ["w out", "s/a/b/e", "s/a/b/w f", "1e id", "/x/{w f\n}", "r f", "s/w/e/gw f"] {
            assert!(command(script).is_some(), "{script}");
        }
    }
}
