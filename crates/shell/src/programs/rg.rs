//! ripgrep: options that run a program for each file.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["rg", "ripgrep"], grammar: &GRAMMAR, trusts_directory: false };

static GRAMMAR: Grammar = Grammar::of(&[
    valued("--pre").executes(), valued("--hostname-bin").executes(), flag("-z --search-zip").executes(),
    valued("--pre-glob"), valued("-e --regexp"), valued("-f --file"), valued("-g --glob"), valued("--iglob"), valued("-t --type"), valued("-T --type-not"),
    valued("-A --after-context"), valued("-B --before-context"), valued("-C --context"), valued("-m --max-count"), valued("-M --max-columns"), valued("-d --max-depth"), valued("-j --threads"), valued("-r --replace"), valued("-E --encoding"), valued("--sort"), valued("--sortr"), valued("--color"), valued("--colors"),
    flag("--no-pre"), flag("-i --ignore-case"), flag("-n --line-number"), flag("-l --files-with-matches"), flag("-p --pretty"),
]);
