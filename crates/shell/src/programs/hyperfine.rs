//! hyperfine: each of its words, and some of its values, is code of a shell.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Hyperfine = Hyperfine;

/// It runs each of its words as code.
pub(super) struct Hyperfine;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-s --setup"),
    valued("-p --prepare"),
    valued("-c --cleanup"),
    valued("-w --warmup"),
    valued("-r --runs"),
    valued("-m --min-runs"),
    valued("-M --max-runs"),
    valued("-P --parameter-scan"),
    valued("-L --parameter-list"),
    valued("-n --command-name"),
    valued("-S --shell").executes(),
    valued("--export-json --export-csv --export-markdown --export-asciidoc").writes(),
    valued("--output").writes(),
    flag("-N"),
    flag("-i --ignore-failure"),
]);

impl Program for Hyperfine {
    fn names(&self) -> &'static [&'static str] {
        &["hyperfine"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.unseen(call, "each of its words");
        let operands = (0..call.reading.operands.len()).filter_map(|it| call.word(it));
        let named = ["-s", "-p", "-c"];
        let given = call.reading.options.iter().filter(|it| named.contains(&it.name.as_str()));
        for word in operands.chain(given.filter_map(|it| it.value.as_ref())) {
            found.code(call, word, true);
        }
    }
}
