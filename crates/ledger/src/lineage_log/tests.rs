//! The published log to the byte, every change of it that has a case, and the bounds.

use ed25519_dalek::{Signer, SigningKey};
use lawbook_event::json::{Document, Grammar, Limits, Value};
use sha2::{Digest, Sha256};

use super::{
    DEPTH_MAX, Expected, Failure, Fault, Head, LINE_BYTES_MAX, PREFIX, Record, canonical,
    looks_like_lineage, verify,
};
use crate::tlog::{Hash, hex_bytes};

const VECTORS: &str = include_str!("../../../../conformance/ledger/lineage_vectors.json");
const CASES: &str = include_str!("../../../../conformance/ledger/lineage_logs.json");

fn json(text: &str) -> Document<'_> {
    Document::parse(text, Grammar::Strict, &Limits::DEFAULT).unwrap()
}

fn text(value: Value<'_>, name: &str) -> String {
    value.get(name).unwrap().as_str().unwrap().to_string()
}

fn compact(out: &mut String, value: Value<'_>) {
    // The published records are indented; a line is not. Order stays.
    if value.is_object() {
        out.push('{');
        for (at, (key, value)) in value.entries().enumerate() {
            out.push_str(if at == 0 { "" } else { "," });
            out.push_str(&format!("\"{key}\":"));
            compact(out, value);
        }
        out.push('}');
    } else if value.is_array() {
        out.push('[');
        for (at, value) in value.items().enumerate() {
            out.push_str(if at == 0 { "" } else { "," });
            compact(out, value);
        }
        out.push(']');
    } else {
        out.push_str(value.raw());
    }
}

fn lines() -> Vec<String> {
    let vectors = json(VECTORS);
    let line = |it| {
        let mut out = String::new();
        compact(&mut out, it);
        out
    };
    vectors.root().get("records").unwrap().items().map(line).collect()
}

fn own_key() -> [u8; 32] {
    hex_bytes(&text(json(VECTORS).root(), "public_key")).unwrap()
}

fn own_head() -> Head {
    text(json(VECTORS).root(), "head").parse().unwrap()
}

fn signing(which: &str) -> SigningKey {
    let seed = text(json(VECTORS).root(), "seed");
    SigningKey::from_bytes(&if which == "own" { hex_bytes(&seed).unwrap() } else { [9; 32] })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// The line with a hash, and a signature if somebody signs, that fit what it says.
fn made_anew(line: &str, signer: Option<&SigningKey>) -> String {
    let record = Record::read(line.as_bytes()).unwrap();
    let line = line.replace(&record.hash.to_string(), &record.computed.to_string());
    match signer {
        Some(key) => {
            let signature = key.sign(&record.computed.0).to_bytes();
            line.replace(&hex(&record.signature), &hex(&signature))
        }
        None => line,
    }
}

fn at(change: Value<'_>, name: &str) -> Option<usize> {
    change.get(name)?.number_text()?.parse().ok()
}

fn changed(lines: &mut Vec<String>, change: Value<'_>) {
    if let Some(place) = at(change, "edit") {
        let (find, put) = (text(change, "find"), text(change, "put"));
        assert!(lines[place].contains(&find), "{find}");
        lines[place] = lines[place].replace(&find, &put);
    } else if let Some(place) = at(change, "rehash") {
        lines[place] = made_anew(&lines[place], None);
    } else if let Some(place) = at(change, "remove") {
        lines.remove(place);
    } else if let Some(place) = at(change, "copy") {
        let line = lines[place].clone();
        lines.insert(at(change, "to").unwrap(), line);
    } else if let Some(count) = at(change, "keep") {
        lines.truncate(count);
    } else if let Some(pair) = change.get("swap") {
        let places: Vec<usize> = pair.items().map(|it| it.raw().parse().unwrap()).collect();
        lines.swap(places[0], places[1]);
    } else if let Some(from) = at(change, "renumber") {
        for (place, line) in lines.iter_mut().enumerate().skip(from) {
            let seq = Record::read(line.as_bytes()).unwrap().seq;
            let numbered = line.replace(&format!("\"seq\":{seq},"), &format!("\"seq\":{place},"));
            *line = made_anew(&numbered, None);
        }
    } else {
        let key = signing(&text(change, "sign"));
        let mut before: Option<Hash> = None;
        for line in lines.iter_mut().skip(at(change, "from").unwrap()) {
            let record = Record::read(line.as_bytes()).unwrap();
            if let (Some(before), true) = (before, record.seq > 0) {
                *line = line.replace(&record.prev_hash.to_string(), &before.to_string());
            }
            *line = line.replace(&hex(&own_key()), &hex(key.verifying_key().as_bytes()));
            *line = made_anew(line, Some(&key));
            before = Some(Record::read(line.as_bytes()).unwrap().hash);
        }
    }
}

#[test]
fn the_published_log_comes_out_to_the_byte() {
    let vectors = json(VECTORS);
    let seed: [u8; 32] = hex_bytes(&text(vectors.root(), "seed")).unwrap();
    let key = SigningKey::from_bytes(&seed);
    assert_eq!(hex(key.verifying_key().as_bytes()), text(vectors.root(), "public_key"));
    let lines = lines();
    assert_eq!(lines.len(), 12);
    for line in &lines {
        let record = Record::read(line.as_bytes()).unwrap();
        assert_eq!(record.computed, record.hash, "{line}");
        assert_eq!(key.sign(&record.computed.0).to_bytes(), record.signature, "{line}");
    }
    let known = vectors.root().get("canonical").unwrap();
    let record = json(&lines[at(known, "record").unwrap()]).root().raw().to_string();
    let record = json(&record);
    let mut out = String::new();
    canonical(&mut out, record.root());
    let hash_and = |it: &str, end: char| {
        let from = out.find(it).unwrap();
        let to = out[from + it.len()..].find(end).unwrap() + from + it.len();
        out[from..=to].to_string()
    };
    let unsigned = out.replace(&hash_and("\"hash\":\"", ','), "");
    let unsigned = unsigned.replace(&hash_and("\"signature\":\"", ','), "");
    assert_eq!(unsigned, text(known, "text"));
    let sum = [PREFIX, text(known, "text").as_bytes()].concat();
    assert_eq!(Hash(Sha256::digest(sum).into()), Record::read(lines[2].as_bytes()).unwrap().hash);
}

#[test]
fn every_change_is_told_as_its_case_says() {
    let cases = json(CASES);
    let cases: Vec<_> = cases.root().get("cases").unwrap().items().collect();
    assert!(cases.len() > 20);
    for case in cases {
        let about = text(case, "about");
        let mut lines = lines();
        case.get("change").unwrap().items().for_each(|it| changed(&mut lines, it));
        let known = case.get("expected").unwrap();
        let key = known.get("key").map(|it| match it.as_str() {
            Some("own") => own_key(),
            _ => *signing("other").verifying_key().as_bytes(),
        });
        let log_id = known.get("log_id").map(|_| text(known, "log_id"));
        let head = known.get("head").map(|_| own_head());
        let log: String = lines.iter().map(|it| format!("{it}\n")).collect();
        let report = verify(log.as_bytes(), Expected { key, log_id, head });
        let want = case.get("want").unwrap();
        if want.get("ok").is_some() {
            assert_eq!(report.failure, None, "{about}");
            assert_eq!(report.records, lines.len() as u64, "{about}");
            let trusted = want.get("trusted").map_or(key.is_some(), |it| it.as_bool().unwrap());
            assert_eq!(report.key_trusted, trusted, "{about}");
            let compared = want.get("compared").map_or(head.is_some(), |it| it.as_bool().unwrap());
            assert_eq!(report.head_compared, compared, "{about}");
        } else {
            let told = report.failure.map(|it| (it.fault.code().to_string(), it.line));
            assert_eq!(
                told,
                Some((text(want, "fault"), at(want, "line").unwrap() as u64)),
                "{about}"
            );
        }
    }
}

#[test]
fn a_log_with_any_byte_changed_is_not_believed() {
    let log: String = lines().iter().map(|it| format!("{it}\n")).collect();
    let expected = || Expected { key: Some(own_key()), log_id: None, head: Some(own_head()) };
    assert_eq!(verify(log.as_bytes(), expected()).failure, None);
    for place in (0..log.len() - 1).step_by(7) {
        let mut other = log.clone().into_bytes();
        other[place] ^= 1;
        assert_ne!(verify(&other, expected()).failure, None, "{place}");
    }
    for length in (0..log.len() - 1).step_by(11) {
        assert_ne!(verify(&log.as_bytes()[..length], expected()).failure, None, "{length}");
    }
}

#[test]
fn a_time_that_goes_back_is_told_and_is_no_fault() {
    let mut lines = lines();
    lines[4] = lines[4].replace("2026-01-01T00:00:02", "2025-01-01T00:00:02");
    let change = r#"{"sign":"own","from":4}"#;
    changed(&mut lines, json(change).root());
    let report = verify(lines.join("\n").as_bytes(), Expected::default());
    assert_eq!((report.failure, report.time_goes_back), (None, Some(5)));
}

#[test]
fn lines_are_bounded_and_depth_costs_no_stack() {
    let long = vec![b' '; LINE_BYTES_MAX + 1];
    assert_eq!(Record::read(&long), Err(Fault::TooLong));
    assert_eq!(Record::read(&long[1..]), Err(Fault::NotJson));
    let deep = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
        lines()[2].replace("\"cost\":2", &format!("\"cost\":{open}{close}"))
    };
    // The payload is the third object around the brackets at most; its own two are open there.
    assert_eq!(Record::read(deep(DEPTH_MAX - 1).as_bytes()).map(|it| it.seq), Ok(2));
    assert_eq!(Record::read(deep(DEPTH_MAX).as_bytes()), Err(Fault::NotJson));
    for line in ["", "{}", "[]", "1", "\"seq\"", "{\"seq\":0}", "\u{0}"] {
        assert!(Record::read(line.as_bytes()).is_err(), "{line}");
    }
    assert_eq!(Record::read(b"\xff"), Err(Fault::NotJson));
    for seq in ["-1", "1.0", "1e0", "18446744073709551616"] {
        let line = lines()[2].replace("\"seq\":2", &format!("\"seq\":{seq}"));
        assert_eq!(Record::read(line.as_bytes()), Err(Fault::Shape), "{seq}");
    }
}

#[test]
fn members_are_sorted_by_their_bytes_at_every_depth() {
    let value = r#" {"b" : [ 1.0 , {"\ud83d\ude00":1,"\uff5e":2,"a\/":3} ], "B":1e+16, "a":"\u001F\u007f\b"} "#;
    let mut out = String::new();
    canonical(&mut out, json(value).root());
    let want = "{\"B\":1e+16,\"a\":\"\\u001f\u{7f}\\b\",\"b\":[1.0,{\"a/\":3,\"\u{ff5e}\":2,\"\u{1f600}\":1}]}";
    assert_eq!(out, want);
    for same in ["[]", "{}", "[[],[{}]]", "null", "\"\"", "[1,2]", "{\"a\":{},\"b\":[]}"] {
        let mut out = String::new();
        canonical(&mut out, json(same).root());
        assert_eq!(out, same);
    }
}

#[test]
fn lineage_is_told_by_its_first_line() {
    assert!(looks_like_lineage(lines()[0].as_bytes()));
    for line in ["", "{}", "{\"seq\":0}", "{\"v\":1,\"agent\":\"a\",\"seq\":0,\"prev\":\"\"}"] {
        assert!(!looks_like_lineage(line.as_bytes()), "{line}");
    }
}

#[test]
fn heads_are_written_as_they_are_read() {
    let head = own_head();
    assert_eq!(head.to_string().parse(), Ok(head));
    for text in ["", "1", "01:00", "x:00", &format!("1:{}", "0".repeat(63))] {
        assert_eq!(text.parse::<Head>(), Err(Fault::Shape), "{text}");
    }
    assert_eq!(
        verify(b"", Expected::default()).failure,
        Some(Failure { line: 0, fault: Fault::Empty })
    );
}
