//! env: assignments, a directory, and a text that is split into a command.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, flag, valued};
use crate::{Effect, EffectKind, hazard};

/// The program.
pub(super) static PROGRAM: Env = Env;

/// It runs a command with other variables.
pub(super) struct Env;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-u --unset"),
    valued("-C --chdir").directory(),
    valued("-S --split-string"),
    flag("-i --ignore-environment"),
    flag("-0 --null"),
    flag("-v --debug"),
]);

impl Program for Env {
    fn names(&self) -> &'static [&'static str] {
        &["env", "genv"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_careful(&self) -> bool {
        true
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if let Some(text) = call.value("-S") {
            let mut words = call.from(0);
            let message = format!("`env -S` splits `{}` into a command", text.shown());
            found.effects.push(Effect::new(EffectKind::Executes, text.shown(), message));
            match text.literal() {
                Some(text) => {
                    let quoted = words.drain(..).map(|it| it.shown());
                    let text = quoted.fold(text, |out, it| format!("{out} {it}"));
                    found.runs.push(Run::Code { text, own: true });
                }
                None => found.unseen(call, &text.shown()),
            }
            return;
        }
        let mut first = 0_usize;
        for operand in &call.reading.operands {
            let Some((name, value)) = operand.start.split_once('=') else { break };
            let value = operand.text.as_ref().map(|_| value);
            if hazard::is_hazard(name, value) {
                let message = format!("sets `{name}`, which changes what programs do");
                found.effects.push(Effect::new(EffectKind::Environment, name, message));
            }
            first = first.saturating_add(1);
        }
        if call.reading.has("-i") || call.reading.has("-C") {
            found.runs(call, first);
        } else {
            found.wraps(call, first);
        }
    }
}
