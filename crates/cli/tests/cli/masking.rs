//! What leaves is masked, at every door that prints words of traces.

use lawbook_ledger::store::{Entry, FileStore, Options, Store, entry_bytes};

use crate::room::{CAP, Ran, Room, line};

const SECRET: &str = "amy@example.com";
const POLICY: &str = "lawbook: 1\ndefault: allow\nrules:\n  - {id: to, arg_in: {tools: [send], \
                      arg: to, values: [us]}}\n";

fn room() -> Room {
    let room = Room::new(&[("p.yaml", POLICY), ("cap.yaml", CAP)]);
    let sent = format!("{{\"to\": \"{SECRET}\"}}");
    let id = format!("order of {SECRET}");
    room.write("t.jsonl", line(&id, "send", &sent).as_bytes());
    room.write("tool.jsonl", line("s", SECRET, "{}").as_bytes());
    room
}

#[test]
fn a_report_shows_no_secret_in_any_format() {
    let room = room();
    for format in ["text", "json", "jsonl", "text --all"] {
        let ran = room.run(&format!("check t.jsonl --policy p.yaml --format {format}"));
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(!format!("{}{}", ran.out, ran.err).contains(SECRET), "{format}: {}", ran.out);
        assert!(ran.out.contains("<EMAIL>"), "{format}: {}", ran.out);
    }
    let ran = room.run("check t.jsonl --policy p.yaml --format json --redact off");
    assert!(ran.out.contains(SECRET), "{}", ran.out);
}

#[test]
fn known_findings_and_marks_fit_under_masking() {
    let room = room();
    for redact in ["builtin", "off"] {
        let line = format!("check t.jsonl --policy p.yaml --format json --redact {redact}");
        assert_eq!(room.run(&format!("{line} --output known.json")).code, 1);
        let again = room.run("check t.jsonl --policy p.yaml --known known.json");
        assert_eq!(again.code, 0, "{redact}: {}{}", again.out, again.err);
    }
    let keep = "check t.jsonl --policy p.yaml --review review.yaml";
    assert_eq!(room.run(keep).code, 1);
    let review = room.read("review.yaml");
    assert!(!review.contains(SECRET), "{review}");
    assert_eq!(room.run(keep).code, 1);
    assert_eq!(room.read("review.yaml"), review, "the same finding is found again");
}

#[test]
fn an_answer_and_its_log_show_no_secret() {
    let room = room();
    let question = format!(
        "{{\"history\": \"complete\", \"call\": {{\"tool\": \"send\", \"args\": {{\"to\": \"{SECRET}\"}}}}}}"
    );
    room.write("q.json", question.as_bytes());
    let ran = room.run("decide --policy p.yaml --question q.json --log d.jsonl");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("<EMAIL>") && !ran.out.contains(SECRET), "{}", ran.out);
    assert!(!room.read("d.jsonl").contains(SECRET));
}

#[test]
fn tools_show_no_secret() {
    let room = room();
    for format in ["text", "json"] {
        let ran = room.run(&format!("tools tool.jsonl --format {format}"));
        assert!(ran.out.contains("<EMAIL>") && !ran.out.contains(SECRET), "{}", ran.out);
    }
}

/// Two sessions of two people whose addresses stand wherever a trace may choose a text.
fn people() -> Room {
    let policy = format!(
        "{POLICY}  - {{id: first, require_before: {{tools: [send], first: [look], success: true}}}}\n"
    );
    let room = Room::new(&[("p.yaml", &policy), ("old.yaml", "lawbook: 1\ndefault: allow\n")]);
    let one = |name: &str| {
        let id = format!("{name}@example.com");
        let tool = "send";
        line(&id, tool, &format!("{{\"to\": \"{id}\"}}"))
    };
    room.write("t.jsonl", [one("amy"), one("bob")].concat().as_bytes());
    room
}

#[test]
fn a_gate_and_its_band_show_no_secret_in_any_format() {
    let room = people();
    let made = room.run("baseline t.jsonl t.jsonl --policy p.yaml --out band.json");
    assert_eq!(made.code, 0, "{}", made.err);
    for text in [&made.out, &made.err, &room.read("band.json")] {
        assert!(!text.contains("@example.com"), "{text}");
    }
    for format in
        ["text", "json", "jsonl", "junit", "sarif", "github", "gitlab", "markdown", "html"]
    {
        let ran =
            room.run(&format!("gate t.jsonl --policy p.yaml --band band.json --format {format}"));
        assert_eq!(ran.code, 1, "{format}: {}{}", ran.out, ran.err);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains("@example.com"), "{format}: {text}");
            assert!(!text.contains("@\\u") && !text.contains("\\u{40}example"), "{format}: {text}");
        }
    }
    let ran = room.run("gate t.jsonl --policy p.yaml --band band.json --format json");
    let told: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_ne!(told["sessions"][0]["id"], told["sessions"][1]["id"], "two people stay two");
}

#[test]
fn a_diff_of_policies_shows_no_secret() {
    let room = people();
    for format in ["text", "json", "markdown"] {
        let line = format!("policy diff old.yaml p.yaml --traces t.jsonl --format {format}");
        let ran = room.run(&line);
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(!ran.out.contains("@example.com"), "{format}: {}", ran.out);
    }
}

#[test]
fn no_policy_proposes_what_masking_would_change() {
    let room = Room::new(&[]);
    let many = |it: usize| line(&format!("s{it}"), "send", &format!("{{\"to\": \"{SECRET}\"}}"));
    room.write("t.jsonl", (0..12).map(many).collect::<String>().as_bytes());
    let ran = room.run("policy init t.jsonl --print-questions");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.out.contains(SECRET), "{}", ran.out);
}

#[test]
fn a_summary_of_decisions_shows_no_secret() {
    let room = room();
    let question = format!(
        "{{\"session\": {{\"id\": \"of {SECRET}\"}}, \"history\": \"complete\", \"call\": {{\"tool\": \"send\", \"args\": {{\"to\": \"{SECRET}\"}}}}}}"
    );
    room.write("q.json", question.as_bytes());
    let logged = room.run("decide --policy p.yaml --question q.json --log d.jsonl --redact off");
    assert_eq!(logged.code, 1, "{}{}", logged.out, logged.err);
    for format in ["text", "json"] {
        let ran = room.run(&format!("decisions d.jsonl --format {format}"));
        assert!(!ran.out.contains(SECRET), "{}", ran.out);
    }
}

/// A secret, a phone and a card, and the tags that stand in their places.
const HIDDEN: [(&str, &str); 3] = [
    ("sk-abcdefghijklmnopqrst", "<SECRET>"),
    ("+1 212-555-0147", "<PHONE>"),
    ("4242 4242 4242 4242", "<CREDIT_CARD>"),
];

const HOOKED: &str = "lawbook: 1\ndefault: deny\ntools: {Note: {}, Look: {}, Send: {}}\nrules:\n  - {id: to, arg_in: {tools: [Send], arg: \
                      to, values: [us]}}\n  - {id: first, require_before: {tools: [Send], first: \
                      [Look], same_arg: to, success: true}}\n";

fn hooked(room: &Room, event: &str, tool: &str, hidden: &str, flags: &str) -> Ran {
    let input = serde_json::json!({
        "hook_event_name": event, "session_id": "s", "source": "startup",
        "permission_mode": "default", "tool_name": tool, "tool_use_id": format!("{tool}-1"),
        "tool_input": {"to": hidden}, "tool_response": format!("sent to {hidden}"),
        "prompt": format!("send it to {hidden}")
    });
    let line = format!("hook claude-code --policy h.yaml --store store {flags}");
    let ran = room.run_with(&line, &input.to_string());
    assert_eq!(ran.code, 0, "{event}: {ran:?}");
    ran
}

#[test]
fn a_hook_tells_no_secret_and_its_store_keeps_only_what_a_rule_needs() {
    for (hidden, tag) in HIDDEN {
        let room = Room::new(&[("h.yaml", HOOKED)]);
        for (event, tool) in [
            ("SessionStart", ""),
            ("UserPromptSubmit", ""),
            ("PreToolUse", "Note"),
            ("PostToolUse", "Note"),
            ("PreToolUse", "Look"),
            ("PostToolUse", "Look"),
        ] {
            let ran = hooked(&room, event, tool, hidden, "");
            assert!(!format!("{}{}", ran.out, ran.err).contains(hidden), "{event}: {ran:?}");
        }
        let ran = hooked(&room, "PreToolUse", "Send", hidden, "");
        assert!(ran.out.contains("deny"), "{ran:?}");
        assert!(!format!("{}{}", ran.out, ran.err).contains(hidden), "{ran:?}");
        // The reason names a tool that the policy does not list.
        let ran = hooked(&room, "PreToolUse", hidden, hidden, "");
        assert!(ran.out.contains("deny") && ran.out.contains(tag), "{ran:?}");
        assert!(!format!("{}{}", ran.out, ran.err).contains(hidden), "{ran:?}");
        let shown = hooked(&room, "PreToolUse", hidden, hidden, "--redact off");
        assert!(shown.out.contains(hidden), "{shown:?}");
        // The rule needs the argument of `Look` and whether it succeeded; nothing needs the words of
        // the user, nor any other call.
        let store = room.folder.join("store/claude-code");
        let file = std::fs::read_dir(&store).unwrap().next().unwrap().unwrap().path();
        let kept = std::fs::read_to_string(&file).unwrap();
        let holding: Vec<&str> = kept.lines().filter(|it| it.contains(hidden)).collect();
        assert!(!holding.is_empty(), "the rule could not be judged: {kept}");
        for it in holding {
            assert!(!it.contains("Note-1") && !it.contains("send it to"), "{it}");
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |it: &std::path::Path| it.metadata().unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&file), mode(&store)), (0o600, 0o700));
        }
    }
}

#[test]
fn a_hook_in_trouble_tells_no_secret() {
    for (hidden, tag) in HIDDEN {
        let room = Room::new(&[]);
        // What is wrong with the policy quotes it.
        let policy = format!("lawbook: 1\ndefault: \"{hidden}\"\n");
        room.write("h.yaml", policy.as_bytes());
        let ran = hooked(&room, "PreToolUse", "Send", "us", "");
        let told = ran.out.contains(tag) || ran.out.contains("this looks like a credential");
        assert!(ran.out.contains("deny") && told, "{ran:?}");
        assert!(!format!("{}{}", ran.out, ran.err).contains(hidden), "{ran:?}");
    }
}

#[test]
fn a_rule_with_a_secret_in_it_is_not_proposed() {
    let rules = "rules:\n  - {id: shell, command: {default: ask, arity: {deploy: 2}}}\n";
    let policy = format!("lawbook: 1\ndefault: ask\n{rules}");
    let room = Room::new(&[("ask.yaml", policy.as_str())]);
    let asked = |command: &str, event: &str| {
        let input = serde_json::json!({
            "hook_event_name": event, "session_id": "s", "permission_mode": "default",
            "tool_name": "Bash", "tool_use_id": command, "tool_input": {"command": command},
            "source": "startup", "tool_response": "ok"
        });
        let line = "hook claude-code --policy ask.yaml --store store";
        assert_eq!(room.run_with(line, &input.to_string()).code, 0);
    };
    asked("", "SessionStart");
    let secret = format!("deploy {}", HIDDEN[0].0);
    for command in ["deploy staging", &secret] {
        asked(command, "PreToolUse");
        asked(command, "PostToolUse");
    }
    let ran = room.run("hook answers claude-code --policy ask.yaml --store store");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("2 commands were said yes to"), "{}", ran.out);
    assert!(ran.out.contains("- deploy staging") && !ran.out.contains(HIDDEN[0].0), "{}", ran.out);
    let shown = room.run("hook answers claude-code --policy ask.yaml --store store --redact off");
    assert!(shown.out.contains(HIDDEN[0].0), "nothing was there to hide: {}", shown.out);
}

/// A ledger whose entries hold what must not be shown, one of them at a moment that the mask would
/// take for a card.
fn ledger() -> Room {
    let room = Room::new(&[]);
    let folder = room.folder.join("ledger");
    FileStore::create(&folder, &Options::at(1)).unwrap();
    let store = FileStore::open(&folder, &Options::at(2)).unwrap();
    let add = |agent: &str, kind: &str, text: &str| {
        let head = store.head(agent).unwrap();
        let bytes = entry_bytes(agent, &head, 4_242_424_242_424_242, kind, |it| {
            it.key("args").string(text);
        });
        store.submit(Entry::new(bytes)).unwrap().wait().unwrap();
    };
    add("of amy@example.com", "genesis", "");
    for (hidden, _) in HIDDEN {
        add("of amy@example.com", "decision", &format!("{{\"to\": \"{hidden}\"}}"));
    }
    room
}

#[test]
fn entries_of_a_ledger_show_no_secret_and_stay_exact_where_bytes_are_asked_for() {
    let room = ledger();
    for format in ["text", "json"] {
        let ran = room.run(&format!("ledger show ledger --format {format}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
        for (hidden, tag) in HIDDEN {
            assert!(ran.out.contains(tag) && !ran.out.contains(hidden), "{format}: {}", ran.out);
        }
        assert!(!ran.out.contains("amy@example.com"), "{format}: {}", ran.out);
        assert!(ran.out.contains("4242424242424242"), "a moment is no card: {}", ran.out);
        let open = room.run(&format!("ledger show ledger --format {format} --redact off"));
        assert!(open.out.contains(HIDDEN[1].0), "{format}: {}", open.out);
    }
    let shown: serde_json::Value =
        serde_json::from_str(&room.run("ledger show ledger --format json").out).unwrap();
    for it in shown["entries"].as_array().unwrap() {
        let entry = it["entry"].as_str().unwrap();
        assert!(serde_json::from_str::<serde_json::Value>(entry).is_ok(), "{entry}");
    }
    for (place, (hidden, _)) in HIDDEN.into_iter().enumerate() {
        let raw = room.run(&format!("ledger show ledger --raw --from {}", place + 2));
        assert!(raw.out.contains(hidden), "{}", raw.out);
    }
}

#[test]
fn what_is_said_of_a_ledger_names_no_agent_by_an_address() {
    let room = ledger();
    // One entry that says nothing of its chain, so that its agent is named.
    let segment = format!("ledger/log/{:020}.seg", 0);
    let path = room.folder.join(&segment);
    let mut bytes = std::fs::read(&path).unwrap();
    let text = b"\"seq\":2";
    let at = bytes.windows(text.len()).position(|it| it == text).unwrap();
    bytes[at + 6] = b'7';
    for (line, damaged) in [
        ("ledger rejudge ledger", false),
        ("ledger rejudge ledger --format json", false),
        ("ledger verify ledger", true),
        ("ledger verify ledger --format json", true),
    ] {
        if damaged {
            std::fs::write(&path, &bytes).unwrap();
        }
        let ran = room.run(line);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("of <EMAIL>"), "{line}: {said}");
        assert!(!said.contains("amy@example.com"), "{line}: {said}");
    }
}

#[test]
fn an_export_of_a_ledger_holds_its_exact_bytes_and_its_messages_none() {
    let room = ledger();
    let made = room.run("ledger key example.com/ledger --seed log.seed");
    assert_eq!(made.code, 0, "{}", made.err);
    let signed = room.run("ledger checkpoint ledger --origin example.com/ledger --seed log.seed");
    assert_eq!(signed.code, 0, "{}", signed.err);
    let ran = room.run("ledger export ledger public");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut all = Vec::new();
    files(&room.folder.join("public"), &mut all);
    let holds = |hidden: &str| {
        all.iter().any(|it| it.windows(hidden.len()).any(|it| it == hidden.as_bytes()))
    };
    for (hidden, _) in HIDDEN {
        // Other bytes would have another hash, and the log would prove nothing.
        assert!(holds(hidden), "{hidden} is not in the export");
        assert!(!format!("{}{}", ran.out, ran.err).contains(hidden), "{}", ran.out);
    }
}

/// The bytes of all files below a folder.
fn files(folder: &std::path::Path, out: &mut Vec<Vec<u8>>) {
    for it in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
        if it.is_dir() { files(&it, out) } else { out.push(std::fs::read(it).unwrap()) }
    }
}
