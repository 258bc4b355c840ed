//! Notes, keys, checkpoints, receipts and lists of keys, against notes that others have published.

use crate::tlog::{
    BadKey, Checkpoint, CheckpointError, Hash, KEY_NAME_BYTES_MAX, KeyUse, NOTE_BYTES_MAX, Note,
    NoteError, PROOF_HASHES_MAX, PublicKey, Receipt, ReceiptError, SIGNATURES_MAX, SeedSigner,
    SignError, Signed, Signer, TRUST_BYTES_MAX, TRUST_NAMES_MAX, Tree, Trust, leaf_hash,
};

// The keys, text and signatures of the tests of Go's sumdb/note.
const PETER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const PETER_SEED: &str = "810a1402d5146c8d84f2443330f54080ebf98ee17d9c74f6252fc5d5c7283173";
const PETER_LINE: &str = "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
const ENOCH: &str = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop";
const ENOCH_LINE: &str = "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n";
const TEXT: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";

// A checkpoint that Go's checksum database has signed, and its key.
const SUMDB: &str = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";
const SUMDB_NOTE: &str = "go.sum database tree\n15067302\ngJyioq6dwR9n+NjEWORfYmH+ubeYm3kH42BBQ0bTpYI=\n\n— sum.golang.org Az3grp1rvWOs5NKlr/xR4GLN/CDyzzakmt1o61uSxYKpK1SerqOP2ClbX/peKUZjYnyomH5Xz7GZG3TpB7OeKn4E2ww=\n— test.example.com qTGhC/xIPQ0AXKHK6Y+9ypRfuvMZWPjRXM8NiOg5M1WREn07VQXyuIXM3NRNav3ieVFLUqDRK77PWDmL6w8w84UqeAw=\n";

pub fn key(text: &str) -> PublicKey {
    text.parse().unwrap()
}

pub fn log(name: &str, seed: u8) -> SeedSigner {
    SeedSigner::new(name, KeyUse::Log, &[seed; 32]).unwrap()
}

pub fn cosigner(name: &str, seed: u8) -> SeedSigner {
    SeedSigner::new(name, KeyUse::Witness, &[seed; 32]).unwrap()
}

fn root(count: u64) -> Hash {
    let tree: Tree = super::tree::leaves(count).into_iter().collect();
    tree.root_at(count).unwrap()
}

#[test]
fn notes_of_others_are_believed() {
    let note = Note::read(&format!("{TEXT}\n{PETER_LINE}{ENOCH_LINE}")).unwrap();
    assert_eq!(note.text(), TEXT);
    assert_eq!(note.signed_by(&key(PETER)), Signed::Yes(None));
    assert_eq!(note.signed_by(&key(ENOCH)), Signed::Yes(None));
    assert_eq!(note.signed_by(&key(SUMDB)), Signed::No);
    let note = Note::read(SUMDB_NOTE).unwrap();
    assert_eq!(note.signed_by(&key(SUMDB)), Signed::Yes(None));
    assert_eq!(note.to_string(), SUMDB_NOTE);
    let checkpoint = Checkpoint::of(&note).unwrap();
    assert_eq!((checkpoint.origin.as_str(), checkpoint.size), ("go.sum database tree", 15_067_302));
}

#[test]
fn the_published_seed_signs_as_published() {
    let (seed, _) = PETER_SEED.as_bytes().as_chunks::<2>();
    let seed: Vec<u8> = seed
        .iter()
        .map(|it| u8::from_str_radix(std::str::from_utf8(it).unwrap(), 16).unwrap())
        .collect();
    let signer =
        SeedSigner::new("PeterNeumann", KeyUse::Log, seed.as_slice().try_into().unwrap()).unwrap();
    assert_eq!(signer.public().to_string(), PETER);
    let mut note = Note::new(TEXT).unwrap();
    note.sign(&signer).unwrap();
    note.sign(&signer).unwrap();
    assert_eq!(note.to_string(), format!("{TEXT}\n{PETER_LINE}"));
}

#[test]
fn a_note_with_any_byte_changed_is_not_believed() {
    let whole = format!("{TEXT}\n{PETER_LINE}");
    let peter = key(PETER);
    for place in 0..whole.len() {
        let mut bytes = whole.clone().into_bytes();
        bytes[place] ^= 1;
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let believed = Note::read(&text).is_ok_and(|it| it.signed_by(&peter) == Signed::Yes(None));
        assert!(!believed, "{place}");
    }
}

#[test]
fn what_is_no_note_is_refused() {
    let cut = PETER_LINE.trim_end();
    for (text, why) in [
        (TEXT.to_string(), NoteError::Shape),
        (format!("{TEXT}\n"), NoteError::Shape),
        (format!("{TEXT}\n{cut}"), NoteError::Shape),
        (format!("\u{1}{TEXT}\n{PETER_LINE}"), NoteError::Control),
        (format!("{TEXT}\n{PETER_LINE}").replace('\n', "\r\n"), NoteError::Shape),
        (format!("{TEXT}\n— Bad Name x08go/ZJkuA=\n"), NoteError::Signature),
        (format!("{TEXT}\n— Bad+Name x08go/ZJkuA=\n"), NoteError::Signature),
        (format!("{TEXT}\n— Name x08goA==\n"), NoteError::Signature),
        (format!("{TEXT}\n— Name x08go/ZJkuB=\n"), NoteError::Signature),
        (format!("{TEXT}\n{PETER_LINE}more\n"), NoteError::Signature),
        (format!("{TEXT}\n{}", PETER_LINE.repeat(SIGNATURES_MAX + 1)), NoteError::TooLarge),
        (format!("{}\n\n{PETER_LINE}", "a".repeat(NOTE_BYTES_MAX)), NoteError::TooLarge),
    ] {
        assert_eq!(Note::read(&text).map(|it| it.to_string()), Err(why), "{text:.200}");
    }
    let many = format!("{TEXT}\n{}", PETER_LINE.repeat(SIGNATURES_MAX));
    assert_eq!(Note::read(&many).unwrap().signatures().len(), 1);
}

#[test]
fn one_wrong_signature_of_a_known_key_spoils_the_right_one() {
    let other = PETER_LINE.replace("ZJkuBS9", "ZJkuBS8");
    let note = Note::read(&format!("{TEXT}\n{PETER_LINE}{other}")).unwrap();
    assert_eq!(note.signed_by(&key(PETER)), Signed::Wrong);
}

#[test]
fn only_whole_keys_are_read() {
    for from in 0..PETER.len() {
        for to in from + 1..=PETER.len() {
            let whole = (from, to) == (0, PETER.len());
            assert_eq!(PETER[from..to].parse::<PublicKey>().is_ok(), whole, "{from} {to}");
        }
    }
    for place in 0..PETER.len() {
        let mut bytes = PETER.as_bytes().to_vec();
        bytes[place] += 1;
        assert!(String::from_utf8(bytes).unwrap().parse::<PublicKey>().is_err(), "{place}");
    }
    let long = "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==";
    let sort = "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    assert!(long.parse::<PublicKey>().is_err() && sort.parse::<PublicKey>().is_err());
    let long = "n".repeat(KEY_NAME_BYTES_MAX);
    assert!(PublicKey::new(&long, KeyUse::Log, key(PETER).bytes()).is_ok());
    for name in [format!("{long}n"), String::new(), "a b".into(), "a+b".into(), "a\u{2003}b".into()]
    {
        assert!(PublicKey::new(&name, KeyUse::Log, key(PETER).bytes()).is_err(), "{name}");
    }
    // The neutral element: every signature with its own would hold under a lax check.
    let mut weak = [0; 32];
    weak[0] = 1;
    let refused: Result<_, BadKey> = PublicKey::new("weak", KeyUse::Log, &weak);
    assert!(refused.is_err());
}

#[test]
fn a_cosignature_holds_its_time() {
    let (log, witness) = (log("example.com/log", 1), cosigner("example.com/w", 2));
    let mut note = Checkpoint::new("example.com/log", 3, root(3)).signed(&[&log]).unwrap();
    note.cosign(&witness, 1_700_000_000).unwrap();
    let read = Note::read(&note.to_string()).unwrap();
    assert_eq!(read.signed_by(witness.public()), Signed::Yes(Some(1_700_000_000)));
    // The time is signed: the time of the line is another one here.
    let line = note.lines(|it| it.is_of(witness.public()));
    let other = line.replacen("AAAABlU", "AAAABlV", 1);
    assert_ne!(other, line);
    let told = Note::read(&note.to_string().replace(&line, &other)).unwrap();
    assert_eq!(told.signed_by(witness.public()), Signed::Wrong);
    assert!(note.cosign(&witness, 1 << 63).is_err());
    assert!(note.cosign(&log, 1).is_err() && note.sign(&witness).is_err());
}

#[test]
fn one_key_has_different_ids_for_different_uses() {
    let (log, witness) = (log("example.com/a", 1), cosigner("example.com/a", 1));
    assert_eq!(log.public().bytes(), witness.public().bytes());
    assert_ne!(log.public().id(), witness.public().id());
}

#[test]
fn a_checkpoint_is_three_lines_and_believed_from_its_own_log_only() {
    let (ours, other) = (log("example.com/log", 1), log("example.com/other", 2));
    let note = Checkpoint::new("example.com/log", 3, root(3)).signed(&[&ours]).unwrap().to_string();
    let keys = [other.public().clone(), ours.public().clone()];
    assert_eq!(Checkpoint::open(&note, &keys).unwrap().0.size, 3);
    let stranger = [other.public().clone()];
    let told = Checkpoint::open(&note, &stranger).map(|_| ());
    assert_eq!(told, Err(CheckpointError::Origin("example.com/log".into())));
    let again = log("example.com/log", 9);
    let told = Checkpoint::open(&note, &[again.public().clone()]).map(|_| ());
    assert_eq!(told, Err(CheckpointError::Unsigned));
    let forged = note.replacen("\n3\n", "\n4\n", 1);
    let told = Checkpoint::open(&forged, &keys).map(|_| ());
    assert_eq!(told, Err(CheckpointError::Forged("example.com/log".into())));
    assert!(Checkpoint::new("example.com/log", 3, root(3)).signed(&[&other]).is_err());
    assert!(Checkpoint::new("a\nb", 3, root(3)).signed(&[&log("a", 1)]).is_err());
    let base64 = root(3).to_base64();
    for text in [
        format!("\n3\n{base64}\n"),
        format!("log\n03\n{base64}\n"),
        format!("log\n+3\n{base64}\n"),
        format!("log\n18446744073709551616\n{base64}\n"),
        "log\n3\nAAAA\n".to_string(),
        "log\n3\n".to_string(),
        format!("log\n3\n{base64}\n\nmore\n"),
    ] {
        let note = Note::new(&text).unwrap();
        assert_eq!(Checkpoint::of(&note), Err(CheckpointError::Shape), "{text}");
    }
    let more = Note::new(&format!("log\n0\n{base64}\nmore\n")).unwrap();
    assert_eq!(Checkpoint::of(&more).unwrap().extensions, ["more"]);
}

/// A signer whose key is not the one that it shows.
struct Impostor(SeedSigner, SeedSigner);

impl Signer for Impostor {
    fn public(&self) -> &PublicKey {
        self.0.public()
    }

    fn sign(&self, message: &[u8]) -> Result<[u8; 64], SignError> {
        self.1.sign(message)
    }
}

#[test]
fn a_signer_with_another_key_is_noticed() {
    let impostor = Impostor(log("example.com/log", 1), log("example.com/log", 2));
    assert!(Checkpoint::new("example.com/log", 3, root(3)).signed(&[&impostor]).is_err());
}

#[test]
fn a_receipt_shows_its_entry_and_no_other() {
    let signer = log("example.com/log", 1);
    let leaves = super::tree::leaves(9);
    let tree: Tree = leaves.iter().copied().collect();
    let note = Checkpoint::new("example.com/log", 9, root(9)).signed(&[&signer]).unwrap();
    let keys = [signer.public().clone()];
    for index in 0..9 {
        for extra in [None, Some(b"some".to_vec())] {
            let proof = tree.inclusion(index, 9).unwrap();
            let receipt = Receipt { extra, index, proof, note: note.clone() };
            let read = Receipt::read(&receipt.to_string()).unwrap();
            assert_eq!(read, receipt);
            assert_eq!(read.check(leaves[index as usize], &keys).unwrap().size, 9);
            let told = read.check(leaf_hash(b"another"), &keys);
            assert!(matches!(told, Err(ReceiptError::Proof(_))));
            let stranger = [log("example.com/log", 2).public().clone()];
            let told = read.check(leaves[index as usize], &stranger);
            assert!(matches!(told, Err(ReceiptError::Checkpoint(CheckpointError::Unsigned))));
        }
    }
    let good = Receipt { extra: None, index: 0, proof: Vec::new(), note: note.clone() }.to_string();
    let hash = format!("{}\n", root(1).to_base64());
    let with =
        |count: usize| good.replacen("index 0\n", &format!("index 0\n{}", hash.repeat(count)), 1);
    assert!(Receipt::read(&with(PROOF_HASHES_MAX)).is_ok());
    for bad in [
        with(PROOF_HASHES_MAX + 1),
        good.replacen("@v1", "@v2", 1),
        good.replacen("index 0", "index 00", 1),
        good.replacen("index 0\n", "", 1),
        good.replacen("index 0\n", "index 0\nextra AAAA\n", 1),
        good.replacen("\n\n", "\n", 2),
    ] {
        assert!(Receipt::read(&bad).is_err(), "{bad}");
    }
}

#[test]
fn a_list_of_keys_says_who_must_have_signed() {
    let logger = log("example.com/log", 1);
    let names = ["a", "b", "c"];
    let witnesses: Vec<SeedSigner> = (10..13).map(|it| cosigner("example.com/w", it)).collect();
    let mut list = format!("# ours\nlog {} https://example.com/\n\n", logger.public());
    for (name, it) in names.iter().zip(&witnesses) {
        list.push_str(&format!("\twitness {name}  {}\n", it.public()));
    }
    let quorum = |rest: &str| Trust::read(&format!("{list}{rest}")).unwrap();
    let mut note = Checkpoint::new("example.com/log", 3, root(3)).signed(&[&logger]).unwrap();
    note.cosign(&witnesses[0], 5).unwrap();
    note.cosign(&witnesses[2], 7).unwrap();
    let note = note.to_string();
    for (rest, enough) in [
        ("quorum none\n", true),
        ("quorum a\n", true),
        ("quorum b\n", false),
        ("group g any a b c\nquorum g\n", true),
        ("group g 2 a b c\nquorum g\n", true),
        ("group g all a b c\nquorum g\n", false),
        ("group g any a b\ngroup h all g c\nquorum h\n", true),
        ("group g all a b\ngroup h all g c\nquorum h\n", false),
    ] {
        let trust = quorum(rest);
        assert_eq!(trust.open(&note).unwrap().enough, enough, "{rest}");
        assert_eq!(Trust::read(&trust.to_string()), Ok(trust), "{rest}");
    }
    let cosigned = quorum("quorum none\n").open(&note).unwrap().cosigned;
    assert_eq!(cosigned.into_iter().collect::<Vec<_>>(), [("a".into(), 5), ("c".into(), 7)]);
    let same = format!("witness d {}\n", witnesses[0].public());
    for (rest, line) in [
        ("", 7),
        ("quorum\n", 7),
        ("quorum nobody\n", 7),
        ("quorum a\nquorum a\n", 8),
        ("group g 0 a b\nquorum g\n", 7),
        ("group g 3 a b\nquorum g\n", 7),
        ("group g any a a\nquorum g\n", 7),
        ("group g any a h\nquorum g\n", 7),
        ("group a any b\nquorum a\n", 7),
        ("group g any a\ngroup h any a\nquorum h\n", 8),
        ("log nothing\n", 7),
        ("wintess x y\n", 7),
        (same.as_str(), 7),
    ] {
        let told = Trust::read(&format!("{list}{rest}")).map_err(|it| it.line);
        assert_eq!(told, Err(line), "{rest}");
    }
    let long = format!("{list}quorum none\n#{}", " ".repeat(TRUST_BYTES_MAX));
    assert!(Trust::read(&long).is_err());
    let group = |it: usize| {
        format!("group g{it} any {}\n", if it == 0 { "a".into() } else { format!("g{}", it - 1) })
    };
    let groups = |count: usize| (0..count).map(group).collect::<String>();
    let at = |count| Trust::read(&format!("{list}{}quorum none\n", groups(count)));
    assert!(at(TRUST_NAMES_MAX - 3).is_ok() && at(TRUST_NAMES_MAX - 2).is_err());
}

#[test]
fn a_new_key_is_taken_over_when_the_old_one_signs_beside_it() {
    let (old, new) = (log("example.com/log", 1), log("example.com/log", 2));
    let checkpoint = Checkpoint::new("example.com/log", 3, root(3));
    let both = checkpoint.signed(&[&old, &new]).unwrap().to_string();
    let later = Checkpoint::new("example.com/log", 4, root(4)).signed(&[&new]).unwrap().to_string();
    let mut trust = Trust::of(old.public().clone());
    assert_eq!(trust.open(&later).map(|_| ()), Err(CheckpointError::Unsigned));
    let alone = checkpoint.signed(&[&old]).unwrap().to_string();
    assert_eq!(trust.rotate(&alone, new.public()), Err(CheckpointError::Unsigned));
    assert_eq!(trust.rotate(&later, new.public()), Err(CheckpointError::Unsigned));
    let stranger = log("example.com/other", 2);
    assert!(trust.rotate(&both, stranger.public()).is_err());
    assert_eq!(trust.rotate(&both, new.public()), Ok(()));
    assert_eq!(trust.open(&later).unwrap().checkpoint.size, 4);
    assert_eq!(Trust::read(&trust.to_string()), Ok(trust));
}
