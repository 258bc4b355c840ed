//! The commands that build, test and measure this repository.

mod commands;
mod peers;
mod readme;
mod repo;
mod report;
mod run;
mod tidy;

use std::process::ExitCode;

use commands::{COMMANDS, Command};
use repo::Repo;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let name = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let Some(command) = COMMANDS.iter().find(|it| it.name == name) else {
        eprintln!("{}", usage());
        return ExitCode::from(2);
    };
    match Repo::find().and_then(|repo| (command.run)(&repo, &rest)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn usage() -> String {
    let list = |it: &Command| format!("  cargo xtask {:<8} {}", it.name, it.about);
    let lines: Vec<String> = COMMANDS.iter().map(list).collect();
    format!("usage:\n{}", lines.join("\n"))
}
