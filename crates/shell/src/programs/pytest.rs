//! pytest: options that name what it writes or sends, and code that it loads.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, glued, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Pytest = Pytest;

/// It loads plugins that options name.
pub(super) struct Pytest;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("--junitxml --junit-xml").writes(),
    valued("--basetemp").writes(),
    valued("--log-file").writes(),
    valued("--report-log --result-log --html --json-report-file").writes(),
    valued("--pastebin").network(),
    valued("--rootdir").directory(),
    valued("--confcutdir").trusts(),
    valued("-c --config-file").trusts(),
    valued("-o --override-ini").executes(),
    valued("-p"),
    valued("-k"),
    valued("-m"),
    valued("-n --numprocesses"),
    valued("-W --pythonwarnings"),
    valued("-r"),
    valued("--tb"),
    valued("--maxfail"),
    valued("--durations"),
    valued("--deselect"),
    valued("--ignore"),
    valued("--timeout"),
    glued("--cov"),
    valued("--cov-report"),
    flag("-x --exitfirst"),
    flag("-q --quiet"),
    flag("-v --verbose"),
    flag("-s"),
    flag("-l --showlocals"),
    flag("--lf --last-failed"),
    flag("--ff --failed-first"),
    flag("--co --collect-only"),
]);

impl Program for Pytest {
    fn names(&self) -> &'static [&'static str] {
        &["py.test", "pytest"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        false
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        for given in &call.reading.options {
            let Some(value) = &given.value else { continue };
            let named = || Named::Option(given.name.clone(), given.written.clone());
            let text = value.shown();
            // `-p no:NAME` leaves a plugin out.
            if given.name == "-p" && !text.starts_with("no:") {
                let message = format!("`pytest -p` loads the code `{text}`");
                let effect = Effect::new(EffectKind::Executes, text, message);
                found.effects.push(effect.named(named()));
            } else if given.name == "--cov-report"
                && let Some((kind, _)) = text.split_once(':')
            {
                let file = crate::reading::tail(value, kind.len().saturating_add(1));
                found.effects.extend(Effect::writes(&file, call.cwd).map(|it| it.named(named())));
            }
        }
    }
}
