//! Native rules as a lineage policy, where it has a member for them.

use std::collections::{BTreeMap, BTreeSet};

use lawbook_rule::params::{Node, NodeEntry, duration_secs};

use crate::convert::{Carry, Sketch, Written};
use crate::draft::DraftRule;
use crate::fmt::json_page;

/// A lineage policy in the making.
#[derive(Default)]
struct Page {
    budget: Option<String>,
    scar_limit: Option<String>,
    listed: Option<BTreeSet<String>>,
    costs: BTreeMap<String, String>,
    approvals: BTreeSet<String>,
    caps: BTreeMap<String, String>,
    rate_limit: Option<(String, String)>,
}

/// What became of a rule: what is not the same, or why it is left out.
type Made = Result<Vec<String>, String>;

/// Rules as a lineage policy.
pub(crate) fn write(sketch: &Sketch) -> Written {
    let mut page = Page::default();
    let mut written = Written::default();
    for rule in &sketch.draft.rules {
        let made = page.take(rule);
        let into = |it: &str| vec![it.to_owned()];
        let carry = match made {
            Ok((member, mut differs)) => {
                differs.extend(unsaid(rule));
                Carry { into: into(member), differs }
            }
            Err(why) => Carry::left_out(why),
        };
        written.carried.insert(rule.id.clone(), carry);
    }
    if page.budget.is_none() {
        let note = "no rule keeps a budget of the agent's, so it has one of 9007199254740992";
        written.notes.push(note.to_owned());
    }
    if page.scar_limit.is_none() {
        let note = "no rule keeps the agent's marks, so their limit is 4294967295";
        written.notes.push(note.to_owned());
    }
    written.text = json_page(&page.node());
    written
}

/// What a native rule says beside its kind that lineage has no words for.
fn unsaid(rule: &DraftRule) -> Vec<String> {
    let keys = rule.beside.iter().map(|it| it.0.as_str());
    let keys = keys.filter(|it| !matches!(*it, "why" | "scar" | "verdict"));
    keys.map(|it| format!("`{it}` is not carried over")).collect()
}

/// The mark that lineage's own rule leaves, where the native one leaves another.
fn mark(rule: &DraftRule, own: Option<&str>) -> Vec<String> {
    let stated = rule.beside("scar").and_then(Node::words);
    if stated == own {
        return Vec::new();
    }
    let own = own.map_or("no mark".to_owned(), |it| format!("a {it} mark"));
    vec![format!("a refused call leaves {own}")]
}

impl Page {
    fn take(&mut self, rule: &DraftRule) -> Result<(&'static str, Vec<String>), String> {
        for key in ["when", "mode"] {
            if rule.beside(key).is_some() {
                return Err(format!("lineage has no `{key}`"));
            }
        }
        let (member, made): (_, Made) = match rule.kind.as_str() {
            "only_listed" => ("tools", self.only_listed(rule)),
            "budget" => ("budget", self.budget(rule)),
            "scars" => ("scar_limit", self.scars(rule)),
            "approval" => ("requires_approval", self.approval(rule)),
            "at_most" if rule.params.get("window").is_some() => {
                ("rate_limit", self.rate_limit(rule))
            }
            "at_most" => ("max_calls", self.cap(rule)),
            kind => return Err(format!("lineage has no `{kind}`")),
        };
        made.map(|it| (member, it))
    }

    fn only_listed(&mut self, rule: &DraftRule) -> Made {
        let otherwise = rule.params.get("otherwise").and_then(Node::words);
        if rule.params.get("entries").is_some() || !matches!(otherwise, None | Some("deny")) {
            return Err("lineage lists names that are allowed, and nothing else".to_owned());
        }
        let names = literal(rule.params.get("tools"))?;
        self.listed = Some(match self.listed.take() {
            Some(before) => before.intersection(&names).cloned().collect(),
            None => names,
        });
        Ok(mark(rule, Some("moderate")))
    }

    fn budget(&mut self, rule: &DraftRule) -> Made {
        of_agent(rule)?;
        if self.budget.is_some() {
            return Err("lineage has one budget".to_owned());
        }
        let costs = rule.params.get("costs").map(Node::entries).unwrap_or_default();
        for NodeEntry { key, value, .. } in costs {
            let Some(cost) = value.words().filter(|_| !key.contains('*')) else {
                return Err(format!("lineage can't say what `{key}` costs"));
            };
            self.costs.insert(key.clone(), cost.to_owned());
        }
        self.budget = rule.params.get("credits").and_then(Node::words).map(str::to_owned);
        Ok(mark(rule, None))
    }

    fn scars(&mut self, rule: &DraftRule) -> Made {
        of_agent(rule)?;
        if self.scar_limit.is_some() || rule.params.get("weights").is_some() {
            return Err("lineage has one limit, and weights of its own".to_owned());
        }
        self.scar_limit = rule.params.get("limit").and_then(Node::words).map(str::to_owned);
        Ok(Vec::new())
    }

    fn approval(&mut self, rule: &DraftRule) -> Made {
        let more = ["above", "people", "expires", "waiting_max"].into_iter();
        let mut more = more.filter(|it| rule.params.get(it).is_some());
        if let Some(key) = more.next() {
            return Err(format!("lineage has no `{key}`: one person says yes to any call"));
        }
        if rule.beside("verdict").and_then(Node::words) == Some("deny") {
            return Err("it denies and does not ask".to_owned());
        }
        self.approvals.extend(literal(rule.params.get("tools"))?);
        Ok(Vec::new())
    }

    fn rate_limit(&mut self, rule: &DraftRule) -> Made {
        in_life(rule)?;
        if rule.params.get("tools").is_some() || self.rate_limit.is_some() {
            return Err("lineage has one window, over all tools".to_owned());
        }
        let words = |key: &str| rule.params.get(key).and_then(Node::words);
        let secs = words("window").and_then(duration_secs).filter(|it| it.fract() == 0.0);
        let (Some(max), Some(secs)) = (words("max"), secs) else {
            return Err("lineage counts whole seconds".to_owned());
        };
        self.rate_limit = Some((max.to_owned(), format!("{secs}")));
        Ok(mark(rule, Some("minor")))
    }

    fn cap(&mut self, rule: &DraftRule) -> Made {
        in_life(rule)?;
        let names = literal(rule.params.get("tools"))?;
        let max = rule.params.get("max").and_then(Node::words).unwrap_or_default();
        let mut names = names.into_iter();
        let (Some(name), None) = (names.next(), names.next()) else {
            return Err("lineage caps each tool by itself".to_owned());
        };
        if self.caps.contains_key(&name) {
            return Err(format!("lineage has one cap for `{name}`"));
        }
        self.caps.insert(name, max.to_owned());
        Ok(mark(rule, Some("minor")))
    }

    fn node(&self) -> Node {
        let words =
            |it: &Option<String>, otherwise: &str| Node::bare(it.as_deref().unwrap_or(otherwise));
        let mut entries = vec![
            ("budget", words(&self.budget, "9007199254740992")),
            ("scar_limit", words(&self.scar_limit, "4294967295")),
        ];
        let named = self.costs.keys().chain(&self.approvals).chain(self.caps.keys()).cloned();
        let listed = self.listed.clone().unwrap_or_else(|| named.collect());
        let tools = listed.into_iter().map(|name| {
            let cost = self.costs.get(&name).map_or("0", String::as_str);
            let mut rule = vec![("cost", Node::bare(cost))];
            if self.approvals.contains(&name) {
                rule.push(("requires_approval", Node::bare("true")));
            }
            if let Some(max) = self.caps.get(&name) {
                rule.push(("max_calls", Node::bare(max.as_str())));
            }
            (name, Node::map(rule))
        });
        entries.push(("tools", Node::map(tools)));
        if self.listed.is_none() {
            entries.push(("default_rule", Node::map([("cost", Node::bare("0"))])));
        }
        if let Some((max, secs)) = &self.rate_limit {
            let rate = [
                ("max_actions", Node::bare(max.as_str())),
                ("window_secs", Node::bare(secs.as_str())),
            ];
            entries.push(("rate_limit", Node::map(rate)));
        }
        Node::map(entries)
    }
}

/// Names that hold no pattern and select no command.
fn literal(tools: Option<&Node>) -> Result<BTreeSet<String>, String> {
    let Some(tools) = tools else { return Err("lineage names tools one by one".to_owned()) };
    let one = std::slice::from_ref(tools);
    let items = if tools.words().is_some() { one } else { tools.items() };
    let names: BTreeSet<String> = items.iter().filter_map(Node::words).map(str::to_owned).collect();
    match names.iter().find(|it| it.contains(['*', '('])) {
        Some(odd) => Err(format!("lineage names tools one by one, and `{odd}` is a pattern")),
        None => Ok(names),
    }
}

fn of_agent(rule: &DraftRule) -> Result<(), String> {
    match rule.params.get("per").and_then(Node::words) {
        None | Some("agent") => Ok(()),
        Some(per) => Err(format!("lineage counts for an agent's life, not `per: {per}`")),
    }
}

fn in_life(rule: &DraftRule) -> Result<(), String> {
    match rule.params.get("per").and_then(Node::words) {
        Some("agent") => Ok(()),
        per => {
            let per = per.unwrap_or("tool");
            Err(format!("lineage counts for an agent's life, not `per: {per}`"))
        }
    }
}
