//! No signature of one use is one of another, even under the same seed.

use crate::tlog::{
    Checkpoint, EMPTY_ROOT, KeyUse, PublicKey, SeedSigner, Signed, Signer, check_statement,
    sign_statement,
};

const USES: [KeyUse; 4] = [KeyUse::Log, KeyUse::Witness, KeyUse::Grant, KeyUse::Token];

fn signer(usage: KeyUse) -> SeedSigner {
    SeedSigner::new("example.com/x", usage, &[3; 32]).unwrap()
}

#[test]
fn each_use_has_its_own_signatures() {
    for usage in [KeyUse::Grant, KeyUse::Token] {
        let ours = signer(usage);
        let mut signature = sign_statement(&ours, b"message").unwrap();
        for other in USES {
            let told = check_statement(signer(other).public(), b"message", &signature);
            assert_eq!(told, other == usage, "{usage:?} {other:?}");
        }
        assert!(!ours.public().verifies(b"message", &signature));
        assert!(!check_statement(ours.public(), b"messagE", &signature));
        signature[3] ^= 1;
        assert!(!check_statement(ours.public(), b"message", &signature));
    }
    for usage in [KeyUse::Log, KeyUse::Witness] {
        assert!(sign_statement(&signer(usage), b"message").is_err());
    }
}

#[test]
fn keys_of_our_formats_sign_no_checkpoints() {
    let checkpoint = Checkpoint::new("example.com/x", 0, EMPTY_ROOT);
    for usage in [KeyUse::Grant, KeyUse::Token, KeyUse::Witness] {
        assert!(checkpoint.signed(&[&signer(usage)]).is_err(), "{usage:?}");
    }
    let mut note = checkpoint.signed(&[&signer(KeyUse::Log)]).unwrap();
    assert!(note.cosign(&signer(KeyUse::Grant), 1).is_err());
    assert_eq!(note.signed_by(signer(KeyUse::Token).public()), Signed::No);
}

#[test]
fn keys_of_each_use_are_read_as_written_and_have_their_own_ids() {
    let keys = USES.map(|it| signer(it).public().clone());
    for (at, key) in keys.iter().enumerate() {
        assert_eq!(key.to_string().parse::<PublicKey>().as_ref(), Ok(key));
        assert!(keys.iter().skip(at + 1).all(|it| it.id() != key.id()), "{key}");
    }
}
