//! The first screen of the README is true.

use crate::room::Room;

const README: &str = include_str!("../../../../README.md");

fn block(language: &str) -> &'static str {
    let start = README.split_once(&format!("```{language}\n")).unwrap().1;
    start.split_once("```").unwrap().0
}

#[test]
fn the_policy_of_the_readme_gives_its_verdict_on_its_trace() {
    let room = Room::new(&[("lawbook.yaml", block("yaml")), ("chat.json", block("json"))]);
    let ran = room.run("check chat.json");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains(block("text")), "{}", ran.out);
}
