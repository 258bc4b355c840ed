//! eslint: options that name what it writes, and rules, parsers and formats that are code.

use super::copies::rewrites;
use super::{Call, Found, Program};
use crate::Effect;
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;

/// The program.
pub(super) static PROGRAM: Eslint = Eslint;

/// It may rewrite the files that it is given.
pub(super) struct Eslint;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output-file").writes(),
    valued("--cache-file --cache-location").writes(),
    valued("-c --config").trusts(),
    valued("--rulesdir").trusts(),
    valued("--resolve-plugins-relative-to").trusts(),
    valued("--parser"),
    valued("-f --format"),
    valued("--plugin"),
    valued("--ext"),
    valued("--rule"),
    valued("--env"),
    valued("--max-warnings"),
    valued("--ignore-path"),
    valued("--ignore-pattern"),
    flag("--fix"),
    flag("--cache"),
    flag("--quiet"),
]);

impl Program for Eslint {
    fn names(&self) -> &'static [&'static str] {
        &["eslint", "stylelint"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        false
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        for option in ["-f", "--parser"] {
            // A name is a package of the project, and a path is code wherever it lies.
            let code = call.value(option).filter(|it| it.shown().contains('/'));
            if let Some(value) = code.filter(|it| !call.is_inside(it)) {
                let named = Named::Option(option.to_owned(), option.to_owned());
                let message = format!("`{} {option}` runs code of `{}`", call.name, value.shown());
                let kind = crate::EffectKind::Executes;
                found.effects.push(Effect::new(kind, value.shown(), message).named(named));
            }
        }
        if !call.reading.has("--fix") {
            return;
        }
        rewrites(call, 0, found);
    }
}
