//! Every row of the table of attacks, in every column.

use super::made::{Made, ORIGIN, Said, made, opened, said, signer};
use crate::tlog::{
    Answer, HeadsInMemory, KeyUse, Note, SeedSigner, Signer, Tree, Witness, WitnessRequest,
    leaf_hash,
};
use crate::verify::{Known, Unproved, verify};

const PAGE: &str = include_str!("../../../../../docs/ledger.md");

/// The ledger that everybody has seen has this many entries, and a checkpoint over all of them.
const ROUNDS: usize = 12;
const SIGNED: usize = 5 + 2 * ROUNDS;
/// An entry in the middle, of the agent `support`.
const PLACE: usize = 11;

/// A folder: the ledger, and the checkpoint that lies in it.
struct Folder {
    made: Made,
    note: Option<String>,
}

fn honest() -> Folder {
    let made = made(&said("ours", ROUNDS));
    let note = Some(made.note(SIGNED, &signer()));
    Folder { made, note }
}

/// The folder as an attacker without the key leaves it who says something else in it.
fn careful(change: impl FnOnce(&mut Vec<Said>)) -> Folder {
    let mut all = said("ours", ROUNDS);
    change(&mut all);
    Folder { made: made(&all), note: honest().note }
}

/// The folder as an attacker with the key leaves it.
fn by_holder(change: impl FnOnce(&mut Vec<Said>)) -> Folder {
    let Folder { made, .. } = careful(change);
    let note = Some(made.note(SIGNED, &signer()));
    Folder { made, note }
}

fn edited(all: &mut [Said], place: usize) {
    all[place].what = "something else".into();
}

fn attacked(name: &str) -> Folder {
    let mut folder = honest();
    let Made { entries, leaves } = &mut folder.made;
    match name {
        "edit an entry" => {
            let text = String::from_utf8(entries[PLACE].clone().unwrap()).unwrap();
            assert!(text.contains("refund"), "{text}");
            entries[PLACE] = Some(text.replace("refund", "no refund").into_bytes());
        }
        "remove an entry" => {
            entries.remove(PLACE);
            leaves.remove(PLACE);
        }
        "swap two entries" => {
            entries.swap(PLACE, PLACE + 2);
            leaves.swap(PLACE, PLACE + 2);
        }
        "put an entry in" => {
            let entry = entries[PLACE].clone();
            leaves.insert(PLACE + 2, Some(leaf_hash(entry.as_ref().unwrap())));
            entries.insert(PLACE + 2, entry);
        }
        "damage one entry" => entries[PLACE] = None,
        "edit an entry, carefully" => return careful(|it| edited(it, PLACE)),
        "remove an entry, carefully" => return careful(|it| drop(it.remove(PLACE))),
        "swap two entries, carefully" => return careful(|it| it.swap(PLACE, PLACE + 1)),
        "put an entry in, carefully" => {
            return careful(|it| it.insert(PLACE, Said::new("support", "decision", "more")));
        }
        "cut the tail" => {
            entries.truncate(SIGNED - 3);
            leaves.truncate(SIGNED - 3);
        }
        "cut the tail and the checkpoint with it" => {
            entries.truncate(SIGNED - 3);
            leaves.truncate(SIGNED - 3);
            folder.note = None;
        }
        "restore a backup with its checkpoint" => {
            entries.truncate(SIGNED - 6);
            leaves.truncate(SIGNED - 6);
            folder.note = Some(folder.made.note(SIGNED - 6, &signer()));
        }
        "put another ledger in its place" => {
            let made = made(&said("another", ROUNDS));
            let other = SeedSigner::new("example.com/another", KeyUse::Log, &[6; 32]).unwrap();
            let note = Some(made.note(SIGNED, &other));
            return Folder { made, note };
        }
        "sign anew with another key" => {
            let Folder { made, .. } = careful(|it| edited(it, PLACE));
            let other = SeedSigner::new(ORIGIN, KeyUse::Log, &[6; 32]).unwrap();
            let note = Some(made.note(SIGNED, &other));
            return Folder { made, note };
        }
        "write anew with the log's own key" => return by_holder(|it| edited(it, PLACE)),
        "show two histories, both signed with the log's own key" => {
            return by_holder(|it| edited(it, SIGNED - 1));
        }
        "write what comes after the last checkpoint anew, carefully" => {
            return careful(|it| {
                *it = said("ours", ROUNDS + 1);
                edited(it, SIGNED);
            });
        }
        "cut what comes after the last checkpoint" => {
            folder.made = made(&said("ours", ROUNDS + 1));
            folder.made.entries.truncate(SIGNED);
            folder.made.leaves.truncate(SIGNED);
        }
        _ => panic!("no attack is called {name}"),
    }
    folder
}

/// What a verification says, in the words of the table.
fn told(folder: &mut Folder, column: &str) -> &'static str {
    let seen = honest();
    let mut known = Known::default();
    let mut refused = false;
    if column != "nothing" {
        let own = folder.note.as_ref().map(|it| opened(it));
        refused = own == Some(None);
        known.own = own.flatten();
    }
    match column {
        "earlier" => known.earlier = opened(&seen.note.unwrap()).into_iter().collect(),
        "witness" => known.heads = vec![seen.made.head(SIGNED)],
        _ => {}
    }
    let report = verify(&mut folder.made, &known).unwrap();
    if column == "nothing" {
        assert_eq!(report.unproved, [Unproved::Unsigned, Unproved::Rollback]);
    }
    if refused || !report.findings.is_empty() {
        "found"
    } else if report.unproved.is_empty() {
        "unseen"
    } else {
        "left open"
    }
}

fn rows() -> Vec<Vec<String>> {
    let cells =
        |it: &str| it.trim_matches('|').split('|').map(|it| it.trim().to_string()).collect();
    let rows = PAGE.lines().filter(|it| it.starts_with("| ")).map(cells);
    rows.collect()
}

#[test]
fn every_attack_is_found_by_what_the_page_says() {
    let rows = rows();
    let (columns, rows) = rows.split_first().unwrap();
    assert_eq!(columns[1..], ["nothing", "key", "earlier", "witness"]);
    assert!(rows.len() >= 18);
    for row in rows {
        for (column, says) in columns.iter().zip(row).skip(1) {
            assert_eq!(told(&mut attacked(&row[0]), column), says, "{} / {column}", row[0]);
        }
    }
}

#[test]
fn what_the_log_signs_next_is_refused_by_its_witness() {
    let witness = SeedSigner::new("example.com/w", KeyUse::Witness, &[8; 32]).unwrap();
    let signer = signer();
    let watching = Witness::new(vec![signer.public().clone()], &witness);
    for attack in [
        "remove an entry, carefully",
        "restore a backup with its checkpoint",
        "write anew with the log's own key",
        "show two histories, both signed with the log's own key",
    ] {
        let mut heads = HeadsInMemory::default();
        let seen = honest();
        let mut ask = |made: &Made, old: usize, size: usize| {
            let leaf = |it: &Option<_>| it.unwrap();
            let tree: Tree = made.leaves.iter().map(leaf).collect();
            let proof = tree.consistency(old as u64, size as u64).unwrap();
            let note = Note::read(&made.note(size, &signer)).unwrap();
            let request = WitnessRequest { old: old as u64, proof, note };
            watching.add_checkpoint(&mut heads, &request.to_string(), 1)
        };
        assert_eq!(ask(&seen.made, 0, SIGNED).status(), 200);
        let folder = attacked(attack);
        let size = folder.made.leaves.len();
        let answer = ask(&folder.made, SIGNED.min(size), size);
        assert!(matches!(answer, Answer::Conflict(_) | Answer::Unproved), "{attack} {answer:?}");
    }
}

#[test]
fn an_honest_ledger_has_no_findings() {
    let says = ["left open", "left open", "unseen", "unseen"];
    for (column, says) in ["nothing", "key", "earlier", "witness"].iter().zip(says) {
        assert_eq!(told(&mut honest(), column), says, "{column}");
    }
}
