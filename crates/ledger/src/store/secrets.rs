//! The secrets of agents: one small file each, which can be erased.

use sha2::{Digest, Sha256};

use super::crc;
use super::entry::{AGENT_BYTES_MAX, hex};
use super::frame::{array_at, u32_at};
use super::io::{How, Io, read_whole, write_all};
use super::report::{Fault, Opened, Stops, What};
use super::seal::Secret;
use crate::error::{Code, Error};

const MAGIC: &[u8; 8] = b"LAWBKEY1";
const SECRETS: &str = "secrets";
const BYTES: usize = 256;
/// Where the checksum stands.
const SUM: usize = 252;

/// What is kept of an agent's secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// None was made.
    None,
    /// It is there.
    Here(Secret),
    /// It was erased, for good.
    Erased,
}

/// The name of an agent's file: the hash of its name, so that no name reaches a path.
pub(super) fn file_stem(agent: &str) -> String {
    hex(&Sha256::digest(agent))
}

fn name_of(agent: &str) -> String {
    format!("{SECRETS}/{}.key", file_stem(agent))
}

fn bytes_of(agent: &str, secret: &[u8; 32]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend_from_slice(secret);
    let len = u32::try_from(agent.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&len.to_le_bytes());
    out.extend_from_slice(agent.as_bytes());
    out.resize(SUM, 0);
    out.extend_from_slice(&crc::crc32c(&out).to_le_bytes());
    out
}

/// Reads a file: the agent's name and its secret.
fn parse(bytes: &[u8]) -> Option<(&str, [u8; 32])> {
    let summed = crc::crc32c(bytes.get(..SUM)?) == u32_at(bytes, SUM);
    let len = u32_at(bytes, 40) as usize;
    let held = summed && bytes.len() == BYTES && bytes.starts_with(MAGIC) && len <= AGENT_BYTES_MAX;
    let agent = bytes.get(44..)?.get(..len).filter(|_| held)?;
    Some((std::str::from_utf8(agent).ok()?, array_at(bytes, 8)))
}

pub(super) fn read(io: &dyn Io, agent: &str) -> Result<Kept, Error> {
    let name = name_of(agent);
    let bytes = match read_whole(io, &name, BYTES as u64) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Kept::None),
        other => other.map_err(|e| Error::io("read", &name, &e))?,
    };
    let damaged = || Error::new(Code::Damaged, format!("the secret in `{name}` is damaged"));
    let (_, secret) = parse(&bytes).filter(|it| it.0 == agent).ok_or_else(damaged)?;
    Ok(if secret == [0; 32] { Kept::Erased } else { Kept::Here(Secret::from_bytes(secret)) })
}

/// Makes a secret for an agent that has none; one that is there is given.
pub(super) fn make(io: &dyn Io, agent: &str) -> Result<Secret, Error> {
    match read(io, agent)? {
        Kept::Here(secret) => {
            // An earlier sync of the folder may have failed.
            io.sync_dir(SECRETS).map_err(|e| Error::io("sync", SECRETS, &e))?;
            return Ok(secret);
        }
        Kept::Erased => {
            let message = format!("the secret of agent `{}` was erased", agent.escape_debug());
            return Err(Error::new(Code::Erased, message));
        }
        Kept::None => {}
    }
    let secret = io.random().map_err(|e| Error::io("get random bytes for", SECRETS, &e))?;
    let name = name_of(agent);
    replace(io, SECRETS, &name, &bytes_of(agent, &secret))?;
    Ok(Secret::from_bytes(secret))
}

/// Gives one agent the secret of another.
pub(super) fn share(io: &dyn Io, from: &str, to: &str) -> Result<Secret, Error> {
    let none = |code, what: &str| {
        Error::new(code, format!("the secret of agent `{}` {what}", from.escape_debug()))
    };
    let secret = match read(io, from)? {
        Kept::Here(secret) => secret,
        Kept::None => return Err(none(Code::Missing, "was never made")),
        Kept::Erased => return Err(none(Code::Erased, "was erased")),
    };
    match read(io, to)? {
        Kept::Here(own) if own == secret => Ok(secret),
        Kept::None => {
            replace(io, SECRETS, &name_of(to), &bytes_of(to, secret.bytes()))?;
            Ok(secret)
        }
        Kept::Here(_) | Kept::Erased => {
            let message = format!("agent `{}` has a secret of its own", to.escape_debug());
            Err(Error::new(Code::Chain, message))
        }
    }
}

/// Erases a secret in place: the file lies in one sector, so it is there or erased.
pub(super) fn erase(io: &dyn Io, agent: &str) -> Result<bool, Error> {
    let name = name_of(agent);
    let failed = |e| Error::io("erase", &name, &e);
    let file = match io.open(&name, How::Write) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        other => other.map_err(failed)?,
    };
    write_all(&*file, &bytes_of(agent, &[0; 32]), 0).map_err(failed)?;
    file.sync().map_err(failed)?;
    Ok(true)
}

/// Tells the secrets that are damaged.
pub(super) fn check(io: &dyn Io, opened: &mut Opened) -> Result<(), Error> {
    let names = io.list(SECRETS).map_err(|e| Error::io("list", SECRETS, &e))?;
    for file in names.iter().filter(|it| it.ends_with(".key")) {
        let name = format!("{SECRETS}/{file}");
        let bytes = read_whole(io, &name, 1 << 16).map_err(|e| Error::io("read", &name, &e))?;
        if parse(&bytes).is_none_or(|(agent, _)| name_of(agent) != name) {
            let (what, stops) = (What::Secret, Stops::Nothing);
            opened.fault(Fault { what, stops, index: None, agent: None, file: name, offset: 0 });
        }
    }
    Ok(())
}

/// Writes a file in whole, beside, and gives it its name: there is the old one or the new one.
pub(super) fn replace(io: &dyn Io, dir: &str, name: &str, bytes: &[u8]) -> Result<(), Error> {
    let new = format!("{name}.new");
    let failed = |e| Error::io("write", &new, &e);
    match io.remove(&new) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(failed(e)),
        _ => {}
    }
    let file = io.open(&new, How::Make).map_err(failed)?;
    write_all(&*file, bytes, 0).map_err(failed)?;
    file.sync().map_err(failed)?;
    drop(file);
    io.rename(&new, name).map_err(|e| Error::io("rename", &new, &e))?;
    io.sync_dir(dir).map_err(|e| Error::io("sync", dir, &e))
}

/// Removes what was being written when a process ended.
pub(super) fn tidy(io: &dyn Io, dir: &str) -> Result<(), Error> {
    let names = io.list(dir).map_err(|e| Error::io("list", dir, &e))?;
    for file in names.iter().filter(|it| it.ends_with(".new")) {
        let name = format!("{dir}/{file}");
        io.remove(&name).map_err(|e| Error::io("remove", &name, &e))?;
    }
    Ok(())
}
