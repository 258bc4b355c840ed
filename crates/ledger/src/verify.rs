//! Verifying a whole ledger: what was proved, what is wrong, and what could not be proved.
//!
//! Entries come from outside, by [`Ledger`]; what is believed comes from outside too, by
//! [`Known`]. The report never says more than that: without an earlier checkpoint or a witness a
//! cut tail or a restored backup looks like a younger ledger, and the report says so.

mod chain;
mod report;

pub use report::{FINDINGS_MAX, Finding, Limit, Proved, Report, Unproved, What};

use crate::tlog::{EMPTY_ROOT, Frontier, Hash, Head, Opened, leaf_hash};
use chain::Chains;

/// Why an entry or a leaf hash can't be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is not there.
    Missing,
    /// It is there and is not what was stored; the text says why.
    Damaged(String),
    /// The disk did not give it; nothing can be said of it.
    Failed(String),
}

/// A ledger that can be read.
pub trait Ledger {
    /// How many entries it has, readable or not.
    fn size(&self) -> u64;

    /// Puts the bytes of an entry into `out`, which is empty.
    ///
    /// # Errors
    /// When they can't be had.
    fn entry(&mut self, index: u64, out: &mut Vec<u8>) -> Result<(), Unreadable>;

    /// The leaf hash that was kept apart from the entry.
    ///
    /// # Errors
    /// When it can't be had.
    fn leaf(&mut self, index: u64) -> Result<Hash, Unreadable>;
}

/// What is believed of a ledger before it is read.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The checkpoint that lies beside the ledger, signed by a key that is believed. Whoever
    /// restores a backup restores it too.
    pub own: Option<Opened>,
    /// Checkpoints that were kept elsewhere.
    pub earlier: Vec<Opened>,
    /// What witnesses remember of this ledger.
    pub heads: Vec<Head>,
    /// Whether it takes witnesses to believe a checkpoint, by the list of keys.
    pub wants_witnesses: bool,
}

/// One statement about the first entries, from the smallest on.
struct Statement<'k> {
    head: Head,
    opened: Option<&'k Opened>,
    /// Whether it comes from where the ledger does not.
    outside: bool,
}

impl Known {
    fn statements(&self) -> Vec<Statement<'_>> {
        let of = |it: &Opened| Head { size: it.checkpoint.size, root: it.checkpoint.root };
        let own = self.own.iter().map(|it| (of(it), Some(it), false));
        let earlier = self.earlier.iter().map(|it| (of(it), Some(it), true));
        let heads = self.heads.iter().map(|it| (*it, None, true));
        let all = own.chain(earlier).chain(heads);
        let mut out: Vec<_> =
            all.map(|(head, opened, outside)| Statement { head, opened, outside }).collect();
        out.sort_by_key(|it| it.head.size);
        out
    }
}

/// Verifies a ledger from its first entry to its last.
///
/// # Errors
/// When the disk fails; what was found until then is lost, because what comes after could explain
/// it.
pub fn verify(ledger: &mut dyn Ledger, known: &Known) -> Result<Report, String> {
    let size = ledger.size();
    let mut report = Report { size, ..Report::default() };
    let statements = known.statements();
    let mut coming = statements.iter().peekable();
    let mut held: Vec<&Statement<'_>> = Vec::new();
    let mut tree = Frontier::new();
    let mut chains = Chains::default();
    let mut bytes = Vec::new();
    for index in 0..=size {
        while let Some(it) = coming.next_if(|it| it.head.size == index) {
            if it.head.root == tree.root() {
                held.push(it);
            } else {
                let from = held.last().map_or(0, |it| it.head.size);
                report.add(Finding { index: from, what: What::Rewritten(index) });
            }
        }
        if index < size {
            tree.push(one(ledger, index, &mut bytes, &mut chains, &mut report)?);
        }
    }
    for it in coming {
        report.add(Finding { index: size, what: What::Truncated(it.head.size) });
    }
    report.root = tree.root();
    report.agents = chains.agents();
    conclude(&mut report, known, &held);
    Ok(report)
}

/// Checks one entry by itself and in its agent's chain, and gives the hash that stands for it.
fn one(
    ledger: &mut dyn Ledger,
    index: u64,
    bytes: &mut Vec<u8>,
    chains: &mut Chains,
    report: &mut Report,
) -> Result<Hash, String> {
    bytes.clear();
    let entry = ledger.entry(index, bytes);
    let kept = ledger.leaf(index);
    for told in [entry.as_ref().err(), kept.as_ref().err()].into_iter().flatten() {
        if let Unreadable::Failed(why) = told {
            return Err(format!("entry {index} can't be read: {why}"));
        }
    }
    let leaf = match (&entry, &kept) {
        (Ok(()), Ok(kept)) => {
            if leaf_hash(bytes) != *kept {
                // What stands there is not what was recorded, so it speaks for no agent.
                report.add(Finding { index, what: What::Edited });
                chains.unreadable(index, *kept);
                return Ok(*kept);
            }
            *kept
        }
        // The end of the leaf hashes may be lost with the power; the entries give them again.
        (Ok(()), Err(Unreadable::Missing)) => {
            report.leaves_missing = report.leaves_missing.saturating_add(1);
            leaf_hash(bytes)
        }
        (Ok(()), Err(_)) => {
            report.add(Finding { index, what: What::LeafDamaged });
            leaf_hash(bytes)
        }
        (Err(why), Ok(kept)) => {
            report.add(Finding { index, what: What::of(why) });
            chains.unreadable(index, *kept);
            return Ok(*kept);
        }
        (Err(_), Err(_)) => {
            report.add(Finding { index, what: What::Lost });
            return Ok(EMPTY_ROOT);
        }
    };
    report.whole = report.whole.saturating_add(1);
    chains.add(index, bytes, leaf, report);
    Ok(leaf)
}

/// What the statements that held prove, and what they leave open.
fn conclude(report: &mut Report, known: &Known, held: &[&Statement<'_>]) {
    let mut signed: Option<u64> = None;
    let mut outside: Option<u64> = None;
    let mut witnessed: Option<(u64, u64)> = None;
    for it in held {
        let size = it.head.size;
        match it.opened {
            Some(opened) => {
                report.proved(Proved::Checkpoint(size));
                signed = signed.max(Some(size));
                for (name, secs) in &opened.cosigned {
                    report.proved(Proved::Cosigned(size, name.clone(), *secs));
                    let at = Some((size, *secs));
                    witnessed = if opened.enough { witnessed.max(at) } else { witnessed };
                }
            }
            None => report.proved(Proved::Witnessed(size)),
        }
        if it.outside {
            outside = outside.max(Some(size));
        }
    }
    match signed {
        None => report.unproved.push(Unproved::Unsigned),
        Some(size) if size < report.size => {
            report.unproved.push(Unproved::AfterCheckpoint(size, report.size));
        }
        Some(_) => {}
    }
    if known.wants_witnesses && witnessed.is_none() {
        report.unproved.push(Unproved::Witnesses);
    }
    match (outside, witnessed) {
        (Some(size), at) if at.is_none_or(|it| it.0 <= size) => {
            report.limits.push(Limit::CutAfter(size));
        }
        (_, Some((size, secs))) => report.limits.push(Limit::CutSince(size, secs)),
        (_, None) if known.earlier.is_empty() && known.heads.is_empty() => {
            report.unproved.push(Unproved::Rollback);
        }
        // What was given did not hold, which is a finding.
        (_, None) => {}
    }
    if report.leaves_missing > 0 {
        report.limits.push(Limit::LeavesMissing(report.leaves_missing));
    }
}

#[cfg(test)]
mod tests;
