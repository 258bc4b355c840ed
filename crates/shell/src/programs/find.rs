//! find: actions that run commands, delete, or write files.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, Opt, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Find = Find;

/// It looks for files, and may run commands on them.
pub(super) struct Find;

const EXEC: &[&str] = &["-exec", "-execdir", "-ok", "-okdir"];

static OPTIONS: &[Opt] = &[
    flag("-delete").changes(),
    valued("-fls").writes(),
    valued("-fprint").writes(),
    valued("-fprint0").writes(),
    valued("-fprintf").writes(),
    valued("-name"),
    valued("-iname"),
    valued("-path"),
    valued("-ipath"),
    valued("-regex"),
    valued("-type"),
    valued("-maxdepth"),
    valued("-mindepth"),
    valued("-mtime"),
    valued("-mmin"),
    valued("-newer"),
    valued("-size"),
    valued("-perm"),
    valued("-user"),
    valued("-group"),
    valued("-printf"),
    flag("-print"),
    flag("-print0"),
];

static GRAMMAR: Grammar = Grammar::one_dash(OPTIONS);

impl Program for Find {
    fn names(&self) -> &'static [&'static str] {
        &["find", "gfind"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let mut at = 0_usize;
        while let Some(word) = call.words.get(at) {
            at = at.saturating_add(1);
            let Some(text) = word.literal().filter(|it| EXEC.contains(&it.as_str())) else {
                continue;
            };
            let rest = call.words.get(at..).unwrap_or_default();
            let words: Vec<Word> = rest.iter().take_while(|it| !ends(it)).cloned().collect();
            at = at.saturating_add(words.len());
            let message = format!("`find {text}` runs a command");
            let named = Named::Option(text.clone(), text.clone());
            found.effects.push(Effect::new(EffectKind::Executes, text, message).named(named));
            found.runs.push(Run::Words { words, operand: None });
        }
    }
}

fn ends(word: &Word) -> bool {
    matches!(word.literal().as_deref(), Some(";" | "+"))
}
