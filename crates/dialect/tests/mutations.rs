//! Broken policies of every sort: an answer for each, in time, and never a panic.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::disallowed_methods,
    reason = "a test may panic and look at the clock"
)]

use std::time::{Duration, Instant};

use lawbook_dialect::{Options, POLICY_BYTES_MAX, fmt, lint, load, schema};

const SEEDS: &[&str] = &[
    "lawbook: 1\ndefault: deny\ntools: {a: {access: write, confirm: true, max_calls: 3}}\nrules:\n  - id: x # y\n    when: args.a in [1, \"b\"] and not session.id == 'c'\n    arg_range: {tools: [a], arg: b, max: 200}\n",
    "{\"lawbook\": 1, \"rules\": [{\"id\": \"x\", \"arg_in\": {\"arg\": \"b\", \"values\": [1, null, \"c\"]}}]}",
    "{\"allow\": [\"a\"], \"limits\": [{\"tool\": \"a\", \"arg\": \"b\", \"max\": 1e9}], \"deny_patterns\": [\"x+\"]}",
    "{\"format\": \"pmstack.policy/1\", \"onlyListedTools\": true, \"tools\": {\"a\": {\"confirm\": true, \"maxPerTrace\": 1}}, \"rules\": [{\"id\": \"x\", \"type\": \"arg-not-match\", \"tools\": [\"a\"], \"pattern\": \"(?<=x)\\\\d+\", \"flags\": \"iu\", \"luhn\": true}]}",
    "lawbook: 1\nwaivers: [{rule: denied_patterns, why: >\n  folded\n  é\n, by: c, until: 2027-01-31T00:00:00Z}]\n",
];

/// A small generator, so that every run sees the same files.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }
}

fn mutated(seed: &str, dice: &mut Dice) -> Vec<u8> {
    const BITS: &[&str] = &[
        "{", "}", "[", "]", ":", ": ", "- ", "\n", "  ", "\"", "'", "#", " #", "&a ", "*a", "!b ",
        "|\n", ">", "%", "---\n", "\t", "\\", ",", "null", "0x1", "é", "\u{feff}", "?", "<<: ",
        "\r\n", "`", "~",
    ];
    let mut bytes = seed.as_bytes().to_vec();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(bytes.len() + 1);
        match dice.roll(4) {
            0 => drop(bytes.splice(at..at, BITS[dice.roll(BITS.len())].bytes())),
            1 => bytes.truncate(at),
            2 => {
                let end = (at + dice.roll(12)).min(bytes.len());
                drop(bytes.drain(at..end));
            }
            _ => {
                let end = (at + dice.roll(30)).min(bytes.len());
                let copied = bytes[at..end].to_vec();
                let to = dice.roll(bytes.len() + 1);
                drop(bytes.splice(to..to, copied));
            }
        }
    }
    bytes
}

fn answered(bytes: &[u8]) {
    let options = Options::default();
    let loaded = load("p", bytes, &options);
    assert_eq!(loaded.policy.is_some(), loaded.problems.is_empty(), "{loaded:?}");
    let _ = lint("p", bytes, &options);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if loaded.dialect == Some("lawbook")
        && let Ok(once) = fmt("p", text)
    {
        assert_eq!(fmt("p", &once).as_deref(), Ok(once.as_str()), "{text:?}");
        let again = load("p", once.as_bytes(), &options);
        let (before, after) = (format!("{:?}", loaded.policy), format!("{:?}", again.policy));
        assert_eq!(before, after, "{text:?}\n{once}");
    }
}

#[test]
fn broken_files_get_an_answer() {
    let mut dice = Dice(7);
    for round in 0..4_000 {
        answered(&mutated(SEEDS[round % SEEDS.len()], &mut dice));
    }
}

#[test]
fn large_files_get_an_answer_in_time() {
    let bits = [
        "[",
        "{",
        "- ",
        "a: ",
        "a:\n ",
        "&a ",
        "'",
        "\"",
        "? ",
        "! ",
        "\t",
        "a: |\n",
        "#\n",
        "a: 1\n",
        ",",
        "[]",
        "{a: b}\n",
        "é",
        "- a\n",
        "\n",
        "\\",
        "a b ",
        "%a\n",
        "---\n",
        "|",
        "(",
        "\"a\":",
        "*a ",
        "a: [1, 2]\n",
    ];
    for bit in bits {
        for head in
            ["lawbook: 1\nx: ", "lawbook: 1\n", "{\"lawbook\": 1, \"x\": ", "lawbook: 1\nx:\n- "]
        {
            let text = format!("{head}{}", bit.repeat(100_000 / bit.len()));
            let start = Instant::now();
            answered(text.as_bytes());
            let took = start.elapsed();
            assert!(took < Duration::from_secs(5), "{head:?} and {bit:?} took {took:?}");
        }
    }
}

#[test]
fn a_file_over_the_limit_is_refused() {
    let text = vec![b' '; POLICY_BYTES_MAX + 1];
    assert_eq!(load("p", &text, &Options::default()).problems[0].code, "policy_bytes_max");
    assert!(schema().ends_with("}\n"));
}
