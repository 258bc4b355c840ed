//! Ledgers in memory, made for tests.

use std::collections::BTreeMap;

use crate::tlog::{
    Checkpoint, Hash, Head, KeyUse, Opened, SeedSigner, Signer, Tree, Trust, leaf_hash,
};
use crate::verify::{Ledger, Unreadable};

pub const ORIGIN: &str = "example.com/ledger";

/// Entries, and their hashes kept apart.
#[derive(Clone, Debug, Default)]
pub struct Made {
    pub entries: Vec<Option<Vec<u8>>>,
    pub leaves: Vec<Option<Hash>>,
}

impl Ledger for Made {
    fn size(&self) -> u64 {
        self.entries.len().max(self.leaves.len()) as u64
    }

    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable> {
        match self.entries.get(index as usize) {
            None => Err(Unreadable::Missing),
            Some(None) => Err(Unreadable::Damaged("its checksum is wrong".into())),
            Some(Some(bytes)) => {
                out.extend_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable> {
        match self.leaves.get(index as usize) {
            None => Err(Unreadable::Missing),
            Some(None) => Err(Unreadable::Damaged("its checksum is wrong".into())),
            Some(Some(leaf)) => Ok(*leaf),
        }
    }
}

/// What an entry says, without what ties it to its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub agent: String,
    pub kind: String,
    pub what: String,
}

impl Said {
    pub fn new(agent: &str, kind: &str, what: &str) -> Self {
        Said { agent: agent.into(), kind: kind.into(), what: what.into() }
    }
}

/// What a ledger of two agents says, in `rounds` rounds; `which` tells ledgers apart.
pub fn said(which: &str, rounds: usize) -> Vec<Said> {
    let mut out = vec![Said::new("@ledger", "genesis", which)];
    for agent in ["support", "billing"] {
        out.push(Said::new(agent, "genesis", which));
        out.push(Said::new(agent, "policy", which));
    }
    for round in 0..rounds {
        out.push(Said::new("support", "decision", &format!("refund {round}")));
        out.push(Said::new("billing", "decision", &format!("invoice {round}")));
    }
    out
}

/// The ledger that says this, with chains and hashes as they must be.
pub fn made(said: &[Said]) -> Made {
    let mut heads: BTreeMap<&str, (u64, Hash)> = BTreeMap::new();
    let mut out = Made::default();
    for (at, it) in said.iter().enumerate() {
        let (seq, prev) = heads.get(it.agent.as_str()).copied().unwrap_or((0, Hash([0; 32])));
        let entry = format!(
            r#"{{"v":1,"agent":"{}","seq":{seq},"prev":"{prev}","at":{at},"kind":"{}","what":"{}"}}"#,
            it.agent, it.kind, it.what
        );
        let leaf = leaf_hash(entry.as_bytes());
        heads.insert(&it.agent, (seq + 1, leaf));
        out.entries.push(Some(entry.into_bytes()));
        out.leaves.push(Some(leaf));
    }
    out
}

impl Made {
    pub fn head(&self, size: usize) -> Head {
        let leaf = |at: usize| self.leaves[at].unwrap();
        let tree: Tree = (0..size).map(leaf).collect();
        Head { size: size as u64, root: tree.root_at(size as u64).unwrap() }
    }

    /// The signed note over the first entries.
    pub fn note(&self, size: usize, signer: &SeedSigner) -> String {
        let head = self.head(size);
        let checkpoint = Checkpoint::new(signer.public().name(), head.size, head.root);
        checkpoint.signed(&[signer]).unwrap().to_string()
    }
}

pub fn signer() -> SeedSigner {
    SeedSigner::new(ORIGIN, KeyUse::Log, &[5; 32]).unwrap()
}

/// The note, if the log's key is believed to have signed it.
pub fn opened(note: &str) -> Option<Opened> {
    Trust::of(signer().public().clone()).open(note).ok()
}
