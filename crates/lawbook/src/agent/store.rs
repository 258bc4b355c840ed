//! The ledger in a folder, and how a policy's text in a record becomes rules.

use std::path::Path;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_ledger::Code;
use lawbook_ledger::store::{FileStore, Options as StoreOptions, Store};
use lawbook_session::{Agents, Clock as _, Compile, PolicyText, SystemClock};

use crate::{Error, Options, Policy, Profile};

/// Opens the ledger in a folder, or makes one.
pub fn open(folder: &Path) -> Result<Agents, Error> {
    match FileStore::open(folder, &options()) {
        Err(error) if error.code() == Code::Absent => {
            agents(folder, FileStore::create(folder, &options()))
        }
        opened => agents(folder, opened),
    }
}

/// Opens the ledger in a folder, which must be there.
pub fn existing(folder: &Path) -> Result<Agents, Error> {
    agents(folder, FileStore::open(folder, &options()))
}

/// The ledger in a folder, to be read and never written.
pub fn read(folder: &Path) -> Result<Arc<dyn Store>, Error> {
    let store = FileStore::read(folder).map_err(|it| of_ledger(folder, &it))?;
    Ok(Arc::new(store))
}

fn agents(folder: &Path, store: Result<FileStore, lawbook_ledger::Error>) -> Result<Agents, Error> {
    let store = store.map_err(|it| of_ledger(folder, &it))?;
    Agents::open(Arc::new(store), compile()).map_err(told)
}

fn options() -> StoreOptions {
    StoreOptions::at(SystemClock.wall().nanos)
}

fn of_ledger(folder: &Path, error: &lawbook_ledger::Error) -> Error {
    let problem =
        Problem::new(folder.display().to_string(), error.code().as_str(), error.to_string());
    let help = match error.code() {
        Code::Absent => "name the folder of a ledger",
        Code::Locked => "ask the process that has it open, or end it first",
        _ => "run `lawbook ledger verify` on the folder",
    };
    problem.help(help).into()
}

/// How a text becomes rules: as it did when the agent began.
pub fn compile() -> Box<Compile> {
    Box::new(|text: &PolicyText| {
        let profile = match text.profile.as_str() {
            "compatible" => Profile::Compatible,
            _ => Profile::Strict,
        };
        let options = Options::new().dialect(&text.dialect).profile(profile);
        let policy = options.texts([(text.name.as_str(), &text.text)]);
        let policy =
            policy.map_err(|it| lawbook_session::Error::of_policy(it.code(), it.to_string()))?;
        match policy.parts() {
            [part] => Ok(part.engine.clone()),
            _ => Err(lawbook_session::Error::of_policy("layered_policy", "the policy is layered")),
        }
    })
}

/// The one text of a policy.
pub fn text_of(policy: &Policy) -> Result<&PolicyText, Error> {
    policy.source().ok_or_else(|| {
        let message = "an agent's record holds one text of a policy, whole";
        let problem = Problem::new("policy", "layered_policy", message);
        problem.help("load one file, and choose no rules of it").into()
    })
}

/// An error of a session as the facade's.
pub fn told(error: lawbook_session::Error) -> Error {
    let problem = Problem::new("agent", error.code(), error.message());
    match error.way_out() {
        Some(help) => problem.help(help).into(),
        None => problem.into(),
    }
}
