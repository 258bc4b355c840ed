//! A witness: what it signs, what it refuses and with which code, and that it never goes back.

use super::notes::{cosigner, log};
use super::tree::leaves;
use crate::tlog::{
    Answer, Checkpoint, Head, Heads, HeadsError, HeadsInMemory, Note, SeedSigner, Signed, Signer,
    Tree, WITNESS_PROOF_MAX, WITNESS_REQUEST_BYTES_MAX, Witness, WitnessRequest,
};

const ORIGIN: &str = "example.com/log";

fn tree() -> Tree {
    leaves(40).into_iter().collect()
}

/// A log that goes another way after its tenth entry.
fn fork() -> Tree {
    leaves(10).into_iter().chain(leaves(40).into_iter().rev()).collect()
}

fn note(tree: &Tree, size: u64, signer: &SeedSigner) -> Note {
    let root = tree.root_at(size).unwrap();
    Checkpoint::new(signer.public().name(), size, root).signed(&[signer]).unwrap()
}

fn body(tree: &Tree, old: u64, new: u64) -> String {
    let proof = tree.consistency(old, new).unwrap();
    WitnessRequest { old, proof, note: note(tree, new, &log(ORIGIN, 1)) }.to_string()
}

fn ask(heads: &mut dyn Heads, body: &str) -> Answer {
    let signer = cosigner("example.com/w", 2);
    let logs = vec![log(ORIGIN, 1).public().clone(), log("example.com/b", 3).public().clone()];
    Witness::new(logs, &signer).add_checkpoint(heads, body, 1_700_000_000)
}

#[test]
fn what_grows_is_signed_and_remembered() {
    let mut heads = HeadsInMemory::default();
    let tree = tree();
    for (old, new) in [(0, 0), (0, 1), (1, 1), (1, 8), (8, 21), (21, 40)] {
        let answer = ask(&mut heads, &body(&tree, old, new));
        let Answer::Cosigned(lines) = &answer else { panic!("{old} {new} {answer:?}") };
        assert_eq!((answer.status(), lines.lines().count()), (200, 1));
        let mut note = note(&tree, new, &log(ORIGIN, 1));
        note.add_lines(lines).unwrap();
        let witness = cosigner("example.com/w", 2);
        assert_eq!(note.signed_by(witness.public()), Signed::Yes(Some(1_700_000_000)));
        let root = tree.root_at(new).unwrap();
        assert_eq!(heads.newest(ORIGIN), Ok(Head { size: new, root }));
    }
    assert_eq!(heads.newest("example.com/b"), Ok(Head::NONE));
}

#[test]
fn what_goes_back_or_aside_is_refused_and_changes_nothing() {
    let (tree, fork) = (tree(), fork());
    let mut heads = HeadsInMemory::default();
    assert_eq!(ask(&mut heads, &body(&tree, 0, 20)).status(), 200);
    let before = heads.newest(ORIGIN);
    for (body, answer) in [
        // A backup was restored: the log is shorter than what was signed.
        (body(&tree, 0, 12), Answer::Conflict(20)),
        (body(&tree, 12, 12), Answer::Conflict(20)),
        (body(&tree, 0, 30), Answer::Conflict(20)),
        (body(&fork, 20, 20), Answer::Conflict(20)),
        (body(&fork, 20, 30), Answer::Unproved),
        (body(&tree, 20, 30).replacen("old 20", "old 31", 1), Answer::Bad("")),
    ] {
        let told = ask(&mut heads, &body);
        match answer {
            Answer::Bad(_) => assert_eq!(told.status(), 400),
            _ => assert_eq!(told, answer, "{body}"),
        }
        assert_eq!(heads.newest(ORIGIN), before);
    }
    let told = ask(&mut heads, &body(&tree, 0, 12));
    assert_eq!(
        (told.status(), told.content_type(), told.body()),
        (409, "text/x.tlog.size", "20\n".into())
    );
    assert_eq!(ask(&mut heads, &body(&tree, 20, 30)).status(), 200);
}

#[test]
fn strangers_and_what_is_no_request_are_refused() {
    let tree = tree();
    let mut heads = HeadsInMemory::default();
    let request = |signer: &SeedSigner| {
        WitnessRequest { old: 0, proof: Vec::new(), note: note(&tree, 5, signer) }.to_string()
    };
    assert_eq!(ask(&mut heads, &request(&log("example.com/x", 1))), Answer::Unknown);
    assert_eq!(ask(&mut heads, &request(&log(ORIGIN, 9))), Answer::Unsigned);
    let good = body(&tree, 0, 5);
    let forged = good.replacen("\n5\n", "\n6\n", 1);
    assert_eq!(ask(&mut heads, &forged), Answer::Unsigned);
    let hash = format!("{}\n", leaves(1)[0].to_base64());
    let with =
        |count: usize| good.replacen("old 0\n", &format!("old 0\n{}", hash.repeat(count)), 1);
    assert_eq!(ask(&mut heads, &with(1)), Answer::Unproved);
    assert_eq!(ask(&mut heads, &with(WITNESS_PROOF_MAX)), Answer::Unproved);
    for bad in [
        String::new(),
        with(WITNESS_PROOF_MAX + 1),
        good.replacen("old 0", "old 00", 1),
        good.replacen("old 0", "0", 1),
        good.replacen("old 0\n", "old 0\n\n", 1),
        good.replacen('\n', "\r\n", 1),
        format!("old 0\n\n{}", "x".repeat(WITNESS_REQUEST_BYTES_MAX)),
    ] {
        assert_eq!(ask(&mut heads, &bad).status(), 400, "{bad:.100}");
    }
    assert_eq!(heads.newest(ORIGIN), Ok(Head::NONE));
    assert_eq!(ask(&mut heads, &good).status(), 200);
}

/// A memory that fails to write, or that somebody else has advanced in between.
struct Odd {
    fails: bool,
}

impl Heads for Odd {
    fn newest(&self, _: &str) -> Result<Head, HeadsError> {
        Ok(Head::NONE)
    }

    fn advance(&mut self, _: &str, _: Head, _: Head) -> Result<bool, HeadsError> {
        if self.fails { Err(HeadsError("disk full".into())) } else { Ok(false) }
    }
}

#[test]
fn nothing_is_signed_that_was_not_remembered() {
    let body = body(&tree(), 0, 5);
    assert_eq!(ask(&mut Odd { fails: true }, &body), Answer::Failed("disk full".into()));
    assert_eq!(ask(&mut Odd { fails: false }, &body), Answer::Conflict(0));
}

#[test]
fn a_log_with_two_keys_is_one_log() {
    let (tree, signer) = (tree(), cosigner("example.com/w", 2));
    let (old, new) = (log(ORIGIN, 1), log(ORIGIN, 7));
    let witness = Witness::new(vec![old.public().clone(), new.public().clone()], &signer);
    let mut heads = HeadsInMemory::default();
    let request = |from: u64, to: u64, signer: &SeedSigner| {
        let proof = tree.consistency(from, to).unwrap();
        WitnessRequest { old: from, proof, note: note(&tree, to, signer) }.to_string()
    };
    assert_eq!(witness.add_checkpoint(&mut heads, &request(0, 5, &old), 1).status(), 200);
    assert_eq!(witness.add_checkpoint(&mut heads, &request(5, 9, &new), 2).status(), 200);
    assert_eq!(witness.add_checkpoint(&mut heads, &request(0, 9, &new), 2).status(), 409);
}
