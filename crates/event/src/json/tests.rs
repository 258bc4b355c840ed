use std::borrow::Cow;

use super::{
    Buffers, Document, Grammar, Halves, JsonErrorKind, Kind, Limits, Writer, write_string,
};

fn strict(text: &str) -> Document<'_> {
    Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap()
}

fn refused(text: &str, grammar: Grammar) -> (JsonErrorKind, usize) {
    let error = Document::parse(text, grammar, &Limits::DEFAULT).expect_err(text);
    (error.kind, error.offset)
}

#[test]
fn keeps_order_number_text_and_repeated_keys() {
    let text = r#" {"b": 500.00, "a": [1, {"x": null}, -0.5e+3], "b": true, "c": {}} "#;
    let doc = strict(text);
    let root = doc.root();
    let keys: Vec<&str> = root.entries().map(|(key, _)| key).collect();
    assert_eq!(keys, ["b", "a", "b", "c"]);
    assert_eq!(root.len(), 4);
    assert_eq!(root.entries().next().unwrap().1.number_text(), Some("500.00"));
    assert_eq!(root.get("b").unwrap().as_bool(), Some(true));
    let list = root.get("a").unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(list.item(2).unwrap().number_text(), Some("-0.5e+3"));
    assert!(list.item(1).unwrap().get("x").unwrap().is_null());
    assert_eq!(list.raw(), r#"[1, {"x": null}, -0.5e+3]"#);
    assert_eq!(root.get("c").unwrap().kind(), Kind::Object);
    assert!(root.get("c").unwrap().is_empty());
    assert_eq!(doc.duplicate_key(), Some(("b", text.rfind("\"b\"").unwrap())));
}

#[test]
fn decodes_escapes() {
    let cases = [
        (r#""plain""#, "plain"),
        (r#""""#, ""),
        (r#""a\"b\\c\/d\b\f\n\r\te""#, "a\"b\\c/d\u{8}\u{c}\n\r\te"),
        (r#""\u0041\u00e9\u20AC\ud83d\uDE00!""#, "Aé€😀!"),
        (
            r#""no escapes at all, but longer than eight bytes é""#,
            "no escapes at all, but longer than eight bytes é",
        ),
        (r#""\u0000""#, "\0"),
        (r#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
    ];
    for (json, text) in cases {
        let doc = strict(json);
        assert_eq!(doc.root().as_str(), Some(text), "{json}");
        assert!(!doc.lone_surrogate());
    }
    let doc = strict(r#"{"a\n": "x", "b": "y\\", "c\t": 1}"#);
    let keys: Vec<&str> = doc.root().entries().map(|(key, _)| key).collect();
    assert_eq!(keys, ["a\n", "b", "c\t"]);
    assert_eq!(doc.root().get("b").unwrap().as_str(), Some("y\\"));
}

#[test]
fn lone_surrogates_are_read_and_flagged() {
    for json in [r#""\ud800""#, r#""\udc00x""#, r#""\ud800\u0041""#, r#""\ud800\ud800""#] {
        let doc = strict(json);
        assert!(doc.lone_surrogate(), "{json}");
        assert!(doc.root().as_str().unwrap().contains('\u{FFFD}'));
    }
}

#[test]
fn refuses_what_is_not_json() {
    use JsonErrorKind::{
        Control, Eof, Escape, ExpectedColon, ExpectedCommaOrClose, ExpectedKey, ExpectedValue,
        Number, Trailing,
    };
    let cases = [
        ("", Eof, 0),
        ("  ", Eof, 2),
        ("[", Eof, 1),
        ("[1", Eof, 2),
        ("{", Eof, 1),
        (r#"{"a""#, Eof, 4),
        (r#"{"a":"#, Eof, 5),
        (r#"{"a":1"#, Eof, 6),
        ("\"abc", Eof, 4),
        ("\"\\", Eof, 2),
        ("tru", ExpectedValue, 0),
        ("nul", ExpectedValue, 0),
        ("trux", ExpectedValue, 0),
        ("[1,]", ExpectedValue, 3),
        ("[,1]", ExpectedValue, 1),
        ("[1 2]", ExpectedCommaOrClose, 3),
        ("[1}", ExpectedCommaOrClose, 2),
        (r#"{"a":1]"#, ExpectedCommaOrClose, 6),
        (r#"{"a":1,}"#, ExpectedKey, 7),
        ("{a:1}", ExpectedKey, 1),
        ("{1:1}", ExpectedKey, 1),
        (r#"{"a" 1}"#, ExpectedColon, 5),
        ("01", Number, 1),
        ("-", Eof, 1),
        ("1.", Eof, 2),
        ("[1.]", Number, 3),
        ("[.5]", ExpectedValue, 1),
        ("[+1]", ExpectedValue, 1),
        ("[1e]", Number, 3),
        ("[1e+]", Number, 4),
        ("[1_000]", Number, 2),
        ("[0x10]", Number, 2),
        ("1 2", Trailing, 2),
        ("{} x", Trailing, 3),
        ("\"a\nb\"", Control, 2),
        ("\"a\tb\"", Control, 2),
        ("\"\\x\"", Escape, 1),
        ("\"\\u12G4\"", Escape, 1),
        ("'a'", ExpectedValue, 0),
        ("\u{FEFF}{}", ExpectedValue, 0),
        ("\u{A0}1", ExpectedValue, 0),
        ("[1]//", Trailing, 3),
        ("\0", ExpectedValue, 0),
    ];
    for (text, kind, offset) in cases {
        for grammar in [Grammar::Strict, Grammar::Python] {
            assert_eq!(refused(text, grammar), (kind, offset), "{text:?}");
        }
    }
}

#[test]
fn not_a_number_is_python_only() {
    for text in ["NaN", "Infinity", "-Infinity"] {
        let doc = Document::parse(text, Grammar::Python, &Limits::DEFAULT).unwrap();
        assert_eq!(doc.root().number_text(), Some(text));
        assert!(doc.non_finite_literal());
        assert!(Document::parse(text, Grammar::Strict, &Limits::DEFAULT).is_err());
    }
    for text in ["nan", "-NaN", "Infinit", "+Infinity", "inf"] {
        assert!(Document::parse(text, Grammar::Python, &Limits::DEFAULT).is_err(), "{text}");
    }
}

#[test]
fn limits_hold_and_depth_costs_no_stack() {
    for open in ["[", "{\"a\":"] {
        let deep = open.repeat(1_000_000);
        assert_eq!(refused(&deep, Grammar::Strict).0, JsonErrorKind::Depth);
    }
    let at_limit = format!("{}{}", "[".repeat(512), "]".repeat(512));
    assert!(Document::parse(&at_limit, Grammar::Strict, &Limits::DEFAULT).is_ok());
    let limits = Limits { depth_max: 2_000_000, ..Limits::DEFAULT };
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    assert!(Document::parse(&deep, Grammar::Strict, &limits).is_ok());
    let few = Limits { nodes_max: 3, bytes_max: 10, ..Limits::DEFAULT };
    let kind =
        |text: &str| Document::parse(text, Grammar::Strict, &few).map_err(|it| it.kind).err();
    assert_eq!(kind("[1,2]"), None);
    assert_eq!(kind("[1,2,3]"), Some(JsonErrorKind::Nodes));
    assert_eq!(kind("[1,2]      "), Some(JsonErrorKind::Bytes));
    assert!(JsonErrorKind::Nodes.is_limit() && !JsonErrorKind::Eof.is_limit());
}

#[test]
fn places_count_lines_and_characters() {
    let error = Document::parse("{\n \"é\": tru}", Grammar::Strict, &Limits::DEFAULT).unwrap_err();
    assert_eq!((error.line, error.column, error.offset), (2, 7, 9));
    assert_eq!(error.to_string(), "expected a JSON value at line 2 column 7");
}

#[test]
fn repeated_keys_are_found_at_any_size_and_depth() {
    for count in [2_usize, 3, 15, 16, 17, 40, 1000] {
        let entry = |it: usize| format!("\"a_key_of_some_length_{it:05}_x\":{it}");
        let entries: Vec<String> = (0..count).map(entry).collect();
        let object = format!("{{{}}}", entries.join(","));
        assert_eq!(strict(&object).duplicate_key(), None, "{count}");
        for (repeat, after) in [(0, count - 1), (count - 1, count - 1), (count / 2, count / 2)] {
            let mut more = entries.clone();
            more.insert(after + 1, entry(repeat));
            let text = format!("[[{{}}], {{\"deep\": {{{}}}}}]", more.join(","));
            let doc = strict(&text);
            let (key, offset) = doc.duplicate_key().unwrap();
            assert_eq!(key, format!("a_key_of_some_length_{repeat:05}_x"));
            assert!(text[offset..].starts_with(&format!("\"{key}\"")));
            assert_eq!(text[..offset].matches(key).count(), 1);
        }
    }
    assert_eq!(strict(r#"{"a": 1, "\u0061": 2}"#).duplicate_key(), Some(("a", 9)));
    assert_eq!(strict(r#"{"x": {"a": 1}, "y": {"a": 1}, "a": 0}"#).duplicate_key(), None);
    assert_eq!(strict(r#"{"a": {"b": 1, "b": 2}, "a": 3}"#).duplicate_key(), Some(("b", 15)));
}

#[test]
fn buffers_come_back_also_after_an_error() {
    let mut buffers = Buffers::default();
    for text in ["[1,\"\\n\"]", "[1,", "{\"a\":[]}"] {
        let text = Cow::Borrowed(text);
        let read = Document::parse_with(text, Grammar::Strict, &Limits::DEFAULT, &mut buffers);
        if let Ok(doc) = read {
            assert!(!doc.root().is_empty());
            buffers = doc.reuse();
        }
    }
    assert!(buffers.first.nodes.capacity() > 0);
}

#[test]
fn writes_what_it_reads() {
    let mut writer = Writer::new();
    writer.object().key("a\"").array().number(1).string("é\n\u{1}\u{7f}").null().end_array();
    writer.key("b").object().end_object().key("c").bool(false).key("d").raw("1.50").end_object();
    let text = writer.finish();
    assert_eq!(text, "{\"a\\\"\":[1,\"é\\n\\u0001\u{7f}\",null],\"b\":{},\"c\":false,\"d\":1.50}");
    let doc = strict(&text);
    assert_eq!(doc.root().len(), 4);
    let mut out = String::new();
    write_string(&mut out, "\u{8}\u{c}\r\t/\\");
    assert_eq!(out, r#""\b\f\r\t/\\""#);
}

/// A small generator with a fixed seed: the same texts on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }
}

fn random_json(dice: &mut Dice, depth: usize, out: &mut String) {
    match dice.below(if depth == 0 { 5 } else { 7 }) {
        0 => out.push_str("null"),
        1 => out.push_str(["true", "false"][dice.below(2)]),
        2 => out.push_str(["0", "-1.5e3", "123456789012345678901234567890"][dice.below(3)]),
        3 | 4 => {
            let length = dice.below(40);
            let pick = |dice: &mut Dice| ['a', '"', '\\', 'é', '\n', ' ', '😀', 'z'][dice.below(8)];
            let text: String = (0..length).map(|_| pick(dice)).collect();
            write_string(out, &text);
        }
        5 => {
            out.push('[');
            for item in 0..dice.below(4) {
                out.push_str(if item > 0 { ", " } else { "" });
                random_json(dice, depth - 1, out);
            }
            out.push(']');
        }
        _ => {
            out.push('{');
            for item in 0..dice.below(4) {
                out.push_str(if item > 0 { "," } else { "" });
                out.push_str(&format!("\"k{item}\" : "));
                random_json(dice, depth - 1, out);
            }
            out.push('}');
        }
    }
}

fn rewrite(value: super::Value<'_>, writer: &mut Writer) {
    match value.kind() {
        Kind::Null => writer.null(),
        Kind::Bool => writer.bool(value.as_bool().unwrap()),
        Kind::Number => writer.raw(value.number_text().unwrap()),
        Kind::String => writer.string(value.as_str().unwrap()),
        Kind::Array => {
            writer.array();
            value.items().for_each(|item| rewrite(item, writer));
            writer.end_array()
        }
        Kind::Object => {
            writer.object();
            for (key, value) in value.entries() {
                rewrite(value, writer.key(key));
            }
            writer.end_object()
        }
    };
}

#[test]
fn random_texts_survive_a_round_trip_and_no_cut_is_accepted() {
    let mut dice = Dice(7);
    for _ in 0..2000 {
        let mut text = String::from("[");
        random_json(&mut dice, 5, &mut text);
        text.push(']');
        let (mut once, mut twice) = (Writer::new(), Writer::new());
        rewrite(strict(&text).root(), &mut once);
        let once = once.finish();
        rewrite(strict(&once).root(), &mut twice);
        assert_eq!(once, twice.finish());
        let cut = dice.below(text.len());
        if text.is_char_boundary(cut) {
            assert!(Document::parse(&text[..cut], Grammar::Strict, &Limits::DEFAULT).is_err());
        }
    }
}

/// Everything that a document says.
fn told(document: &Document<'_>) -> String {
    let mut out = format!(
        "{:?} {} {} {} {:?}",
        document.duplicate_key(),
        document.lone_surrogate(),
        document.non_finite_literal(),
        document.longest_number(),
        document.numbers().collect::<Vec<_>>(),
    );
    let mut open = vec![document.root()];
    while let Some(value) = open.pop() {
        out.push_str(&format!("\n{:?} {} {:?}", value.kind(), value.len(), value.as_str()));
        out.push_str(value.raw());
        for (key, inner) in value.entries() {
            out.push_str(&format!("\n{key} {:?}", value.get(key).map(|it| it.raw())));
            open.push(inner);
        }
        open.extend(value.items());
    }
    out
}

fn cut_everywhere(text: &str, limits: &Limits) {
    let whole = Document::parse(text, Grammar::Python, limits);
    for cut in (0..=text.len()).filter(|it| text.is_char_boundary(*it)) {
        let halves = Halves::at(text, cut, Grammar::Python, limits);
        let halves = halves.first().join(halves.second());
        match (&whole, &halves) {
            (Ok(whole), Ok(halves)) => assert_eq!(told(whole), told(halves), "{cut} of {text}"),
            (whole, halves) => {
                assert_eq!(whole.as_ref().err(), halves.as_ref().err(), "{cut} of {text}");
            }
        }
    }
}

#[test]
fn two_halves_are_the_whole_wherever_the_text_is_cut() {
    for text in [
        r#"[1,2,[3,{"a":"b,c","d\n":["e\t",{}]},4],{"a":1,"a":2}]"#,
        r#" { "l" : [ {"k": "v\"],[1,"} , {"k": [NaN, -1.25e3]} , {"k": "\ud800"} ] , "k" : 7 } "#,
        r#"{"x":[[[1],[2]],[[3],[4,"\u0041"]]],"y":{"x":1,"z":{},"x":[]}}"#,
        r#"[{"a":1},{"a":2},"#,
        r#"[{"a":1},{"a":01},{"a":2}]"#,
        r#"[{"a":1},{"a":2}]]"#,
        "[1,[2,[3,[4,[5]]]],6]",
    ] {
        cut_everywhere(text, &Limits::DEFAULT);
        for bound in 1..12 {
            cut_everywhere(text, &Limits { depth_max: bound, ..Limits::DEFAULT });
            cut_everywhere(text, &Limits { nodes_max: bound * 2, ..Limits::DEFAULT });
        }
    }
}

#[test]
fn a_large_list_is_cut_near_its_middle() {
    let item = |at: usize| format!("{{\"id\": {at}, \"list\": [{{\"in\": \"é}},{{\"}}]}}");
    let items: Vec<String> = (0..150_000).map(item).collect();
    for text in [
        format!("{{\"data\":[{}], \"more\": true}}", items.join(",")),
        format!(" [\n  {}\n]", items.join(",\n  ")),
    ] {
        let cut = super::halves::cut(&text).unwrap();
        assert!(text[cut..].trim_start().starts_with("{\"id\": "));
        assert!(cut.abs_diff(text.len() / 2) < 1_000);
        let halves = Halves::of(&text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        let halves = halves.first().join(halves.second()).unwrap();
        assert!(!halves.buffers.second.nodes.is_empty());
        let list = halves.root().get("data").unwrap_or(halves.root());
        assert_eq!(list.len(), items.len());
        assert!(list.items().zip(&items).all(|(it, item)| it.raw() == item));
    }
    assert_eq!(super::halves::cut(&"x".repeat(9_000)), None);
}
