//! parallel: it runs its words through a shell, once for each of what stands behind `:::`.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, flag, valued};
use crate::{Effect, EffectKind, Word};

/// The program.
pub(super) static PROGRAM: Parallel = Parallel;

/// It runs its words through a shell, or what it reads.
pub(super) struct Parallel;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-j --jobs -P --max-procs"),
    valued("-n --max-args -N --max-replace-args"),
    valued("-a --arg-file"),
    valued("-S --sshlogin --sshloginfile --slf").executes(),
    valued("--joblog --results --output-as-files").writes(),
    valued("-I"),
    valued("-C --colsep"),
    valued("-d --delimiter"),
    valued("--timeout --delay --retries --load --memfree --tmpdir --workdir --wd --env --id"),
    flag("-k --keep-order"),
    flag("-0 --null"),
    flag("-u --ungroup"),
    flag("-X"),
    flag("-m"),
    flag("-q --quote"),
    flag("--fg --bg --bar --progress --eta --halt-on-error --link --line-buffer --lb"),
]);

impl Program for Parallel {
    fn names(&self) -> &'static [&'static str] {
        &["env_parallel", "parallel", "sem"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn drinks(&self, _name: &str) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let words = call.from(0);
        let marks = |it: &&Word| it.literal().is_some_and(|it| it.starts_with(":::"));
        let (mut command, mut read): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let mut behind = false;
        for word in &words {
            if marks(&word) {
                behind = true;
            } else if behind {
                read.push(word.shown());
            } else {
                command.push(word.shown());
            }
        }
        let text = command.join(" ");
        let message = format!("`{}` runs `{text}` through a shell", call.name);
        found.effects.push(Effect::new(EffectKind::Executes, text.clone(), message));
        read.extend(call.piped.lines().map(str::to_owned));
        if text.is_empty() {
            // Without a command, each of what it reads is one.
            return found.runs.push(Run::Code { text: read.join("\n"), own: true });
        }
        let read = read.join(" ");
        let text = if text.contains("{}") {
            text.replacen("{}", &read, 1)
        } else {
            format!("{text} {read}")
        };
        found.runs.push(Run::Code { text, own: true });
    }
}
