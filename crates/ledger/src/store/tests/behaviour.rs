//! What the store promises, one thing at a time.

use std::sync::Arc;

use super::{NOW, append, create, next, open, small};
use crate::Code;
use crate::store::sim::{Faults, SimDisk};
use crate::store::{
    BATCH_BYTES_MAX, BATCH_ENTRIES_MAX, ENTRY_BYTES_MAX, Entry, FileStore, HmacSeal, Kept, Options,
    SEGMENT_BYTES_MAX, SEGMENT_BYTES_MIN, SNAPSHOT_BYTES_MAX, Store, TEXT_BYTES_MAX,
    WAITING_BYTES_MAX, WAITING_ENTRIES_MAX, entry_bytes, hex, leaf_hash,
};

#[test]
fn entries_come_back_in_order_after_opening_again() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let mut stored = vec![store.entry(0).unwrap()];
    for step in 0..200 {
        let agent = format!("agent {}", step % 3);
        let bytes = next(&store, &agent, &"x".repeat(step * 7)).unwrap();
        let placed = store.submit(Entry::new(bytes.clone())).unwrap().wait().unwrap();
        assert_eq!(placed.index, stored.len() as u64);
        stored.push(bytes);
    }
    drop(store);
    let store = open(&disk).unwrap();
    assert_eq!(store.opened(), &crate::store::Opened::default());
    assert_eq!(store.size(), 201);
    for (index, bytes) in store.entries(0) {
        let bytes = bytes.unwrap();
        assert_eq!(bytes, stored[index as usize]);
        assert_eq!(store.leaf(index).unwrap(), leaf_hash(&bytes));
    }
    assert_eq!(store.head("agent 0").unwrap().next_seq, 67);
    assert!(disk.names().iter().filter(|it| it.ends_with(".seg")).count() > 10);
}

#[test]
fn the_first_entry_is_the_ledgers_own() {
    let store = create(&SimDisk::new(1));
    let first = String::from_utf8(store.entry(0).unwrap()).unwrap();
    let id = hex(&store.id());
    assert!(first.contains(r#""agent":"@ledger","seq":0"#), "{first}");
    assert!(first.ends_with(&format!(r#""kind":"genesis","ledger":"{id}"}}"#)), "{first}");
    let own = entry_bytes("@x", &store.head("@x").unwrap(), NOW, "genesis", |_| {});
    assert_eq!(store.submit(Entry::new(own)).unwrap_err().code(), Code::EntryInvalid);
}

#[test]
fn a_second_opener_is_told_that_it_is_open() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let error = open(&disk).unwrap_err();
    assert_eq!(error.code(), Code::Locked);
    assert_eq!(error.message(), "the ledger is open in another process or store");
    drop(store);
    open(&disk).unwrap();
}

#[test]
fn what_is_no_ledger_and_what_is_one_already_are_refused() {
    let disk = SimDisk::new(1);
    assert_eq!(open(&disk).unwrap_err().code(), Code::Absent);
    drop(create(&disk));
    let again = FileStore::create_on(Arc::new(disk.clone()), &small()).unwrap_err();
    assert_eq!(again.code(), Code::Foreign);
    let mut header = disk.contents("ledger");
    header[60] ^= 1;
    disk.put("ledger", header);
    assert_eq!(open(&disk).unwrap_err().code(), Code::Foreign);
    // A log without the file that names it is not taken over by making a new ledger.
    disk.take("ledger");
    let again = FileStore::create_on(Arc::new(disk.clone()), &small()).unwrap_err();
    assert_eq!(again.code(), Code::Foreign);
}

#[test]
fn an_entry_must_continue_its_agents_chain() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let first = next(&store, "a", "one").unwrap();
    store.submit(Entry::new(first.clone())).unwrap();
    // The head moves at once, before anything is durable.
    assert_eq!(store.submit(Entry::new(first)).unwrap_err().code(), Code::Chain);
    let mut head = store.head("a").unwrap();
    assert_eq!(head.next_seq, 1);
    head.leaf[0] ^= 1;
    let wrong = entry_bytes("a", &head, NOW, "policy", |_| {});
    assert_eq!(store.submit(Entry::new(wrong)).unwrap_err().code(), Code::Chain);
    append(&store, "a", "two").unwrap();
}

#[test]
fn an_entry_may_be_as_long_as_the_bound_and_no_longer() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let short = next(&store, "a", "").unwrap().len();
    let most = "x".repeat(ENTRY_BYTES_MAX - short);
    assert_eq!(append(&store, "a", &most).unwrap().index, 1);
    let over = "x".repeat(ENTRY_BYTES_MAX - short + 1);
    let over = Entry::new(next(&store, "b", &over).unwrap());
    assert_eq!(store.submit(over).unwrap_err().code(), Code::TooLarge);
    drop(store);
    assert_eq!(open(&disk).unwrap().entry(1).unwrap().len(), ENTRY_BYTES_MAX);
}

#[test]
fn segments_are_kept_within_their_bounds() {
    for (asked, given) in [(0, SEGMENT_BYTES_MIN), (u64::MAX, SEGMENT_BYTES_MAX)] {
        let io = Lengths::default();
        let options = Options { segment_bytes: asked, at: NOW };
        let error = FileStore::create_on(Arc::new(io.clone()), &options).unwrap_err();
        assert_eq!(error.code(), Code::DiskFull);
        assert_eq!(*io.asked.lock().unwrap(), [given]);
    }
}

/// A disk that notes how much room it is asked for, and has none.
#[derive(Debug, Clone)]
struct Lengths {
    disk: SimDisk,
    asked: Arc<std::sync::Mutex<Vec<u64>>>,
}

impl Default for Lengths {
    fn default() -> Self {
        Lengths { disk: SimDisk::new(1), asked: Arc::default() }
    }
}

mod lengths {
    use std::io;

    use super::Lengths;
    use crate::store::{How, Io, IoFile};

    struct Noting(Box<dyn IoFile>, Lengths);

    impl Io for Lengths {
        fn make_dir(&self, name: &str) -> io::Result<()> {
            self.disk.make_dir(name)
        }
        fn list(&self, dir: &str) -> io::Result<Vec<String>> {
            self.disk.list(dir)
        }
        fn open(&self, name: &str, how: How) -> io::Result<Box<dyn IoFile>> {
            Ok(Box::new(Noting(self.disk.open(name, how)?, self.clone())))
        }
        fn rename(&self, from: &str, to: &str) -> io::Result<()> {
            self.disk.rename(from, to)
        }
        fn remove(&self, name: &str) -> io::Result<()> {
            self.disk.remove(name)
        }
        fn sync_dir(&self, dir: &str) -> io::Result<()> {
            self.disk.sync_dir(dir)
        }
        fn lock(&self, name: &str) -> io::Result<Box<dyn Send + Sync>> {
            self.disk.lock(name)
        }
        fn random(&self) -> io::Result<[u8; 32]> {
            self.disk.random()
        }
    }

    impl IoFile for Noting {
        fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
            self.0.read_at(into, at)
        }
        fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<usize> {
            self.0.write_at(bytes, at)
        }
        fn allocate(&self, len: u64) -> io::Result<()> {
            self.1.asked.lock().unwrap().push(len);
            Err(io::ErrorKind::StorageFull.into())
        }
        fn size(&self) -> io::Result<u64> {
            self.0.size()
        }
        fn sync(&self) -> io::Result<()> {
            self.0.sync()
        }
    }
}

#[test]
fn one_agent_has_at_most_half_of_a_batch_while_others_wait() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let mut taken = 0;
    loop {
        match store.submit(Entry::new(next(&store, "loud", "x").unwrap())) {
            Ok(_) => taken += 1,
            Err(error) => break assert_eq!(error.code(), Code::Busy),
        }
    }
    assert_eq!(taken, BATCH_ENTRIES_MAX / 2);
    // Another agent comes after all of these and is in the same batch: its wait writes them all.
    append(&store, "quiet", "y").unwrap();
    assert_eq!(store.size(), 1 + taken as u64 + 1);
    append(&store, "loud", "z").unwrap();
}

#[test]
fn the_bytes_of_one_agent_in_a_batch_are_bounded_too() {
    let store = create(&SimDisk::new(1));
    let long = "x".repeat(60_000);
    let mut bytes = 0;
    while let Ok(entry) = next(&store, "loud", &long) {
        let len = entry.len();
        if store.submit(Entry::new(entry)).is_err() {
            break;
        }
        bytes += len;
    }
    assert!(bytes <= BATCH_BYTES_MAX / 2 && bytes > BATCH_BYTES_MAX / 2 - 70_000, "{bytes}");
}

#[test]
fn what_waits_for_the_disk_is_bounded() {
    let store = create(&SimDisk::new(1));
    let mut taken = 0;
    let code = 'busy: loop {
        for agent in 0..1_000 {
            let entry = Entry::new(next(&store, &agent.to_string(), "x").unwrap());
            match store.submit(entry) {
                Ok(_) => taken += 1,
                Err(error) => break 'busy error.code(),
            }
        }
    };
    assert_eq!((code, taken), (Code::Busy, WAITING_ENTRIES_MAX));
    store.flush().unwrap();
    assert_eq!(store.size(), 1 + taken as u64);
    let text = vec![b't'; TEXT_BYTES_MAX];
    let mut bytes = 0;
    let code = (0..1_000).find_map(|agent| {
        let entry = Entry::new(next(&store, &agent.to_string(), "x").unwrap());
        let taken = store.submit(entry.with_text(text.clone()));
        bytes += text.len();
        taken.err().map(|it| it.code())
    });
    assert_eq!(code, Some(Code::Busy));
    let most = WAITING_BYTES_MAX..WAITING_BYTES_MAX + 2 * TEXT_BYTES_MAX;
    assert!(most.contains(&bytes), "{bytes}");
}

#[test]
fn after_a_failure_nothing_is_accepted_and_all_that_wait_are_told() {
    let failing = [
        (Faults { write: 10_000, ..Faults::default() }, Code::Io),
        (Faults { sync: 10_000, ..Faults::default() }, Code::Io),
    ];
    for (faults, code) in failing {
        let disk = SimDisk::new(1);
        let store = create(&disk);
        append(&store, "a", "one").unwrap();
        disk.faults(faults);
        let tickets = ["a", "b", "c"]
            .map(|agent| store.submit(Entry::new(next(&store, agent, "x").unwrap())).unwrap());
        for ticket in &tickets {
            assert_eq!(ticket.wait().unwrap_err().code(), code);
        }
        let entry = entry_bytes("d", &crate::store::Head::NONE, NOW, "genesis", |_| {});
        assert_eq!(store.submit(Entry::new(entry)).unwrap_err().code(), Code::Stopped);
        assert_eq!(store.head("a").unwrap_err().code(), Code::Stopped);
        // What was durable is still read.
        assert_eq!(store.size(), 2);
        assert!(store.entry(1).is_ok());
        disk.faults(Faults::default());
        drop(store);
        append(&open(&disk).unwrap(), "a", "two").unwrap();
    }
}

#[test]
fn a_full_disk_stops_the_store_and_room_lets_it_go_on() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    disk.faults(Faults { full: 10_000, ..Faults::default() });
    let error = loop {
        if let Err(error) = append(&store, "a", &"x".repeat(500)) {
            break error;
        }
    };
    assert_eq!(error.code(), Code::DiskFull);
    let size = store.size();
    drop(store);
    // A full disk is no reason not to read, and none to lose what is there.
    let store = open(&disk).unwrap();
    assert_eq!(store.size(), size);
    drop(store);
    disk.faults(Faults::default());
    let store = open(&disk).unwrap();
    assert_eq!(append(&store, "a", "y").unwrap().index, size);
}

#[test]
fn a_short_write_is_gone_on_with() {
    let disk = SimDisk::new(1);
    disk.faults(Faults { short: 5_000, ..Faults::default() });
    let store = create(&disk);
    for step in 0..50 {
        append(&store, "a", &"x".repeat(step * 9)).unwrap();
    }
    drop(store);
    let store = open(&disk).unwrap();
    assert_eq!((store.size(), store.opened().faults_count), (51, 0));
}

#[test]
fn texts_come_back_and_are_erased_from_the_disk() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let mut placed = Vec::new();
    for (agent, text) in [("a", "the first secret word"), ("b", "the second"), ("a", "the third")] {
        let entry = Entry::new(next(&store, agent, "x").unwrap()).with_text(text.into());
        placed.push(store.submit(entry).unwrap().wait().unwrap().index);
    }
    let late = append(&store, "a", "y").unwrap().index;
    store.put_text(late, b"the late one".to_vec()).unwrap().wait().unwrap();
    let again = store.put_text(late, b"another".to_vec()).unwrap_err();
    assert_eq!(again.code(), Code::EntryInvalid);
    assert_eq!(store.put_text(99, Vec::new()).unwrap_err().code(), Code::Missing);
    drop(store);

    let store = open(&disk).unwrap();
    assert_eq!(store.text(placed[0]).unwrap(), b"the first secret word");
    assert_eq!(store.text(late).unwrap(), b"the late one");
    assert_eq!(store.text(0).unwrap_err().code(), Code::Missing);
    assert!(disk.holds(b"the first secret word"));
    assert_eq!(store.erase(placed[0]).unwrap(), 1);
    assert!(!disk.holds(b"the first secret word"));
    assert_eq!(store.text(placed[0]).unwrap_err().code(), Code::Erased);
    assert_eq!(store.erase(placed[0]).unwrap(), 0);
    assert_eq!(store.erase_agent("a").unwrap(), 2);
    assert!(!disk.holds(b"the third") && !disk.holds(b"the late one"));
    assert!(disk.holds(b"the second"));
    drop(store);
    let store = open(&disk).unwrap();
    assert_eq!(store.text(placed[2]).unwrap_err().code(), Code::Erased);
    assert_eq!(store.text(placed[1]).unwrap(), b"the second");
    assert_eq!(store.opened().faults_count, 0);
}

#[test]
fn texts_before_an_index_are_erased_and_later_ones_stay() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    let texts = [("a", "of a, early"), ("b", "of b, early"), ("c", "of c"), ("a", "of a, late")];
    let mut placed = Vec::new();
    for (agent, text) in texts {
        let entry = Entry::new(next(&store, agent, "x").unwrap()).with_text(text.into());
        placed.push(store.submit(entry).unwrap().wait().unwrap().index);
    }
    store.put_snapshot("c", store.size(), b"kept").unwrap();
    let before = [("a".to_owned(), placed[3]), ("b".to_owned(), u64::MAX)].into();
    assert_eq!(store.erase_before(&before).unwrap(), 2);
    assert_eq!(store.erase_before(&before).unwrap(), 0, "nothing is left to do");
    assert!(!disk.holds(b"of a, early") && !disk.holds(b"of b, early"));
    assert_eq!(store.text(placed[2]).unwrap(), b"of c");
    assert_eq!(store.text(placed[3]).unwrap(), b"of a, late", "it came after the index");
    assert!(store.snapshot("c").is_some());
}

#[test]
fn a_text_may_be_as_long_as_the_bound_and_no_longer() {
    let store = create(&SimDisk::new(1));
    let entry = Entry::new(next(&store, "a", "x").unwrap());
    let over = entry.clone().with_text(vec![1; TEXT_BYTES_MAX + 1]);
    assert_eq!(store.submit(over).unwrap_err().code(), Code::TooLarge);
    let most = entry.with_text(vec![1; TEXT_BYTES_MAX]);
    let index = store.submit(most).unwrap().wait().unwrap().index;
    assert_eq!(store.text(index).unwrap().len(), TEXT_BYTES_MAX);
}

#[test]
fn a_text_can_follow_an_entry_that_still_waits() {
    let store = create(&SimDisk::new(1));
    let ticket = store.submit(Entry::new(next(&store, "a", "x").unwrap())).unwrap();
    let late = store.put_text(ticket.placed().index, b"late".to_vec()).unwrap();
    late.wait().unwrap();
    assert_eq!(store.text(ticket.wait().unwrap().index).unwrap(), b"late");
}

#[test]
fn a_damaged_text_is_told_and_stops_nobody() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    for text in ["one", "two"] {
        let entry = Entry::new(next(&store, "a", "x").unwrap()).with_text(text.into());
        store.submit(entry).unwrap().wait().unwrap();
    }
    drop(store);
    let name = format!("texts/{:020}.txt", 0);
    let mut bytes = disk.contents(&name);
    bytes[64 + 80] ^= 1;
    disk.put(&name, bytes);
    let store = open(&disk).unwrap();
    let told: Vec<String> = store.opened().faults.iter().map(ToString::to_string).collect();
    assert_eq!(told, [format!("`{name}` at byte 64: the text is damaged, index 1")]);
    assert_eq!(store.text(1).unwrap_err().code(), Code::Damaged);
    assert_eq!(store.text(2).unwrap(), b"two");
    append(&store, "a", "y").unwrap();
}

#[test]
fn secrets_are_made_once_and_erased_for_good() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    assert_eq!(store.secret("a").unwrap(), Kept::None);
    let secret = store.make_secret("a").unwrap();
    assert_eq!(store.make_secret("a").unwrap(), secret);
    assert_ne!(store.make_secret("b").unwrap(), secret);
    let digest = HmacSeal::new(&secret).text_digest(b"x");
    drop(store);
    let store = open(&disk).unwrap();
    let Kept::Here(again) = store.secret("a").unwrap() else { panic!("it is there") };
    assert_eq!(HmacSeal::new(&again).text_digest(b"x"), digest);
    let name = disk.names().into_iter().find(|it| it.ends_with(".key")).unwrap();
    assert!(store.erase_secret("a").unwrap() && store.erase_secret("b").unwrap());
    assert!(!store.erase_secret("c").unwrap());
    assert_eq!(disk.contents(&name)[8..40], [0; 32]);
    assert_eq!(store.secret("a").unwrap(), Kept::Erased);
    assert_eq!(store.make_secret("a").unwrap_err().code(), Code::Erased);
}

#[test]
fn an_agent_can_be_given_the_secret_of_another_and_no_second_one() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    assert_eq!(store.share_secret("a", "b").unwrap_err().code(), Code::Missing);
    let secret = store.make_secret("a").unwrap();
    assert_eq!(store.share_secret("a", "b").unwrap(), secret);
    assert_eq!(store.share_secret("a", "b").unwrap(), secret);
    drop(store);
    let store = open(&disk).unwrap();
    assert_eq!(store.secret("b").unwrap(), Kept::Here(secret));
    store.make_secret("c").unwrap();
    assert_eq!(store.share_secret("a", "c").unwrap_err().code(), Code::Chain);
    store.erase_secret("a").unwrap();
    assert_eq!(store.share_secret("a", "d").unwrap_err().code(), Code::Erased);
    assert_eq!(store.share_secret("b", "a").unwrap_err().code(), Code::Chain);
}

#[test]
fn a_snapshot_holds_only_for_the_log_it_was_taken_of() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    append(&store, "a", "x").unwrap();
    assert_eq!(store.put_snapshot("a", 3, b"state").unwrap_err().code(), Code::Missing);
    store.put_snapshot("a", 1, b"older").unwrap();
    store.put_snapshot("a", 2, b"state").unwrap();
    assert_eq!(store.snapshot("a"), Some((2, b"state".to_vec())));
    assert_eq!(store.snapshot("b"), None);
    let over = vec![0; SNAPSHOT_BYTES_MAX + 1];
    assert_eq!(store.put_snapshot("a", 2, &over).unwrap_err().code(), Code::TooLarge);
    let name = disk.names().into_iter().find(|it| it.ends_with(".snap")).unwrap();
    let whole = disk.contents(&name);
    for at in [0, 9, 25, 40, 66, 80, 105] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        disk.put(&name, bytes);
        assert_eq!(store.snapshot("a"), None, "byte {at}");
    }
    // The same bytes beside another log are none.
    let other = SimDisk::new(2);
    let store = create(&other);
    append(&store, "a", "x").unwrap();
    other.put(&name, whole);
    assert_eq!(store.snapshot("a"), None);
    store.put_snapshot("a", 2, b"mine").unwrap();
    store.erase_agent("a").unwrap();
    assert_eq!(store.snapshot("a"), None);
}

#[test]
fn reading_changes_nothing_and_needs_no_lock() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    append(&store, "a", "x").unwrap();
    let before: Vec<_> = disk.names().iter().map(|it| disk.contents(it)).collect();
    let reader = FileStore::read_on(Arc::new(disk.clone())).unwrap();
    assert_eq!(reader.entry(1).unwrap(), store.entry(1).unwrap());
    let entry = entry_bytes("d", &crate::store::Head::NONE, NOW, "genesis", |_| {});
    assert_eq!(reader.submit(Entry::new(entry)).unwrap_err().code(), Code::Stopped);
    let refused = [
        reader.make_secret("a").map(drop),
        reader.share_secret("a", "b").map(drop),
        reader.erase_secret("a").map(drop),
        reader.put_snapshot("a", 1, b"x"),
        reader.erase(1).map(drop),
        reader.erase_agent("a").map(drop),
        reader.erase_before(&[("a".to_owned(), 9)].into()).map(drop),
        reader.put_text(1, b"x".to_vec()).map(drop),
    ];
    assert!(refused.iter().all(|it| it.as_ref().is_err_and(|it| it.code() == Code::Stopped)));
    drop(reader);
    let after: Vec<_> = disk.names().iter().map(|it| disk.contents(it)).collect();
    assert_eq!(before, after);
    append(&store, "a", "y").unwrap();
}

#[test]
fn a_failed_sync_is_made_good_before_anything_rests_on_it() {
    // After a failed sync a process sees what a crash would take away.
    for seed in 0..60 {
        let disk = SimDisk::new(seed);
        let store = create(&disk);
        let entry = |store: &FileStore, text: usize| {
            let entry = Entry::new(next(store, "a", &"x".repeat(300)).unwrap());
            store.submit(entry.with_text(vec![b't'; text])).and_then(|it| it.wait())
        };
        let before = 1 + seed % 12;
        for _ in 0..before {
            entry(&store, 700).unwrap();
        }
        disk.faults(Faults { sync: 10_000, ..Faults::default() });
        assert!(entry(&store, 700).is_err());
        disk.faults(Faults::default());
        drop(store);
        let store = open(&disk).unwrap();
        let placed = entry(&store, 10).unwrap();
        disk.crash();
        drop(store);
        disk.restart();
        let store = open(&disk).unwrap();
        assert_eq!(store.opened().faults, [], "seed {seed}");
        assert_eq!(store.text(placed.index).unwrap(), b"tttttttttt");
        for index in 1..placed.index {
            let text = store.text(index);
            assert!(text.is_ok_and(|it| it.len() == 700), "seed {seed}, entry {index}");
        }
    }
}

#[test]
fn a_reader_needs_no_leaf_records_of_the_newest_entries() {
    let disk = SimDisk::new(1);
    let store = create(&disk);
    append(&store, "a", "x").unwrap();
    append(&store, "a", "y").unwrap();
    drop(store);
    let name = format!("log/{:020}.leaf", 0);
    let mut bytes = disk.contents(&name);
    bytes.truncate(64 + 48);
    disk.put(&name, bytes);
    let reader = FileStore::read_on(Arc::new(disk)).unwrap();
    for index in 0..3 {
        assert_eq!(reader.leaf(index).unwrap(), leaf_hash(&reader.entry(index).unwrap()));
    }
}

#[test]
fn a_creation_that_was_cut_short_is_gone_on_with() {
    for seed in 0..300 {
        let disk = SimDisk::new(seed);
        let fault = Faults { crash: 500, sync: 200, name: 200, write: 200, ..Faults::default() };
        let again = || FileStore::open_or_create_on(Arc::new(disk.clone()), &small());
        for _ in 0..3 {
            disk.faults(fault);
            let made = again();
            disk.faults(Faults::default());
            disk.restart();
            if made.is_ok() {
                // What was made is durable.
                disk.crash();
                disk.restart();
                drop(made);
                assert_eq!(open(&disk).unwrap().size(), 1, "seed {seed}");
            }
        }
        let store = again().unwrap();
        assert_eq!((store.size(), &store.opened().faults[..]), (1, &[][..]), "seed {seed}");
        assert_eq!(append(&store, "a", "x").unwrap().index, 1);
    }
}
