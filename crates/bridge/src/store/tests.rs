use std::path::PathBuf;

use lawbook_event::Time;

use super::{Record, STORE_BYTES_MAX, Store};

const NOW: Time = Time { nanos: 1 };

fn store(name: &str) -> (Store, PathBuf) {
    let folder = std::env::temp_dir().join(format!("lawbook-store-{name}-{}", std::process::id()));
    std::fs::remove_dir_all(&folder).ok();
    (Store::at(&folder), folder)
}

fn start() -> Record {
    Record::Start { salt: "s".to_owned(), cwd: None, workspace: None }
}

#[test]
fn what_is_written_is_read_again() {
    let (store, folder) = store("again");
    let record = Record::Call {
        id: "a\"b".to_owned(),
        tool: "t\n".to_owned(),
        server: None,
        args: Some("{\"h\":\"x\"}".to_owned()),
        key: "k".to_owned(),
        verdict: lawbook::Verdict::Ask,
    };
    let mut stored = store.open("h", "s").unwrap();
    assert!(stored.fresh);
    stored.add(NOW, start()).unwrap();
    stored.add(NOW, record.clone()).unwrap();
    drop(stored);
    let stored = store.open("h", "s").unwrap();
    assert_eq!(stored.records, [(NOW, start()), (NOW, record)]);
    assert!(!stored.fresh);
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let (store, folder) = store("owner");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    drop(store.open("h", "s").unwrap());
    let mode = |path: PathBuf| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(folder.clone()), 0o700);
    assert_eq!(mode(folder.join("h")), 0o700);
    assert_eq!(mode(store.file("h", "s")), 0o600);
    std::fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_link_is_not_followed() {
    let (store, folder) = store("link");
    drop(store.open("h", "s").unwrap());
    let path = store.file("h", "s");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink(folder.join("elsewhere"), &path).unwrap();
    assert!(store.open("h", "s").is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_changed_line_and_what_follows_it_is_gone_and_said_to_be() {
    let (store, folder) = store("changed");
    let mut stored = store.open("h", "s").unwrap();
    stored.add(NOW, start()).unwrap();
    stored.add(NOW, Record::User("no".to_owned())).unwrap();
    stored.add(NOW, Record::Other("x".to_owned())).unwrap();
    drop(stored);
    let path = store.file("h", "s");
    let text = std::fs::read_to_string(&path).unwrap().replace("\"no\"", "\"yes\"");
    std::fs::write(&path, text).unwrap();
    let stored = store.open("h", "s").unwrap();
    assert_eq!(stored.records.len(), 2);
    assert!(matches!(stored.records[1].1, Record::Gap { .. }));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_store_that_is_too_large_takes_nothing_more() {
    let (store, folder) = store("large");
    let mut stored = store.open("h", "s").unwrap();
    stored.bytes = STORE_BYTES_MAX;
    assert!(stored.add(NOW, start()).is_err());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_session_that_is_held_is_waited_for_and_not_for_ever() {
    let (store, folder) = store("held");
    let held = store.open("h", "s").unwrap();
    let again = store.clone();
    let waiting = std::thread::spawn(move || again.open("h", "s").is_ok());
    std::thread::yield_now();
    drop(held);
    assert!(waiting.join().unwrap());
    let held = store.open("h", "s").unwrap();
    assert!(store.open("h", "s").is_err());
    drop(held);
    std::fs::remove_dir_all(folder).unwrap();
}
