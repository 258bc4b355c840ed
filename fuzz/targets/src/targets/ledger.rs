//! What a ledger reads from strangers: notes, receipts, requests, lists of keys, tiles, and logs of
//! lineage.

use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_ledger::lineage_log::{Expected, canonical, verify};
use lawbook_ledger::tlog::{
    Answer, Checkpoint, HeadsInMemory, KeyUse, Note, PublicKey, Receipt, SeedSigner, Signer, Tile,
    Trust, Witness, WitnessRequest, bundle_entries, leaf_hash,
};

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "ledger",
    run,
    seeds: &[
        "go.sum database tree\n15067302\ngJyioq6dwR9n+NjEWORfYmH+ubeYm3kH42BBQ0bTpYI=\n\n\u{2014} sum.golang.org Az3grp1rvWOs5NKlr/xR4GLN/CDyzzakmt1o61uSxYKpK1SerqOP2ClbX/peKUZjYnyomH5Xz7GZG3TpB7OeKn4E2ww=\n",
        "old 1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\nlog\n2\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u{2014} log AAAAAAA=\n",
        "c2sp.org/tlog-proof@v1\nindex 0\n\nlog\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u{2014} log AAAAAAA=\n",
        "log sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8\ngroup g any a\nquorum none\n",
        "tile/entries/x001/234.p/7",
        "{\"seq\":0,\"timestamp\":\"\",\"actor\":\"\",\"kind\":\"genesis\",\"payload\":{},\"prev_hash\":\"\",\"hash\":\"\",\"signature\":\"\"}\n",
    ],
    seed_files: &[".json", ".jsonl"],
};

/// Reading ends in an error or in something that is written as it was read; nothing panics, and
/// nobody is believed whose key signed nothing.
pub fn run(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(note) = Note::read(&text) {
        assert_eq!(Note::read(&note.to_string()).as_ref(), Ok(&note));
        if let Ok(checkpoint) = Checkpoint::of(&note) {
            assert_eq!(checkpoint.text(), note.text());
        }
    }
    if let Ok(receipt) = Receipt::read(&text) {
        assert_eq!(Receipt::read(&receipt.to_string()).as_ref(), Ok(&receipt));
        assert!(receipt.check(leaf_hash(data), &[key(1)]).is_err());
    }
    if let Ok(trust) = Trust::read(&text) {
        assert_eq!(Trust::read(&trust.to_string()).as_ref(), Ok(&trust));
        let _ = trust.open(&text);
    }
    if let Some(tile) = Tile::read(&text) {
        assert_eq!(tile.path(), text);
    }
    if let Some(entries) = bundle_entries(data) {
        assert!(entries.len() <= 256);
    }
    witness(&text);
    let report = verify(data, Expected::default());
    // Whoever has no hash of SHA-256 and no signature at hand writes no record that holds.
    assert!(report.failure.is_some() || report.records > 0);
    let limits = Limits { bytes_max: 1 << 20, depth_max: 64, nodes_max: 10_000 };
    if let Ok(document) = Document::parse(&text, Grammar::Strict, &limits) {
        let mut once = String::new();
        canonical(&mut once, document.root());
        let again = Document::parse(&once, Grammar::Strict, &limits).expect("it is JSON");
        let mut twice = String::new();
        canonical(&mut twice, again.root());
        assert_eq!(once, twice);
    }
}

fn key(seed: u8) -> PublicKey {
    let signer = SeedSigner::new("log", KeyUse::Log, &[seed; 32]).expect("it is a name");
    signer.public().clone()
}

fn witness(text: &str) {
    if let Some(request) = WitnessRequest::read(text) {
        assert_eq!(WitnessRequest::read(&request.to_string()).as_ref(), Some(&request));
    }
    let signer = SeedSigner::new("w", KeyUse::Witness, &[2; 32]).expect("it is a name");
    let mut heads = HeadsInMemory::default();
    let answer = Witness::new(vec![key(1)], &signer).add_checkpoint(&mut heads, text, 0);
    assert!(!matches!(answer, Answer::Cosigned(_)), "{text}");
}
