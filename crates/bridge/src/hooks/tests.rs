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
        assert!(heard.person(*host).is_err(), "{}", host.name());
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
