//! The commands in README.md and in those of the examples, run as they are written, in a copy of the
//! repository; the program is the one that the tests run, so that nothing is built twice.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::repo::Repo;
use crate::report::Report;
use crate::run;

/// One command of the README and the code it must end with.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    command: String,
    code: i32,
}

/// How the README of the project runs the program.
const RUNS: &str = "cargo run --release --";

/// Copies the repository and runs each line; an error names the first that ends otherwise. The
/// READMEs of the examples find the program on their path.
pub fn check(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let copy = repo.target().join("readme").join("clone");
    copy_files(repo, &copy)?;
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet", "--package", "lawbook-cli", "--bin", "lawbook"]);
    run::pass(build.current_dir(&repo.root))?;
    let examples = |it: &&String| it.starts_with("examples/") && it.ends_with("/README.md");
    let pages = std::iter::once("README.md");
    for page in pages.chain(repo.files.iter().filter(examples).map(String::as_str)) {
        let lines = commands(&repo.text(page));
        if lines.is_empty() {
            return Err(format!("{page} shows no commands"));
        }
        for line in lines {
            try_line(page, &line, &copy, repo)?;
            report.count(1, 0);
        }
    }
    Ok(())
}

fn try_line(page: &str, line: &Line, copy: &Path, repo: &Repo) -> Result<(), String> {
    println!("$ {}", line.command);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let built = std::iter::once(repo.target().join("debug"));
    let path = std::env::join_paths(built.chain(std::env::split_paths(&path)))
        .map_err(|e| format!("PATH: {e}"))?;
    let mut shell = Command::new("sh");
    let manifest = repo.root.join("Cargo.toml");
    let here = format!("cargo run --quiet --manifest-path '{}' --", manifest.display());
    shell.args(["-c", &line.command.replacen(RUNS, &here, 1)]).current_dir(copy);
    shell.env("CARGO_TARGET_DIR", repo.target()).env("PATH", path);
    let status = shell.status().map_err(|e| format!("{}: {e}", line.command))?;
    if status.code() == Some(line.code) {
        return Ok(());
    }
    Err(format!("{page}: `{}` ended with {status}, not {}", line.command, line.code))
}

/// The lines of the fenced `sh` blocks. `# exit N` at the end of a line states another code than 0.
/// Commands of xtask are left out, since they are what runs this, and installing is, since the
/// program is there.
fn commands(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && !line.trim().is_empty() && !line.starts_with('#') {
            lines.push(read(line));
        }
    }
    let left_out = ["cargo xtask", "cargo install"];
    lines.retain(|it| !left_out.iter().any(|start| it.command.starts_with(start)));
    lines
}

fn read(line: &str) -> Line {
    let (command, comment) = line.split_once(" #").unwrap_or((line, ""));
    let code = comment.split_once("exit ").and_then(|(_, rest)| rest.split(' ').next());
    let code = code.map(|it| it.trim_end_matches([',', ':', '.'])).and_then(|it| it.parse().ok());
    Line { command: command.trim().to_string(), code: code.unwrap_or(0) }
}

/// Makes the copy equal to the repository. Files that are equal already keep their times, so that
/// nothing is built twice.
fn copy_files(repo: &Repo, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    for path in Repo::at(to)?.files.iter().filter(|it| !repo.files.contains(it)) {
        fs::remove_file(to.join(path)).map_err(|e| format!("{path}: {e}"))?;
    }
    for path in &repo.files {
        let bytes = fs::read(repo.root.join(path)).map_err(|e| format!("{path}: {e}"))?;
        let target = to.join(path);
        if fs::read(&target).is_ok_and(|it| it == bytes) {
            continue;
        }
        let folder = target.parent().ok_or("a file stands in no folder")?;
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        fs::write(&target, bytes).map_err(|e| format!("{path}: {e}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Line, commands};

    #[test]
    fn commands_and_their_exit_codes_are_read() {
        let text = "a\n```sh\ncargo run -- check x  # exit 1: two findings\ncargo xtask test\n```\n\
                    ```yaml\nno: command\n```\n";
        let line = Line { command: "cargo run -- check x".to_string(), code: 1 };
        assert_eq!(commands(text), [line]);
    }
}
