//! `lawbook ledger`: made, signed, proved, changed, and told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use lawbook_ledger::store::{Entry, FileStore, Options, Store, entry_bytes};
use serde_json::Value;

use crate::room::{Ran, Room};

const VECTORS: &str = include_str!("../../../../conformance/ledger/lineage_vectors.json");

/// A room with a ledger of some decisions, keys of a log and of a witness, and lists of keys.
struct Made {
    room: Room,
}

impl Made {
    fn new(decisions: u64) -> Self {
        let room = Room::new(&[]);
        FileStore::create(&room.folder.join("ledger"), &Options::at(1)).unwrap();
        let made = Made { room };
        made.add("support", decisions);
        let log = made.clean("ledger key example.com/ledger --seed log.seed");
        let witness = made.clean("ledger key example.com/w --seed w.seed --witness");
        let list = format!("log {log}witness w {witness}");
        made.room.write("keys.txt", format!("{list}quorum none\n").as_bytes());
        made.room.write("quorum.txt", format!("{list}quorum w\n").as_bytes());
        made
    }

    fn add(&self, agent: &str, decisions: u64) {
        let store = FileStore::open(&self.room.folder.join("ledger"), &Options::at(2)).unwrap();
        for step in 0..decisions {
            let head = store.head(agent).unwrap();
            let kind = match head.next_seq {
                0 => "genesis",
                1 => "policy",
                _ => "decision",
            };
            let bytes = entry_bytes(agent, &head, 5, kind, |it| {
                it.key("step").number(step);
            });
            store.submit(Entry::new(bytes)).unwrap().wait().unwrap();
        }
    }

    fn clean(&self, line: &str) -> String {
        let ran = self.room.run(line);
        assert_eq!(ran.code, 0, "{line}\n{}{}", ran.out, ran.err);
        ran.out
    }

    fn sign(&self) -> Ran {
        self.room.run("ledger checkpoint ledger --origin example.com/ledger --seed log.seed")
    }

    fn told(&self, line: &str) -> (i32, Value) {
        let ran = self.room.run(&format!("ledger verify {line} --format json"));
        assert!(ran.err.is_empty(), "{}", ran.err);
        let value = serde_json::from_str(&ran.out).unwrap();
        fits("ledger_verify", &value);
        (ran.code, value)
    }

    /// Copies a folder with what lies directly in it and one level below.
    fn copy(&self, from: &str, to: &str) {
        let (from, to) = (self.room.folder.join(from), self.room.folder.join(to));
        std::fs::create_dir_all(&to).unwrap();
        for it in std::fs::read_dir(&from).unwrap().map(|it| it.unwrap()) {
            let name = it.file_name();
            if it.path().is_dir() {
                std::fs::create_dir_all(to.join(&name)).unwrap();
                for file in std::fs::read_dir(it.path()).unwrap().map(|it| it.unwrap()) {
                    std::fs::copy(file.path(), to.join(&name).join(file.file_name())).unwrap();
                }
            } else {
                std::fs::copy(it.path(), to.join(name)).unwrap();
            }
        }
    }
}

pub fn fits(name: &str, value: &Value) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema");
    let text = std::fs::read_to_string(format!("{folder}/{name}-1.schema.json")).unwrap();
    crate::schema::fits(&text, value);
}

fn codes(value: &Value, list: &str) -> Vec<String> {
    let all = value[list].as_array().unwrap();
    all.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_was_given_says_what_is_proved() {
    let made = Made::new(9);
    let (code, told) = made.told("ledger");
    assert_eq!((code, codes(&told, "unproved")), (3, vec!["unsigned".into(), "rollback".into()]));
    assert_eq!(told["entries"], 10);
    assert_eq!(made.sign().code, 0);
    std::fs::copy(made.room.folder.join("ledger/checkpoint"), made.room.folder.join("old"))
        .unwrap();
    let (code, told) = made.told("ledger --keys keys.txt");
    assert_eq!((code, codes(&told, "unproved")), (3, vec!["rollback".into()]));
    let (code, told) = made.told("ledger --keys keys.txt --expect old");
    assert_eq!((code, told["result"].as_str()), (0, Some("proved")));
    assert_eq!(codes(&told, "proved"), ["chains", "checkpoint"]);
    assert_eq!(
        (codes(&told, "limits"), &told["log"]),
        (vec!["cut_after".into()], &"example.com/ledger".into())
    );
    made.add("support", 3);
    let (code, told) = made.told("ledger --keys keys.txt --expect old");
    assert_eq!((code, codes(&told, "unproved")), (3, vec!["after_checkpoint".into()]));
    let text = made.room.run("ledger verify ledger --keys keys.txt --expect old").out;
    assert!(text.contains("not proved  nobody has signed entries 10 to 12"), "{text}");
    let (code, told) = made.told("ledger --keys quorum.txt --expect old");
    assert_eq!((code, codes(&told, "unproved").contains(&"witnesses".into())), (3, true));
    let ran = made.room.run("ledger verify ledger --expect old");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("give the public key of `example.com/ledger`"), "{}", ran.err);
}

#[test]
fn a_restored_backup_is_found_by_what_lies_elsewhere_and_by_nothing_in_the_folder() {
    let made = Made::new(9);
    assert_eq!(made.sign().code, 0);
    made.copy("ledger", "backup");
    made.add("support", 3);
    assert_eq!(made.sign().code, 0);
    std::fs::copy(made.room.folder.join("ledger/checkpoint"), made.room.folder.join("kept"))
        .unwrap();
    let (code, _) = made.told("backup --keys keys.txt");
    assert_eq!(code, 3);
    let (code, told) = made.told("backup --keys keys.txt --expect kept");
    assert_eq!((code, codes(&told, "findings")), (1, vec!["truncated".into()]));
    // Nothing is signed that contradicts what was.
    std::fs::copy(made.room.folder.join("kept"), made.room.folder.join("backup/checkpoint"))
        .unwrap();
    let ran = made.room.run("ledger checkpoint backup --origin example.com/ledger --seed log.seed");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("13 entries were signed before, and there are 10"), "{}", ran.err);
}

#[test]
fn one_byte_changed_on_the_disk_is_told_at_its_entry() {
    let made = Made::new(9);
    assert_eq!(made.sign().code, 0);
    let segment = format!("ledger/log/{:020}.seg", 0);
    let mut bytes = std::fs::read(made.room.folder.join(&segment)).unwrap();
    let text = b"\"seq\":4";
    let at = bytes.windows(text.len()).position(|it| it == text).unwrap();
    bytes[at + 6] = b'5';
    made.room.write(&segment, &bytes);
    let (code, told) = made.told("ledger --keys keys.txt");
    assert_eq!((code, codes(&told, "findings")), (1, vec!["damaged".into()]));
    assert_eq!(told["findings"][0]["index"], 5);
    // The hashes are kept apart, so all others are still what was signed.
    assert!(codes(&told, "proved").contains(&"checkpoint".into()), "{told}");
    let ran = made.room.run("ledger show ledger --from 5 --limit 1");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("damaged: "), "{}", ran.out);
    assert_eq!(made.room.run("ledger export ledger public").code, 1);
}

#[test]
fn a_receipt_is_verified_without_the_ledger() {
    let made = Made::new(9);
    assert_eq!(made.room.run("ledger prove ledger 4").code, 3);
    assert_eq!(made.sign().code, 0);
    made.room.write("r", made.clean("ledger prove ledger 4").as_bytes());
    made.room.write("e", made.clean("ledger show ledger --from 4 --raw").as_bytes());
    made.room.write("other", made.clean("ledger show ledger --from 5 --raw").as_bytes());
    let (code, told) = made.told("r --entry e --keys keys.txt");
    assert_eq!((code, codes(&told, "proved")), (0, vec!["inclusion".into()]));
    assert_eq!((&told["sort"], &told["proved"][0]["index"]), (&"receipt".into(), &4.into()));
    let (code, told) = made.told("r --entry other --keys keys.txt");
    assert_eq!((code, codes(&told, "findings")), (1, vec!["receipt".into()]));
    assert_eq!(made.told("r --entry e").0, 3);
    assert_eq!(made.told("r --entry e --keys quorum.txt").0, 3);
    assert_eq!(made.room.run("ledger verify r --keys keys.txt").code, 2);
    assert_eq!(made.room.run("ledger prove ledger 10").code, 3);
    for line in ["prove ledger 4", "prove ledger --since 3", "show ledger", "export ledger public"]
    {
        let out = made.clean(&format!("ledger {line} --format json"));
        let name = format!("ledger_{}", line.split(' ').next().unwrap());
        fits(&name, &serde_json::from_str(&out).unwrap());
    }
    let out = made.clean(
        "ledger checkpoint ledger --origin example.com/ledger --seed log.seed --format json",
    );
    fits("ledger_checkpoint", &serde_json::from_str(&out).unwrap());
}

const WITNESS: &str = "ledger witness example.com/w --seed w.seed --keys keys.txt --state w";

#[test]
fn a_witness_signs_what_grows_and_refuses_what_goes_back() {
    let made = Made::new(9);
    assert_eq!(made.sign().code, 0);
    made.copy("ledger", "backup");
    made.room.write("q", made.clean("ledger prove ledger --since 0").as_bytes());
    let lines = made.clean(&format!("{WITNESS} --file q"));
    made.room.write("lines", lines.as_bytes());
    let added = made.room.run("ledger checkpoint ledger --add lines --keys keys.txt");
    assert_eq!(added.code, 0, "{}", added.err);
    let (code, told) = made.told("ledger --keys quorum.txt");
    assert_eq!(code, 0, "{told}");
    assert!(codes(&told, "proved").contains(&"cosigned".into()));
    assert_eq!(codes(&told, "limits"), ["cut_since"]);
    // Signing the same again keeps what the witness has given.
    assert_eq!(made.sign().code, 0);
    assert_eq!(made.told("ledger --keys quorum.txt").0, 0);
    made.add("support", 2);
    assert_eq!(made.sign().code, 0);
    made.room.write("q", made.clean("ledger prove ledger --since 10").as_bytes());
    made.clean(&format!("{WITNESS} --file q"));
    // The lines of another checkpoint are not added.
    let added = made.room.run("ledger checkpoint ledger --add lines --keys keys.txt");
    assert_eq!(added.code, 1, "{}", added.err);
    // The backup is younger than what the witness remembers.
    made.room.write("q", made.clean("ledger prove backup --since 10").as_bytes());
    let ran = made.room.run(&format!("{WITNESS} --file q --format json"));
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    fits("ledger_witness", &answer);
    assert_eq!((ran.code, &answer["status"], &answer["size"]), (1, &409.into(), &12.into()));
    let names = std::fs::read_dir(made.room.folder.join("w")).unwrap();
    let mut names = names.map(|it| it.unwrap().file_name().into_string().unwrap());
    let head = names.find(|it| it.ends_with(".head")).unwrap();
    assert_eq!(made.told(&format!("ledger --keys keys.txt --head w/{head}")).0, 0);
    let (code, told) = made.told(&format!("backup --keys keys.txt --head w/{head}"));
    assert_eq!((code, codes(&told, "findings")), (1, vec!["truncated".into()]));
    // A memory that can't be read is no empty one.
    made.room.write(&format!("w/{head}"), b"");
    made.room.write("q", made.clean("ledger prove ledger --since 0").as_bytes());
    let ran = made.room.run(&format!("{WITNESS} --file q"));
    assert_eq!(ran.code, 2, "{}", ran.out);
}

/// A process that is ended when the test is.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn post(address: &str, path: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_witness_answers_at_a_port_of_this_machine() {
    let made = Made::new(9);
    assert_eq!(made.sign().code, 0);
    for line in [
        "checkpoint ledger --origin example.com/ledger",
        "witness example.com/w --keys keys.txt --state w --file q",
    ] {
        let ran = made.room.run(&format!("ledger {line}"));
        assert!(ran.code == 2 && ran.err.contains("no key to sign with"), "{line} {}", ran.err);
    }
    let ran = made.room.run(&format!("{WITNESS} --listen 0.0.0.0:0"));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("an address that others can reach"), "{}", ran.err);
    let mut command = made.room.command(&format!("{WITNESS} --listen 127.0.0.1:0"));
    let mut server = Server(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap();
    let request = made.clean("ledger prove ledger --since 0");
    let answer = post(address, "/add-checkpoint", &request);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let lines = answer.split_once("\r\n\r\n").unwrap().1;
    made.room.write("lines", lines.as_bytes());
    assert_eq!(made.room.run("ledger checkpoint ledger --add lines --keys keys.txt").code, 0);
    assert_eq!(made.told("ledger --keys quorum.txt").0, 0);
    let answer = post(address, "/add-checkpoint", &request);
    assert!(answer.starts_with("HTTP/1.1 409"), "{answer}");
    assert!(answer.contains("text/x.tlog.size") && answer.ends_with("\r\n\r\n10\n"), "{answer}");
    assert!(post(address, "/add-checkpoint", "x").starts_with("HTTP/1.1 400"));
    assert!(post(address, "/other", "x").starts_with("HTTP/1.1 404"));
    // The state belongs to one process.
    made.room.write("q", request.as_bytes());
    let ran = made.room.run(&format!("{WITNESS} --file q"));
    assert!(ran.code == 2 && ran.err.contains("another witness has this state"), "{}", ran.err);
}

#[test]
fn keys_are_rotated_by_a_checkpoint_that_both_sign() {
    let made = Made::new(9);
    assert_eq!(made.sign().code, 0);
    let new = made.clean("ledger key example.com/ledger --seed new.seed");
    made.room.write("new.txt", format!("log {new}quorum none\n").as_bytes());
    let ran = made.room.run(
        "ledger checkpoint ledger --origin example.com/ledger --seed log.seed --also new.seed",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    for keys in ["keys.txt", "new.txt"] {
        let (_, told) = made.told(&format!("ledger --keys {keys}"));
        assert!(codes(&told, "proved").contains(&"checkpoint".into()), "{keys}");
    }
    let ran = made.room.run("ledger checkpoint ledger --origin example.com/ledger --seed new.seed");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = made.room.run("ledger checkpoint ledger --origin example.com/other --seed new.seed");
    assert_eq!(ran.code, 1, "{}", ran.err);
}

#[test]
fn a_log_of_lineage_is_told_by_its_content() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let records = vectors["records"].as_array().unwrap();
    let log: String = records.iter().map(|it| format!("{it}\n")).collect();
    let room = Room::new(&[("a.jsonl", &log)]);
    let made = Made { room };
    let key = vectors["public_key"].as_str().unwrap();
    let head = vectors["head"].as_str().unwrap();
    let (code, told) = made.told("a.jsonl");
    assert_eq!((code, codes(&told, "unproved")), (3, vec!["unsigned".into(), "rollback".into()]));
    assert_eq!((&told["sort"], &told["entries"]), (&"lineage".into(), &12.into()));
    let all = format!("--key {key} --expect {head} --log-id vector-agent");
    assert_eq!(made.told(&format!("a.jsonl {all}")).0, 0);
    made.room.write("cut.jsonl", log.split_inclusive('\n').take(8).collect::<String>().as_bytes());
    let (code, told) = made.told(&format!("cut.jsonl {all}"));
    assert_eq!((code, codes(&told, "findings")), (1, vec!["truncated".into()]));
    made.room.write("torn.jsonl", &log.as_bytes()[..log.len() - 40]);
    let (code, told) = made.told("torn.jsonl");
    assert_eq!((code, &told["findings"][0]["index"]), (1, &11.into()));
    let ran = made.room.run(&format!("ledger verify a.jsonl {all} --log-id another"));
    assert_eq!(ran.code, 2);
    let ran = made.room.run(&format!("ledger verify a.jsonl --key {key} --log-id another"));
    assert_eq!(ran.code, 1);
    let shown = made.clean("ledger show a.jsonl --from 11 --format json");
    let shown: Value = serde_json::from_str(&shown).unwrap();
    fits("ledger_show", &shown);
    assert_eq!(shown["entries"][0]["kind"], "terminated");
    assert_eq!(made.room.run("ledger verify a.jsonl --key 00").code, 2);
}

#[test]
fn in_a_folder_of_logs_of_lineage_none_stands_for_another_and_none_is_missing() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let log: String =
        vectors["records"].as_array().unwrap().iter().map(|it| format!("{it}\n")).collect();
    let head = vectors["head"].as_str().unwrap();
    let key = vectors["public_key"].as_str().unwrap();
    let made = Made { room: Room::new(&[("logs/vector-agent.jsonl", &log)]) };
    made.room.write("heads.txt", format!("vector-agent {head}\n").as_bytes());
    let line = format!("logs --key {key} --expect heads.txt");
    let (code, told) = made.told(&line);
    assert_eq!((code, &told["entries"]), (0, &12.into()), "{told}");
    assert_eq!(codes(&told, "proved"), ["chains", "key", "checkpoint", "head"]);
    // A copy of a healthy log under the name of an agent that has ended.
    made.room.write("logs/ended.jsonl", log.as_bytes());
    let (code, told) = made.told(&line);
    assert_eq!((code, codes(&told, "findings")), (1, vec!["other_log".into()]));
    assert_eq!(told["findings"][0]["agent"], "ended");
    // A log that was deleted, so that its agent could begin anew.
    std::fs::remove_file(made.room.folder.join("logs/ended.jsonl")).unwrap();
    made.room.write("heads.txt", format!("vector-agent {head}\nended {head}\n").as_bytes());
    let (code, told) = made.told(&line);
    assert_eq!((code, codes(&told, "findings")), (1, vec!["missing".into()]));
    made.room.write("heads.txt", b"vector-agent 11\n");
    assert_eq!(made.room.run(&format!("ledger verify {line}")).code, 2);
}

#[test]
fn a_flag_that_says_nothing_here_is_told() {
    let made = Made::new(3);
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    made.room.write("a.jsonl", format!("{}\n", vectors["records"][0]).as_bytes());
    for (line, flag) in [
        ("a.jsonl --keys keys.txt", "--keys"),
        ("a.jsonl --head w", "--head"),
        ("ledger --entry e", "--entry"),
        ("ledger --log-id x", "--log-id"),
    ] {
        let ran = made.room.run(&format!("ledger verify {line}"));
        assert!(ran.code == 2 && ran.err.contains(flag), "{line}: {}", ran.err);
    }
}

#[test]
fn what_is_no_ledger_is_not_read() {
    let room = Room::new(&[("x.txt", "text\n"), ("empty", ""), ("folder/x", "")]);
    for path in ["x.txt", "empty", "folder", "absent"] {
        for command in ["verify", "show"] {
            let ran = room.run(&format!("ledger {command} {path}"));
            assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{command} {path}");
        }
    }
}

#[test]
fn files_beside_a_ledger_are_bounded() {
    let made = Made::new(3);
    assert_eq!(made.sign().code, 0);
    made.room.write("large", &vec![b'x'; (1 << 20) + 1]);
    let ran = made.room.run("ledger verify ledger --keys large");
    assert!(ran.code == 2 && ran.err.contains("too large"), "{}", ran.err);
    made.room.write("full", &vec![b'x'; 1 << 20]);
    let ran = made.room.run("ledger verify ledger --keys full");
    assert!(ran.code == 2 && !ran.err.contains("too large"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_program_can_keep_the_key() {
    use std::os::unix::fs::PermissionsExt;
    let made = Made::new(3);
    let script = |text: &str| {
        made.room.write("sign", text.as_bytes());
        let mode = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(made.room.folder.join("sign"), mode).unwrap();
    };
    let key = made.clean("ledger key example.com/ledger --seed log.seed");
    let line = format!(
        "ledger checkpoint ledger --origin example.com/ledger --signer ./sign --signer-key {}",
        key.trim()
    );
    // A program that answers with a signature that was made before, over the same checkpoint.
    assert_eq!(made.sign().code, 0);
    let note = made.room.read("ledger/checkpoint");
    let base64 = note.trim_end().rsplit(' ').next().unwrap();
    script(&format!("#!/bin/sh\ncat > got\necho {base64} | base64 -d | tail -c 64\n"));
    let ran = made.room.run(&line);
    assert_eq!((ran.code, ran.out.as_str()), (0, note.as_str()), "{}", ran.err);
    assert_eq!(made.room.read("got"), note.split_once("\n\n").unwrap().0.to_owned() + "\n");
    for (text, why) in [
        ("#!/bin/sh\ncat >got\nhead -c 65 /dev/zero\n", "answered 65 bytes"),
        ("#!/bin/sh\ncat >got\nhead -c 63 /dev/zero\n", "answered 63 bytes"),
        ("#!/bin/sh\ncat >got\nhead -c 64 /dev/zero\n", "is not that of"),
        ("#!/bin/sh\ncat >got\nexit 3\n", "ended with"),
    ] {
        script(text);
        let ran = made.room.run(&line);
        assert!(ran.code == 2 && ran.err.contains(why), "{text} {}", ran.err);
    }
    assert_eq!(made.room.read("ledger/checkpoint"), note);
    let mode = std::fs::metadata(made.room.folder.join("log.seed")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn an_export_is_the_files_of_a_log() {
    let made = Made::new(300);
    assert_eq!(made.room.run("ledger export ledger public").code, 3);
    assert_eq!(made.sign().code, 0);
    made.clean("ledger export ledger public");
    let size = |name: &str| std::fs::metadata(made.room.folder.join(name)).unwrap().len();
    assert_eq!(size("public/tile/0/000"), 256 * 32);
    assert_eq!(size("public/tile/0/001.p/45"), 45 * 32);
    assert_eq!(size("public/tile/1/000.p/1"), 32);
    assert_eq!(made.room.read("public/checkpoint"), made.room.read("ledger/checkpoint"));
    let bundle = std::fs::read(made.room.folder.join("public/tile/entries/001.p/45")).unwrap();
    let entries = lawbook_ledger::tlog::bundle_entries(&bundle).unwrap();
    let raw = made.clean("ledger show ledger --from 256 --raw");
    assert_eq!((entries.len(), entries[0]), (45, raw.as_bytes()));
    made.add("support", 1);
    assert_eq!(made.sign().code, 0);
    let out = made.clean("ledger export ledger public --format json");
    let value: Value = serde_json::from_str(&out).unwrap();
    // Two tiles that grew and the checkpoint; what was full is left alone.
    assert_eq!((&value["size"], &value["files"]), (&302.into(), &4.into()));
}
