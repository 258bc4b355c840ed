//! gzip and its kin: they write beside the files that they are given.

use super::copies::{leaves, makes};
use super::{Call, Found, Program, wild};
use crate::Effect;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Gzip = Gzip;

/// They write beside the files that they are given.
pub(super) struct Gzip;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output-dir-flat --output-dir-mirror").writes(),
    valued("--files --files0"),
    valued("-S --suffix"),
    valued("-T --threads"),
    valued("-D"),
    flag("-c --stdout --to-stdout"),
    flag("-l --list"),
    flag("-t --test"),
    flag("-d --decompress --uncompress"),
    flag("-k --keep"),
    flag("-f --force"),
    flag("-r --recursive"),
    flag("-q --quiet"),
    flag("-v --verbose"),
    flag("--rm"),
]);

impl Program for Gzip {
    fn names(&self) -> &'static [&'static str] {
        &[
            "bunzip2",
            "bzip2",
            "compress",
            "gunzip",
            "gzip",
            "lz4",
            "lzma",
            "pbzip2",
            "pigz",
            "uncompress",
            "unlz4",
            "unlzma",
            "unpigz",
            "unxz",
            "unzstd",
            "xz",
            "zstd",
        ]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        if ["-c", "-l", "-t", "-o"].iter().any(|it| call.reading.has(it)) {
            return;
        }
        for word in (0..call.reading.operands.len()).filter_map(|it| call.word(it)) {
            if !wild::is_live(word) {
                makes(word, call, found);
            } else if leaves(word, call) {
                found.effects.extend(Effect::changes(word, call.cwd));
            }
        }
    }
}
