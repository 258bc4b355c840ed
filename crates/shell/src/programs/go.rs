//! go: options that choose the programs that it builds with, a directory to work in, and code from
//! elsewhere.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Go = Go;

/// It builds and runs what its directory says, or what it fetches.
pub(super) struct Go;

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-C").directory(),
    valued("-exec").executes(),
    valued("-toolexec").executes(),
    valued("-vettool").executes(),
    valued("-o").writes(),
    valued("-overlay").executes(),
    valued("-pkgdir -outputdir").writes(),
    valued("-ldflags"),
    valued("-gcflags"),
    valued("-tags"),
    valued("-run"),
    valued("-bench"),
    valued("-count"),
    valued("-timeout"),
    valued("-coverprofile").writes(),
    valued("-cpuprofile").writes(),
    valued("-memprofile").writes(),
    valued("-blockprofile -mutexprofile -trace").writes(),
    valued("-mod"),
    valued("-modfile"),
    valued("-p"),
    flag("-v"),
    flag("-x"),
    flag("-race"),
]);

impl Program for Go {
    fn names(&self) -> &'static [&'static str] {
        &["go"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        found.trusts_directory = true;
        let Some(action @ ("generate" | "get" | "install" | "run")) = call.operand(0) else {
            return;
        };
        let Some(package) = call.reading.operands.get(1) else { return };
        let fetched = package.start.contains('@');
        let word = call.word(1).filter(|_| action == "run");
        if fetched || word.is_some_and(|it| !call.is_inside(it)) {
            let message = format!("`go {action}` runs code of `{}`", package.start);
            let effect = Effect::new(EffectKind::Executes, package.start.clone(), message);
            found.effects.push(effect.named(Named::Words(3)));
        }
    }
}
