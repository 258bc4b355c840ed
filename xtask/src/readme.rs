//! The commands in README.md, run as they are written, in a copy of the repository.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::repo::Repo;
use crate::report::Report;

/// One command of the README and the code it must end with.
#[derive(Debug, PartialEq, Eq)]
struct Line {
    command: String,
    code: i32,
}

/// Copies the repository and runs each line; an error names the first that ends otherwise.
pub fn check(repo: &Repo, report: &mut Report) -> Result<(), String> {
    let lines = commands(&repo.text("README.md"));
    if lines.is_empty() {
        return Err("README.md shows no commands".to_string());
    }
    let target = repo.target().join("readme");
    let copy = target.join("clone");
    copy_files(repo, &copy)?;
    for line in lines {
        println!("$ {}", line.command);
        let mut shell = Command::new("sh");
        shell.args(["-c", &line.command]).current_dir(&copy).env("CARGO_TARGET_DIR", &target);
        let status = shell.status().map_err(|e| format!("{}: {e}", line.command))?;
        if status.code() != Some(line.code) {
            return Err(format!("`{}` ended with {status}, not {}", line.command, line.code));
        }
        report.count(1, 0);
    }
    Ok(())
}

/// The lines of the fenced `sh` blocks. `# exit N` at the end of a line states another code than 0.
/// Commands of xtask are left out: they are what runs this.
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
    lines.retain(|it| !it.command.starts_with("cargo xtask"));
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
