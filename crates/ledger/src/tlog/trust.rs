//! Whom to believe: the keys of a log, the witnesses, and how many of them it takes, as a file
//! (C2SP tlog-policy). Keys are rotated by listing two of one name for a while.

use std::collections::BTreeMap;

use super::checkpoint::{Checkpoint, CheckpointError};
use super::key::{KeyUse, PublicKey};
use super::note::{Note, Signed};

/// The longest list that is read, in bytes.
pub const TRUST_BYTES_MAX: usize = 1 << 16;

/// The most logs, witnesses and groups that a list names, each.
pub const TRUST_NAMES_MAX: usize = 256;

/// A line of a list that can't be read, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustError {
    /// The line.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for TrustError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TrustError {}

/// Who must have cosigned.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Quorum {
    /// The witness at this place.
    Witness(usize),
    /// So many of the groups and witnesses at these places.
    Group(usize, Vec<usize>),
}

/// The keys of logs and witnesses that are believed.
///
/// ```
/// use lawbook_ledger::tlog::Trust;
///
/// let list = "log sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8\nquorum none\n";
/// let trust = Trust::read(list).unwrap();
/// assert_eq!(trust.logs().len(), 1);
/// assert_eq!(trust.to_string(), list);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    logs: Vec<PublicKey>,
    witnesses: Vec<(String, PublicKey)>,
    /// Witnesses and groups in the order of the list, which can only name earlier ones.
    names: Vec<(String, Quorum)>,
    quorum: Option<usize>,
}

impl Trust {
    /// One log with one key, and no witnesses.
    #[must_use]
    pub fn of(log: PublicKey) -> Self {
        Trust { logs: vec![log], ..Trust::default() }
    }

    /// Reads a list.
    ///
    /// # Errors
    /// At the first line that can't be read; the line after the last when there is no quorum.
    pub fn read(text: &str) -> Result<Self, TrustError> {
        if text.len() > TRUST_BYTES_MAX {
            return Err(wrong(1, "the list is too long"));
        }
        let mut out = Trust::default();
        let mut quorum = false;
        let mut line = 0_usize;
        for written in text.lines() {
            line = line.saturating_add(1);
            let words: Vec<&str> = written.split([' ', '\t']).filter(|it| !it.is_empty()).collect();
            let read = match words.as_slice() {
                [] => Ok(()),
                [first, ..] if first.starts_with('#') => Ok(()),
                ["log", key] | ["log", key, _] => out.add_log(key),
                ["witness", name, key] | ["witness", name, key, _] => out.add_witness(name, key),
                ["group", name, count, members @ ..] => out.add_group(name, count, members),
                ["quorum", name] if !quorum => {
                    quorum = true;
                    out.set_quorum(name)
                }
                ["quorum", ..] => Err("a list has one quorum, which is one name".to_string()),
                [first, ..] => Err(format!("`{first}` is no line of a list of keys")),
            };
            read.map_err(|it| wrong(line, it))?;
        }
        if quorum {
            Ok(out)
        } else {
            Err(wrong(line.saturating_add(1), "the list says no quorum, not even `quorum none`"))
        }
    }

    fn add_log(&mut self, key: &str) -> Result<(), String> {
        let key = self.new_key(key, KeyUse::Log)?;
        if self.logs.len() >= TRUST_NAMES_MAX {
            return Err("the list names too many logs".to_string());
        }
        self.logs.push(key);
        Ok(())
    }

    fn add_witness(&mut self, name: &str, key: &str) -> Result<(), String> {
        let key = self.new_key(key, KeyUse::Witness)?;
        let place = self.witnesses.len();
        self.add_name(name, Quorum::Witness(place))?;
        self.witnesses.push((name.to_string(), key));
        Ok(())
    }

    fn add_group(&mut self, name: &str, count: &str, members: &[&str]) -> Result<(), String> {
        let mut places = Vec::new();
        for member in members {
            let place = self.place(member).ok_or(format!("`{member}` is not known yet"))?;
            let groups = self.names.iter().filter_map(|it| match &it.1 {
                Quorum::Group(_, members) => Some(members),
                Quorum::Witness(_) => None,
            });
            if places.contains(&place) || groups.flatten().any(|it| *it == place) {
                return Err(format!("`{member}` is a member already"));
            }
            places.push(place);
        }
        let count = match count {
            "any" => 1,
            "all" => places.len(),
            _ => count.parse().map_err(|_| format!("`{count}` is no number"))?,
        };
        if count == 0 || count > places.len() {
            return Err(format!("a group of {} can't want {count}", places.len()));
        }
        self.add_name(name, Quorum::Group(count, places))
    }

    fn set_quorum(&mut self, name: &str) -> Result<(), String> {
        self.quorum = match name {
            "none" => None,
            _ => Some(self.place(name).ok_or(format!("`{name}` is not known yet"))?),
        };
        Ok(())
    }

    fn new_key(&self, key: &str, usage: KeyUse) -> Result<PublicKey, String> {
        let key: PublicKey = key.parse().map_err(|it: super::key::BadKey| it.to_string())?;
        if key.usage() != usage {
            return Err("logs and witnesses have keys of different sorts".to_string());
        }
        let witnesses = self.witnesses.iter().map(|it| &it.1);
        // One key under two names would be two witnesses, or a log that watches itself.
        if self.logs.iter().chain(witnesses).any(|it| it.bytes() == key.bytes()) {
            return Err("the same key stands there already".to_string());
        }
        Ok(key)
    }

    fn add_name(&mut self, name: &str, quorum: Quorum) -> Result<(), String> {
        if name == "none" || self.place(name).is_some() {
            return Err(format!("`{name}` is taken"));
        }
        if self.names.len() >= TRUST_NAMES_MAX {
            return Err("the list names too many witnesses and groups".to_string());
        }
        self.names.push((name.to_string(), quorum));
        Ok(())
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| it.0 == name)
    }

    /// The keys of logs.
    #[must_use]
    pub fn logs(&self) -> &[PublicKey] {
        &self.logs
    }

    /// The witnesses, by the name that the list gives them.
    pub fn witnesses(&self) -> impl Iterator<Item = (&str, &PublicKey)> {
        self.witnesses.iter().map(|(name, key)| (name.as_str(), key))
    }

    /// Whether cosignatures are wanted at all.
    #[must_use]
    pub fn wants_witnesses(&self) -> bool {
        self.quorum.is_some()
    }

    /// Reads a checkpoint and checks that a key of its log has signed it. Cosignatures are told,
    /// and whether they are enough; too few are no error.
    ///
    /// # Errors
    /// When it is no checkpoint, or no known key of its log has signed it, or a signature that
    /// names a known key is wrong.
    pub fn open(&self, note: &str) -> Result<Opened, CheckpointError> {
        let (checkpoint, note) = Checkpoint::open(note, &self.logs)?;
        let mut cosigned = BTreeMap::new();
        for (name, key) in &self.witnesses {
            match note.signed_by(key) {
                Signed::Yes(at) => {
                    cosigned.insert(name.clone(), at.unwrap_or_default());
                }
                Signed::No => {}
                Signed::Wrong => return Err(CheckpointError::Forged(key.name().to_string())),
            }
        }
        let enough = self.enough(&cosigned);
        Ok(Opened { checkpoint, note, cosigned, enough })
    }

    /// Groups name only earlier lines, so one walk in order settles all of them.
    fn enough(&self, cosigned: &BTreeMap<String, u64>) -> bool {
        let mut have: Vec<bool> = Vec::with_capacity(self.names.len());
        for (name, quorum) in &self.names {
            have.push(match quorum {
                Quorum::Witness(_) => cosigned.contains_key(name),
                Quorum::Group(count, members) => {
                    let met = members.iter().filter(|it| have.get(**it) == Some(&true)).count();
                    met >= *count
                }
            });
        }
        self.quorum.is_none_or(|it| have.get(it) == Some(&true))
    }

    /// Takes over a new key of a log: a checkpoint that a key which is believed has signed, and
    /// the new one too, says that both are the log's. The old key stays until its line is removed.
    ///
    /// # Errors
    /// When one of the two has not signed, or the new key is another log's or a witness's.
    pub fn rotate(&mut self, note: &str, new: &PublicKey) -> Result<(), CheckpointError> {
        let (checkpoint, note) = Checkpoint::open(note, &self.logs)?;
        if new.name() != checkpoint.origin || new.usage() != KeyUse::Log {
            return Err(CheckpointError::Origin(checkpoint.origin));
        }
        match note.signed_by(new) {
            Signed::Yes(_) => {}
            Signed::No => return Err(CheckpointError::Unsigned),
            Signed::Wrong => return Err(CheckpointError::Forged(new.name().to_string())),
        }
        if !self.logs.contains(new) {
            self.logs.push(new.clone());
        }
        Ok(())
    }
}

/// The list as a file. Addresses and comments are not kept.
impl std::fmt::Display for Trust {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = |place: usize| self.names.get(place).map_or("none", |it| it.0.as_str());
        self.logs.iter().try_for_each(|it| writeln!(f, "log {it}"))?;
        for (name, quorum) in &self.names {
            match quorum {
                Quorum::Witness(place) => {
                    let key = self.witnesses.get(*place).map(|it| it.1.to_string());
                    writeln!(f, "witness {name} {}", key.unwrap_or_default())?;
                }
                Quorum::Group(count, members) => {
                    let members: Vec<&str> = members.iter().map(|it| named(*it)).collect();
                    writeln!(f, "group {name} {count} {}", members.join(" "))?;
                }
            }
        }
        writeln!(f, "quorum {}", self.quorum.map_or("none", named))
    }
}

/// A checkpoint that is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// What it says.
    pub checkpoint: Checkpoint,
    /// The note, with the signatures of everybody.
    pub note: Note,
    /// The witnesses that have signed, by name, and when, in seconds since 1970.
    pub cosigned: BTreeMap<String, u64>,
    /// Whether these are the ones that the list wants.
    pub enough: bool,
}

fn wrong(line: usize, message: impl Into<String>) -> TrustError {
    TrustError { line, message: message.into() }
}
