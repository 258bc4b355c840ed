//! Containers: what is recognised, what is refused, and where.

use std::io::Write;

use super::*;

fn source() -> Source {
    Source::new("t.json")
}

/// Line and text of every document.
type Parts = Vec<(Option<u32>, String)>;

fn opened(bytes: &[u8]) -> (Form, Parts, Vec<Problem>) {
    let limits = Limits::default();
    let contents = open(bytes, &source(), &limits).unwrap();
    let (parts, problems) = contents.parts(&source(), &limits);
    let parts = parts.iter().map(|it| (it.line, it.document.text().trim().to_owned())).collect();
    (contents.form(), parts, problems)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn one_document_may_span_lines() {
    let (form, parts, problems) = opened(b"{\r\n \"a\": 1\r\n}\r\n");
    assert_eq!(form, Form::Document);
    assert_eq!(parts, [(None, "{\r\n \"a\": 1\r\n}".to_owned())]);
    assert!(problems.is_empty());
}

#[test]
fn lines_are_numbered_over_blanks_and_carriage_returns() {
    let (form, parts, problems) =
        opened(b"\xEF\xBB\xBF{\"a\":1}\r\n\r\n{\"a\":2}\n{\"a\":\n{\"a\":4}");
    assert_eq!(form, Form::Lines);
    let lines: Vec<_> = parts.iter().map(|it| it.0.unwrap()).collect();
    assert_eq!(lines, [1, 3, 5]);
    assert_eq!((problems[0].code, problems[0].line), ("not_json", Some(4)));
}

#[test]
fn a_broken_first_line_hides_no_later_one() {
    let (form, parts, problems) = opened(b"{\"a\":\n{\"a\":2}\n{\"a\":3}\n");
    assert_eq!(form, Form::Lines);
    assert_eq!(parts.len(), 2);
    assert_eq!(problems[0].line, Some(1));
}

#[test]
fn documents_may_follow_each_other() {
    let (form, parts, problems) = opened(b"{\n\"a\":1}\n{\n\"a\":2}\n[3");
    assert_eq!(form, Form::Document);
    assert_eq!(parts.iter().map(|it| it.0).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert_eq!((problems[0].line, problems[0].code), (Some(5), "not_json"));
    let (form, parts, _) = opened(b"{\"a\":1}{\"a\":2}");
    assert_eq!((form, parts.len()), (Form::Document, 2));
    let (form, parts, _) = opened(b"{\"a\":1}{\"a\":2}\n{\"a\":3}");
    assert_eq!((form, parts.len()), (Form::Concatenation, 3));
    let (form, parts, _) = opened(b"[\n{\"a\":1}\n]");
    assert_eq!((form, parts.len()), (Form::Document, 1));
}

#[test]
fn gzip_is_unpacked_within_bounds() {
    let packed = gzip(b"{\"a\":1}\n{\"a\":2}\n");
    let (form, parts, _) = opened(&packed);
    assert_eq!((form, parts.len()), (Form::Lines, 2));
    let bomb = gzip(&vec![b' '; 8 << 20]);
    let problem = open(&bomb, &source(), &Limits::default()).unwrap_err();
    assert_eq!(problem.code, "gzip_too_large");
    let limits = Limits { gzip_bytes_max: 8, ..Limits::default() };
    assert_eq!(open(&packed, &source(), &limits).unwrap_err().code, "gzip_too_large");
    let cut = &packed[..packed.len() - 6];
    assert_eq!(open(cut, &source(), &Limits::default()).unwrap_err().code, "gzip_broken");
}

#[test]
fn what_cannot_be_read_is_said_with_its_place() {
    for empty in [&b""[..], b" \n\t", b"\xEF\xBB\xBF"] {
        assert_eq!(open(empty, &source(), &Limits::default()).unwrap_err().code, "empty");
    }
    let wrong = open(b"{\"a\": \"\xff\"}", &source(), &Limits::default()).unwrap_err();
    assert_eq!((wrong.code, wrong.line, wrong.column), ("not_utf8", Some(1), Some(8)));
    let (_, parts, problems) = opened(b"{\"a\":1}\n\xff\n\n{\"a\":2}\n");
    assert_eq!(parts.iter().map(|it| it.0).collect::<Vec<_>>(), [Some(1), Some(4)]);
    assert_eq!((problems[0].code, problems[0].line), ("not_utf8", Some(2)));
    let deep = "[".repeat(100_000);
    assert_eq!(opened(deep.as_bytes()).2[0].code, "too_large");
}

#[test]
fn blocks_end_at_their_last_line_end() {
    assert_eq!(block_end(b"{}\n{}"), 3);
    assert_eq!(block_end(b"{}"), 0);
    let source = source();
    let mut lines = Lines::new(b"{}\n\n[]\n", 7, &source);
    let numbers: Vec<_> = lines.by_ref().map(|it| it.unwrap().number).collect();
    assert_eq!(numbers, [7, 9]);
    assert_eq!(lines.next_number(), 10);
}

#[test]
fn yaml_is_read_within_bounds() {
    let text = "---\nversion: 2\ninteractions:\n- code: 200\n  body: !!binary |\n    aGk=\n  plain: 007\n  none: ~\n  quoted: '1'\n";
    let (form, parts, problems) = opened(text.as_bytes());
    assert_eq!((form, problems.len()), (Form::Yaml, 0));
    let json = r#"{"version":2,"interactions":[{"code":200,"body":{"base64":"aGk="},"plain":"007","none":null,"quoted":"1"}]}"#;
    assert_eq!(parts, [(None, json.to_owned())]);
    let limits = Limits { yaml_bytes_max: 8, ..Limits::default() };
    let contents = open(text.as_bytes(), &source(), &limits).unwrap();
    assert_eq!(contents.parts(&source(), &limits).1[0].code, "too_large");
    // A key of that name inside a document makes no cassette of it.
    assert_eq!(opened(b"{\n\"a\":\"\ninteractions:\n\"}").0, Form::Document);
}
