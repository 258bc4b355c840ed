//! The arguments in which tools name files and folders, whatever their vendors call them: the one
//! list of every rule that speaks of a path.

use std::sync::LazyLock;

use lawbook_event::Path;

/// The arguments in which file tools hold a path.
const HOLDING: &[&str] = &[
    "file_path",
    "filePath",
    "file_paths",
    "filePaths",
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "fileName",
    "file_name",
    "filepath",
    "filepaths",
    "abs_path",
    "absolute_path",
    "absolutePath",
    "relative_path",
    "relativePath",
    "relative_workspace_path",
    "target_file",
    "targetFile",
    "target_path",
    "targetPath",
    "target_directory",
    "notebook_path",
    "notebookPath",
    "target_notebook",
    "source",
    "source_path",
    "sourcePath",
    "destination",
    "destination_path",
    "destinationPath",
    "old_path",
    "oldPath",
    "new_path",
    "newPath",
    "directory",
    "dir",
    "dir_path",
    "dirPath",
    "directory_path",
    "folder",
    "edits[*].file_path",
    "edits[*].filePath",
    "edits[*].path",
    "files[*].file_path",
    "files[*].filePath",
    "files[*].path",
    "replacements[*].filePath",
];

/// Parts of argument names that say that a path stands there.
const NAMING: &[&str] = &[
    "path",
    "paths",
    "file",
    "files",
    "filename",
    "filepath",
    "filepaths",
    "dir",
    "directory",
    "folder",
    "source",
    "destination",
    "dest",
    "target",
    "notebook",
    "uri",
];

/// The arguments in which file tools hold a path.
#[must_use]
pub fn path_arguments() -> &'static [Path] {
    static PATHS: LazyLock<Vec<Path>> =
        LazyLock::new(|| HOLDING.iter().map(|it| Path::parse(it)).collect());
    &PATHS
}

/// Whether the name of an argument says that a path stands there: one of the list, and whatever
/// is named alike.
pub(crate) fn names_a_path(argument: &str) -> bool {
    words(argument).iter().any(|it| NAMING.contains(&it.as_str()))
}

/// The words of a name, in lower case: `apply_patch`, `MultiEdit`, `mcp__fs__write-file`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for it in name.chars() {
        let starts = it.is_uppercase() && was_lower;
        if starts || !it.is_alphanumeric() {
            words.push(String::new());
        }
        if it.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(it.to_lowercase());
        }
        was_lower = it.is_lowercase() || it.is_numeric();
    }
    words.retain(|it| !it.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::{HOLDING, names_a_path};

    #[test]
    fn every_argument_of_the_list_is_named_as_a_path() {
        for argument in HOLDING {
            let last = argument.rsplit('.').next().unwrap();
            assert!(names_a_path(last), "{argument}");
        }
        assert!(!names_a_path("content") && !names_a_path("old_string"));
    }
}
