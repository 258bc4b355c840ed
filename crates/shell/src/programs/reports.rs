//! Checkers and builders whose options name a report or a folder that they write, or a file of
//! settings that they follow.

use super::Table;
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Table = Table {
    names: &["dotnet", "flake8", "jest", "mypy", "pyright", "vitest"],
    grammar: &GRAMMAR,
    trusts_directory: true,
};

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-o --output --output-file --outputFile").writes(),
    valued("--coverageDirectory --coverage.reportsDirectory --cacheDirectory").writes(),
    valued("--artifacts-path --results-directory").writes(),
    valued("--junit-xml --html-report --txt-report --xml-report --cache-dir").writes(),
    valued("--any-exprs-report --linecount-report --lineprecision-report").writes(),
    valued("--config --config-file --project -p --settings").trusts(),
    valued("--globalSetup --globalTeardown --setupFilesAfterEnv --runner --reporter"),
    flag("--coverage"),
    valued("-t --testNamePattern"),
    valued("-c --configuration"),
    valued("--rootDir --root").directory(),
]);
