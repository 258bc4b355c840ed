//! Native rules as a pmstack policy: one function for each kind that it has a type for.

use lawbook_rule::Access;
use lawbook_rule::params::{Node, Scalar};

use super::super::{DERIVED, USER_WORD};
use super::reads_apart;
use crate::convert::{Carry, Sketch, Written};
use crate::draft::DraftRule;
use crate::fmt::json_page;

/// A rule of pmstack: its type and its own keys.
type Rule = (&'static str, Vec<(&'static str, Node)>);

/// The rules that a native one becomes, with what is not the same; or why it has no place.
type Made = Result<(Vec<Rule>, Vec<String>), String>;

/// What writes a rule of a kind.
type Writer = fn(&DraftRule) -> Made;

/// The kinds that pmstack has a type for.
const WRITERS: &[(&str, Writer)] = &[
    ("approval_above", approval_above),
    ("arg_equals", arg_equals),
    ("arg_in", arg_in),
    ("arg_never_matches", arg_not_match),
    ("arg_range", arg_range),
    ("arg_required", arg_required),
    ("at_most", max_per_trace),
    ("confirm", confirm),
    ("never", never),
    ("only_listed", only_listed),
    ("require_before", requires_before),
];

const SUBJECTS: &str = "the two calls must name the same person or account where both name one";
const REFUSALS: &str = "words of refusal and doubt are those of pmstack";

/// The words of the native list of consent, where a policy has none of its own.
const YES: &str =
    r"\b(?:yes|yep|yeah|confirm|confirmed|go ahead|proceed|please do|do it|approved|agreed)\b";

/// Rules as a pmstack policy.
pub(crate) fn write(sketch: &Sketch) -> Written {
    let draft = &sketch.draft;
    let mut written = Written::default();
    let mut rules = Vec::new();
    let mut only_listed = false;
    let mut confirms = false;
    let mut ids: Vec<String> = DERIVED.iter().map(|it| (*it).to_owned()).collect();
    for rule in &draft.rules {
        if rule.kind == "only_listed" && !only_listed && is_whole_table(sketch, rule) {
            only_listed = true;
            let carry = Carry { into: vec![DERIVED[0].to_owned()], differs: unsaid(rule) };
            written.carried.insert(rule.id.clone(), carry);
            continue;
        }
        let carry = match made(rule) {
            Err(why) => Carry::left_out(why),
            Ok((made, mut differs, beside)) => {
                confirms |= rule.kind == "confirm";
                differs.extend(unsaid(rule));
                let mut into = Vec::new();
                for (kind, own) in made {
                    let id = free(&ids, &rule.id);
                    ids.push(id.clone());
                    into.push(id.clone());
                    let head = [("id", Node::text(id)), ("type", Node::text(kind))];
                    rules
                        .push(Node::map(head.into_iter().chain(own).chain(beside.iter().cloned())));
                }
                Carry { into, differs }
            }
        };
        written.carried.insert(rule.id.clone(), carry);
    }
    written.notes = losses(sketch);
    written.text = json_page(&page(sketch, only_listed, confirms, rules));
    written
}

/// The whole policy.
fn page(sketch: &Sketch, only_listed: bool, confirms: bool, rules: Vec<Node>) -> Node {
    let draft = &sketch.draft;
    let mut page = vec![("format", Node::text("pmstack.policy/1"))];
    page.extend(draft.name.as_ref().map(|it| ("name", Node::text(it.as_str()))));
    if only_listed {
        page.push(("onlyListedTools", Node::bare("true")));
    }
    if confirms {
        let words = match &draft.consent {
            Some(own) => Node::texts(own.iter().map(String::as_str)),
            None => Node::texts([YES]),
        };
        page.push(("confirmationPatterns", words));
    }
    if !draft.tools.is_empty() {
        let tool = |it: &crate::draft::DraftTool| {
            let access = it.access.unwrap_or(Access::Write);
            (it.name.clone(), Node::map([("access", Node::text(access.word()))]))
        };
        page.push(("tools", Node::map(draft.tools.iter().map(tool))));
    }
    if !rules.is_empty() {
        page.push(("rules", Node::list(rules)));
    }
    Node::map(page)
}

/// Whether a list of allowed tools is the table, and no more.
fn is_whole_table(sketch: &Sketch, rule: &DraftRule) -> bool {
    let names: Vec<&str> = texts(rule.params.get("tools"));
    let table: Vec<&str> = sketch.draft.tools.iter().map(|it| it.name.as_str()).collect();
    let bare = rule.params.get("entries").is_none() && rule.beside("when").is_none();
    let denies = rule.params.get("otherwise").and_then(Node::words) != Some("ask");
    bare && denies
        && rule.beside("mode").is_none()
        && names == table
        && !names.iter().any(|it| it.contains('*'))
}

/// What a pmstack policy has no place for.
fn losses(sketch: &Sketch) -> Vec<String> {
    let draft = &sketch.draft;
    let mut out = Vec::new();
    let tells = draft.rules.iter().filter(|it| it.beside("tell").is_some()).count();
    if tells > 0 {
        out.push(format!("pmstack has no place for `tell`: that of {tells} is lost"));
    }
    let user = draft.user_word.as_deref().is_some_and(|it| it != USER_WORD);
    let top = [
        ("owner", draft.owner.is_some()),
        ("not_covered", !draft.not_covered.is_empty()),
        ("user_word, which stands in a project", user),
    ];
    let lost: Vec<&str> = top.iter().filter(|it| it.1).map(|it| it.0).collect();
    if !lost.is_empty() {
        out.push(format!("pmstack has no place for {}", lost.join(", ")));
    }
    let silent = draft.tools.iter().filter(|it| it.access.is_none()).count();
    if silent > 0 {
        out.push(format!("{silent} of the tools say no access and are taken for `write`"));
    }
    out
}

type Whole = (Vec<Rule>, Vec<String>, Vec<(&'static str, Node)>);

/// The rules that a native one becomes, and what stands beside them.
fn made(rule: &DraftRule) -> Result<Whole, String> {
    let Some((_, writer)) = WRITERS.iter().find(|it| it.0 == rule.kind) else {
        return Err(format!("pmstack has no rule like `{}`", rule.kind));
    };
    if rule.beside("mode").and_then(Node::words) == Some("observe") {
        return Err("pmstack can't only observe".to_owned());
    }
    let when = rule.beside("when").and_then(Node::words).map(condition).transpose()?;
    let why = rule.beside("why").cloned().map(|it| ("why", it));
    let (rules, differs) = writer(rule)?;
    let beside = why.into_iter().chain(when.map(|it| ("when", it))).collect();
    Ok((rules, differs, beside))
}

/// What is said of a rule that pmstack has no word for.
fn unsaid(rule: &DraftRule) -> Vec<String> {
    let mut out = Vec::new();
    if rule.beside("verdict").and_then(Node::words) == Some("ask") {
        out.push("pmstack denies where this asks".to_owned());
    }
    if rule.beside("on_unknown").is_some() {
        out.push("`on_unknown` is lost".to_owned());
    }
    out
}

/// `session.metadata.NAME == VALUE` as a `when`.
fn condition(text: &str) -> Result<Node, String> {
    let other = || format!("pmstack compares one detail with one value, and this is `{text}`");
    let (left, right) = text.split_once("==").ok_or_else(other)?;
    let path = left.trim().strip_prefix("session.").ok_or_else(other)?;
    let plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
    let right = right.trim();
    let inner = right.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let inner = inner.filter(|it| !it.contains(['"', '\\'])).ok_or_else(other)?;
    if !path.starts_with("metadata.") || !path.chars().all(plain) {
        return Err(other());
    }
    Ok(Node::map([("path", Node::text(path)), ("equals", Node::text(inner))]))
}

fn only_listed(rule: &DraftRule) -> Made {
    let _ = rule;
    Err("pmstack allows the tools of its table, and no other list".to_owned())
}

fn never(rule: &DraftRule) -> Made {
    match rule.params.get("access") {
        Some(access) => {
            let differs = "tools that are not listed are covered, too".to_owned();
            Ok((vec![("deny-access", vec![("access", access.clone())])], vec![differs]))
        }
        None => Ok((vec![("deny-tools", vec![needed(rule)?])], vec![])),
    }
}

fn confirm(rule: &DraftRule) -> Made {
    if rule.params.get("by").is_some() {
        return Err("pmstack takes the user's word for a yes, not that of a tool".to_owned());
    }
    if rule.params.get("consent").is_some() {
        return Err("pmstack has one list of words for all of its rules".to_owned());
    }
    let mut differs = vec![REFUSALS.to_owned()];
    if rule.params.get("bind").is_some() {
        differs.push("the yes is not bound to arguments".to_owned());
    }
    if rule.params.get("spend").and_then(Node::scalar) == Some(Scalar::Bool(false)) {
        differs.push("one yes serves one call".to_owned());
    }
    let tools = match rule.params.get("tools") {
        Some(_) => needed(rule)?,
        None => ("tools", Node::text("*")),
    };
    Ok((vec![("confirm", vec![tools])], differs))
}

fn max_per_trace(rule: &DraftRule) -> Made {
    if rule.params.get("window").is_some() {
        return Err("pmstack has no windows of time".to_owned());
    }
    let per = rule.params.get("per").and_then(Node::words).unwrap_or("tool");
    let one = texts(rule.params.get("tools")).len() == 1;
    if per != "tool" && !(per == "session" && one) {
        return Err("pmstack caps the calls of each tool in a conversation only".to_owned());
    }
    let mut differs = Vec::new();
    if rule.params.get("successes").and_then(Node::scalar) != Some(Scalar::Bool(true)) {
        differs.push("calls that failed don't count in pmstack".to_owned());
    }
    let max = rule.params.get("max").cloned().unwrap_or_else(|| Node::bare("0"));
    let tools = match rule.params.get("tools") {
        Some(_) => needed(rule)?,
        None => ("tools", Node::text("*")),
    };
    Ok((vec![("max-per-trace", vec![tools, ("max", max)])], differs))
}

fn requires_before(rule: &DraftRule) -> Made {
    let first = texts(rule.params.get("first"));
    let [before] = first.as_slice() else {
        return Err("pmstack waits for one tool only".to_owned());
    };
    if before.contains('*') {
        return Err(format!("`{before}` is a pattern, and pmstack takes names"));
    }
    for key in ["result", "result_contains", "latest", "voided_by"] {
        if rule.params.get(key).is_some() {
            return Err(format!("pmstack has nothing like `{key}`"));
        }
    }
    let mut differs = vec![SUBJECTS.to_owned()];
    if rule.params.get("success").and_then(Node::scalar) == Some(Scalar::Bool(false)) {
        differs.push("the earlier call must have succeeded".to_owned());
    }
    if let Some(same) = rule.params.get("same_arg").and_then(Node::words) {
        differs.push(format!("`{same}` is not compared by its own"));
    }
    Ok((vec![("requires-before", vec![needed(rule)?, ("before", Node::text(*before))])], differs))
}

fn approval_above(rule: &DraftRule) -> Made {
    let by = rule.params.get("by").and_then(Node::words).unwrap_or_default();
    let own = [
        ("argPath", argument(rule)?),
        ("max", copied(rule, "max")?),
        ("approvalTool", Node::text(by)),
    ];
    let mut differs =
        vec![SUBJECTS.to_owned(), "an amount below zero needs an approval".to_owned()];
    differs.extend(absent(rule));
    if rule.params.get("bind").is_some() {
        differs.push("the approval is not bound to arguments".to_owned());
    }
    if rule.params.get("spend").and_then(Node::scalar) == Some(Scalar::Bool(false)) {
        differs.push("one approval serves one call".to_owned());
    }
    Ok((vec![("approval-above", tools(rule)?.into_iter().chain(own).collect())], differs))
}

fn arg_range(rule: &DraftRule) -> Made {
    let arg = argument(rule)?;
    let mut rules = Vec::new();
    for (key, kind) in [("max", "arg-max"), ("min", "arg-min")] {
        if let Some(bound) = rule.params.get(key) {
            let own = [("argPath", arg.clone()), (key, bound.clone())];
            rules.push((kind, tools(rule)?.into_iter().chain(own).collect()));
        }
    }
    let mut differs = absent(rule);
    let max = rule.params.get("max").and_then(Node::words).unwrap_or("-");
    if rule.params.get("min").is_none() && !max.starts_with('-') {
        differs.push("a number below zero is objected to".to_owned());
    }
    Ok((rules, differs))
}

fn arg_in(rule: &DraftRule) -> Made {
    let own = [("argPath", argument(rule)?), ("values", copied(rule, "values")?)];
    let mut differs = absent(rule);
    differs.push("each item of a list is compared by itself".to_owned());
    Ok((vec![("arg-in", tools(rule)?.into_iter().chain(own).collect())], differs))
}

fn arg_required(rule: &DraftRule) -> Made {
    let mut rules = Vec::new();
    for arg in texts(rule.params.get("args")) {
        let own = [("argPath", Node::text(arg))];
        rules.push(("arg-required", tools(rule)?.into_iter().chain(own).collect()));
    }
    Ok((rules, vec![]))
}

fn arg_not_match(rule: &DraftRule) -> Made {
    let mut rules = Vec::new();
    let mut differs = Vec::new();
    let arg = rule.params.get("arg").map(|_| argument(rule)).transpose()?;
    for pattern in texts(rule.params.get("pattern")) {
        differs.extend(reads_apart(pattern));
        let mut own: Vec<(&'static str, Node)> = tools(rule)?.into_iter().collect();
        own.extend(arg.clone().map(|it| ("argPath", it)));
        own.push(("pattern", Node::text(pattern)));
        for key in ["flags", "luhn"] {
            own.extend(rule.params.get(key).cloned().map(|it| (key, it)));
        }
        rules.push(("arg-not-match", own));
    }
    if rule.params.get("luhn").is_some() {
        differs.push("cards in other groupings than the pattern's are found, too".to_owned());
    }
    Ok((rules, differs))
}

fn arg_equals(rule: &DraftRule) -> Made {
    let source = match rule.params.get("result") {
        Some(result) => {
            if result.get("same_arg").is_some() {
                return Err(
                    "pmstack compares with the newest result, whatever it was about".to_owned()
                );
            }
            let of = |key: &'static str| result.get(key).cloned().map(|it| (key, it));
            Node::map(["tool", "path"].into_iter().filter_map(of))
        }
        None => {
            let place = rule.params.get("session").and_then(Node::words).unwrap_or_default();
            let Some(detail) =
                place.strip_prefix("session.").filter(|it| it.starts_with("metadata."))
            else {
                return Err(format!(
                    "pmstack compares with the metadata, and `{place}` is not there"
                ));
            };
            Node::map([("detail", Node::text(detail))])
        }
    };
    let own = [("argPath", argument(rule)?), ("source", source)];
    Ok((vec![("arg-equals", tools(rule)?.into_iter().chain(own).collect())], absent(rule)))
}

/// The tools of a rule; none for every tool.
fn tools(rule: &DraftRule) -> Result<Option<(&'static str, Node)>, String> {
    match rule.params.get("tools") {
        None => Ok(None),
        Some(_) => needed(rule).map(Some),
    }
}

/// The tools of a rule, which must be named.
fn needed(rule: &DraftRule) -> Result<(&'static str, Node), String> {
    let names = texts(rule.params.get("tools"));
    if names == ["*"] {
        return Ok(("tools", Node::text("*")));
    }
    match names.iter().find(|it| it.contains('*')) {
        Some(name) => Err(format!("`{name}` is a pattern, and pmstack takes names")),
        None if names.is_empty() => Err("pmstack needs the tools by name".to_owned()),
        None => Ok(("tools", Node::texts(names))),
    }
}

fn argument(rule: &DraftRule) -> Result<Node, String> {
    let arg = rule.params.get("arg").and_then(Node::words).unwrap_or_default();
    if arg.contains('*') {
        return Err(format!("pmstack can't look at `{arg}`: it reads one place"));
    }
    Ok(Node::text(arg))
}

fn copied(rule: &DraftRule, key: &str) -> Result<Node, String> {
    rule.params.get(key).cloned().ok_or_else(|| format!("`{key}` is not there"))
}

/// What an argument that is not there means otherwise.
fn absent(rule: &DraftRule) -> Vec<String> {
    let optional = rule.params.get("optional").and_then(Node::scalar) == Some(Scalar::Bool(true));
    let differs = optional && rule.params.get("tools").is_some();
    let words = "a call without the argument is objected to".to_owned();
    differs.then_some(words).into_iter().collect()
}

fn texts(node: Option<&Node>) -> Vec<&str> {
    let Some(node) = node else { return Vec::new() };
    let one = std::slice::from_ref(node);
    let items = if node.words().is_some() { one } else { node.items() };
    items.iter().filter_map(Node::words).collect()
}

/// An id that is not taken.
fn free(taken: &[String], id: &str) -> String {
    let numbered = (2_u32..).map(|it| format!("{id}-{it}"));
    let mut ids = std::iter::once(id.to_owned()).chain(numbered);
    ids.find(|it| !taken.contains(it)).unwrap_or_default()
}
