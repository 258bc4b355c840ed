//! Where reports and laid out policies are written, and what is never replaced.

use crate::room::{CAP, Room, line};

fn room() -> Room {
    let room = Room::new(&[("cap.yaml", CAP)]);
    room.write("t.jsonl", line("s", "pay", r#"{"amount": 99}"#).repeat(2).as_bytes());
    room
}

fn no_partial(room: &Room) {
    assert!(room.names().iter().all(|it| !it.contains("partial")), "{:?}", room.names());
}

#[test]
fn a_dash_is_standard_output() {
    let ran = room().run("check t.jsonl --policy cap.yaml --output -");
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("2 findings in 2 sessions"), "{}", ran.out);
}

#[test]
fn what_is_read_is_not_replaced() {
    let room = room();
    room.run("check t.jsonl --policy cap.yaml --format json --output known.json");
    for file in ["t.jsonl", "./t.jsonl", "cap.yaml", "known.json"] {
        let before = room.read(file);
        let ran = room
            .run(&format!("check t.jsonl --policy cap.yaml --known known.json --output {file}"));
        assert_eq!(ran.code, 2, "{file}");
        assert!(ran.err.contains("the report would replace"), "{}", ran.err);
        assert_eq!(room.read(file), before);
    }
    no_partial(&room);
}

#[test]
fn a_policy_that_is_found_is_not_replaced_either() {
    let room = room();
    room.write("lawbook.yaml", CAP.as_bytes());
    let ran = room.run("check t.jsonl --output lawbook.yaml");
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(room.read("lawbook.yaml"), CAP);
}

#[test]
fn a_folder_is_refused_and_nothing_stays_behind() {
    let room = room();
    std::fs::create_dir(room.folder.join("folder")).unwrap();
    let ran = room.run("check t.jsonl --policy cap.yaml --output folder");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("it can't be written"), "{}", ran.err);
    no_partial(&room);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    use std::process::Command;

    use super::{no_partial, room};
    use crate::room::{CAP, finish};

    #[test]
    fn a_link_stays_a_link_and_its_target_is_written() {
        let room = room();
        room.write("real/report.txt", b"old");
        symlink("real/report.txt", room.folder.join("link")).unwrap();
        symlink("real/new.txt", room.folder.join("dangling")).unwrap();
        for (link, target) in [("link", "real/report.txt"), ("dangling", "real/new.txt")] {
            let ran = room.run(&format!("check t.jsonl --policy cap.yaml --output {link}"));
            assert_eq!(ran.code, 1, "{}", ran.err);
            assert!(room.folder.join(link).is_symlink());
            assert!(room.read(target).contains("2 findings"), "{link}");
        }
        symlink("a", room.folder.join("b")).unwrap();
        symlink("b", room.folder.join("a")).unwrap();
        assert_eq!(room.run("check t.jsonl --policy cap.yaml --output a").code, 2);
        no_partial(&room);
    }

    #[test]
    fn the_mode_of_a_file_stays() {
        let room = room();
        for (file, words) in [
            ("report.txt", "check t.jsonl --policy cap.yaml --output report.txt"),
            ("mine.yaml", "policy fmt mine.yaml"),
        ] {
            room.write(file, b"rules: []\nlawbook: 1\n");
            let path = room.folder.join(file);
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
            let ran = room.run(words);
            assert!(ran.code < 2, "{}", ran.err);
            assert!(!room.read(file).starts_with("rules"), "{}", room.read(file));
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        }
    }

    #[test]
    fn a_pipe_is_written_and_stays_a_pipe() {
        let room = room();
        let pipe = room.folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
        };
        let ran = room.run("check t.jsonl --policy cap.yaml --output pipe");
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(reader.join().unwrap().contains("2 findings"));
        assert!(pipe.metadata().unwrap().file_type().is_fifo());
        no_partial(&room);
    }

    #[test]
    fn fmt_writes_through_a_link() {
        let room = room();
        room.write("real.yaml", b"rules: []\nlawbook: 1\n");
        symlink("real.yaml", room.folder.join("link.yaml")).unwrap();
        assert_eq!(room.run("policy fmt link.yaml").code, 0);
        assert!(room.folder.join("link.yaml").is_symlink());
        assert!(room.read("real.yaml").starts_with("lawbook: 1"));
    }

    #[test]
    fn the_file_behind_standard_input_is_not_replaced() {
        let room = room();
        let before = room.read("t.jsonl");
        let mut command = Command::new("sh");
        let line = "\"$0\" check - --policy cap.yaml --output t.jsonl < t.jsonl";
        command.args(["-c", line, env!("CARGO_BIN_EXE_lawbook")]).current_dir(&room.folder);
        let ran = finish(command, "");
        assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
        assert_eq!((room.read("t.jsonl"), room.read("cap.yaml")), (before, CAP.to_owned()));
    }
}

#[test]
fn one_judgement_is_written_in_several_formats() {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    room.write("fresh.jsonl", line("a", "pay", r#"{"amount": 99}"#).as_bytes());
    let said = room.run("check fresh.jsonl --also json=a.json --also jsonl=b.jsonl");
    assert_eq!(said.code, 1, "{}", said.err);
    let alone = room.run("check fresh.jsonl --format json");
    assert_eq!(room.read("a.json"), alone.out);
    let alone = room.run("check fresh.jsonl --format jsonl");
    assert_eq!(room.read("b.jsonl"), alone.out);
}

#[test]
fn a_second_report_needs_a_place_of_its_own() {
    let room = Room::new(&[("lawbook.yaml", CAP)]);
    room.write("fresh.jsonl", line("a", "pay", r#"{"amount": 9}"#).as_bytes());
    for (also, word) in [
        ("json", "names no file"),
        ("json=-", "standard output"),
        ("jason=a.json", "there is no report format"),
        ("json=fresh.jsonl", "would replace"),
    ] {
        let said = room.run(&format!("check fresh.jsonl --also {also}"));
        assert_eq!(said.code, 2, "{also}: {}", said.err);
        assert!(said.err.contains(word), "{also}: {}", said.err);
    }
    let twice = room.run("check fresh.jsonl --output a.json --also json=a.json");
    assert_eq!(twice.code, 2, "{}", twice.err);
}
