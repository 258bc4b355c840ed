//! A judge that replies, fails, hangs and lies, as a server on this machine.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lawbook_checks::Run;
use lawbook_event::{Event, Text, What};
use lawbook_mask::Mask;

use super::cache::Cache;
use super::client::Client;
use super::{FAILED_MAX, RemoteJudge};

const YES: &str = r#"{"choices":[{"message":{"content":"{\"detected\": true, \"confidence\": 0.9, \"reason\": \"backwards\"}"}}]}"#;

/// A server that gives each request the next of these replies, and the last one for ever.
struct Stub {
    url: String,
    asked: Arc<AtomicUsize>,
    heard: Arc<Mutex<Vec<String>>>,
}

fn stub(replies: Vec<Vec<u8>>) -> Stub {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (asked, heard) = (Arc::new(AtomicUsize::new(0)), Arc::new(Mutex::new(Vec::new())));
    let (counted, kept) = (Arc::clone(&asked), Arc::clone(&heard));
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let text = request(&mut BufReader::new(&mut stream));
            kept.lock().unwrap().push(text);
            let nth = counted.fetch_add(1, Ordering::SeqCst);
            let reply = &replies[nth.min(replies.len() - 1)];
            let _ = stream.write_all(reply);
            // Nothing more comes, and the connection stays open: the client hangs.
            if reply.is_empty() {
                open.push(stream);
            }
        }
    });
    Stub { url, asked, heard }
}

/// The head and the body of a request.
fn request(from: &mut impl BufRead) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && from.read_line(&mut head).unwrap() > 0 {}
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().unwrap())
    });
    let mut body = vec![0; length.unwrap_or(0)];
    from.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

fn status(status: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
        .into()
}

fn judge(stub: &Stub, key: Option<&str>, cache: Option<Cache>) -> RemoteJudge {
    let key = key.map(str::to_owned);
    RemoteJudge {
        model: "m".to_owned(),
        client: Client::within(&stub.url, key, Duration::from_millis(500)).unwrap(),
        cache,
        mask: Mask::default(),
        asked: AtomicU64::new(0),
        untold: AtomicU64::new(0),
        failed: AtomicU64::new(0),
    }
}

fn run(prompt: &str) -> Vec<Event<'_>> {
    let text = Text { id: "m0".into(), text: prompt.into() };
    vec![Event { at: None, place: 0, message: 0, what: What::User(text) }]
}

#[test]
fn a_good_reply_is_told_and_the_key_is_sent() {
    let stub = stub(vec![status("200 OK", YES)]);
    let judge = judge(&stub, Some("k-1"), None);
    let told = judge.told(&Run::of(&run("find it")));
    assert!(told.detected && told.confidence == 0.9 && told.reason == "backwards", "{told:?}");
    let heard = stub.heard.lock().unwrap().join("");
    assert!(heard.starts_with("POST /v1/chat/completions "), "{heard}");
    assert!(heard.to_lowercase().contains("authorization: bearer k-1"), "{heard}");
    assert!(heard.contains("Prompt: find it"), "{heard}");
    assert!(judge.notes()[0].contains("kappa 0.02"), "{:?}", judge.notes());
    assert_eq!(judge.notes().len(), 1);
}

#[test]
fn an_error_is_tried_again_and_told_as_not_judged() {
    let stub = stub(vec![status("500 Oops", "")]);
    let judge = judge(&stub, None, None);
    let told = judge.told(&Run::of(&run("q")));
    assert!(told.is_unknown(), "{told:?}");
    assert_eq!(told.reason, "not judged: the endpoint answered with status 500");
    assert_eq!(stub.asked.load(Ordering::SeqCst), 3);
    assert_eq!(judge.notes()[1], "1 of 1 runs were not judged");
}

#[test]
fn an_error_that_passes_changes_nothing_and_a_refusal_is_not_tried_again() {
    let passes = stub(vec![status("503 Busy", ""), status("200 OK", YES)]);
    assert!(judge(&passes, None, None).told(&Run::of(&run("q"))).detected);
    let refuses = stub(vec![status("401 No", "")]);
    assert!(judge(&refuses, None, None).told(&Run::of(&run("q"))).is_unknown());
    assert_eq!(refuses.asked.load(Ordering::SeqCst), 1);
}

#[test]
fn a_judge_that_hangs_is_left_and_after_some_runs_not_asked_again() {
    let stub = stub(vec![Vec::new()]);
    let judge = judge(&stub, None, None);
    for _ in 0..FAILED_MAX + 2 {
        assert!(judge.told(&Run::of(&run("q"))).is_unknown());
    }
    assert_eq!(stub.asked.load(Ordering::SeqCst) as u64, FAILED_MAX);
}

#[test]
fn garbage_and_a_body_without_end_are_not_judged() {
    let huge = format!("{{\"choices\": \"{}\"}}", "x".repeat(3 << 20));
    let redirect = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n".to_vec();
    for reply in
        [status("200 OK", "<html>"), status("200 OK", &huge), b"SSH-2.0\r\n\r\n".to_vec(), redirect]
    {
        let stub = stub(vec![reply]);
        let told = judge(&stub, None, None).told(&Run::of(&run("q")));
        assert!(told.is_unknown() && told.reason.starts_with("not judged: "), "{told:?}");
    }
}

#[test]
fn what_was_replied_is_kept_and_failures_are_not() {
    let folder = std::env::temp_dir().join(format!("lawbook-judge-{}", std::process::id()));
    let stub = stub(vec![status("401 No", ""), status("200 OK", YES), status("401 No", "")]);
    let judge = judge(&stub, None, Some(Cache::open(&folder).unwrap()));
    assert!(judge.told(&Run::of(&run("q"))).is_unknown());
    assert!(judge.told(&Run::of(&run("q"))).detected);
    assert!(judge.told(&Run::of(&run("q"))).detected);
    assert_eq!(stub.asked.load(Ordering::SeqCst), 2);
    assert!(judge.told(&Run::of(&run("another"))).is_unknown());
    for file in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(file.unwrap().path(), "forged").unwrap();
    }
    assert!(judge.told(&Run::of(&run("q"))).is_unknown());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reply_that_can_not_be_read_is_unknown_and_asked_again_by_the_next_run() {
    let folder = std::env::temp_dir().join(format!("lawbook-unread-{}", std::process::id()));
    let prose = r#"{"choices":[{"message":{"content":"The agent went the right way."}}]}"#;
    let unsure = r#"{"choices":[{"message":{"content":"{\"detected\": false}"}}]}"#;
    let stub = stub(vec![
        status("200 OK", prose),
        status("200 OK", unsure),
        status("200 OK", YES),
        status("401 No", ""),
    ]);
    let next_run = || judge(&stub, None, Some(Cache::open(&folder).unwrap()));
    for asked in 1..=2 {
        let judge = next_run();
        let told = judge.told(&Run::of(&run("q")));
        assert!(told.is_unknown(), "{told:?}");
        assert_eq!(stub.asked.load(Ordering::SeqCst), asked);
        assert_eq!(judge.notes()[1], "1 of 1 runs were not judged");
    }
    assert!(next_run().told(&Run::of(&run("q"))).detected);
    assert!(next_run().told(&Run::of(&run("q"))).detected, "what was read is kept");
    assert_eq!(stub.asked.load(Ordering::SeqCst), 3);
    // What an earlier version kept is no answer either.
    for file in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(file.unwrap().path(), prose).unwrap();
    }
    assert!(next_run().told(&Run::of(&run("q"))).reason.starts_with("not judged: "));
    assert_eq!(stub.asked.load(Ordering::SeqCst), 4);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn addresses_that_can_not_be_used_are_refused() {
    for url in [
        "api.example.com",
        "http://api.example.com/v1",
        "http://127.0.0.1.evil.com",
        "http://localhost:1@evil.com",
        "ftp://x",
    ] {
        assert_eq!(Client::new(url, None).err().map(|it| it.code), Some("judge_address"), "{url}");
    }
    for url in ["https://api.example.com/v1/", "http://localhost:11434/v1", "http://[::1]:1"] {
        assert!(Client::new(url, None).is_ok(), "{url}");
    }
}
