//! Cases of commands as data, and what must hold for every prefix whose action is known.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::panic
)]

use lawbook_shell::{Arity, Matcher, Prefix, Rule, Rules, Verdict, World, analyse, judge};

fn rules(lists: [(&str, Verdict); 3]) -> Rules {
    let one = |text: &str, verdict| {
        let matcher = Matcher::Prefix(Prefix::parse(text).unwrap());
        Rule { matcher, verdict, text: text.to_owned() }
    };
    let entries = lists.iter().flat_map(|(list, verdict)| {
        list.split(", ").filter(|it| !it.is_empty()).map(|it| one(it, *verdict))
    });
    Rules { entries: entries.collect(), ..Rules::default() }
}

fn verdict(command: &str, rules: &Rules) -> (Verdict, String) {
    let world = World { cwd: Some("/code/app"), ..World::default() };
    let judged = judge(&analyse(command, &world), rules, &world);
    let reasons: Vec<_> = judged.reasons.into_iter().map(|it| it.message).collect();
    (judged.verdict, reasons.join("; "))
}

#[test]
fn every_case_has_its_verdict() {
    let table = include_str!("../../../conformance/shell/verdicts.tsv");
    let mut wrong = Vec::new();
    for line in table.lines().filter(|it| !it.starts_with('#')) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [allow, ask, deny, command, expected, why] = cells[..] else { panic!("{line}") };
        let lists = [(allow, Verdict::Allow), (ask, Verdict::Ask), (deny, Verdict::Deny)];
        let (found, reasons) = verdict(&command.replace("\\n", "\n"), &rules(lists));
        let found = format!("{found:?}").to_lowercase();
        if found != expected {
            wrong.push(format!("{command}: {found}, not {expected} ({why}): {reasons}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_rule_covers_its_action_and_no_other_and_no_chain() {
    for (prefix, words) in Arity::known().iter() {
        let known = prefix.split(' ').count();
        let rest: Vec<&str> =
            ["first", "second"].into_iter().take(words.saturating_sub(known)).collect();
        let action = [&[prefix][..], &rest[..]].concat().join(" ");
        let rules = rules([(&action, Verdict::Allow), ("", Verdict::Ask), ("", Verdict::Deny)]);
        let deny = |it: &str| verdict(it, &rules).0;
        assert_ne!(deny(&format!("{action}; rm -rf x")), Verdict::Allow, "{action}");
        assert_ne!(deny(&format!("{action} && $x")), Verdict::Allow, "{action}");
        if words > 1 {
            let (head, _) = action.rsplit_once(' ').unwrap();
            assert_ne!(deny(&format!("{head} another")), Verdict::Allow, "{action}");
        }
        let plain = lawbook_shell::analyse(&format!("{action} --quiet"), &World::default());
        let found = Arity::known().action(&plain.segments[0]).join(" ");
        assert_eq!(found, action);
    }
}
