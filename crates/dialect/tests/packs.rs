//! The policies for coding agents: what hides behind the commands that they allow is not allowed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use lawbook_dialect::{Options, load};
use lawbook_shell::{Verdict, World, analyse, judge};

/// Commands that hide something.
const BYPASSES: &str = include_str!("../../../conformance/shell/bypass.tsv");

const POLICIES: [(&str, &str); 2] = [
    ("coding.yaml", include_str!("../packs/coding.yaml")),
    ("lawbook.yaml", include_str!("../../../examples/coding/lawbook.yaml")),
];

fn unescaped(text: &str) -> String {
    text.replace("\\\\", "\0").replace("\\n", "\n").replace('\0', "\\")
}

/// The verdict of all rules over commands of a policy.
fn verdict(name: &str, text: &str, command: &str) -> Verdict {
    let policy = load(name, text.as_bytes(), &Options::default()).policy.expect(name);
    let world = World {
        cwd: Some("/code/app"),
        workspace: Some("/code/app"),
        home: Some("/srv/dev"),
        ..World::default()
    };
    let analysis = analyse(command, &world);
    let rules = policy.rules.iter().filter_map(|it| it.body.commands());
    rules.map(|it| judge(&analysis, it.0, &world).verdict).max().expect("rules over commands")
}

#[test]
fn no_policy_allows_what_hides_behind_what_it_allows() {
    let mut wrong = Vec::new();
    for row in BYPASSES.lines().filter(|it| !it.starts_with('#')) {
        let (command, why) = row.split_once('\t').unwrap();
        for (name, text) in POLICIES {
            if verdict(name, text, &unescaped(command)) == Verdict::Allow {
                wrong.push(format!("{name} allows `{command}`: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn daily_work_is_allowed_without_a_question() {
    for command in [
        "git status && git diff --stat | head -20",
        "cd src && grep -rn 'fn main' . | wc -l",
        "cargo test 2>&1 | tail -5",
        "git add -A && git commit -m 'a change'",
        "cat .env.example src/environment.rs",
        "echo done > /tmp/out.txt",
    ] {
        for (name, text) in POLICIES {
            assert_eq!(verdict(name, text, command), Verdict::Allow, "{name}: {command}");
        }
    }
}
