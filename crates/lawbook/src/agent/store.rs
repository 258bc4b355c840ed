//! The ledger in a folder, and how a policy's text in a record becomes rules.

use std::path::Path;
use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_ledger::Code;
use lawbook_ledger::store::{FileStore, Options as StoreOptions};
use lawbook_session::{Agents, Clock as _, Compile, PolicyText, SystemClock};

use crate::{Error, Options, Policy, Profile};

/// Opens the ledger in a folder, or makes one.
pub fn open(folder: &Path) -> Result<Agents, Error> {
    let options = StoreOptions::at(SystemClock.wall().nanos);
    let store = match FileStore::open(folder, &options) {
        Err(error) if error.code() == Code::Absent => FileStore::create(folder, &options),
        opened => opened,
    };
    let store = store.map_err(|it| {
        let problem = Problem::new(folder.display().to_string(), it.code().as_str(), it.to_string());
        Error::from(problem.help("run `lawbook ledger verify` on the folder"))
    })?;
    Agents::open(Arc::new(store), compile()).map_err(told)
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
        let policy = policy.map_err(|it| {
            lawbook_session::Error::of_policy(it.code(), it.to_string())
        })?;
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
