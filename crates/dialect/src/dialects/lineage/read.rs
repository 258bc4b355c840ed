//! What a lineage policy states, with the shapes that lineage itself checks, and the ranges that it
//! does not.

use std::collections::BTreeMap;

use lawbook_diag::{Problem, nearest, place};
use lawbook_event::json::Value;
use lawbook_rule::Profile;
use lawbook_rule::kinds::{CREDITS_MAX, WINDOW_ENTRIES_MAX};

use super::WINDOW_SECS_MAX;

/// The members at the top.
pub(crate) const TOP: &[&str] = &["budget", "scar_limit", "tools", "default_rule", "rate_limit"];
const RULE: &[&str] = &["cost", "requires_approval", "max_calls"];
const RATE: &[&str] = &["max_actions", "window_secs"];

/// From this many seconds on lineage's date arithmetic breaks off, up to half of all 64-bit
/// numbers, from where on it wraps around.
const BREAKS_FROM: u64 = 8_300_000_000_000;
const WRAPS_FROM: u64 = 1 << 63;

/// A lineage policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stated {
    pub budget: u64,
    pub scar_limit: u32,
    pub tools: BTreeMap<String, ToolRule>,
    pub default_rule: Option<ToolRule>,
    /// The most actions, and the window in seconds.
    pub rate_limit: Option<(u32, u64)>,
}

/// What holds for one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ToolRule {
    pub cost: u64,
    pub requires_approval: bool,
    pub max_calls: Option<u64>,
}

/// Reads a policy and collects what is wrong with it.
pub(super) struct Reader<'t> {
    source: &'t str,
    text: &'t str,
    profile: Profile,
    problems: Vec<Problem>,
}

impl<'t> Reader<'t> {
    pub fn new(source: &'t str, text: &'t str, profile: Profile) -> Self {
        Reader { source, text, profile, problems: Vec::new() }
    }

    pub fn into_problems(self) -> Vec<Problem> {
        self.problems
    }

    fn is_strict(&self) -> bool {
        self.profile != Profile::Compatible
    }

    fn wrong(&mut self, offset: usize, code: &'static str, message: String, help: &str) {
        let (line, column) = place(self.text, offset);
        let problem = Problem::new(self.source, code, message).at(line, column);
        self.problems.push(if help.is_empty() { problem } else { problem.help(help) });
    }

    /// What the whole file states; good only if nothing was told.
    pub fn policy(&mut self, root: Value<'_>) -> Option<Stated> {
        self.members(root, "the policy", TOP)?;
        let budget = self.number(root, "the policy", "budget", u64::MAX);
        let scar_limit = self.number(root, "the policy", "scar_limit", u64::from(u32::MAX));
        let tools = self.tools(root);
        let default_rule = root.get("default_rule").filter(|it| !it.is_null());
        let default_rule = default_rule.map(|it| self.rule(it, "`default_rule`"));
        let rate_limit = root.get("rate_limit").filter(|it| !it.is_null());
        let rate_limit = rate_limit.map(|it| self.rate(it));
        if self.is_strict() {
            self.range(root, "budget", budget, 1, CREDITS_MAX);
            self.range(root, "scar_limit", scar_limit, 1, u64::from(u32::MAX));
        }
        Some(Stated {
            budget: budget?,
            scar_limit: u32::try_from(scar_limit?).ok()?,
            tools,
            default_rule: default_rule.flatten(),
            rate_limit: rate_limit.flatten(),
        })
    }

    /// Tells members that stand twice, and under strict those that mean nothing. None where it is
    /// no object.
    fn members(&mut self, at: Value<'_>, inside: &str, known: &[&str]) -> Option<()> {
        if !at.is_object() {
            let message = format!("{inside} must be an object");
            self.wrong(at.offset(), "wrong_shape", message, "");
            return None;
        }
        let mut seen: Vec<&str> = Vec::new();
        for (key, value) in at.entries() {
            if !known.contains(&key) {
                if self.is_strict() {
                    let message = format!("unknown member `{key}` in {inside}");
                    let help = match nearest(key, known.iter().copied()) {
                        Some(meant) => format!("did you mean `{meant}`?"),
                        None => format!("known here: {}", known.join(", ")),
                    };
                    self.wrong(self.key_offset(key, value), "unknown_key", message, &help);
                }
            } else if seen.contains(&key) {
                let message = format!("`{key}` stands twice in {inside}");
                let offset = self.key_offset(key, value);
                self.wrong(offset, "repeated_key", message, "keep one of them");
            } else {
                seen.push(key);
            }
        }
        Some(())
    }

    /// Where the key of a value stands; the value, where the key is written with escapes.
    fn key_offset(&self, key: &str, value: Value<'_>) -> usize {
        let before = self.text.get(..value.offset()).unwrap_or_default();
        before.rfind(&format!("\"{key}\"")).unwrap_or(value.offset())
    }

    fn tools(&mut self, root: Value<'_>) -> BTreeMap<String, ToolRule> {
        let mut tools = BTreeMap::new();
        let Some(table) = root.get("tools") else {
            let message = "the policy needs `tools`, the list of what may be called".to_owned();
            self.wrong(root.offset(), "missing_key", message, "`{}` lists nothing");
            return tools;
        };
        if !table.is_object() {
            let message = "`tools` must be an object of tool names".to_owned();
            self.wrong(table.offset(), "wrong_shape", message, "");
            return tools;
        }
        for (name, value) in table.entries() {
            if tools.contains_key(name) && self.is_strict() {
                let message = format!("tool `{name}` stands twice");
                let offset = self.key_offset(name, value);
                self.wrong(offset, "repeated_key", message, "keep one of them");
            }
            // Of a tool that stands twice the last counts.
            if let Some(rule) = self.rule(value, &format!("tool `{name}`")) {
                tools.insert(name.to_owned(), rule);
            }
        }
        tools
    }

    fn rule(&mut self, at: Value<'_>, inside: &str) -> Option<ToolRule> {
        self.members(at, inside, RULE)?;
        let cost = self.number(at, inside, "cost", u64::MAX);
        let max_calls = match at.get("max_calls").filter(|it| !it.is_null()) {
            Some(_) => Some(self.number(at, inside, "max_calls", u64::MAX)?),
            None => None,
        };
        let requires_approval = match at.get("requires_approval") {
            None => Some(false),
            Some(value) => {
                if value.as_bool().is_none() {
                    let message = format!("`requires_approval` of {inside} must be true or false");
                    self.wrong(value.offset(), "wrong_shape", message, "");
                }
                value.as_bool()
            }
        };
        if self.is_strict() {
            self.range(at, "cost", cost, 0, CREDITS_MAX);
        }
        Some(ToolRule { cost: cost?, requires_approval: requires_approval?, max_calls })
    }

    fn rate(&mut self, at: Value<'_>) -> Option<(u32, u64)> {
        self.members(at, "`rate_limit`", RATE)?;
        let most = u64::from(u32::MAX);
        let max_actions = self.number(at, "`rate_limit`", "max_actions", most);
        let window_secs = self.number(at, "`rate_limit`", "window_secs", u64::MAX);
        if self.is_strict() {
            let entries = u64::try_from(WINDOW_ENTRIES_MAX).unwrap_or(most);
            self.range(at, "max_actions", max_actions, 1, entries);
            self.range(at, "window_secs", window_secs, 1, WINDOW_SECS_MAX);
        } else if window_secs.is_some_and(|it| (BREAKS_FROM..WRAPS_FROM).contains(&it)) {
            let offset = at.get("window_secs").map_or(at.offset(), Value::offset);
            let message = "`window_secs` is longer than lineage can count back".to_owned();
            let help = format!("a window has 1 to {WINDOW_SECS_MAX} seconds");
            self.wrong(offset, "out_of_range", message, &help);
        }
        Some((u32::try_from(max_actions?).ok()?, window_secs?))
    }

    /// A whole number that is not negative.
    fn number(&mut self, at: Value<'_>, inside: &str, key: &str, most: u64) -> Option<u64> {
        let Some(value) = at.get(key) else {
            let message = format!("{inside} needs `{key}`: a whole number");
            self.wrong(at.offset(), "missing_key", message, "");
            return None;
        };
        let digits = value.number_text().filter(|it| it.bytes().all(|it| it.is_ascii_digit()));
        let number = digits.and_then(|it| it.parse().ok()).filter(|it| *it <= most);
        if number.is_none() {
            let message = format!("`{key}` of {inside} must be a whole number from 0 to {most}");
            self.wrong(value.offset(), "wrong_shape", message, "");
        }
        number
    }

    fn range(&mut self, at: Value<'_>, key: &str, number: Option<u64>, least: u64, most: u64) {
        let Some(number) = number.filter(|it| *it < least || *it > most) else { return };
        let offset = at.get(key).map_or(at.offset(), Value::offset);
        let message = format!("`{key}` {number} is out of range");
        let help = match (key, number) {
            ("budget", 0) => "an agent without a credit ends at its first call".to_owned(),
            ("scar_limit", 0) => "a limit of 0 is one of 1: write that".to_owned(),
            ("max_actions", 0) => "it would refuse every call, each with a mark".to_owned(),
            ("window_secs", 0) => "a window of no time limits nothing".to_owned(),
            _ => format!("it goes from {least} to {most}"),
        };
        self.wrong(offset, "out_of_range", message, &help);
    }
}
