use super::{JavaScriptFlags, Pattern, PatternError, PatternUse, exact, python};

fn javascript(
    source: &str,
    ignore_case: bool,
    pattern_use: PatternUse,
) -> Result<Pattern, PatternError> {
    let flags = JavaScriptFlags { ignore_case, ..JavaScriptFlags::default() };
    super::javascript(source, flags, pattern_use)
}

fn spans(pattern: &Pattern, text: &str) -> Option<(usize, usize)> {
    let found = pattern.find(text).map(|range| (range.start, range.end));
    assert_eq!(found.is_some(), pattern.is_match(text));
    found
}

/// Pattern, ignore case, text, what CPython 3.11 finds (in bytes of UTF-8).
type Case = (&'static str, bool, &'static str, Option<(usize, usize)>);

const PYTHON: [Case; 44] = [
    (r"\.\./", false, "a/../b", Some((2, 5))),
    ("/etc/(passwd|shadow)", true, "x /ETC/Shadow", Some((2, 13))),
    (r"~/\.ssh", true, "ls ~/.ssh", Some((3, 9))),
    ("a$", false, "a\n", Some((0, 1))),
    ("a$", false, "a\n\n", None),
    (r"a\Z", false, "a\n", None),
    ("(?m)a$", false, "a\nb", Some((0, 1))),
    ("^b", false, "a\nb", None),
    ("(?m)^b", false, "a\nb", Some((2, 3))),
    ("a.b", false, "a\nb", None),
    ("(?s)a.b", false, "a\nb", Some((0, 3))),
    ("[[a]", false, "[", Some((0, 1))),
    ("[a&&b]", false, "&", Some((0, 1))),
    ("[]a]+", false, "]a", Some((0, 2))),
    ("[^]]", false, "]x", Some((1, 2))),
    ("[a-]", false, "-", Some((0, 1))),
    ("x{,2}y", false, "xxxy", Some((1, 4))),
    ("x{2", false, "x{2", Some((0, 3))),
    ("x{}", false, "x{}", Some((0, 3))),
    (r"\101\07", false, "A\u{7}", Some((0, 2))),
    (r"(a)\1", false, "xaa", Some((1, 3))),
    (r"(?P<q>['\x22]).*?(?P=q)", false, r#"say "it's""#, Some((4, 10))),
    (r"(?i)(A)\1", false, "aA", Some((0, 2))),
    (r"\d+", false, "x٣4", Some((1, 4))),
    (r"(?a)\d+", false, "٣4", Some((2, 3))),
    (r"\w+", false, "-né²", Some((1, 6))),
    (r"a\b", false, "ae\u{301}a\u{301}", Some((4, 5))),
    (r"\s", false, "a\u{1c}", Some((1, 2))),
    (r"\S+", false, "\u{85}x\u{1f}", Some((2, 3))),
    ("straße", true, "STRAẞE", Some((0, 8))),
    ("k", true, "\u{212a}", Some((0, 3))),
    ("i", true, "ı", Some((0, 2))),
    ("[a-z]", true, "İ", Some((0, 2))),
    ("(?i:a)b", false, "Ab", Some((0, 2))),
    ("(?i:a)b", false, "AB", None),
    ("a(?=b)", false, "acab", Some((2, 3))),
    ("(?<!un)confirmed", false, "unconfirmed, confirmed", Some((13, 22))),
    ("(?>a*)a", false, "aaa", None),
    ("a*+a", false, "aaa", None),
    ("(a)?(?(1)b|c)", false, "ac", Some((1, 2))),
    ("(?x) a b # comment\n c", false, "abc", Some((0, 3))),
    ("(?#note)a*", false, "aa", Some((0, 2))),
    (r"\B", false, "", None),
    ("", false, "x", Some((0, 0))),
];

#[test]
fn finds_what_python_finds() {
    for (source, ignore_case, text, expected) in PYTHON {
        let pattern = python(source, ignore_case, PatternUse::Deny).unwrap();
        assert_eq!(spans(&pattern, text), expected, "{source} on {text:?}");
        assert_eq!(pattern.source(), source);
    }
}

#[test]
fn refuses_what_python_refuses() {
    let cases = [
        ("(", 0),
        ("a)", 1),
        ("[a", 0),
        ("*a", 0),
        ("a**", 2),
        ("a{2,1}", 1),
        ("^*", 1),
        (r"\q", 0),
        (r"a\", 1),
        (r"\8", 0),
        (r"(a\1)", 2),
        ("(?P=n)", 0),
        ("(?P<1>a)", 0),
        ("(?P<n>a)(?P<n>b)", 8),
        ("(?<n>a)", 0),
        ("a(?i)", 1),
        ("(?<=a+)b", 0),
        ("[z-a]", 1),
        (r"[\d-z]", 1),
        (r"\x4", 0),
        ("(?(2)a)", 0),
        ("(?L)a", 0),
        ("é(", 2),
        (r"\400", 0),
        ("(?z)", 0),
        ("(?", 0),
    ];
    for (source, offset) in cases {
        let error = python(source, false, PatternUse::Deny).expect_err(source);
        assert_eq!(error.offset, offset, "{source}: {error}");
    }
}

#[test]
fn finds_what_ecmascript_finds() {
    let cases = [
        (r"\byes\b", true, "oh YES!", Some((3, 6))),
        (r"\d", false, "٣", None),
        (r"\w", true, "ſ", None),
        ("s", true, "ſ", None),
        ("[a-z]", true, "\u{212a}", None),
        ("σ", true, "ς", Some((0, 2))),
        ("a$", false, "a\n", None),
        ("a.b", false, "a\u{2028}b", None),
        (r"\s", false, "\u{feff}", Some((0, 3))),
        (r"\s", false, "\u{85}", None),
        ("[^]", false, "\n", Some((0, 1))),
        ("a[]", false, "a", None),
        (r"[\b]", false, "\u{8}", Some((0, 1))),
        (r"\1(a)", false, "a", Some((0, 1))),
        (r"(?<q>'|-).*\k<q>", false, "'x-y'", Some((0, 5))),
        (r"\k<q>", false, "k<q>", Some((0, 4))),
        (r"(?<=\$)\d+", false, "$42", Some((1, 3))),
        ("(?=a)*a", false, "a", Some((0, 1))),
        ("x{,2}", false, "x{,2}", Some((0, 5))),
        ("]}", false, "]}", Some((0, 2))),
        (r"\ud83d\ude00", false, "😀", Some((0, 4))),
        (r"\y\x4\c", false, r"yx4\c", Some((0, 5))),
        (r"[\w-]+", false, "a-b", Some((0, 3))),
        (r"n't\b", true, "I DON'T", Some((4, 7))),
    ];
    for (source, ignore_case, text, expected) in cases {
        let pattern = javascript(source, ignore_case, PatternUse::Deny).unwrap();
        assert_eq!(spans(&pattern, text), expected, "{source} on {text:?}");
    }
    for source in
        ["(", ")", "[", "*", "a**", r"a\", "(?<1>a)", "(?P<n>a)", "a{2,1}", "[z-a]", "{1}"]
    {
        assert!(javascript(source, false, PatternUse::Deny).is_err(), "{source}");
    }
}

#[test]
fn native_patterns_are_those_of_the_regex_crate_and_more() {
    let pattern = exact(r"(?<!un)confirm", true, PatternUse::Allow).unwrap();
    assert!(pattern.is_match("I CONFIRM") && !pattern.is_match("unconfirmed"));
    assert!(exact(r"\p{L}+", false, PatternUse::Deny).unwrap().is_match("é"));
    assert_eq!(exact("ab(", false, PatternUse::Deny).unwrap_err().offset, 2);
    let found = |source, text| exact(source, false, PatternUse::Deny).unwrap().is_match(text);
    assert!(found(r"(?<q>['-])x\k<q>", "-x-") && !found(r"(?<q>['-])x\k<q>", "-x'"));
    assert!(found(r"(?=.*\p{Lu}).\pN$", "A7") && !found(r"(?=a)a$", "a\n"));
    assert!(found(r"(?!b)\w\z", "\u{301}"));
    assert!(exact("[b-a]", false, PatternUse::Deny).is_err());
}

#[test]
fn large_patterns_are_refused() {
    for compile in [exact, python, javascript] {
        assert!(compile("(a{1000}){1000}", false, PatternUse::Deny).is_err());
        assert!(compile("(?=b)(a{1000}){1000}", false, PatternUse::Deny).is_err());
        let deep = format!("{}a{}", "(".repeat(8_000), ")".repeat(8_000));
        assert!(compile(&deep, false, PatternUse::Deny).is_err());
        let open = "(?=".repeat(5_000);
        assert!(compile(&open, false, PatternUse::Deny).is_err());
        let long = "a".repeat(20_000);
        assert_eq!(compile(&long, false, PatternUse::Deny).unwrap_err().offset, 16 << 10);
    }
}

#[test]
fn hostile_patterns_end_and_fall_on_the_safe_side() {
    let sources = [r"(?=x|a)(a|a)*b(?!c)", r"(?:(a*)*)*b\1", r"(.*)(.*)(.*)\1\2\3x"];
    for length in [300, 3_000, 30_000, 300_000] {
        let text = format!("{}!bx", "a".repeat(length));
        for source in sources {
            for compile in [exact, python, javascript] {
                let deny = compile(source, false, PatternUse::Deny).unwrap();
                let allow = compile(source, false, PatternUse::Allow).unwrap();
                // An engine may be clever enough to finish; then both uses agree.
                assert!(deny.is_match(&text) || !allow.is_match(&text), "{source}");
            }
        }
    }
    let text = format!("{}!x", "ab".repeat(30_000));
    for compile in [exact, python, javascript] {
        let source = r"(.*)(.*)(.*)\1\2\3xx";
        let deny = compile(source, false, PatternUse::Deny).unwrap();
        let allow = compile(source, false, PatternUse::Allow).unwrap();
        let with_it = format!("{text}x y xx");
        assert!(deny.is_match(&with_it) && !allow.is_match(&with_it));
        assert_eq!(deny.find(&with_it), Some(0..with_it.len()));
        assert_eq!(allow.find(&with_it), None);
        // Where not even the plain parts stand no step is needed.
        assert!(!deny.is_match(&text));
    }
    assert!(!python("(a+)+$", false, PatternUse::Deny).unwrap().is_match(&text));
}

#[test]
fn honest_patterns_fit_the_step_limit() {
    let long = "lorem ipsum dolor ".repeat(1_500);
    let text = format!("{long} café \u{200d} sk-1234");
    for source in [r"\bsk-\d+", r"(?<![a-z])sk-\d+(?!\d)", r"(\d)\1|sk-\d+"] {
        for compile in [exact, python, javascript] {
            let pattern = compile(source, true, PatternUse::Allow).unwrap();
            assert_eq!(pattern.find(&text), Some(text.len() - 7..text.len()), "{source}");
            let longer = long.repeat(100);
            let deny = compile(source, true, PatternUse::Deny).unwrap();
            assert!(!deny.is_match(&longer), "{source}");
        }
    }
}

#[test]
fn flags_mean_what_they_mean_in_ecmascript() {
    let flags = |text: &str| JavaScriptFlags {
        ignore_case: text.contains('i'),
        multiline: text.contains('m'),
        dot_all: text.contains('s'),
        unicode: text.contains('u'),
    };
    for (source, with, text, expected) in [
        ("^b$", "", "a\nb\nc", None),
        ("^b$", "m", "a\nb\nc", Some((2, 3))),
        ("^b", "m", "b", Some((0, 1))),
        ("a.b", "", "a\nb", None),
        ("a.b", "s", "a\nb", Some((0, 3))),
        ("B", "i", "b", Some((0, 1))),
        (r"\u{1F600}", "u", "😀", Some((0, 4))),
        (r"\u{2}", "", "uu", Some((0, 2))),
        ("^.$", "u", "😀", Some((0, 4))),
    ] {
        let pattern = super::javascript(source, flags(with), PatternUse::Deny).unwrap();
        assert_eq!(spans(&pattern, text), expected, "{source} with {with:?} on {text:?}");
    }
    for source in [r"\y", "]", "{1", r"\p{L}", r"\u{110000}", r"\01", "(?=a)*"] {
        assert!(super::javascript(source, flags("u"), PatternUse::Deny).is_err(), "{source}");
        let plain = super::javascript(source, flags(""), PatternUse::Deny);
        assert!(plain.is_ok(), "{source}");
    }
}

#[test]
fn all_matches_are_seen_in_their_surroundings() {
    let all = |source: &str, text: &str| {
        let mut found = Vec::new();
        let pattern = javascript(source, false, PatternUse::Deny).unwrap();
        assert!(!pattern.any_match(text, |it| {
            found.push((it.start, it.end));
            false
        }));
        found
    };
    assert_eq!(all("ab", "abxab"), [(0, 2), (3, 5)]);
    assert_eq!(all("^a", "aa"), [(0, 1)]);
    assert_eq!(all(r"\ba", "aa a"), [(0, 1), (3, 4)]);
    assert_eq!(all("(?<=a)a", "aaa"), [(1, 2), (2, 3)]);
    assert_eq!(all("a*", "aab"), [(0, 2), (2, 2), (3, 3)]);
    assert_eq!(all("", "é"), [(0, 0), (2, 2)]);
}

#[test]
fn a_search_for_all_matches_ends() {
    let text = "ab".repeat(10_000);
    for (pattern_use, counts) in [(PatternUse::Deny, true), (PatternUse::Allow, false)] {
        let pattern = javascript("a(?=b)", false, pattern_use).unwrap();
        assert_eq!(pattern.any_match(&text, |_| false), counts);
    }
}
