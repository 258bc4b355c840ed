//! deno: permissions that it is given, and code from elsewhere.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, glued, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Deno = Deno;

/// It runs code of the project, or from elsewhere.
pub(super) struct Deno;

static GRAMMAR: Grammar = Grammar::of(&[
    flag("-A --allow-all").executes(),
    glued("--allow-run --allow-ffi").executes(),
    glued("--allow-write -W").writes(),
    glued("--allow-net -N").network(),
    glued("--allow-import -I").network(),
    glued("--allow-read -R"),
    glued("--allow-env -E"),
    valued("-c --config").trusts(),
    valued("--import-map").trusts(),
    valued("--preload --import").executes(),
    valued("--junit-path").writes(),
    valued("--filter"),
    glued("-r --reload"),
    glued("--coverage").writes(),
    flag("-q --quiet"),
]);

impl Program for Deno {
    fn names(&self) -> &'static [&'static str] {
        &["deno"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        from_elsewhere(call, found);
        let scripts = call.reading.operands.iter().skip(1);
        if call.place.fed && scripts.filter(|it| it.text.as_deref() != Some("-")).count() == 0 {
            found.unseen(call, "its input");
        }
    }
}

/// Each operand that names code which lies elsewhere.
pub(super) fn from_elsewhere(call: &Call<'_>, found: &mut Found) {
    let far = ["http:", "https:", "npm:", "jsr:", "data:", "file:", "git+", "github:"];
    for (at, operand) in call.reading.operands.iter().enumerate() {
        if far.iter().any(|it| operand.start.starts_with(it)) {
            let message = format!("`{}` runs code from `{}`", call.name, operand.start);
            let effect = Effect::new(EffectKind::Executes, operand.start.clone(), message);
            found.effects.push(effect.named(Named::Words(at.saturating_add(2))));
        }
    }
}
