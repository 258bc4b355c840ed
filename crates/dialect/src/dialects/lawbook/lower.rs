//! A whole native policy, from its tree to rules.

use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::{EXACT, Path, PatternSet, PatternUse, Reading, SuccessReading};
use lawbook_rule::kinds::{ArgNeverMatches, Counts, KINDS, OnlyListed, Searched};
use lawbook_rule::params::{Defaults, Fault, Form, Node, NodeEntry, Params};
use lawbook_rule::{
    Body, EvidenceFrom, Manner, NameMatch, OnUnknown, Pick, Policy, Profile, Report, Rule,
    ToolName, Tools,
};

use super::fields::{KEYS, LATER_KEYS, TOP};
use super::{rules, secrets, table, waivers};

/// What no argument may hold where a policy does not say: paths that lead out of a folder, and
/// places where systems keep what is secret.
pub const DENIED_PATTERNS: &[&str] = &[
    r"\.\./",
    r"file://",
    r"/etc/(?:passwd|shadow)",
    r"(?:~|\$\{?HOME\}?|/root|/(?:home|Users)/[^/]+)/\.ssh",
    r"/proc/",
];

/// What counts as a yes where a policy does not say: words of consent in a message that asks
/// nothing and holds no words of refusal, doubt or condition.
pub const CONSENT: &[&str] =
    &[r"\b(?:yes|yep|yeah|confirm|confirmed|go ahead|proceed|please do|do it|approved|agreed)\b"];

/// The word for the user where a policy does not say.
const USER_WORD: &str = "user";

/// The policy that a tree holds. It is good only if nothing is told.
pub(super) fn policy(
    root: &Node,
    text: &str,
    user_word: Option<&str>,
    faults: &mut Vec<Fault>,
) -> Policy {
    let mut policy = empty();
    if !matches!(root.form, Form::Map(_)) {
        let message = format!("a policy is a map of keys, not {}", root.what());
        faults.push(Fault::new(root.span, "wrong_shape", message));
        return policy;
    }
    check_keys(root, faults);
    secrets::tell(root, faults);
    for field in TOP {
        match root.get(field.name) {
            Some(node) if field.name == "lawbook" => version(node, faults),
            Some(node) => field.shape.check(field.name, node, faults),
            None if field.required => {
                let message = format!("a native policy starts with `{}: 1`", field.name);
                faults.push(Fault::new(root.span, "missing_key", message));
            }
            None => {}
        }
    }
    let words = |key: &str| root.get(key).and_then(Node::words).map(str::to_owned);
    policy.name = words("name");
    policy.owner = words("owner");
    policy.not_covered = texts(root.get("not_covered"));
    policy.tools = table::tools(root.get("tools"), faults);
    let defaults = defaults(root, &policy, user_word, faults);
    let mode = mode(root);
    policy.rules.extend(denied_patterns(root, mode, Vec::new(), faults));
    policy.rules.extend(only_listed(root, &policy, mode));
    table::shorthands(root, &defaults, mode, &mut policy.rules, faults);
    life(root, &defaults, mode, &mut policy.rules, faults);
    rules::add(root.get("rules"), text, &defaults, mode, &mut policy.rules, faults);
    spare_what_is_read(root, mode, &mut policy.rules);
    policy.waivers = waivers::lower(root.get("waivers"), &policy, faults);
    policy
}

fn version(node: &Node, faults: &mut Vec<Fault>) {
    if node.words() != Some("1") {
        let found = node.words().map_or(node.what().to_owned(), |it| format!("`{it}`"));
        let message = format!("`lawbook` must be `1`, not {found}");
        let fault = Fault::new(node.span, "wrong_shape", message);
        faults.push(fault.help("this version reads `1`"));
    }
}

fn empty() -> Policy {
    Policy {
        name: None,
        dialect: "lawbook",
        profile: Profile::Native,
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        reading: Reading::Full,
        manner: Manner {
            values: EXACT,
            success: SuccessReading::Declared,
            evidence: EvidenceFrom::Result,
            names: NameMatch::Skeleton,
        },
        pick: Pick::All,
        rules: Vec::new(),
        waivers: Vec::new(),
        tools: Default::default(),
    }
}

/// A rule that a shorthand stands for.
pub(super) fn rule(id: impl Into<Arc<str>>, mode: Mode, body: Box<dyn Body>) -> Rule {
    Rule {
        id: id.into(),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar: None,
        body,
    }
}

/// The mode that a map states, `enforce` if none.
pub(super) fn mode(node: &Node) -> Mode {
    match node.get("mode").and_then(Node::words) {
        Some("observe") => Mode::Observe,
        _ => Mode::Enforce,
    }
}

/// A key of a later version.
pub(super) fn later(span: lawbook_diag::Span, key: &str) -> Fault {
    Fault::new(span, "later_version", format!("`{key}` is not in this version"))
        .help("take it away; nothing in this version enforces it")
}

fn check_keys(root: &Node, faults: &mut Vec<Fault>) {
    for entry in root.entries() {
        if LATER_KEYS.contains(&entry.key.as_str()) {
            faults.push(later(entry.key_span, &entry.key));
        } else if !KEYS.contains(&entry.key.as_str()) {
            faults.push(Fault::unknown_key(entry, "the policy", KEYS));
        }
    }
}

fn texts(node: Option<&Node>) -> Vec<String> {
    let Some(node) = node else { return Vec::new() };
    let one = std::slice::from_ref(node);
    let items = if node.words().is_some() { one } else { node.items() };
    items.iter().filter_map(Node::words).map(str::to_owned).collect()
}

fn defaults(
    root: &Node,
    policy: &Policy,
    user_word: Option<&str>,
    faults: &mut Vec<Fault>,
) -> Defaults {
    let mut consent = texts(root.get("consent"));
    if consent.is_empty() {
        consent = CONSENT.iter().map(|it| (*it).to_owned()).collect();
    }
    let own = root.get("user_word").and_then(Node::words);
    let user_word = user_word.or(own).unwrap_or(USER_WORD);
    let defaults = Defaults {
        user_word: user_word.to_owned(),
        consent,
        tools: policy.tools.clone(),
        commands: table::commands(root.get("tools")),
        costs: table::costs(root.get("tools")),
        ..Defaults::default()
    };
    // Compiled here to be told of once; each rule compiles them again for itself.
    let _ = Params::open("policy", root, &defaults, faults).patterns(
        "consent",
        true,
        PatternUse::Allow,
    );
    defaults
}

/// The rules `budget`, `scars` and `rate_limit`, over all tools.
fn life(
    root: &Node,
    defaults: &Defaults,
    mode: Mode,
    rules: &mut Vec<Rule>,
    faults: &mut Vec<Fault>,
) {
    for (key, kind) in [("budget", "budget"), ("scars", "scars"), ("rate_limit", "at_most")] {
        let Some(node) = root.get(key) else { continue };
        let Some(kind) = KINDS.iter().find(|it| it.name() == kind) else { continue };
        let renamed = |entry: &NodeEntry| {
            let key = if entry.key == "max_calls" { "max" } else { entry.key.as_str() };
            NodeEntry { key: key.to_owned(), ..entry.clone() }
        };
        let mut entries: Vec<NodeEntry> = node.entries().iter().map(renamed).collect();
        if key == "rate_limit" {
            let form = Form::Scalar { text: "agent".to_owned(), quoted: true };
            let value = Node { span: node.span, form };
            entries.push(NodeEntry { key: "per".to_owned(), key_span: node.span, value });
        }
        let node = Node { span: node.span, form: Form::Map(entries) };
        let body = kind.build(&mut Params::open(key, &node, defaults, faults));
        rules.extend(body.map(|it| rule(key, mode, it)));
    }
}

/// The arguments that rules read as what they are, whatever the rest of a session is like.
fn reads(rules: &[Rule]) -> Vec<(Tools, Vec<Path>)> {
    let always = |it: &&Rule| it.when.is_none() && it.mode == Mode::Enforce;
    let reads = rules.iter().filter(always).flat_map(|it| it.body.reads());
    reads.map(|(tools, paths)| (tools.into_owned(), paths.to_vec())).collect()
}

/// Takes the arguments that rules read as what they are out of the search for default patterns.
fn spare_what_is_read(root: &Node, mode: Mode, rules: &mut [Rule]) {
    let reads = reads(rules);
    if root.get("denied_patterns").is_none()
        && !reads.is_empty()
        && let (Some(first), Some(denied)) =
            (rules.first_mut(), denied_patterns(root, mode, reads, &mut Vec::new()))
    {
        *first = denied;
    }
}

/// The patterns that no argument may match. Those of the default list are not searched for where
/// a rule reads an argument as what it is.
fn denied_patterns(
    root: &Node,
    mode: Mode,
    reads: Vec<(Tools, Vec<Path>)>,
    faults: &mut Vec<Fault>,
) -> Option<Rule> {
    let is_own = root.get("denied_patterns").is_some();
    let patterns = if is_own {
        let defaults = Defaults::default();
        let mut params = Params::open("policy", root, &defaults, faults);
        params.patterns("denied_patterns", true, PatternUse::Deny)
    } else {
        let compiled = DENIED_PATTERNS.iter().map(|it| EXACT.pattern(it, true, PatternUse::Deny));
        compiled.filter_map(Result::ok).collect()
    };
    let body = ArgNeverMatches {
        tools: Tools::Every,
        arg: None,
        paths: false,
        patterns: PatternSet::new(patterns),
        searched: Searched::Leaves,
        counts: Counts::Every,
        except: if is_own { Vec::new() } else { reads },
        shows_end: false,
    };
    (!body.patterns.patterns().is_empty()).then(|| rule("denied_patterns", mode, Box::new(body)))
}

/// `default: deny` and `default: ask`, over the tools of the table.
fn only_listed(root: &Node, policy: &Policy, mode: Mode) -> Option<Rule> {
    let otherwise = match root.get("default").and_then(Node::words)? {
        "deny" => Verdict::Deny,
        "ask" => Verdict::Ask,
        _ => return None,
    };
    let mut listed = OnlyListed { otherwise, ..OnlyListed::default() };
    policy.tools.keys().for_each(|it| listed.allow(ToolName::new(it.as_str())));
    Some(rule("only_listed", mode, Box::new(listed)))
}
