//! Single entries and chains: what is wrong is told at its place, and the rest is still proved.

use super::made::{Made, Said, made, opened, said, signer};
use crate::tlog::{Hash, Head, KeyUse, SeedSigner, Signer, Trust, leaf_hash};
use crate::verify::{
    FINDINGS_MAX, Finding, Known, Ledger, Limit, Proved, Report, Unproved, Unreadable, What, verify,
};

fn checked(made: &Made) -> Report {
    verify(&mut made.clone(), &Known::default()).unwrap()
}

fn signed(made: &Made, size: usize) -> Known {
    Known { own: opened(&made.note(size, &signer())), ..Known::default() }
}

#[test]
fn one_damaged_entry_hides_no_other() {
    let whole = made(&said("ours", 10));
    let size = whole.entries.len();
    let known = signed(&whole, size);
    type Change = (&'static dyn Fn(&mut Made, usize), &'static str);
    let changes: [Change; 5] = [
        (&|it, at| it.entries[at] = None, "damaged"),
        (&|it, at| it.entries[at] = Some(b"{}".to_vec()), "edited"),
        (&|it, at| it.entries[at] = Some(Vec::new()), "edited"),
        (&|it, at| it.leaves[at] = None, "leaf_damaged"),
        (&|it, at| it.leaves[at] = Some(Hash([7; 32])), "edited"),
    ];
    for (at, (change, code)) in (0..size).flat_map(|at| changes.iter().map(move |it| (at, it))) {
        let mut made = whole.clone();
        change(&mut made, at);
        let report = verify(&mut made, &known).unwrap();
        let first = &report.findings[0];
        assert_eq!((first.index, first.what.code()), (at as u64, *code), "{code} {at}");
        assert_eq!(report.root == whole.head(size).root, made.leaves[at] != Some(Hash([7; 32])));
        if made.leaves[at] != Some(Hash([7; 32])) {
            assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
            assert_eq!(report.proved, [Proved::Checkpoint(size as u64)], "{code} {at}");
        }
    }
}

#[test]
fn two_damaged_entries_of_one_agent_are_two_findings() {
    let mut made = made(&said("ours", 10));
    made.entries[9] = None;
    made.entries[11] = None;
    let report = checked(&made);
    let found: Vec<_> = report.findings.iter().map(|it| (it.index, it.what.code())).collect();
    assert_eq!(found, [(9, "damaged"), (11, "damaged")]);
    assert_eq!(report.whole, made.entries.len() as u64 - 2);
}

#[test]
fn an_entry_and_its_hash_both_lost_are_told_and_the_chain_too() {
    let mut made = made(&said("ours", 10));
    made.entries[9] = None;
    made.leaves[9] = None;
    let report = checked(&made);
    let found: Vec<_> = report.findings.iter().map(|it| (it.index, it.what.code())).collect();
    assert_eq!(found, [(9, "lost"), (11, "seq")]);
}

#[test]
fn hashes_may_be_missing_at_the_end_and_this_is_said() {
    let mut made = made(&said("ours", 10));
    let size = made.entries.len();
    let known = signed(&made, size);
    made.leaves.truncate(size - 4);
    let report = verify(&mut made, &known).unwrap();
    assert_eq!(report.findings, []);
    assert_eq!(report.proved, [Proved::Checkpoint(size as u64)]);
    assert_eq!(report.limits, [Limit::LeavesMissing(4)]);
}

#[test]
fn entries_that_hashes_name_and_nobody_has_are_missing() {
    let mut made = made(&said("ours", 10));
    made.entries.truncate(20);
    let report = checked(&made);
    assert_eq!(report.size, 25);
    assert!(
        (20..25).zip(&report.findings).all(|(at, it)| it.index == at && it.what == What::Missing)
    );
}

/// A ledger of single entries with hashes that fit them.
fn of_texts(texts: &[String]) -> Made {
    let entries: Vec<_> = texts.iter().map(|it| Some(it.clone().into_bytes())).collect();
    let leaves = texts.iter().map(|it| Some(leaf_hash(it.as_bytes()))).collect();
    Made { entries, leaves }
}

#[test]
fn what_is_no_entry_is_told_with_its_reason() {
    let zeros = "0".repeat(64);
    let entry = |from: &str, to: &str| {
        let text =
            format!(r#"{{"v":1,"agent":"a","seq":0,"prev":"{zeros}","at":1,"kind":"genesis"}}"#);
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    assert_eq!(checked(&of_texts(&[entry("", "")])).findings, []);
    for (text, code) in [
        (entry("\"v\":1", "\"v\":2"), "form"),
        (entry("\"v\":1", "\"v\":1.0"), "form"),
        (entry("\"a\"", "\"\""), "form"),
        (entry("\"a\"", "1"), "form"),
        (entry("\"seq\":0", "\"seq\":-1"), "form"),
        (entry("\"seq\":0", "\"seq\":0.5"), "form"),
        (entry("\"prev\":\"0", "\"prev\":\""), "form"),
        (entry("\"at\":1", "\"at\":1.5"), "form"),
        (entry("\"at\":1", "\"at\":9223372036854775808"), "form"),
        (entry("\"genesis\"", "null"), "form"),
        (entry("\"at\":1", "\"at\":1,\"at\":1"), "form"),
        (entry("{", "["), "form"),
        (String::new(), "form"),
        ("[".repeat(60_000), "form"),
        (entry("\"seq\":0", "\"seq\":1"), "seq"),
        (entry("\"prev\":\"0", "\"prev\":\"1"), "prev"),
        (entry("genesis", "decision"), "birth"),
        (entry("\"a\"", "\"@a\""), "birth"),
    ] {
        let report = checked(&of_texts(std::slice::from_ref(&text)));
        assert_eq!(report.findings[0].what.code(), code, "{text:.200}");
    }
    let mut made = of_texts(&[String::new()]);
    made.entries[0] = Some(b"\xff".to_vec());
    made.leaves[0] = Some(leaf_hash(b"\xff"));
    assert_eq!(checked(&made).findings[0].what.code(), "form");
}

#[test]
fn an_agent_is_born_once_with_one_policy() {
    let born = |more: &[(&str, &str)]| {
        let mut all = vec![Said::new("@ledger", "genesis", "x"), Said::new("a", "genesis", "x")];
        all.extend(more.iter().map(|(agent, kind)| Said::new(agent, kind, "x")));
        let found = checked(&made(&all)).findings;
        found.into_iter().map(|it| (it.index, it.what.code())).collect::<Vec<_>>()
    };
    assert_eq!(born(&[("a", "policy"), ("@ledger", "repair"), ("a", "decision")]), []);
    assert_eq!(born(&[("a", "decision")]), [(2, "birth")]);
    assert_eq!(born(&[("a", "policy"), ("a", "policy")]), [(3, "birth")]);
    assert_eq!(born(&[("a", "policy"), ("a", "genesis")]), [(3, "birth")]);
    assert_eq!(born(&[("b", "policy")]), [(2, "birth")]);
    assert_eq!(born(&[("@ledger", "genesis")]), [(2, "birth")]);
    assert_eq!(born(&[("@other", "genesis")]), [(2, "birth")]);
}

#[test]
fn a_fault_in_a_chain_is_told_once() {
    let all = said("ours", 10);
    let mut entries = made(&all).entries;
    entries.remove(11);
    let texts: Vec<_> =
        entries.into_iter().map(|it| String::from_utf8(it.unwrap()).unwrap()).collect();
    let report = checked(&of_texts(&texts));
    assert_eq!(report.findings, [Finding { index: 12, what: What::Seq("support".into(), 5) }]);
    assert_eq!(report.findings[0].what.agent(), Some("support"));
}

#[test]
fn findings_are_listed_up_to_a_bound_and_counted_beyond() {
    let texts: Vec<String> = (0..FINDINGS_MAX + 7).map(|it| it.to_string()).collect();
    let report = checked(&of_texts(&texts));
    assert_eq!((report.findings.len(), report.more), (FINDINGS_MAX, 7));
}

#[test]
fn what_was_signed_and_what_was_not_is_said() {
    let made = made(&said("ours", 10));
    let size = made.entries.len() as u64;
    let report = verify(&mut made.clone(), &signed(&made, 20)).unwrap();
    assert_eq!(report.proved, [Proved::Checkpoint(20)]);
    assert_eq!(report.unproved, [Unproved::AfterCheckpoint(20, size), Unproved::Rollback]);
    let mut known = signed(&made, size as usize);
    known.earlier = opened(&made.note(7, &signer())).into_iter().collect();
    known.heads = vec![made.head(12), Head::NONE];
    let report = verify(&mut made.clone(), &known).unwrap();
    let proved = [
        Proved::Witnessed(0),
        Proved::Checkpoint(7),
        Proved::Witnessed(12),
        Proved::Checkpoint(size),
    ];
    assert_eq!((report.proved.as_slice(), report.unproved.as_slice()), (&proved[..], &[][..]));
    assert_eq!(report.limits, [Limit::CutAfter(12)]);
    assert_eq!((report.agents, report.whole), (2, size));
}

#[test]
fn witnesses_count_when_there_are_enough_of_them() {
    let made = made(&said("ours", 10));
    let size = made.entries.len();
    let witness = SeedSigner::new("example.com/w", KeyUse::Witness, &[8; 32]).unwrap();
    let list = |quorum: &str| {
        let (log, key) = (signer(), witness.public());
        let text = format!("log {}\nwitness w {key}\nquorum {quorum}\n", log.public());
        Trust::read(&text).unwrap()
    };
    let head = made.head(size);
    let checkpoint = crate::tlog::Checkpoint::new(super::made::ORIGIN, head.size, head.root);
    let mut note = checkpoint.signed(&[&signer()]).unwrap();
    let with = |note: &crate::tlog::Note| {
        let own = Some(list("w").open(&note.to_string()).unwrap());
        let known = Known { own, wants_witnesses: true, ..Known::default() };
        verify(&mut made.clone(), &known).unwrap()
    };
    assert_eq!(with(&note).unproved, [Unproved::Witnesses, Unproved::Rollback]);
    note.cosign(&witness, 1_700_000_000).unwrap();
    let report = with(&note);
    assert_eq!(report.unproved, []);
    assert_eq!(report.limits, [Limit::CutSince(size as u64, 1_700_000_000)]);
    assert!(report.proved.contains(&Proved::Cosigned(size as u64, "w".into(), 1_700_000_000)));
}

#[test]
fn a_rewritten_stretch_lies_after_the_last_checkpoint_that_holds() {
    let mut all = said("ours", 10);
    let before = made(&all);
    all[15].what = "something else".into();
    let known = Known {
        own: opened(&before.note(20, &signer())),
        earlier: opened(&before.note(12, &signer())).into_iter().collect(),
        ..Known::default()
    };
    let report = verify(&mut made(&all), &known).unwrap();
    assert_eq!(report.findings, [Finding { index: 12, what: What::Rewritten(20) }]);
}

/// A disk that gives up.
struct Failing;

impl Ledger for Failing {
    fn size(&self) -> u64 {
        1
    }

    fn entry(&mut self, _: u64, _: &mut Vec<u8>) -> Result<(), Unreadable> {
        Err(Unreadable::Failed("it is gone".into()))
    }

    fn leaf(&mut self, _: u64) -> Result<Hash, Unreadable> {
        Err(Unreadable::Missing)
    }
}

#[test]
fn a_failing_disk_is_no_finding() {
    let told = verify(&mut Failing, &Known::default());
    assert_eq!(told, Err("entry 0 can't be read: it is gone".to_string()));
}

#[test]
fn an_empty_ledger_proves_nothing() {
    let report = checked(&Made::default());
    assert_eq!((report.size, report.findings.len()), (0, 0));
    assert_eq!(report.unproved, [Unproved::Unsigned, Unproved::Rollback]);
}
