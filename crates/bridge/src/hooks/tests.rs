use super::HOSTS;
use crate::host::{Heard, Output, Say};

#[test]
fn names_are_sorted_and_told_apart() {
    let names: Vec<&str> = HOSTS.iter().map(|it| it.name()).collect();
    assert!(names.is_sorted() && names.windows(2).all(|it| it[0] != it[1]), "{names:?}");
}

#[test]
fn every_answer_ends_with_zero_or_two() {
    let reason = || "a reason".to_owned();
    let all =
        [Say::Nothing, Say::Allow, Say::Ask(reason()), Say::Deny(reason()), Say::Note(reason())];
    for host in HOSTS {
        let events = host.setup().events.iter().copied().chain(["", "unheard of"]);
        for event in events {
            for say in &all {
                let Output { stderr, code, .. } = host.write(event, say);
                assert!(code == 0 || code == 2, "{} {event}", host.name());
                assert!(code == 0 || !stderr.is_empty(), "{} blocks without reason", host.name());
            }
        }
    }
}

#[test]
fn a_denial_is_never_silence_where_the_host_waits() {
    for host in HOSTS {
        for event in host.setup().gates {
            let output = host.write(event, &Say::Deny("no".to_owned()));
            let says = format!("{}{}", output.stdout, output.stderr);
            assert!(says.contains("deny") || output.code == 2, "{} {event}", host.name());
        }
    }
}

#[test]
fn nobody_is_asked_where_no_row_says_so() {
    for host in HOSTS {
        let heard = Heard { event: "unheard of".to_owned(), ..Heard::default() };
        assert!(heard.person(*host, None).is_err(), "{}", host.name());
    }
}

#[test]
fn what_waits_is_registered() {
    for host in HOSTS {
        let setup = host.setup();
        assert!(!setup.gates.is_empty());
        assert!(setup.gates.iter().all(|it| setup.events.contains(it)), "{}", host.name());
    }
}

/// One row for each host and version of which something is known: whether a person is asked.
#[test]
fn a_version_that_can_not_ask_is_not_asked_to() {
    for (host, event, mode, place, version, asks) in [
        ("claude-code", "PreToolUse", "default", "a terminal", None, true),
        ("claude-code", "PreToolUse", "default", "a terminal", Some("2.1.295"), true),
        ("claude-code", "PreToolUse", "default", "a terminal", Some("1.0.59"), true),
        ("claude-code", "PreToolUse", "plan", "a terminal", Some("1.0.58"), false),
        ("claude-code", "PreToolUse", "default", "a terminal", Some("odd"), false),
        ("claude-code", "PreToolUse", "default", "", Some("2.1.295"), false),
        ("claude-code", "PreToolUse", "auto", "a terminal", Some("2.1.295"), false),
        ("cursor", "beforeShellExecution", "attended", "", Some("2.6.0"), true),
        ("cursor", "beforeShellExecution", "attended", "", Some("1.6.9"), false),
        ("cursor", "beforeShellExecution", "attended", "", None, false),
        ("codex", "PreToolUse", "default", "", Some("0.153.3"), false),
        ("gemini-cli", "BeforeTool", "default", "", Some("1.0.0"), false),
    ] {
        let some = |it: &str| (!it.is_empty()).then(|| it.to_owned());
        let heard = Heard {
            event: event.to_owned(),
            mode: some(mode),
            place: some(place),
            ..Heard::default()
        };
        let host = crate::named(host).unwrap();
        assert_eq!(heard.person(host, version).is_ok(), asks, "{} {version:?}", host.name());
    }
}
