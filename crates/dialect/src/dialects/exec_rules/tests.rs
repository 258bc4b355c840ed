// What a file of rules may hold, at its bounds.

use crate::{Options, lint, load};

fn codes(text: &str) -> Vec<&'static str> {
    load("p.rules", text.as_bytes(), &Options::default())
        .problems
        .iter()
        .map(|it| it.code)
        .collect()
}

#[test]
fn too_many_alternatives_are_refused() {
    let words = |count: usize| {
        let words: Vec<String> = (0..count).map(|it| format!("\"-o{it}\"")).collect();
        format!("prefix_rule(pattern = [\"a\", [{}]], decision = \"prompt\")\n", words.join(","))
    };
    assert!(codes(&words(256)).is_empty());
    assert_eq!(codes(&words(257)), ["alternatives_max"]);
}

#[test]
fn variables_in_variables_stay_bounded() {
    let mut text = String::from("a = [\"x\", \"x\"]\n");
    for it in 0..40 {
        text.push_str(&format!("a = a + a # {it}\n"));
    }
    text.push_str("prefix_rule(pattern = a)\n");
    assert!(codes(&text).contains(&"policy_nodes_max"));
    let deep = format!("prefix_rule(pattern = {}\n", "[".repeat(100_000));
    assert!(codes(&deep).contains(&"policy_depth_max"));
}

#[test]
fn problems_have_their_place_and_the_way_out() {
    let text = "prefix_rule(pattern = [\"ls\"])\nprefix_rule(\n  pattern = [\"a\"],\n  match = [\"b\"],\n)\n";
    let problems = load("p.rules", text.as_bytes(), &Options::default()).problems;
    assert_eq!((problems[0].line, problems[0].column), (Some(4), Some(12)));
    assert!(problems[0].help.is_some());
}

#[test]
fn what_is_not_carried_is_told() {
    let text = "prefix_rule(pattern = [\"ls\"])\nnetwork_rule(host = \"a.example\", protocol = \"https\", decision = \"deny\")\n";
    let told = lint("p.rules", text.as_bytes(), &Options::default());
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].problem.line, Some(2));
    let policy = load("p.rules", text.as_bytes(), &Options::default()).policy.unwrap();
    assert_eq!(policy.not_covered.len(), 1);
}
