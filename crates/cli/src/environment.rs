//! The variables that mirror flags, and how their values are read.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{Arg, Command};

/// The command line without those variables that say nothing: empty ones, and a report format that
/// another command knows and this one does not.
///
/// An answer to a hook heeds none that could weaken it: a repository sets variables for its agents.
#[must_use]
pub fn heeded(command: Command) -> Command {
    let is_hook = command.get_name() == "hook";
    let heeded_arg = move |arg: Arg| match is_hook && !arg.get_env().is_some_and(only_tightens) {
        true => arg.env(Resettable::Reset),
        false => heeded_arg(arg),
    };
    command.mut_args(heeded_arg).mut_subcommands(heeded)
}

/// Whether a variable can only make an answer to a hook stricter.
fn only_tightens(name: &OsStr) -> bool {
    name == "LAWBOOK_UNATTENDED"
}

fn heeded_arg(arg: Arg) -> Arg {
    let Some(name) = arg.get_env() else { return arg };
    let value = std::env::var_os(name).unwrap_or_default();
    let elsewhere = name == "LAWBOOK_FORMAT" && is_for_others(&arg, &value);
    if value.is_empty() || elsewhere { arg.env(Resettable::Reset) } else { arg }
}

fn is_for_others(arg: &Arg, format: &OsStr) -> bool {
    let own = arg.get_possible_values();
    let Some(format) = format.to_str() else { return false };
    !own.is_empty()
        && !own.iter().any(|it| it.matches(format, false))
        && lawbook_report::named(format).is_some()
}

/// The files that a variable names, separated as in `PATH`.
#[must_use]
pub fn files(variable: &str) -> Vec<PathBuf> {
    let value = std::env::var_os(variable).unwrap_or_default();
    std::env::split_paths(&value).filter(|it| !it.as_os_str().is_empty()).collect()
}

/// A flag that a variable switches on or off.
///
/// # Errors
/// For every other word.
pub fn switch(word: &str) -> Result<bool, &'static str> {
    match word {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err("it is `true` or `1`, `false` or `0`"),
    }
}

#[cfg(test)]
mod tests {
    use super::switch;

    #[test]
    fn a_switch_takes_four_words() {
        assert_eq!((switch("true"), switch("1")), (Ok(true), Ok(true)));
        assert_eq!((switch("false"), switch("0")), (Ok(false), Ok(false)));
        for word in ["yes", "", "True", "on"] {
            assert!(switch(word).is_err(), "{word}");
        }
    }
}
