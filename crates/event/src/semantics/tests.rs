use super::{EXACT, JAVASCRIPT, PYTHON, Path, Semantics, python};
use crate::json::{Document, Limits};

/// Reads `json` under `semantics` and hands the root to `then`.
fn with<T>(semantics: &dyn Semantics, json: &str, then: impl FnOnce(super::Value<'_>) -> T) -> T {
    let document = Document::parse(json, semantics.grammar(), &Limits::DEFAULT).expect(json);
    then(document.root())
}

fn number(semantics: &dyn Semantics, json: &str) -> Option<String> {
    with(semantics, json, |value| semantics.number(value).map(|it| it.display()))
}

fn equal(semantics: &dyn Semantics, a: &str, b: &str) -> bool {
    with(semantics, a, |a| with(semantics, b, |b| semantics.equal(a, b)))
}

/// JSON text, `str`, `repr`, and `_number` as `%g` ("beyond" for what overflows).
const PYTHON_VALUES: [(&str, &str, &str, Option<&str>); 40] = [
    ("null", "None", "None", None),
    ("true", "True", "True", None),
    ("7", "7", "7", Some("7")),
    ("-0", "0", "0", Some("0")),
    ("-0.0", "-0.0", "-0.0", Some("-0")),
    ("7.0", "7.0", "7.0", Some("7")),
    ("1.50", "1.5", "1.5", Some("1.5")),
    ("612.5", "612.5", "612.5", Some("612.5")),
    ("1e16", "1e+16", "1e+16", Some("1e+16")),
    ("1e15", "1000000000000000.0", "1000000000000000.0", Some("1e+15")),
    ("0.0001", "0.0001", "0.0001", Some("0.0001")),
    ("0.00001", "1e-05", "1e-05", Some("1e-05")),
    ("1234567", "1234567", "1234567", Some("1.23457e+06")),
    ("999999.5", "999999.5", "999999.5", Some("1e+06")),
    ("2.5e-7", "2.5e-07", "2.5e-07", Some("2.5e-07")),
    ("140379370315399.125", "140379370315399.12", "140379370315399.12", Some("1.40379e+14")),
    ("9007199254740993", "9007199254740993", "9007199254740993", Some("9.0072e+15")),
    ("500.00000000000000001", "500.0", "500.0", Some("500")),
    ("NaN", "nan", "nan", None),
    ("-Infinity", "-inf", "-inf", None),
    ("1e999", "inf", "inf", None),
    (r#""""#, "", "''", None),
    (r#""it's""#, "it's", r#""it's""#, None),
    (r#""a'b\"c""#, "a'b\"c", r#"'a\'b"c'"#, None),
    (
        r#""\n\t\\\u0000\u007f\u00a0é\u00ad""#,
        "\n\t\\\0\u{7f}\u{a0}é\u{ad}",
        r"'\n\t\\\x00\x7f\xa0é\xad'",
        None,
    ),
    (
        r#""\u200b€\ud83d\ude00\udb40\udc01""#,
        "\u{200b}€😀\u{e0001}",
        r"'\u200b€😀\U000e0001'",
        None,
    ),
    (r#""\ud83d\udedc""#, "\u{1f6dc}", r"'\U0001f6dc'", None),
    (r#"" $1,200.50 ""#, " $1,200.50 ", "' $1,200.50 '", Some("1200.5")),
    (r#""$ 12""#, "$ 12", "'$ 12'", Some("12")),
    (r#""+5""#, "+5", "'+5'", Some("5")),
    (r#""1_000e1_0""#, "1_000e1_0", "'1_000e1_0'", Some("1e+13")),
    (r#""1__0""#, "1__0", "'1__0'", None),
    (r#""１２.٣""#, "１２.٣", "'１２.٣'", Some("12.3")),
    (r#""\u000085""#, "\085", r"'\x0085'", None),
    (r#""-$5""#, "-$5", "'-$5'", None),
    (r#""0x10""#, "0x10", "'0x10'", None),
    (r#""inf""#, "inf", "'inf'", None),
    ("[1,[],{}]", "[1, [], {}]", "[1, [], {}]", None),
    (
        r#"{"a":1,"b":[true,null],"a":"x"}"#,
        "{'a': 'x', 'b': [True, None]}",
        "{'a': 'x', 'b': [True, None]}",
        None,
    ),
    (r#"{"k'":{"":-1.0e2}}"#, r#"{"k'": {'': -100.0}}"#, r#"{"k'": {'': -100.0}}"#, None),
];

#[test]
fn python_displays_as_cpython_does() {
    for (json, text, repr, general) in PYTHON_VALUES {
        with(PYTHON, json, |value| {
            assert_eq!(PYTHON.text(value), text, "{json}");
            assert_eq!(PYTHON.show(value), repr, "{json}");
            assert_eq!(PYTHON.number(value).map(|it| it.display()).as_deref(), general, "{json}");
            assert_eq!(PYTHON.key(value).unwrap(), PYTHON.trim(text));
        });
    }
    assert_eq!(PYTHON.quote("a'b"), "\"a'b\"");
}

#[test]
fn python_dumps_as_json_dumps_does() {
    let json = r#"{ "a":1, "é":[1.50,NaN,-Infinity,"\u20ac\n\u0001\u007f"],"b":{},"a":null }"#;
    let dumped = "{\"a\": null, \"é\": [1.5, NaN, -Infinity, \"€\\n\\u0001\u{7f}\"], \"b\": {}}";
    with(PYTHON, json, |value| assert_eq!(python::dumps(value), dumped));
}

#[test]
fn python_integers_have_bounds() {
    let beyond = format!("1{}", "0".repeat(400));
    with(PYTHON, &beyond, |value| {
        assert!(PYTHON.number(value).unwrap().is_beyond_double());
        assert_eq!(PYTHON.text(value), beyond);
    });
    for (digits, refused) in [(4300, false), (4301, true)] {
        let json = format!("[-{}]", "9".repeat(digits));
        let document = Document::parse(&json, PYTHON.grammar(), &Limits::DEFAULT).unwrap();
        assert_eq!(PYTHON.refuses(&document).is_some(), refused);
    }
    let float = format!("{}.5", "9".repeat(4301));
    let document = Document::parse(&float, PYTHON.grammar(), &Limits::DEFAULT).unwrap();
    assert_eq!(PYTHON.refuses(&document), None);
}

#[test]
fn python_int_of_exit_codes() {
    use python::Int::{No, NonZero, Overflow, Zero};
    let cases = [
        ("0", Zero),
        ("3", NonZero),
        ("0.9", Zero),
        ("-1.5", NonZero),
        ("true", NonZero),
        ("false", Zero),
        ("null", No),
        ("[1]", No),
        (r#"" 3 ""#, NonZero),
        (r#""-0_0""#, Zero),
        (r#""3.0""#, No),
        (r#""1_""#, No),
        (r#""٣""#, NonZero),
        ("1e999", Overflow),
        ("NaN", No),
    ];
    for (json, int) in cases {
        assert_eq!(with(PYTHON, json, python::int), int, "{json}");
    }
}

#[test]
fn python_equality() {
    let same = [
        ("1", "1.0"),
        ("[1]", "[true]"),
        ("[NaN]", "[NaN]"),
        (r#"{"a": 1, "b": [0]}"#, r#"{"b": [false], "a": 1.0}"#),
        (r#"{"a": 2, "a": 1}"#, r#"{"a": 1}"#),
        ("9007199254740993", "9007199254740993"),
    ];
    let different = [
        ("1", "true"),
        ("0", "false"),
        ("1", "\"1\""),
        ("NaN", "NaN"),
        ("null", "false"),
        ("[1, 2]", "[1]"),
        (r#"{"a": 1}"#, r#"{"a": 1, "b": 1}"#),
        ("9007199254740993", "9007199254740992.0"),
        ("[\"1\"]", "[1]"),
    ];
    for (a, b) in same {
        assert!(equal(PYTHON, a, b) && equal(PYTHON, b, a), "{a} {b}");
    }
    for (a, b) in different {
        assert!(!equal(PYTHON, a, b) && !equal(PYTHON, b, a), "{a} {b}");
    }
}

#[test]
fn exact_numbers_are_decimals() {
    let compare = |a: &str, b: &str| {
        with(EXACT, a, |a| EXACT.number(a).unwrap()).compare(&EXACT.bound(b).unwrap())
    };
    assert!(compare("9007199254740993", "9007199254740992").is_gt());
    assert!(compare("500.00000000000000001", "500").is_gt());
    assert!(compare("1e999999999", "500").is_gt());
    assert!(compare("15e-1", "1.50").is_eq());
    assert!(compare("\"$1,200.50\"", "1200.5").is_eq());
    assert_eq!(number(EXACT, "612.50").as_deref(), Some("612.50"));
    assert_eq!(number(EXACT, "\" $1,200.50 \"").as_deref(), Some("$1,200.50"));
    for json in ["\"1.250,75\"", "\"500 USD\"", "true", "null", "\"\"", "[1]", "\"1e3\""] {
        assert_eq!(number(EXACT, json), None, "{json}");
    }
}

#[test]
fn exact_keys_name_things() {
    let cases = [
        ("7.0", Some("7")),
        ("1.50", Some("1.5")),
        ("7", Some("7")),
        (r#"" C-1 ""#, Some("C-1")),
        (r#""7.0""#, Some("7.0")),
        ("true", Some("true")),
        ("null", None),
        (r#""  ""#, None),
        ("[]", None),
        ("{}", None),
        (r#"{"b": 1.0, "a": ["x"]}"#, Some(r#"{"a":["x"],"b":1}"#)),
    ];
    for (json, key) in cases {
        assert_eq!(
            with(EXACT, json, |it| EXACT.key(it).map(String::from)).as_deref(),
            key,
            "{json}"
        );
    }
    let caps = ["\"C-1\"", "\" c-1 \"", "\"ｃ－１\"", "\"\u{a0}C-1\""];
    for json in caps {
        assert_eq!(
            with(EXACT, json, |it| EXACT.cap_key(it).map(String::from)).as_deref(),
            Some("c-1")
        );
    }
    let folded = |json| with(EXACT, json, |it| EXACT.cap_key(it).map(String::from));
    assert_eq!(folded("\"Straße\""), folded("\"STRASSE\""));
    assert_eq!(folded("\"ΟΔΟΣ\""), folded("\"οδος\""));
}

#[test]
fn exact_values_keep_their_types() {
    for (a, b) in
        [("1.5", "15e-1"), (r#"{"a":1,"b":2}"#, r#"{"b":2.0,"a":1}"#), ("[null]", "[null]")]
    {
        assert!(equal(EXACT, a, b), "{a} {b}");
    }
    let different =
        [("1", "true"), ("1", "\"1\""), ("[1]", "[true]"), ("null", "false"), ("\"a\"", "\"A\"")];
    for (a, b) in different {
        assert!(!equal(EXACT, a, b), "{a} {b}");
    }
    let show = |json: &str| with(EXACT, json, |it| EXACT.show(it));
    assert_eq!(show(r#"{ "b": 1.50, "a": "x" }"#), r#"`{"b":1.50,"a":"x"}`"#);
    assert_eq!(EXACT.quote("a\u{7}\nb"), "`a\\u{7}\\nb`");
}

#[test]
fn exact_refuses_what_two_readers_read_differently() {
    let refuses = |json: &str| {
        let document = Document::parse(json, EXACT.grammar(), &Limits::DEFAULT).unwrap();
        EXACT.refuses(&document).is_some()
    };
    assert!(refuses(r#"{"a": {"b": 1, "b": 1}}"#));
    assert!(refuses(r#"["\ud800"]"#));
    assert!(!refuses(r#"[{"a": 1}, {"a": "\ud83d\ude00"}]"#));
    assert!(Document::parse("[NaN]", EXACT.grammar(), &Limits::DEFAULT).is_err());
}

#[test]
fn paths_of_each_system() {
    let json = r#"{"a": {"b": 1, "0": 5}, "a.b": 2, "items": [{"x": 3}, {"x": 4}, 9],
        "items[*]": 6, "A": 7, "deep.er": {"k.l": 8}}"#;
    let found = |semantics: &dyn Semantics, path: &str| -> Vec<String> {
        with(semantics, json, |root| {
            let mut out = Vec::new();
            semantics.each(root, &Path::parse(path), &mut out);
            let first = semantics.path(root, &Path::parse(path)).map(|it| it.raw());
            assert_eq!(first.is_some(), !out.is_empty(), "{path}");
            out.iter().map(|it| it.raw().to_owned()).collect()
        })
    };
    assert_eq!(found(EXACT, "a.b"), ["1", "2"]);
    assert_eq!(found(EXACT, "items[*].x"), ["3", "4"]);
    assert_eq!(found(EXACT, "items.1.x"), ["4"]);
    assert_eq!(found(EXACT, "items[2]"), ["9"]);
    assert_eq!(found(EXACT, "deep.er.k.l"), ["8"]);
    assert_eq!(found(EXACT, "A"), ["7"]);
    assert_eq!(found(EXACT, "b"), [""; 0]);
    assert_eq!(found(EXACT, "items.x"), [""; 0]);
    assert_eq!(found(PYTHON, "a.b"), ["1"]);
    assert_eq!(found(PYTHON, "items[*]"), ["6"]);
    assert_eq!(found(PYTHON, "items.0.x"), [""; 0]);
    assert_eq!(found(PYTHON, "a.0"), ["5"]);
    assert_eq!(found(JAVASCRIPT, "items[1].x"), ["4"]);
    assert_eq!(found(JAVASCRIPT, "items.00"), [""; 0]);
    with(PYTHON, json, |root| {
        let at = |path| PYTHON.result_path(root, &Path::parse(path)).map(|it| it.raw());
        assert_eq!(at("items.1.x"), Some("4"));
        assert_eq!(at("items.٠.x"), Some("3"));
        assert_eq!(at("items.3"), None);
        assert_eq!(at("items.-1"), None);
        assert_eq!(at("a.0"), Some("5"));
        assert_eq!(at("items.x"), None);
    });
    with(JAVASCRIPT, json, |root| {
        let length = |path| JAVASCRIPT.length(root, &Path::parse(path));
        assert_eq!(length("items.length"), Some(3));
        assert_eq!(length("a.length"), None);
        assert_eq!(length("items"), None);
    });
}

#[test]
fn missing_values_of_each_system() {
    let empty =
        |semantics: &dyn Semantics, json: &str| with(semantics, json, |it| semantics.is_empty(it));
    for json in ["null", "\"\"", "[]", "{}", "\" \\n\""] {
        assert!(empty(EXACT, json) && empty(PYTHON, json), "{json}");
    }
    for json in ["0", "false", "[0]", "\"0\"", "{\"a\": null}"] {
        assert!(!empty(EXACT, json) && !empty(PYTHON, json) && !empty(JAVASCRIPT, json), "{json}");
    }
    assert!(empty(JAVASCRIPT, "[]") && !empty(JAVASCRIPT, "{}") && !empty(JAVASCRIPT, "\" \""));
}

#[test]
fn javascript_displays_as_ecmascript_does() {
    let cases = [
        ("1e21", "1e+21", "1e+21"),
        ("1e20", "100000000000000000000", "100000000000000000000"),
        ("0.000001", "0.000001", "0.000001"),
        ("1.5e-7", "1.5e-7", "1.5e-7"),
        ("-0", "0", "0"),
        ("7.0", "7", "7"),
        ("9007199254740993", "9007199254740992", "9007199254740992"),
        ("-1e999", "-Infinity", "-Infinity"),
        ("null", "null", "null"),
        (r#""x""#, "x", "x"),
        (
            r#"[1,[2,null],"a",{"b":[3]},[]]"#,
            "1,2,,a,[object Object],",
            r#"[1,[2,null],"a",{"b":[3]},[]]"#,
        ),
        (r#"{"b":1,"10":1e999,"9":2,"b":3}"#, "[object Object]", r#"{"9":2,"10":null,"b":3}"#),
    ];
    for (json, text, shown) in cases {
        with(JAVASCRIPT, json, |value| {
            assert_eq!(JAVASCRIPT.text(value), text, "{json}");
            assert_eq!(JAVASCRIPT.show(value), shown, "{json}");
        });
    }
    assert_eq!(number(JAVASCRIPT, "1e999").as_deref(), Some("Infinity"));
    assert_eq!(number(JAVASCRIPT, "\"1,00 eur\"").as_deref(), Some("100"));
    assert!(equal(JAVASCRIPT, "9007199254740993", "9007199254740992"));
    assert!(!equal(JAVASCRIPT, "1", "true"));
}

#[test]
fn deep_values_cost_no_stack() {
    let limits = Limits { depth_max: 300_000, ..Limits::DEFAULT };
    let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
    let nested = format!("{}1{}", "{\"a\":".repeat(200_000), "}".repeat(200_000));
    for json in [deep, nested] {
        for semantics in [EXACT, PYTHON, JAVASCRIPT] {
            let document = Document::parse(&json, semantics.grammar(), &limits).unwrap();
            let value = document.root();
            assert!(semantics.equal(value, value));
            assert!(!semantics.show(value).is_empty() && !semantics.text(value).is_empty());
        }
    }
}
