// Which host an address means.

use super::{Address, Pattern};

fn covers(pattern: &str, address: &str) -> bool {
    let pattern = Pattern::parse(pattern).unwrap();
    Address::parse(address).is_ok_and(|it| pattern.covers(&it))
}

#[test]
fn every_spelling_of_a_host_is_that_host() {
    for address in [
        "https://example.com/x",
        "HTTPS://EXAMPLE.com",
        "https://example.com.",
        "https://example.com:8443/x?y#z",
        "https://user:word@example.com/",
        "//example.com/x",
        "example.com",
        "example.com/x",
        "example.com:80",
        "example.com:80/x",
        "https://ex%61mple.com/",
        "https://ｅxample.com/",
        "git@example.com:team/it.git",
        "ssh://git@example.com/team/it.git",
        "wss://example.com/",
        "http://example.com?x=https://other.org",
        "https://example.com#@other.org",
    ] {
        assert!(covers("example.com", address), "{address}");
    }
    assert!(covers("bücher.example", "https://xn--bcher-kva.example/"));
    assert!(covers("xn--bcher-kva.example", "https://BÜCHER.example/"));
}

#[test]
fn another_host_is_not_taken_for_it() {
    for address in [
        "",
        "/",
        "https://",
        "https:///example.com",
        "https:example.com",
        "https://example.com.other.org/",
        "https://other.org/example.com",
        "https://example.com@other.org/",
        "https://a@example.com@other.org/",
        "https://other.org@a@example.com/",
        "https://other.org\\@example.com/",
        "https:\\\\example.com/",
        "https://exam\tple.com/",
        "https://example.com\n/",
        "https://example.com\u{ad}.other.org",
        "https://example.co",
        "https://notexample.com",
        "https://www.example.com",
        "https://examp1e.com",
        "https://ехample.com",
        "javascript:alert(1)//example.com",
        "data:text/plain,example.com",
        "mailto:a@example.com",
        "file://example.com/etc/passwd",
        "view-source:https://example.com",
        "https://example.com:port/",
        "https://[::1]/",
    ] {
        assert!(!covers("example.com", address), "{address}");
    }
}

#[test]
fn numbers_are_one_host_in_all_of_their_forms() {
    for address in [
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "127.0.0.1:3000",
        "ftp://127.0.0.1",
        "redis://127.0.0.1:6379",
    ] {
        assert!(covers("127.0.0.1", address), "{address}");
        assert!(!covers("example.com", address), "{address}");
    }
    assert!(covers("[::1]:80", "http://[0:0:0:0:0:0:0:1]/"));
}

#[test]
fn a_star_is_every_host_below_and_a_port_is_that_port() {
    assert!(covers("*.example.com", "https://a.b.example.com"));
    assert!(!covers("*.example.com", "https://example.com"));
    assert!(!covers("*.example.com", "https://.example.com"));
    assert!(!covers("*.example.com", "https://a.notexample.com"));
    assert!(covers("localhost:3000", "localhost:3000/x"));
    assert!(!covers("localhost:3000", "http://localhost/"));
    assert!(covers("example.com:443", "https://example.com"));
    let odd =
        ["*", "*.", "", "https://example.com", "a*.example.com", "example.com/x", "*.1.2.3.4"];
    for text in odd {
        assert!(Pattern::parse(text).is_err(), "{text}");
    }
}
