//! Tools whose first words say what to do, and whose command stands behind `--` or behind those
//! words and their options.

use super::{Call, Found, Program, Run};
use crate::reading::{Grammar, Reading, flag, valued};

/// The program.
pub(super) static PROGRAM: BehindDashes = BehindDashes;

/// Its command stands behind `--`, or behind a first word.
pub(super) struct BehindDashes;

static GRAMMAR: Grammar = Grammar::leading(&[
    valued("-e --event --env-file --environment"),
    valued("-o --output").writes(),
    valued("-p --pid"),
    valued("-F --freq"),
    valued("-C --cpu"),
    valued("-n --name"),
    valued("-D --directory"),
    flag("-a"),
    flag("-g"),
    flag("-d"),
    flag("-r"),
    flag("--host"),
]);

impl Program for BehindDashes {
    fn names(&self) -> &'static [&'static str] {
        &[
            "aws-vault",
            "distrobox",
            "dotenv",
            "flatpak-spawn",
            "machinectl",
            "op",
            "perf",
            "rtk",
            "systemd-nspawn",
            "toolbox",
        ]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn is_opaque(&self) -> bool {
        true
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let dashes = call.words.iter().position(|it| it.literal().as_deref() == Some("--"));
        let behind = |at: usize| call.words.get(at.saturating_add(1)..).unwrap_or_default();
        if let Some(words) = dashes.map(behind).filter(|it| !it.is_empty()) {
            found.runs(call, 0);
            return found.runs.push(Run::Known(words.to_vec()));
        }
        found.runs(call, 0);
        let Some(first) = call.reading.operands.first() else { return };
        let rest = behind(first.at);
        let inner = Reading::of(rest, &GRAMMAR);
        let words = inner.operands.first().and_then(|it| rest.get(it.at..));
        found.runs.extend(words.map(|it| Run::Known(it.to_vec())));
    }
}
