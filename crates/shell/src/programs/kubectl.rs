//! kubectl: global options with values, and commands that run in pods.

use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Kubectl = Kubectl;

/// It runs commands in pods.
pub(super) struct Kubectl;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-n --namespace"),
    valued("--context"),
    valued("--cluster"),
    valued("--user"),
    valued("--kubeconfig"),
    valued("-s --server"),
    valued("--token"),
    valued("--as"),
    valued("-o --output"),
    valued("-l --selector"),
    valued("-f --filename"),
    valued("-k --kustomize"),
    valued("-c --container"),
    valued("--field-selector"),
    valued("--tail"),
    valued("--since"),
    valued("--replicas"),
    valued("--image"),
    valued("-p --patch"),
    valued("--sort-by"),
    flag("-A --all-namespaces"),
    flag("-w --watch"),
    flag("-i --stdin"),
    flag("-t --tty"),
    flag("--force"),
]);

impl Program for Kubectl {
    fn names(&self) -> &'static [&'static str] {
        &["kubectl", "oc"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if !matches!(call.operand(0), Some("debug" | "exec" | "run")) {
            return;
        }
        // What stands behind `--` runs in the pod.
        let inner = call.reading.operands.iter().position(|it| it.ended);
        match inner {
            Some(at) => found.runs(call, at),
            None if call.reading.operands.len() > 2 && call.operand(0) == Some("exec") => {
                found.runs(call, 2);
            }
            None => {}
        }
    }
}
