//! SWE-agent trajectories, and those of mini-swe-agent.

mod action;
mod mini;
mod trajectory;

use lawbook_event::json::Value;

use super::whole::{self, Documents, Found, Take, Told};

/// The reader.
pub const READER: Documents = Documents {
    name: "swe_agent",
    page: include_str!("swe_agent.md"),
    fits: |root| whole::first_fits(root, is_session),
    missing: "there is no trajectory of SWE-agent here",
    find,
    tell: session,
};

fn find<'d>(root: Value<'d>, out: &mut Take<'_, 'd>) {
    whole::each(root, is_session, out);
}

fn is_session(value: Value<'_>) -> bool {
    trajectory::is_trajectory(value) || mini::is_trajectory(value)
}

fn session<'d>(found: Found<'d>, place: &str) -> Told<'d> {
    if trajectory::is_trajectory(found.value) {
        trajectory::session(found.value, place)
    } else {
        mini::session(found.value, place)
    }
}

#[cfg(test)]
mod tests;
