//! Commands, read, analysed and judged. An input is a command line.

use lawbook_shell::{
    COMMANDS_MAX, Command, EFFECTS_MAX, Matcher, Prefix, Rule, Rules, SEGMENTS_MAX, Script,
    Unclear, Verdict, Word, World, analyse, judge, parse,
};

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
    assert!(script.commands.len() <= COMMANDS_MAX, "more commands than are kept");
    for command in &script.commands {
        assert!(text.get(command.source.clone()).is_some(), "a command stands outside of its text");
        assert!(command.words.iter().all(|it| stands(it, &text)), "so does a word");
    }
    judged(&text);
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

/// What stands in the text is a segment in its bounds, and what is denied is never less so because
/// more is allowed.
fn judged(text: &str) {
    let world = World { cwd: Some("/code/app"), ..World::default() };
    let analysis = analyse(text, &world);
    assert!(analysis.segments.len() <= SEGMENTS_MAX, "more segments than are kept");
    let effects: usize = analysis.segments.iter().map(|it| it.effects.len()).sum();
    assert!(effects <= EFFECTS_MAX, "more effects than are kept");
    for segment in &analysis.segments {
        assert!(text.get(segment.source.clone()).is_some(), "a segment stands outside of its text");
        assert!(segment.wrapper.is_none_or(|it| it < analysis.segments.len()), "no such wrapper");
    }
    let verdict = |rules: &Rules| judge(&analysis, rules, &world);
    let strict = verdict(&rules(&[("rm", Verdict::Deny), ("git push --force", Verdict::Deny)]));
    let allowed = ["rm", "git", "echo", "b", "sudo rm", "bash"].map(|it| (it, Verdict::Allow));
    let mixed = [("rm", Verdict::Deny), ("git push --force", Verdict::Deny)];
    let loose = verdict(&rules(&[&mixed[..], &allowed[..]].concat()));
    assert_eq!(strict.segments.len(), analysis.segments.len(), "one verdict for each segment");
    assert!((strict.verdict == Verdict::Deny) == (loose.verdict == Verdict::Deny), "allowed away");
    assert!(analysis.unclear.is_empty() || loose.verdict != Verdict::Allow, "unclear and allowed");
}

fn rules(list: &[(&str, Verdict)]) -> Rules {
    let rule = |(text, verdict): &(&str, Verdict)| {
        let matcher = Matcher::Prefix(Prefix::parse(text).ok()?);
        Some(Rule { matcher, verdict: *verdict, text: (*text).to_owned() })
    };
    Rules { entries: list.iter().filter_map(rule).collect(), ..Rules::default() }
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
