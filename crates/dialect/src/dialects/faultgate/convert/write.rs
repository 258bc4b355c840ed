//! Native rules as a faultgate policy: one function for each kind that it has a key for.

use std::collections::BTreeMap;

use lawbook_rule::params::{Node, Scalar};

use super::super::KEYS;
use super::{reads_apart, texts};
use crate::convert::{Carry, Sketch, Written};
use crate::draft::DraftRule;
use crate::fmt::json_page;

/// What writes a rule of a kind: what is not the same, or why it is left out.
type Writer = fn(&mut Sheet, &DraftRule) -> Result<Carry, String>;

/// The kinds that faultgate has a key for.
const WRITERS: &[(&str, Writer)] = &[
    ("arg_equals", identity),
    ("arg_in", values),
    ("arg_never_matches", deny_patterns),
    ("arg_range", limits),
    ("arg_required", required_args),
    ("arg_size", max_arg_chars),
    ("at_most", at_most),
    ("complete", require_complete),
    ("confirm", confirmation),
    ("never", never),
    ("only_listed", allow),
    ("require_before", requires),
];

/// A faultgate policy in the making.
#[derive(Default)]
struct Sheet {
    /// Keys that stand once.
    single: BTreeMap<&'static str, Node>,
    /// Keys of lists.
    lists: BTreeMap<&'static str, Vec<Node>>,
}

/// Rules as a faultgate policy.
pub(crate) fn write(sketch: &Sketch) -> Written {
    let mut sheet = Sheet::default();
    // An absent key stands for faultgate's own list, an empty one for none.
    sheet.lists.insert("deny_patterns", Vec::new());
    let mut written = Written::default();
    // The list of allowed tools comes first, since other rules take tools off it.
    let is_list = |it: &&DraftRule| it.kind == "only_listed";
    let rules = sketch.draft.rules.iter();
    let ordered = rules.clone().filter(is_list).chain(rules.filter(|it| !is_list(it)));
    for rule in ordered {
        written.carried.insert(rule.id.clone(), sheet.carry(rule));
    }
    written.notes = losses(sketch);
    written.text = sheet.text();
    written
}

/// What a faultgate policy has no place for.
fn losses(sketch: &Sketch) -> Vec<String> {
    let draft = &sketch.draft;
    let mut out = Vec::new();
    let reasons = draft.rules.iter().filter(|it| it.beside("why").is_some()).count();
    if reasons > 0 {
        out.push(format!("faultgate has no place for reasons: `why` of {reasons} is lost"));
    }
    let tells = draft.rules.iter().filter(|it| it.beside("tell").is_some()).count();
    if tells > 0 {
        out.push(format!("faultgate has no place for `tell`: that of {tells} is lost"));
    }
    let top = [
        ("name", draft.name.is_some()),
        ("owner", draft.owner.is_some()),
        ("not_covered", !draft.not_covered.is_empty()),
        ("access of tools", draft.tools.iter().any(|it| it.access.is_some())),
    ];
    let lost: Vec<&str> = top.iter().filter(|it| it.1).map(|it| it.0).collect();
    if !lost.is_empty() {
        out.push(format!("faultgate has no place for {}", lost.join(", ")));
    }
    out
}

impl Sheet {
    fn carry(&mut self, rule: &DraftRule) -> Carry {
        let Some((_, writer)) = WRITERS.iter().find(|it| it.0 == rule.kind) else {
            return Carry::left_out(format!("faultgate has no rule like `{}`", rule.kind));
        };
        let refused =
            [("when", "faultgate has no conditions"), ("mode", "faultgate can't only observe")];
        let of = |key: &str| rule.beside(key).and_then(Node::words);
        let refused = refused.iter().find(|it| of(it.0).is_some_and(|it| it != "enforce"));
        if let Some((_, why)) = refused {
            return Carry::left_out(*why);
        }
        match writer(self, rule) {
            Err(why) => Carry::left_out(why),
            Ok(mut carry) => {
                if of("verdict") == Some("ask") {
                    carry.differs.push("faultgate denies where this asks".to_owned());
                }
                if of("on_unknown").is_some() {
                    carry.differs.push("`on_unknown` is lost".to_owned());
                }
                carry
            }
        }
    }

    /// Adds an entry to a list and gives back the id of the rule.
    fn push<S: Into<String>>(
        &mut self,
        key: &'static str,
        entry: impl IntoIterator<Item = (S, Node)>,
    ) -> String {
        let list = self.lists.entry(key).or_default();
        list.push(Node::map(entry));
        format!("{key}[{}]", list.len().saturating_sub(1))
    }

    /// Sets a key that stands once.
    fn set(&mut self, key: &'static str, value: Node) -> Result<Carry, String> {
        if self.single.contains_key(key) {
            return Err(format!("faultgate takes `{key}` once, and another rule has it"));
        }
        self.single.insert(key, value);
        Ok(Carry { into: vec![key.to_owned()], differs: Vec::new() })
    }

    fn text(mut self) -> String {
        let lists = std::mem::take(&mut self.lists);
        self.single.extend(lists.into_iter().map(|(key, items)| (key, Node::list(items))));
        let entries = KEYS.iter().filter_map(|key| Some((*key, self.single.remove(key)?)));
        json_page(&Node::map(entries))
    }
}

fn allow(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    if rule.params.get("entries").is_some() {
        return Err("faultgate allows tools by name only".to_owned());
    }
    if rule.params.get("otherwise").and_then(Node::words) == Some("ask") {
        return Err(
            "faultgate can't ask, and allows or denies a tool that is not listed".to_owned()
        );
    }
    let names = texts(rule.params.get("tools"));
    if let Some(name) = names.iter().find(|it| it.contains('*')) {
        return Err(format!("`{name}` is a pattern, and faultgate takes names"));
    }
    sheet.set("allow", Node::texts(names))
}

/// A tool that is never called is taken off the list of those that are.
fn never(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let names = literal_tools(rule)?;
    let Some(list) = sheet.single.get("allow") else {
        return Err("without a list of allowed tools faultgate can't forbid one".to_owned());
    };
    let kept: Vec<String> = texts(Some(list))
        .into_iter()
        .filter(|it| !names.contains(&(*it).to_owned()))
        .map(str::to_owned)
        .collect();
    sheet.single.insert("allow", Node::texts(kept));
    Ok(Carry { into: vec!["allow".to_owned()], differs: Vec::new() })
}

fn deny_patterns(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    for key in ["tools", "arg"] {
        if rule.params.get(key).is_some() {
            return Err("faultgate searches patterns in all arguments of all tools only".to_owned());
        }
    }
    if is_true(rule, "luhn") {
        return Err("faultgate has no Luhn check".to_owned());
    }
    let patterns = texts(rule.params.get("pattern"));
    let mut differs: Vec<String> = patterns.iter().filter_map(|it| reads_apart(it)).collect();
    if rule.params.get("flags").is_none() {
        differs.push("faultgate searches in either case".to_owned());
    }
    let list = sheet.lists.entry("deny_patterns").or_default();
    list.extend(patterns.into_iter().map(Node::text));
    Ok(Carry { into: vec!["deny_patterns".to_owned()], differs })
}

fn max_arg_chars(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    if rule.params.get("tools").is_some() || rule.params.get("arg").is_some() {
        return Err("faultgate bounds all arguments of every tool only".to_owned());
    }
    sheet.set("max_arg_chars", copied(rule, "max_chars")?)
}

fn limits(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let (tools, arg) = (literal_tools(rule)?, argument(rule)?);
    let mut carry = Carry { into: Vec::new(), differs: absent(rule) };
    for tool in tools {
        let bounds =
            ["min", "max"].into_iter().filter_map(|it| Some((it, rule.params.get(it)?.clone())));
        let entry = [("tool", Node::text(tool)), ("arg", Node::text(arg.as_str()))];
        carry.into.push(sheet.push("limits", entry.into_iter().chain(bounds)));
    }
    Ok(carry)
}

fn values(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let (tools, arg) = (literal_tools(rule)?, argument(rule)?);
    let items = rule.params.get("values").map(Node::items).unwrap_or_default();
    let allowed: Vec<&str> = items.iter().filter_map(Node::words).collect();
    if allowed.len() != items.len() {
        return Err("faultgate lists texts only".to_owned());
    }
    let mut carry = Carry { into: Vec::new(), differs: absent(rule) };
    for tool in tools {
        let allowed = Node::texts(allowed.iter().copied());
        let entry =
            [("tool", Node::text(tool)), ("arg", Node::text(arg.as_str())), ("allowed", allowed)];
        carry.into.push(sheet.push("values", entry));
    }
    Ok(carry)
}

fn required_args(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let args = texts(rule.params.get("args"));
    let mut carry = Carry::default();
    for tool in literal_tools(rule)? {
        let entry = [("tool", Node::text(tool)), ("args", Node::texts(args.iter().copied()))];
        carry.into.push(sheet.push("required_args", entry));
    }
    Ok(carry)
}

fn identity(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let Some(session) = rule.params.get("session").and_then(Node::words) else {
        return Err("faultgate compares with the session only, not with earlier results".to_owned());
    };
    if session.starts_with("session.") || session.starts_with("metadata.") {
        return Err(format!("faultgate compares with attributes, and `{session}` is none"));
    }
    let tools = match rule.params.get("tools") {
        Some(_) => Some(("tools", Node::texts(literal_tools(rule)?))),
        None => None,
    };
    let entry = [("arg", Node::text(argument(rule)?)), ("session_attr", Node::text(session))];
    let mut carry = sheet.set("identity", Node::map(entry.into_iter().chain(tools)))?;
    carry.differs = absent(rule);
    carry.differs.push(format!("a session without `{session}` is denied and not unknown"));
    Ok(carry)
}

fn at_most(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    if rule.params.get("window").is_some() {
        return Err("faultgate has no windows of time".to_owned());
    }
    let max = copied(rule, "max")?;
    let per = rule.params.get("per").and_then(Node::words).unwrap_or("tool");
    let has_tools = rule.params.get("tools").is_some();
    match per {
        "session" if !has_tools => {
            let mut carry = sheet.set("max_calls", max)?;
            if is_true(rule, "successes") {
                carry.differs.push("calls that failed count in faultgate".to_owned());
            }
            Ok(carry)
        }
        "session" | "tool" | "turn" | "batch" | "agent" => {
            Err("faultgate caps all calls of a run, or those with one value of an argument"
                .to_owned())
        }
        _ => {
            if max.words() == Some("0") {
                return Err("faultgate takes caps from 1 on".to_owned());
            }
            let arg = per.strip_prefix("args.").unwrap_or(per);
            let tools = Node::texts(literal_tools(rule)?);
            let entry = [("tools", tools), ("arg", Node::text(arg)), ("max", max)];
            let mut carry =
                Carry { into: vec![sheet.push("max_calls_per_arg", entry)], ..Carry::default() };
            if !is_true(rule, "successes") {
                carry.differs.push("calls that failed don't count in faultgate".to_owned());
            }
            if is_true(rule, "exact") {
                carry
                    .differs
                    .push("case and white space make no difference in faultgate".to_owned());
            }
            Ok(carry)
        }
    }
}

fn require_complete(sheet: &mut Sheet, _rule: &DraftRule) -> Result<Carry, String> {
    sheet.set("require_complete", Node::bare("true"))
}

fn confirmation(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let Some(by) = rule.params.get("by").and_then(Node::words) else {
        return Err("faultgate takes the word of a tool for a yes, not that of the user".to_owned());
    };
    let same = rule.params.get("same_arg").cloned().map(|it| ("same_arg", it));
    let tools = Node::texts(literal_tools(rule)?);
    let entry = [("tools", tools), ("by", Node::text(by))].into_iter().chain(same);
    let mut carry = sheet.set("confirmation", Node::map(entry))?;
    if rule.params.get("spend").and_then(Node::scalar) == Some(Scalar::Bool(false)) {
        carry.differs.push("one yes serves one call".to_owned());
    }
    Ok(carry)
}

fn requires(sheet: &mut Sheet, rule: &DraftRule) -> Result<Carry, String> {
    let renamed = [
        ("result_contains", "result_contains"),
        ("result", "result"),
        ("same_arg", "same_arg"),
        ("latest", "latest"),
    ];
    let voided = texts(rule.params.get("voided_by"));
    let first = texts(rule.params.get("first"));
    if let Some(name) = first.iter().chain(&voided).find(|it| it.contains('*')) {
        return Err(format!("`{name}` is a pattern, and faultgate takes names"));
    }
    let mut carry = Carry::default();
    if rule.params.get("success").and_then(Node::scalar) == Some(Scalar::Bool(false)) {
        carry.differs.push("the earlier call must have succeeded".to_owned());
    }
    for tool in literal_tools(rule)? {
        let after = match first.as_slice() {
            [one] => Node::text(*one),
            all => Node::texts(all.iter().copied()),
        };
        let head = [("tool", Node::text(tool)), ("after", after), ("success", Node::bare("true"))];
        let more =
            renamed.iter().filter_map(|(key, name)| Some((*name, rule.params.get(key)?.clone())));
        let voids =
            (!voided.is_empty()).then(|| ("invalidated_by", Node::texts(voided.iter().copied())));
        carry.into.push(sheet.push("requires", head.into_iter().chain(more).chain(voids)));
    }
    Ok(carry)
}

/// The tools that a rule names, as names.
fn literal_tools(rule: &DraftRule) -> Result<Vec<String>, String> {
    let names = texts(rule.params.get("tools"));
    if names.is_empty() {
        return Err("faultgate needs the tools by name".to_owned());
    }
    match names.iter().find(|it| it.contains('*')) {
        Some(name) => Err(format!("`{name}` is a pattern, and faultgate takes names")),
        None => Ok(names.into_iter().map(str::to_owned).collect()),
    }
}

/// The argument, where it means one value.
fn argument(rule: &DraftRule) -> Result<String, String> {
    let arg = rule.params.get("arg").and_then(Node::words).unwrap_or_default();
    if arg.contains(['[', '"']) {
        return Err(format!("faultgate can't look at `{arg}`: its paths are names with dots"));
    }
    Ok(arg.to_owned())
}

fn copied(rule: &DraftRule, key: &str) -> Result<Node, String> {
    rule.params.get(key).cloned().ok_or_else(|| format!("`{key}` is not there"))
}

fn is_true(rule: &DraftRule, key: &str) -> bool {
    rule.params.get(key).and_then(Node::scalar) == Some(Scalar::Bool(true))
}

/// What an argument that is not there means otherwise.
fn absent(rule: &DraftRule) -> Vec<String> {
    let optional = is_true(rule, "optional") && rule.params.get("tools").is_some();
    let words = "a call without the argument is denied".to_owned();
    optional.then_some(words).into_iter().collect()
}
