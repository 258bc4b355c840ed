// The layout: what becomes of texts, that it is stable, and that it keeps meaning and comments.

use crate::{Options, fmt, load};

fn laid_out(text: &str) -> String {
    fmt("p", text).unwrap_or_else(|told| panic!("{text}: {told:?}"))
}

const LAID_OUT: &[(&str, &str)] = &[
    ("rules: []\nlawbook: 1\nname: \"x\"\n", "lawbook: 1\nname: x\nrules: []\n"),
    (
        "lawbook: 1 # first\n\n\n\n# the tools\ntools: {b: {max_calls: 2, access: read}, a: }\n",
        "lawbook: 1  # first\n\n# the tools\ntools:\n  b: {access: read, max_calls: 2}\n  a:\n",
    ),
    (
        "lawbook: 1\nrules:\n- never: {tools: [\"a\", 'b']} # no\n  # who\n  id: x\n# end\n",
        "lawbook: 1\nrules:\n  # who\n  - id: x\n    never: {tools: [a, b]}  # no\n# end\n",
    ),
    (
        "lawbook: 1\nconsent: ['\\byes\\b', \"200\", 'yes', no, 'it''s', '', 'a, b', 'a: b']\n",
        "lawbook: 1\nconsent: ['\\byes\\b', \"200\", \"yes\", \"no\", \"it's\", \"\", \"a, b\", \"a: b\"]\n",
    ),
    (
        "lawbook: 1\nrules:\n  - id: x\n    when: 'call.tool == \"a\"'\n    complete: {}\n",
        "lawbook: 1\nrules:\n  - id: x\n    when: call.tool == \"a\"\n    complete: {}\n",
    ),
    (
        "lawbook: 1\nrules:\n  - id: x\n    why: |\n      one\n\n      two # no comment\n    complete: {}\n",
        "lawbook: 1\nrules:\n  - id: x\n    why: |\n      one\n\n      two # no comment\n    complete: {}\n",
    ),
    (
        "lawbook: 1\nnot_covered: [\n  tone, # of voice\n  # and\n  mood\n]\n",
        "lawbook: 1\nnot_covered:\n  - tone  # of voice\n  # and\n  - mood\n",
    ),
    ("{\"rules\": [], \"lawbook\": 1}", "{\n  \"lawbook\": 1,\n  \"rules\": []\n}\n"),
    (
        "{\"lawbook\": 1, \"rules\": [{\"complete\": {}, \"id\": \"x\"}]}",
        "{\n  \"lawbook\": 1,\n  \"rules\": [{\"id\": \"x\", \"complete\": {}}]\n}\n",
    ),
];

#[test]
fn texts_are_laid_out() {
    for (text, wanted) in LAID_OUT {
        assert_eq!(laid_out(text), *wanted, "{text}");
    }
}

/// Files with comments and shapes in every place.
const FILES: &[&str] = &[
    "# head\n\nlawbook: 1\n# before default\ndefault: deny # after\ntools:\n  # a tool\n  a: # with\n    access: read # only\n  \"b c\": {} # quoted\n\nrules: # all\n  - id: x # id\n    # kind\n    at_most: {tools: [a], # list\n      max: 3} # most\n  - {id: y, complete: {}} # flow\nwaivers: []\n# tail\n",
    "lawbook: 1\r\nname: é # ü\r\nrules:\r\n  - id: x\r\n    complete: {}\r\n",
    "lawbook: 1\nrules:\n  - id: long\n    only_listed: {tools: [aaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbb, ccccccccccccccccccccc], entries: [{tools: [d], verdict: ask, arg: x, matches: y}], pick: first}\n",
    "lawbook: 1\nrules:\n  - why: >\n      folded\n      text\n    id: x\n    complete: {}\n  -\n    # inner\n    id: z\n    complete: {}\n",
    "lawbook: 1\nname: \"a\\u0007b\\tc\"\nowner: plain\n  on two lines\ndefault: allow\n",
    "---\nlawbook: 1\ndefault: deny\n",
    "{lawbook: 1, default: deny, tools: {a: {access: read}}}\n",
];

#[test]
fn the_layout_is_stable() {
    let whole = FILES.iter().copied().chain(LAID_OUT.iter().map(|it| it.0));
    for text in whole {
        let once = laid_out(text);
        assert_eq!(laid_out(&once), once, "{text}");
    }
}

#[test]
fn the_layout_keeps_the_meaning() {
    for text in FILES {
        let lowered = |text: &str| {
            let loaded = load("p", text.as_bytes(), &Options::default());
            assert!(loaded.policy.is_some(), "{text}: {:?}", loaded.problems);
            format!("{:?}", loaded.policy)
        };
        assert_eq!(lowered(text), lowered(&laid_out(text)), "{text}");
    }
}

#[test]
fn the_layout_keeps_every_comment() {
    for text in FILES {
        let laid_out = laid_out(text);
        for comment in text.split('#').skip(1) {
            let comment = comment.lines().next().unwrap();
            assert!(laid_out.contains(&format!("#{comment}")), "{comment} in {laid_out}");
        }
    }
}

#[test]
fn what_can_not_be_read_is_not_laid_out() {
    assert_eq!(fmt("p", "lawbook: [\n").unwrap_err()[0].code, "not_yaml");
    assert_eq!(fmt("p", "a: 1\na: 2\n").unwrap_err()[0].code, "duplicate_key");
    assert_eq!(fmt("p", "- a\n").unwrap_err()[0].code, "wrong_shape");
}
