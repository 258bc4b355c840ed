//! tar: options that run programs, and extraction.

use super::copies::makes;
use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};
use crate::segment::Named;
use crate::{Effect, EffectKind};

/// The program.
pub(super) static PROGRAM: Tar = Tar;

/// It packs and unpacks files.
pub(super) struct Tar;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("--to-command").executes(),
    valued("--checkpoint-action").executes(),
    valued("-I --use-compress-program").executes(),
    valued("-F --info-script --new-volume-script").executes(),
    valued("--rsh-command").executes(),
    valued("--rmt-command").executes(),
    valued("-g --listed-incremental").writes(),
    valued("--index-file").writes(),
    valued("--volno-file").writes(),
    flag("-x --extract --get").changes(),
    flag("--delete").changes(),
    flag("--remove-files").changes(),
    flag("-c --create"),
    flag("-t --list"),
    flag("-r --append"),
    flag("-u --update"),
    valued("-f --file"),
    valued("-C --directory"),
    valued("-T --files-from"),
    valued("--exclude"),
    valued("--checkpoint"),
    valued("--strip-components"),
    flag("--force-local"),
    flag("-z --gzip"),
    flag("-j --bzip2"),
    flag("-J --xz"),
    flag("-v --verbose"),
]);

impl Program for Tar {
    fn names(&self) -> &'static [&'static str] {
        &["bsdtar", "gtar", "tar"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        // The first word may hold options without a dash.
        let Some(first) = call.words.first().and_then(crate::Word::literal) else { return };
        let letters = !first.starts_with('-') && first.chars().all(|it| it.is_ascii_alphabetic());
        for letter in ['x', 'I', 'F', 'g'].into_iter().filter(|it| letters && first.contains(*it)) {
            let option = format!("-{letter}");
            let kind =
                if matches!(letter, 'x' | 'g') { EffectKind::Writes } else { EffectKind::Executes };
            let message = format!("`tar {first}` does more than list or pack");
            let named = Named::Option(option, letter.to_string());
            found.effects.push(Effect::new(kind, first.clone(), message).named(named));
        }
        let packs = ["-c", "-r", "-u"].iter().any(|it| call.reading.has(it))
            || letters && first.contains(['c', 'r', 'u']);
        let named = if letters && first.contains('f') { call.word(1) } else { call.value("-f") };
        let Some(word) = named else { return };
        // An archive with a colon in front of every slash lies on another machine.
        let start = word.literal_start();
        let host = start.split('/').next().unwrap_or_default();
        if host.contains(':') && !call.reading.has("--force-local") {
            let message = format!("`tar` reaches the machine `{host}`");
            found.effects.push(Effect::new(EffectKind::Network, start, message));
        } else if packs {
            makes(word, call, found);
        }
    }
}
