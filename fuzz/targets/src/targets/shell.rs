//! The parser of commands. An input is a command line.

use lawbook_shell::{COMMANDS_KEPT_MAX, Command, Script, Unclear, Word, parse};

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "shell",
    run,
    seeds: &[
        "a && b | c <<E 2>&1 & d\n$(e `f` <(g))\nE\nh",
        "if ! a; then case $x in (b|c) d;; esac; fi > \"$(e)\"",
        "f() { f | f & }; f; x[$(a)]=(b 'c' $'\\x64') ${e:-`f`} $((1 + $(g)))",
        "for ((i=0;i<3;i++)) { a; }; [[ $x =~ ^(b|c)$ ]] && r\\\nm {a,b}{1..3}",
    ],
    seed_files: &[".tsv"],
};

/// What a text holds is in its bounds, stands in the text, and does not go away when more commands
/// stand in front of it.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let script = parse(&text);
    assert!(script.commands.len() <= COMMANDS_KEPT_MAX, "more commands than are kept");
    for command in &script.commands {
        assert!(text.get(command.source.clone()).is_some(), "a command stands outside of its text");
        assert!(command.words.iter().all(|it| stands(it, &text)), "so does a word");
    }
    // A command on a line of its own in front changes nothing behind it.
    if text.len() < 4096 {
        let behind = parse(&format!("first\n{text}"));
        if !limited(&script) && !limited(&behind) {
            assert_eq!(
                named(&script.commands),
                named(behind.commands.get(1..).unwrap_or_default())
            );
        }
    }
}

fn stands(word: &Word, text: &str) -> bool {
    text.get(word.source.clone()).is_some()
}

fn limited(script: &Script) -> bool {
    script.unclear.iter().any(|it| matches!(it, Unclear::Limit(_) | Unclear::Syntax { .. }))
}

fn named(commands: &[Command]) -> Vec<String> {
    let line = |it: &Command| it.words.iter().map(|it| it.shown() + " ").collect();
    commands.iter().map(line).collect()
}
