//! Running other programs and watching what they print.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Runs a program and lets its output through; an error says what to look at.
pub fn pass(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{}: {e}", shown(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{} ended with {status}", shown(command))) }
}

/// Runs a program and gives back what it printed; its complaints are let through.
pub fn read(command: &mut Command) -> Result<String, String> {
    let out = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("{}: {e}", shown(command)))?;
    if !out.status.success() {
        return Err(format!("{} ended with {}", shown(command), out.status));
    }
    String::from_utf8(out.stdout).map_err(|e| format!("{}: {e}", shown(command)))
}

/// Runs a program, prints each line of its output and shows it to `each`; true on success.
pub fn watch(command: &mut Command, mut each: impl FnMut(&str)) -> Result<bool, String> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|e| format!("{}: {e}", shown(command)))?;
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines() {
            let line = line.map_err(|e| format!("{}: {e}", shown(command)))?;
            println!("{line}");
            each(&line);
        }
    }
    let status = child.wait().map_err(|e| format!("{}: {e}", shown(command)))?;
    Ok(status.success())
}

/// A program as it would be typed.
pub fn shown(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|it| it.to_string_lossy().into_owned()));
    words.join(" ")
}
