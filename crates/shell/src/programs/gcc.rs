//! Compilers of C: options that name what they write, and which programs and code they run.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, tail, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Gcc = Gcc;

/// They write what `-o` names.
pub(super) struct Gcc;

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-o -output").writes(),
    valued("-MF -MJ").writes(),
    valued("-dumpdir -dumpbase -aux-info").writes(),
    valued("-serialize-diagnostics -index-store-path").writes(),
    valued("-wrapper").executes(),
    valued("-B").executes(),
    valued("-specs").executes(),
    valued("-fplugin -fpass-plugin -load").executes(),
    valued("-ld-path -fuse-ld").executes(),
    valued("-config").trusts(),
    valued("-MT"),
    valued("-MQ"),
    valued("-D"),
    valued("-U"),
    valued("-I"),
    valued("-L"),
    valued("-x"),
    valued("-u"),
    valued("-T"),
    valued("-include"),
    valued("-imacros"),
    valued("-isystem"),
    valued("-iquote"),
    valued("-idirafter"),
    valued("-target"),
    valued("-arch"),
    valued("-Xlinker"),
    valued("-Xclang"),
    valued("-Xassembler"),
    valued("-Xpreprocessor"),
    flag("-c"),
    flag("-S"),
    flag("-E"),
    flag("-g"),
]);

/// Options whose value stands in the same word, and whether they write.
const GLUED: &[(&str, bool)] = &[("-o", true), ("-MF", true), ("-MJ", true), ("-B", false)];

/// What reaches the linker or the compiler proper and writes or runs something.
const PASSED: &[&str] =
    &["-o", "-output", "-plugin", "-Map", "-load", "-dynamic-linker", "-fplugin", "-out-implib"];

impl Program for Gcc {
    fn names(&self) -> &'static [&'static str] {
        &["c++", "cc", "clang", "clang++", "g++", "gcc", "gfortran"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let known = |it: &str| GRAMMAR.takes_value(it, None);
        for word in call.words {
            let start = word.literal_start();
            // `-fuse-ld=lld` chooses among the linkers that are installed.
            if start.starts_with('@') {
                let message = format!("`{}` takes options from the file `{start}`", call.name);
                found.effects.push(Effect::new(EffectKind::Executes, start, message));
                continue;
            }
            let glued = GLUED.iter().find(|it| start.len() > it.0.len() && start.starts_with(it.0));
            if let Some((option, writes)) = glued.filter(|_| !known(&start)) {
                let named = Named::Option((*option).to_owned(), (*option).to_owned());
                if *writes {
                    let effect = Effect::writes(&tail(word, option.len()), call.cwd);
                    found.effects.extend(effect.map(|it| it.named(named)));
                } else {
                    let message = format!("`{} {option}` can run programs", call.name);
                    let effect = Effect::new(EffectKind::Executes, start.clone(), message);
                    found.effects.push(effect.named(named));
                }
                continue;
            }
            let passed = start.strip_prefix("-Wl,").or_else(|| start.strip_prefix("-Wa,"));
            let mut passed = passed.into_iter().flat_map(|it| it.split([',', '=']));
            if passed.any(is_passed) {
                unseen(call, found, &start);
            }
        }
        for option in ["-Xlinker", "-Xclang", "-Xassembler"] {
            let given = call.reading.options.iter().filter(|it| it.name == option);
            for value in given.filter_map(|it| it.value.as_ref()).map(crate::Word::shown) {
                if value.split('=').next().is_some_and(is_passed) {
                    unseen(call, found, &value);
                }
            }
        }
    }
}

fn is_passed(option: &str) -> bool {
    let bare = option.replacen("--", "-", 1);
    PASSED.contains(&bare.as_str())
}

fn unseen(call: &Call<'_>, found: &mut Found, option: &str) {
    let message = format!("`{} {option}` can write files or run code", call.name);
    found.effects.push(Effect::new(EffectKind::Executes, option, message));
}
