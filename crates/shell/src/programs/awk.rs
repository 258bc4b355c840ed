//! awk: its scripts run programs and write files.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, glued, valued};
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Awk = Awk;

/// It runs scripts of its own language.
pub(super) struct Awk;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-f --file").executes(),
    valued("-i --include").executes(),
    valued("-l --load").executes(),
    valued("-E --exec").executes(),
    valued("-e --source"),
    valued("-F --field-separator"),
    valued("-v --assign"),
    glued("-o --pretty-print").writes(),
    glued("-p --profile").writes(),
    glued("-d --dump-variables").writes(),
    flag("-n --non-decimal-data"),
]);

impl Program for Awk {
    fn names(&self) -> &'static [&'static str] {
        &["awk", "gawk", "mawk", "nawk"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let script = call.value("-e").or(if call.reading.has("-f") { None } else { call.word(0) });
        let Some(script) = script else { return };
        let (kind, message) = match script.literal() {
            Some(text) if does_more(&text) => {
                (EffectKind::Executes, "the script of `awk` can run programs or write files")
            }
            Some(_) => return,
            None => (EffectKind::Unknown, "the script of `awk` is known only when it runs"),
        };
        found.effects.push(Effect::new(kind, script.shown(), message.to_owned()));
    }
}

/// Whether a script holds, outside of its texts and patterns, what runs programs or writes files.
fn does_more(script: &str) -> bool {
    let code = bare(script);
    // A `>` behind a print writes; in a condition it compares.
    let printed =
        |it: &str| it.split_once("print").is_some_and(|it| outside_parentheses(it.1, '>'));
    if code.split([';', '}', '\n']).any(printed) {
        return true;
    }
    let single_pipe = code.replace("||", "").contains('|');
    let words = code.split(|it: char| it != '_' && it != '@' && !it.is_ascii_alphanumeric());
    let calls = words.into_iter().any(|it| matches!(it, "system" | "@load" | "@include"));
    // A name in `@` calls what a variable names.
    single_pipe || calls || code.contains('@')
}

fn outside_parentheses(text: &str, wanted: char) -> bool {
    let mut depth = 0_usize;
    text.chars().any(|it| {
        match it {
            '(' => depth = depth.saturating_add(1),
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && it == wanted
    })
}

/// A script without its texts, patterns and comments.
fn bare(script: &str) -> String {
    let mut out = String::new();
    let mut rest = script.chars();
    let mut before = '\n';
    while let Some(it) = rest.next() {
        let pattern = it == '/'
            && !before.is_ascii_alphanumeric()
            && !matches!(before, ')' | ']' | '_' | '$');
        if it == '"' || pattern {
            while let Some(inner) = rest.next() {
                match inner {
                    '\\' => drop(rest.next()),
                    inner if inner == it || inner == '\n' => break,
                    _ => {}
                }
            }
            out.push(' ');
            before = ')';
            continue;
        }
        if it == '#' {
            rest.by_ref().find(|it| *it == '\n');
            out.push('\n');
            before = '\n';
            continue;
        }
        out.push(it);
        if !it.is_whitespace() {
            before = it;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::does_more;

    #[test]
    fn a_script_that_only_prints_is_told_from_one_that_does_more() {
        for script in [
            "{print $1}",
            "$3 > 10 {print $1, $2}",
            "/a|b/ {print}",
            "NR>1 && ($2 > 3 || $1) {n++} END {print n}",
            "{print \"system(\" $1}",
            "{print ($1 > 2)}",
            "BEGIN{FS=\"|\"} {print $2}",
        ] {
            assert!(!does_more(script), "{script}");
        }
        for script in [
            "BEGIN{system(\"id\")}",
            "{print > \"f\"}",
            "{print $1 >> $2}",
            "{\"id\" | getline x}",
            "{print | \"sh\"}",
            "@load \"x\"; {print}",
            "{print $1 / 2 > \"f\"}",
        ] {
            assert!(does_more(script), "{script}");
        }
    }
}
