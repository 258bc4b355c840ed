//! Commands that are made to cost much, or to break the reader: all end, in bounded time, and none
//! is allowed.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

use lawbook_shell::{
    EFFECTS_MAX, Matcher, PAYLOAD_BYTES_MAX, Prefix, REACH_MAX, Rule, Rules, SEGMENTS_MAX, Shell,
    TEXT_BYTES_MAX, Unclear, Verdict, WORDS_MAX, World, analyse, judge,
};

/// Texts that are made to cost much: a head, a part that is repeated, a tail.
const TEXTS: &str = include_str!("../../../conformance/shell/hostile.tsv");

/// The same for the shells of Windows, the shell in front.
const WINDOWS: &str = include_str!("../../../conformance/shell/windows/hostile.tsv");

fn texts() -> impl Iterator<Item = [String; 3]> {
    rows(TEXTS)
}

fn windows() -> impl Iterator<Item = (Shell, [String; 3])> {
    rows(WINDOWS).map(|[shell, head, part, tail]| {
        let shell = if shell == "cmd" { Shell::Cmd } else { Shell::PowerShell };
        (shell, [head, part, tail])
    })
}

fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [String; N]> {
    let rows = table.lines().filter(|it| !it.starts_with('#'));
    rows.map(|it| {
        let mut cells = it.split('\t').map(unescaped);
        std::array::from_fn(|_| cells.next().unwrap())
    })
}

fn unescaped(text: &str) -> String {
    text.replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace('\0', "\\")
}

/// A text that repeats a part between two others, its number in place of `%d`.
fn full([head, part, tail]: &[String; 3], bytes: usize) -> String {
    let mut text = head.clone();
    let mut number = 0_u32;
    while text.len() + part.len() + tail.len() <= bytes {
        text.push_str(&part.replace("%d", &number.to_string()));
        number += 1;
    }
    text + tail
}

fn rules(denied: &str) -> Rules {
    let rule = |text: &str, verdict| Rule {
        matcher: Matcher::Prefix(Prefix::parse(text).unwrap()),
        verdict,
        text: text.to_owned(),
    };
    let mut entries = vec![rule("echo", Verdict::Allow)];
    entries.extend((!denied.is_empty()).then(|| rule(denied, Verdict::Deny)));
    Rules { entries, ..Rules::default() }
}

fn verdict(text: &str, rules: &Rules) -> Verdict {
    verdict_in(Shell::Bash, text, rules)
}

fn verdict_in(shell: Shell, text: &str, rules: &Rules) -> Verdict {
    let world = World { shell, ..World::default() };
    judge(&analyse(text, &world), rules, &world).verdict
}

#[test]
fn hostile_commands_end_and_are_not_allowed() {
    let rules = rules("rm -rf");
    for row in texts().filter(|it| it[1] != "\\\n") {
        assert_ne!(verdict(&full(&row, TEXT_BYTES_MAX), &rules), Verdict::Allow, "{row:?}");
    }
}

#[test]
fn behind_whatever_costs_much_what_is_denied_and_what_is_catastrophic_are_found() {
    let hidden = ["kill -9 x", "sudo 'kil'l -9 x", "/bin/kil\\l -9 x", "$'\\x6bill' -9 x"];
    // The lines behind a here-document without an end are its body, and run nowhere.
    for row in texts().filter(|it| it[1] != "a<<E\n") {
        for bytes in [2_000, TEXT_BYTES_MAX, 100_000] {
            let full = full(&row, bytes);
            for command in hidden {
                let text = format!("{full}\n{command}");
                let found = verdict(&text, &rules("kill -9"));
                assert_eq!(found, Verdict::Deny, "{row:?} {bytes} {command}");
            }
            let found = verdict(&format!("{full}\nrm -rf /"), &rules(""));
            assert_eq!(found, Verdict::Deny, "{row:?} {bytes}");
        }
    }
}

#[test]
fn hostile_commands_of_windows_end_and_are_not_allowed() {
    let rules = rules("rm -rf");
    for (shell, row) in windows() {
        let verdict = verdict_in(shell, &full(&row, TEXT_BYTES_MAX), &rules);
        assert_ne!(verdict, Verdict::Allow, "{shell:?} {row:?}");
    }
}

#[test]
fn behind_what_costs_much_on_windows_what_is_denied_is_found() {
    let rules = rules("taskkill /f");
    for (shell, row) in windows() {
        for bytes in [2_000, TEXT_BYTES_MAX, 100_000] {
            let full = full(&row, bytes);
            for command in ["taskkill /f /im x", "C:\\x\\TaskKill.exe /F", "sudo taskkill /f"] {
                let found = verdict_in(shell, &format!("{full}\n{command}"), &rules);
                assert_eq!(found, Verdict::Deny, "{shell:?} {row:?} {bytes} {command}");
            }
            let wipes = if shell == Shell::Cmd { "rd /s C:\\" } else { "ri -r C:\\" };
            let found = verdict_in(shell, &format!("{full}\n{wipes}"), &rules);
            assert_eq!(found, Verdict::Deny, "{shell:?} {row:?} {bytes} {wipes}");
        }
    }
}

#[test]
fn past_each_limit_the_analysis_says_so() {
    let payload = "a".repeat(PAYLOAD_BYTES_MAX / 4);
    let targets = " /x".repeat(EFFECTS_MAX / 4);
    let limited = [
        ("sudo a;".repeat(SEGMENTS_MAX), "segments"),
        ("sudo ".repeat(REACH_MAX + 2) + "a", "reach"),
        (format!("x='{payload}'; {}", "eval \"$x\";".repeat(8)), "payloads"),
        ("sudo ".repeat(5) + &"x ".repeat(WORDS_MAX / 2), "words"),
        (format!("tee{targets};").repeat(5), "effects"),
    ];
    for (text, limit) in limited {
        let analysis = analyse(&text, &World::default());
        let noted = &analysis.unclear;
        assert!(noted.contains(&Unclear::Limit(limit)), "{limit}: {noted:?}");
        assert!(analysis.segments.len() <= SEGMENTS_MAX, "{limit}");
    }
}
