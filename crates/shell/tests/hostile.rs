//! Commands that are made to cost much, or to break the reader: all end, in bounded time, and none
//! is allowed.

#![allow(missing_docs, clippy::unwrap_used)]

use lawbook_shell::{Matcher, Prefix, Rule, Rules, Verdict, World, analyse, judge};

#[test]
fn hostile_commands_end_and_are_not_allowed() {
    let rule = |text: &str, verdict| Rule {
        matcher: Matcher::Prefix(Prefix::parse(text).unwrap()),
        verdict,
        text: text.to_owned(),
    };
    let rules = Rules {
        entries: vec![rule("echo", Verdict::Allow), rule("rm -rf", Verdict::Deny)],
        ..Rules::default()
    };
    let world = World::default();
    let texts = [
        "sudo ".repeat(12_000),
        "eval ".repeat(12_000),
        "bash -c ".repeat(8_000),
        format!("x {}", "-a ".repeat(20_000)),
        format!("x {}", "a ".repeat(30_000)),
        format!("x {}", "$a ".repeat(20_000)),
        "$(".repeat(30_000),
        "a;".repeat(30_000),
        format!("xargs {}", "xargs ".repeat(10_000)),
        format!("find . {}", "-exec a ; ".repeat(6_000)),
        format!("a=b; {}", "$a ".repeat(20_000)),
        format!("'{}", "rm -rf x ".repeat(7_000)),
        format!("awk '{}'", "print (".repeat(9_000)),
        format!("sed '{}'", "s/a/[/;".repeat(9_000)),
    ];
    for text in &texts {
        let judged = judge(&analyse(text, &world), &rules, &world);
        let head: String = text.chars().take(24).collect();
        assert_ne!(judged.verdict, Verdict::Allow, "{head}");
    }
}
