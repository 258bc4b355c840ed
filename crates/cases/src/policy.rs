//! The policy of a case, ready for the engine.

use std::sync::Arc;

use lawbook_diag::Problem;
use lawbook_dialect::{Options, load};
use lawbook_engine::Engine;
use lawbook_event::Time;
use lawbook_rule::{Policy, names};

use crate::case::{Profile, Wanted};
use crate::run::{Settings, given};

/// Loads the policy of a case.
pub fn policy(source: &str, wanted: &Wanted, settings: &Settings) -> Result<Policy, Problem> {
    let (name, bytes) = given(source, &wanted.policy, &settings.folder)?;
    let profile = wanted.profile.map(profile).or(settings.profile);
    let user_word = wanted.options.user_word.as_deref();
    let options = Options { dialect: wanted.dialect.as_deref(), profile, user_word };
    let loaded = load(&name, &bytes, &options);
    let mut policy = match (loaded.policy, loaded.problems.into_iter().next()) {
        (Some(policy), None) => policy,
        (_, Some(problem)) => return Err(problem),
        (None, None) => return Err(Problem::new(name, "no_policy", "the file holds no policy")),
    };
    if let Some(rules) = &wanted.options.rules {
        policy.retain(|rule| rules.iter().any(|it| names(&rule.id, it)));
    }
    Ok(policy)
}

/// The engine of a policy at a moment.
pub fn engine(policy: Policy, as_of: Option<Time>) -> Engine {
    Engine::new(vec![Arc::new(policy)], as_of)
}

/// The profile of the engine.
pub fn profile(profile: Profile) -> lawbook_rule::Profile {
    match profile {
        Profile::Compatible => lawbook_rule::Profile::Compatible,
        Profile::Strict => lawbook_rule::Profile::Strict,
    }
}
