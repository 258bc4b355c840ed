//! tsc: options that name what it writes and which project it reads.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table =
    Table { names: &["tsc"], grammar: &GRAMMAR, trusts_directory: true };

static GRAMMAR: Grammar = Grammar::one_dash(&[
    valued("-outDir -outdir").writes(),
    valued("-outFile -outfile -out").writes(),
    valued("-declarationDir -declarationdir").writes(),
    valued("-tsBuildInfoFile -tsbuildinfofile").writes(),
    valued("-generateTrace -generatetrace").writes(),
    valued("-generateCpuProfile -generatecpuprofile").writes(),
    valued("-project -p").trusts(),
    valued("-rootDir -rootdir"),
    valued("-baseUrl -baseurl"),
    valued("-target -t"),
    valued("-module -m"),
    valued("-lib"),
    valued("-jsx"),
    flag("-noEmit -noemit"),
    flag("-watch -w"),
    flag("-build -b"),
]);
