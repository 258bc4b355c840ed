//! Hands on the disk: what opening says of each, and who is stopped by it.

use super::{append, create, next, open};
use crate::Code;
use crate::store::frame::{
    FILE_HEADER, FrameHeader, LEAF_RECORD, LeafRecord, file_header, leaf_hash, push_frame,
};
use crate::store::sim::SimDisk;
use crate::store::{Entry, FileStore, Store, agent_tag};

fn segment(first: u64) -> String {
    format!("log/{first:020}.seg")
}

fn leaves(first: u64) -> String {
    format!("log/{first:020}.leaf")
}

/// A ledger with entries 1 to 8 of agents `a` and `b` in turn, closed.
fn ledger() -> SimDisk {
    let disk = SimDisk::new(5);
    let store = create(&disk);
    for step in 0..8 {
        append(&store, ["a", "b"][step % 2], &format!("step {step}")).unwrap();
    }
    drop(store);
    disk
}

/// Where the frames of a segment begin.
fn frames(bytes: &[u8]) -> Vec<usize> {
    let mut at = FILE_HEADER;
    std::iter::from_fn(|| {
        let header = FrameHeader::read(&bytes[at..])?;
        at += header.frame_len();
        Some(at - header.frame_len())
    })
    .collect()
}

fn change(disk: &SimDisk, name: &str, how: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = disk.contents(name);
    how(&mut bytes);
    disk.put(name, bytes);
}

/// What opening tells, each as `what index agent stops`, and the store.
fn told(disk: &SimDisk) -> (Vec<String>, FileStore) {
    let store = open(disk).unwrap();
    let one = |it: &crate::store::Fault| {
        let index = it.index.map_or("-".to_owned(), |it| it.to_string());
        let agent = it.agent.as_deref().unwrap_or("-");
        format!("{} {index} {agent} {:?}", it.what.as_str(), it.stops)
    };
    let told = store.opened().faults.iter().map(one).collect();
    (told, store)
}

fn goes_on(store: &FileStore, agent: &str) -> Result<u64, Code> {
    append(store, agent, "more").map(|it| it.index).map_err(|e| e.code())
}

/// Rewrites the entries of the first segment with good checksums, as somebody with our code would.
fn rewrite(disk: &SimDisk, hashes_too: bool, how: impl FnOnce(&mut Vec<Vec<u8>>)) {
    let store = FileStore::read_on(std::sync::Arc::new(disk.clone())).unwrap();
    let mut entries: Vec<Vec<u8>> = store.entries(0).map(|it| it.1.unwrap()).collect();
    let id = store.id();
    drop(store);
    how(&mut entries);
    let mut log = file_header(b"LAWBSEG1", id, 0).to_vec();
    let mut beside = file_header(b"LAWBLEA1", id, 0).to_vec();
    for (index, entry) in (0..).zip(&entries) {
        let link = crate::store::Links::default().read(entry).unwrap();
        let tag = agent_tag(&link.agent);
        push_frame(&mut log, index, index, tag, entry);
        let record = LeafRecord { leaf: leaf_hash(entry), tag, len: entry.len() as u32 };
        beside.extend_from_slice(&record.bytes(index));
    }
    log.resize(4096, 0);
    disk.put(&segment(0), log);
    if hashes_too {
        disk.put(&leaves(0), beside);
    }
}

fn edit(entry: &mut Vec<u8>) {
    let text = String::from_utf8(entry.clone()).unwrap().replace("step", "stop");
    *entry = text.into_bytes();
}

#[test]
fn a_whole_ledger_tells_nothing() {
    let (told, store) = told(&ledger());
    assert!(told.is_empty(), "{told:?}");
    assert_eq!((goes_on(&store, "a"), goes_on(&store, "b")), (Ok(9), Ok(10)));
}

#[test]
fn one_damaged_entry_stops_its_agent_alone_and_the_tree_goes_on() {
    for byte in [0, 4, 9, 17, 25, 33, 36, 45] {
        let disk = ledger();
        let before = open(&disk).unwrap().leaf(3).unwrap();
        change(&disk, &segment(0), |it| {
            let at = frames(it)[3] + byte;
            it[at] ^= 0x20;
        });
        let (told, store) = told(&disk);
        assert_eq!(told, ["damaged 3 a Agent"], "byte {byte}");
        let message = store.opened().faults[0].to_string();
        let at = frames(&disk.contents(&segment(0))).get(2).map_or(0, |it| *it);
        assert!(message.starts_with(&format!("`{}` at byte ", segment(0))), "{message} {at}");
        assert!(message.ends_with("index 3, agent `a`; the agent is stopped"), "{message}");
        assert_eq!(store.entry(3).unwrap_err().code(), Code::Damaged);
        assert_eq!(store.leaf(3).unwrap(), before);
        assert_eq!(goes_on(&store, "a"), Err(Code::AgentStopped));
        assert_eq!(goes_on(&store, "b"), Ok(9));
        assert_eq!(store.size(), 10);
        drop(store);
        // It is told each time, and what came after stays.
        let (again, store) = self::told(&disk);
        assert_eq!(again, ["damaged 3 a Agent"]);
        assert_eq!(goes_on(&store, "b"), Ok(10));
    }
}

#[test]
fn the_last_entry_damaged_after_it_was_acknowledged_is_not_taken_for_a_torn_tail() {
    let disk = ledger();
    change(&disk, &segment(0), |it| {
        let at = frames(it)[8] + 60;
        it[at] ^= 1;
    });
    let (told, store) = told(&disk);
    assert_eq!((told, store.opened().torn), (vec!["damaged 8 b Agent".to_owned()], None));
    assert_eq!(store.size(), 9);
}

#[test]
fn an_edited_entry_with_good_checksums_differs_from_its_leaf_hash() {
    let disk = ledger();
    rewrite(&disk, false, |it| edit(&mut it[3]));
    let (told, store) = told(&disk);
    assert_eq!(told, ["edited 3 a Agent"]);
    assert_eq!(goes_on(&store, "a"), Err(Code::AgentStopped));
    assert_eq!(goes_on(&store, "b"), Ok(9));
}

#[test]
fn an_edited_entry_with_its_leaf_hash_breaks_the_chain_behind_it() {
    let disk = ledger();
    rewrite(&disk, true, |it| edit(&mut it[3]));
    let (told, store) = told(&disk);
    assert_eq!(told, ["prev 5 a Agent"]);
    assert_eq!(goes_on(&store, "a"), Err(Code::AgentStopped));
}

#[test]
fn an_edited_last_entry_of_an_agent_with_its_leaf_hash_needs_a_checkpoint() {
    // Nothing in the folder stands against it: this is what checkpoints are for.
    let disk = ledger();
    rewrite(&disk, true, |it| edit(&mut it[7]));
    let (told, _) = told(&disk);
    assert_eq!(told, [""; 0]);
}

#[test]
fn a_removed_entry_is_told() {
    let disk = ledger();
    rewrite(&disk, true, |it| drop(it.remove(3)));
    assert_eq!(told(&disk).0, ["seq 4 a Agent"]);
    let disk = ledger();
    rewrite(&disk, false, |it| drop(it.remove(3)));
    let (told, _) = told(&disk);
    assert_eq!(told[0], "edited 3 b Agent");
    assert!(told.contains(&"damaged 8 b Agent".to_owned()), "{told:?}");
}

#[test]
fn swapped_entries_are_told() {
    let disk = ledger();
    rewrite(&disk, true, |it| it.swap(3, 5));
    assert_eq!(told(&disk).0, ["seq 3 a Agent", "seq 5 a Agent", "seq 7 a Agent"]);
    let disk = ledger();
    rewrite(&disk, false, |it| it.swap(3, 4));
    let (told, store) = told(&disk);
    assert!(told.contains(&"edited 3 b Agent".to_owned()), "{told:?}");
    assert!(told.contains(&"edited 4 a Agent".to_owned()), "{told:?}");
    assert_eq!(goes_on(&store, "b"), Err(Code::AgentStopped));
}

#[test]
fn a_cut_tail_is_told_while_the_leaf_hashes_stand() {
    let cut = |disk: &SimDisk| {
        change(disk, &segment(0), |it| {
            let at = frames(it)[7];
            it[at..].fill(0);
        })
    };
    let disk = ledger();
    cut(&disk);
    let (told, store) = told(&disk);
    assert_eq!(told, ["damaged 7 a Agent", "damaged 8 b Agent"]);
    // Their places are not given again.
    assert_eq!(goes_on(&store, "c"), Ok(9));
    drop(store);
    assert_eq!(open(&disk).unwrap().size(), 10);
    // Cut from both files, it is as if it had never been: a checkpoint or a witness tells.
    let disk = ledger();
    cut(&disk);
    change(&disk, &leaves(0), |it| it.truncate(FILE_HEADER + 7 * LEAF_RECORD));
    let (told, store) = self::told(&disk);
    assert_eq!((told.len(), store.size()), (0, 7));
}

#[test]
fn a_segment_that_is_gone_is_told() {
    let disk = SimDisk::new(5);
    let store = create(&disk);
    for _ in 0..40 {
        append(&store, "a", &"x".repeat(300)).unwrap();
    }
    drop(store);
    let mut firsts: Vec<String> =
        disk.names().into_iter().filter(|it| it.ends_with(".seg")).collect();
    firsts.sort();
    assert!(firsts.len() > 3);
    disk.take(&firsts[1]);
    let (told, store) = told(&disk);
    let (last, entries) = told.split_last().unwrap();
    assert_eq!(last, "header - - Nothing");
    assert!(entries.len() > 3 && entries.iter().all(|it| it.ends_with(" a Agent")), "{told:?}");
    assert_eq!(store.size(), 41);
    drop(store);
    disk.take(&firsts[1].replace(".seg", ".leaf"));
    let (told, store) = self::told(&disk);
    let lost = told.iter().filter(|it| it.starts_with("lost ") && it.ends_with(" Store"));
    assert_eq!(lost.count(), entries.len(), "{told:?}");
    assert_eq!((store.size(), goes_on(&store, "a")), (41, Err(Code::Stopped)));
    drop(store);
    // A gap that no segment could have filled is not walked.
    disk.put(&segment(1 << 60), disk.contents(&firsts[2]));
    let error = open(&disk).unwrap_err();
    assert_eq!(error.code(), Code::Damaged);
    assert!(
        error.message().starts_with("entries before 1152921504606846976 are missing"),
        "{error}"
    );
}

#[test]
fn an_entry_without_a_leaf_hash_and_without_bytes_stops_the_store() {
    let disk = ledger();
    change(&disk, &segment(0), |it| {
        let at = frames(it)[3] + 50;
        it[at] ^= 1;
    });
    change(&disk, &leaves(0), |it| it[FILE_HEADER + 3 * LEAF_RECORD] ^= 1);
    let (told, store) = told(&disk);
    assert_eq!(told, ["lost 3 a Store"]);
    assert_eq!(goes_on(&store, "b"), Err(Code::Stopped));
    assert_eq!(store.size(), 9);
    assert!(store.entry(4).is_ok());
}

#[test]
fn damaged_leaf_hashes_are_made_again_and_told_where_they_were_durable() {
    let disk = SimDisk::new(5);
    let store = create(&disk);
    for _ in 0..20 {
        append(&store, "a", &"x".repeat(300)).unwrap();
    }
    drop(store);
    let whole = disk.contents(&leaves(0));
    change(&disk, &leaves(0), |it| it[FILE_HEADER + LEAF_RECORD] ^= 1);
    assert_eq!(told(&disk).0, ["leaf_record 1 - Nothing"]);
    assert_eq!(disk.contents(&leaves(0)), whole);
    disk.take(&leaves(0));
    assert_eq!(told(&disk).0, ["header - - Nothing"]);
    assert_eq!(disk.contents(&leaves(0)), whole);
}

#[test]
fn entries_of_another_ledger_do_not_fit() {
    let disk = ledger();
    let other = SimDisk::new(6);
    let store = create(&other);
    append(&store, "a", "x").unwrap();
    drop(store);
    disk.put(&segment(0), other.contents(&segment(0)));
    let (told, store) = told(&disk);
    assert!(told.contains(&"header - - Nothing".to_owned()), "{told:?}");
    assert!(told.contains(&"edited 1 a Agent".to_owned()), "{told:?}");
    assert_eq!(goes_on(&store, "a"), Err(Code::AgentStopped));
}

#[test]
fn an_agent_whose_first_entry_is_damaged_does_not_begin_anew() {
    let disk = SimDisk::new(5);
    let store = create(&disk);
    append(&store, "a", "x").unwrap();
    append(&store, "b", "x").unwrap();
    drop(store);
    change(&disk, &segment(0), |it| {
        let at = frames(it)[1] + 60;
        it[at] ^= 1;
    });
    let (told, store) = told(&disk);
    assert_eq!(told, ["damaged 1 - Agent"]);
    assert_eq!(goes_on(&store, "a"), Err(Code::AgentStopped));
}

#[test]
fn faults_are_told_up_to_a_bound_and_counted() {
    let disk = SimDisk::new(5);
    let store = create(&disk);
    for _ in 0..1_100 {
        append(&store, "a", "x").unwrap();
    }
    drop(store);
    for name in disk.names().iter().filter(|it| it.ends_with(".seg")) {
        change(&disk, name, |it| it[FILE_HEADER..].fill(0xff));
    }
    let store = open(&disk).unwrap();
    let told = store.opened().faults.len();
    assert_eq!((told, store.opened().faults_count), (crate::store::FAULTS_MAX, 1_101));
}

#[test]
fn all_entries_gone_is_no_empty_ledger() {
    let disk = ledger();
    for name in disk.names().iter().filter(|it| it.starts_with("log/")) {
        disk.take(name);
    }
    let error = open(&disk).unwrap_err();
    assert_eq!(
        (error.code(), error.message()),
        (Code::Damaged, "all entries of the ledger are gone")
    );
}

#[test]
fn a_torn_tail_is_cut_and_the_cut_recorded() {
    let disk = ledger();
    let end = frames(&disk.contents(&segment(0)))[8];
    let mut frame = Vec::new();
    push_frame(&mut frame, 9, 9, agent_tag("a"), &vec![b'x'; 500]);
    change(&disk, &segment(0), |it| {
        let header = FrameHeader::read(&it[end..]).unwrap();
        let at = end + header.frame_len();
        it[at..at + 400].copy_from_slice(&frame[..400]);
    });
    let store = open(&disk).unwrap();
    let torn = store.opened().torn.unwrap();
    assert_eq!((torn.index, torn.segment, torn.bytes), (9, 0, 400));
    assert_eq!(store.opened().faults, []);
    let repair = String::from_utf8(store.entry(9).unwrap()).unwrap();
    let members = format!(
        r#""kind":"repair","cut_index":9,"segment":0,"offset":{},"bytes":400}}"#,
        torn.offset
    );
    assert!(
        repair.contains(r#""agent":"@ledger","seq":1"#) && repair.ends_with(&members),
        "{repair}"
    );
    assert_eq!(goes_on(&store, "a"), Ok(10));
    drop(store);
    assert_eq!(open(&disk).unwrap().opened().torn, None);
}

#[test]
fn a_waiting_entry_of_a_stopped_agent_is_refused_and_others_go_on() {
    let disk = ledger();
    change(&disk, &segment(0), |it| {
        let at = frames(it)[3] + 45;
        it[at] ^= 1;
    });
    let store = open(&disk).unwrap();
    let error = store.head("a").unwrap_err();
    assert!(error.message().starts_with("agent `a` is stopped: "), "{error}");
    let ticket = store.submit(Entry::new(next(&store, "b", "x").unwrap())).unwrap();
    assert_eq!(ticket.wait().unwrap().index, 9);
}
