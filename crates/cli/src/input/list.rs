//! From the words of a command line to the inputs that they mean.

use std::path::{Path, PathBuf};

use lawbook_diag::{Problem, nearest};

use super::Place;

/// The inputs that the words mean, in order: files, globs, and `-` for standard input; and a
/// problem for every word that means nothing, beside which the rest can be read.
///
/// # Errors
/// When there is nothing to read at all, unless `lenient`, or standard input is meant twice.
pub fn list(words: &[String], lenient: bool) -> Result<(Vec<Place>, Vec<Problem>), Vec<Problem>> {
    let mut places = Vec::new();
    let mut problems = Vec::new();
    for word in words {
        match meant(word) {
            Ok(more) => places.extend(more),
            Err(problem) => problems.push(problem),
        }
    }
    if places.iter().filter(|it| **it == Place::Stdin).count() > 1 {
        return Err(vec![stdin_twice()]);
    }
    if places.is_empty() && !lenient { Err(problems) } else { Ok((places, problems)) }
}

/// The problem of standard input that would have to be read twice.
#[must_use]
pub fn stdin_twice() -> Problem {
    Problem::new("-", "stdin_twice", "standard input can be read once")
}

fn meant(word: &str) -> Result<Vec<Place>, Problem> {
    if word == "-" {
        return Ok(vec![Place::Stdin]);
    }
    let path = Path::new(word);
    if path.is_dir() {
        return Err(Problem::new(word, "folder", "this is a folder")
            .help(format!("name its files, or a glob as `{word}/*.jsonl`")));
    }
    if path.exists() || !word.contains(['*', '?', '[']) {
        // A file that is not there is told with what might have been meant.
        return if path.exists() { Ok(vec![Place::File(path.into())]) } else { Err(missing(word)) };
    }
    let found = glob::glob(word)
        .map_err(|error| Problem::new(word, "glob", format!("this is no glob: {error}")))?;
    let mut files: Vec<Place> =
        found.flatten().filter(|it| it.is_file()).map(Place::File).collect();
    files.sort_by_key(Place::name);
    if files.is_empty() {
        return Err(Problem::new(word, "no_file", "no file fits this glob"));
    }
    Ok(files)
}

fn missing(word: &str) -> Problem {
    let problem = Problem::new(word, "no_file", "there is no such file");
    match near(Path::new(word)) {
        Some(near) => problem.help(format!("did you mean `{}`?", near.display())),
        None => problem,
    }
}

/// The file of a similar name in the folder of one that is not there.
#[must_use]
pub fn near(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten();
    let mut names: Vec<String> =
        entries.flatten().map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let name = nearest(&wanted, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| name.into(), |it| it.join(name)))
}
