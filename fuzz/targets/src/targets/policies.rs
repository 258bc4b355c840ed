//! Policies in every dialect, found by content and forced; the layout of those that are good.

use lawbook_dialect::{DIALECTS, Options, fmt, lint, load};
use lawbook_rule::Profile;

use crate::Target;

pub(super) const TARGET: Target = Target {
    name: "policies",
    run,
    seeds: &[
        "lawbook: 1\ndefault: deny\ntools: {a: {access: write, confirm: true, max_calls: 3}}\nrules:\n  - id: x # y\n    when: args.a in [1, \"b\"] and not session.id == 'c'\n    arg_range: {tools: [a], arg: b, max: 200}\n",
        "{\"lawbook\": 1, \"rules\": [{\"id\": \"x\", \"arg_in\": {\"arg\": \"b\", \"values\": [1, null]}}]}",
        "{\"allow\": [\"a\"], \"limits\": [{\"tool\": \"a\", \"arg\": \"b\", \"max\": 1e9}], \"deny_patterns\": [\"x+\"]}",
        "lawbook: 1\nwaivers: [{rule: denied_patterns, why: b, by: c, until: 2027-01-31T00:00:00Z}]\n",
    ],
    seed_files: &["policy.yaml", "policy.json", "loading.yaml"],
};

/// A policy comes out exactly if there is no problem, and a layout keeps what it means.
pub fn run(data: &[u8]) {
    let names = DIALECTS.iter().map(|it| Some(it.name)).chain([None]);
    for dialect in names {
        for profile in [Profile::Compatible, Profile::Strict] {
            let options = Options { dialect, profile: Some(profile), ..Options::default() };
            let loaded = load("-", data, &options);
            assert_eq!(loaded.policy.is_some(), loaded.problems.is_empty(), "{loaded:?}");
            let _ = lint("-", data, &options);
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        layout(text);
    }
}

fn layout(text: &str) {
    let options = Options { dialect: Some("lawbook"), ..Options::default() };
    let Ok(once) = fmt("-", text) else { return };
    assert_eq!(fmt("-", &once).as_deref(), Ok(once.as_str()), "a second layout differs");
    let shown = |text: &str| format!("{:?}", load("-", text.as_bytes(), &options).policy);
    assert_eq!(shown(text), shown(&once), "the layout changes the meaning");
}
