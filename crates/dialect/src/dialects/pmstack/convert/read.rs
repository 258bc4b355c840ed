//! A pmstack policy as native rules: the tool table, then one function for each type of rule.

use lawbook_diag::{Problem, Verdict};
use lawbook_rule::Access;
use lawbook_rule::kinds::DOUBT;
use lawbook_rule::params::{Node, NodeEntry, Scalar};

use super::super::{CONSENT, DERIVED, USER_WORD};
use super::reads_apart;
use crate::convert::Sketch;
use crate::dialects::lawbook;
use crate::draft::{DraftRule, DraftTool};

/// A rule as native parameters, with what is not the same; or why it has no place.
type Made = Result<(&'static str, Vec<(&'static str, Node)>, Vec<String>), String>;

/// What reads a rule of a type.
type Reader = fn(&Source<'_>, &Node) -> Made;

/// The types of rules.
const READERS: &[(&str, Reader)] = &[
    ("approval-above", approval_above),
    ("arg-equals", arg_equals),
    ("arg-in", arg_in),
    ("arg-max", arg_max),
    ("arg-min", arg_min),
    ("arg-not-match", arg_not_match),
    ("arg-required", arg_required),
    ("confirm", confirm),
    ("deny-access", deny_access),
    ("deny-tools", deny_tools),
    ("max-per-trace", max_per_trace),
    ("only-listed", only_listed),
    ("requires-before", requires_before),
];

const SUBJECTS: &str = "the two calls are not held to the same person or account";
const WORDS: &str = "words end where letters of every script do in one of the two";

/// A policy that loads.
struct Source<'n> {
    root: &'n Node,
    tools: Vec<DraftTool>,
    only_listed: bool,
}

/// A policy that loads, as native rules.
pub(crate) fn read(source: &str, text: &str) -> Result<Sketch, Vec<Problem>> {
    let root = lawbook::parse(source, text)?;
    let mut sketch = Sketch::default();
    let table = root.get("tools").map(Node::entries).unwrap_or_default();
    let tools: Vec<DraftTool> = table.iter().map(tool).collect();
    sketch.draft.name = words(&root, "name").map(str::to_owned);
    sketch.draft.user_word = Some(USER_WORD.to_owned());
    sketch.draft.default = Some(Verdict::Allow);
    sketch.draft.tools.clone_from(&tools);
    let only_listed = is_true(&root, "onlyListedTools");
    let file = Source { root: &root, tools, only_listed };
    file.derived(&mut sketch, table);
    for rule in root.get("rules").map(Node::items).unwrap_or_default() {
        file.written(&mut sketch, rule);
    }
    if sketch.draft.rules.iter().any(|it| it.kind == "confirm") {
        sketch.draft.consent = Some(file.consent());
    }
    Ok(sketch)
}

/// A tool with the access that pmstack gives it.
fn tool(entry: &NodeEntry) -> DraftTool {
    let access = match words(&entry.value, "access") {
        Some("read") => Access::Read,
        Some(_) => Access::Write,
        None => Access::by_name(&entry.key),
    };
    DraftTool { name: entry.key.clone(), access: Some(access), command: None }
}

impl Source<'_> {
    /// The rules of the tool table.
    fn derived(&self, sketch: &mut Sketch, table: &[NodeEntry]) {
        let [listed, confirm, most] = DERIVED;
        if self.only_listed {
            sketch.add(listed, self.listed_rule(lawbook::ONLY_LISTED), vec![]);
        }
        let asked: Vec<&NodeEntry> =
            table.iter().filter(|it| is_true(&it.value, "confirm")).collect();
        if !asked.is_empty() {
            let names = Node::texts(asked.iter().map(|it| it.key.as_str()));
            let mut whys: Vec<String> = asked.iter().filter_map(|it| why(&it.value)).collect();
            whys.dedup();
            let mut rule = DraftRule::new(confirm, "confirm", [("tools", names)]);
            if let [only] = whys.as_slice() {
                rule = rule.why(only.as_str());
            } else if whys.len() > 1 {
                sketch.notes.push(
                    "a rule has one reason: those of single tools under `confirm` are lost"
                        .to_owned(),
                );
            }
            sketch.add(confirm, rule, vec![WORDS.to_owned()]);
        }
        for entry in table {
            let Some(max) = entry.value.get("maxPerTrace") else { continue };
            let params = capped(Node::texts([entry.key.as_str()]), max);
            let id = format!("{}.{most}", sound(&entry.key));
            let mut rule = DraftRule::new(id, "at_most", params);
            if let Some(why) = why(&entry.value) {
                rule = rule.why(why);
            }
            sketch.add(&format!("{most}, {}", entry.key), rule, vec![]);
        }
    }

    fn listed_rule(&self, id: &str) -> DraftRule {
        let names = Node::texts(self.tools.iter().map(|it| it.name.as_str()));
        DraftRule::new(id, "only_listed", [("tools", names), ("otherwise", Node::text("deny"))])
    }

    fn written(&self, sketch: &mut Sketch, rule: &Node) {
        let id = words(rule, "id").unwrap_or_default();
        let kind = words(rule, "type").unwrap_or_default();
        let made = match READERS.iter().find(|it| it.0 == kind) {
            Some((_, reader)) => reader(self, rule),
            None => Err(format!("`{kind}` is no type of rule")),
        };
        let made = made.and_then(|made| Ok((made, condition(rule)?)));
        match made {
            Err(why) => sketch.leave_out(id, why),
            Ok(((kind, params, mut differs), when)) => {
                let mut native = DraftRule::new(free(sketch, &sound(id)), kind, params);
                if let Some(why) = why(rule) {
                    native = native.why(why);
                }
                if let Some((when, may_differ)) = when {
                    native = native.when(when);
                    differs.extend(may_differ);
                }
                differs.extend(stars(&native));
                sketch.add(id, native, differs);
            }
        }
    }

    /// The tools of a rule; none for every tool. `but` is the one that it waits for.
    fn tools(
        &self,
        rule: &Node,
        but: Option<&str>,
    ) -> Result<Option<(&'static str, Node)>, String> {
        match rule.get("tools") {
            None => Ok(None),
            Some(list) if list.words().is_none() => {
                let names: Vec<&str> = list.items().iter().filter_map(Node::words).collect();
                match names.is_empty() {
                    true => Err("it covers no tool".to_owned()),
                    false => Ok(Some(("tools", Node::texts(names)))),
                }
            }
            // `"*"` is every tool but the one that the rule waits for.
            Some(_) => match but {
                None => Ok(None),
                Some(but) if self.only_listed => {
                    let names = self.tools.iter().map(|it| it.name.as_str());
                    let names: Vec<&str> = names.filter(|it| *it != but).collect();
                    Ok(Some(("tools", Node::texts(names))))
                }
                Some(but) => Err(format!("every tool but `{but}` can't be named without a list")),
            },
        }
    }

    /// Patterns of consent as the native dialect takes them, with the words of refusal, doubt and
    /// condition that take a yes back.
    fn consent(&self) -> Vec<String> {
        let own = self.root.get("confirmationPatterns").map(Node::items);
        let own = own.map(|it| it.iter().filter_map(Node::words).map(str::to_owned).collect());
        let own: Vec<String> =
            own.unwrap_or_else(|| CONSENT.iter().map(|it| (*it).to_owned()).collect());
        if own.is_empty() {
            // Nothing is a yes.
            return vec![r"[^\s\S]".to_owned()];
        }
        vec![format!("(?s)^(?!.*(?:{DOUBT})).*(?:{})", own.join("|"))]
    }

    /// Whether a limit from above says nothing of amounts below zero, as pmstack's strict reading
    /// has it.
    fn floors(&self, rule: &Node) -> bool {
        let path = words(rule, "argPath");
        let rules = self.root.get("rules").map(Node::items).unwrap_or_default();
        let below =
            |it: &&Node| words(it, "type") == Some("arg-min") && words(it, "argPath") == path;
        let max = words(rule, "max").unwrap_or_default();
        !max.starts_with('-') && !rules.iter().any(|it| below(&it))
    }
}

fn only_listed(file: &Source<'_>, _rule: &Node) -> Made {
    let names = Node::texts(file.tools.iter().map(|it| it.name.as_str()));
    Ok(("only_listed", vec![("tools", names)], vec![]))
}

fn deny_tools(file: &Source<'_>, rule: &Node) -> Made {
    match file.tools(rule, None)? {
        Some(tools) => Ok(("never", vec![tools], vec![])),
        None => Ok(("never", vec![("tools", Node::texts(["*"]))], vec![])),
    }
}

fn deny_access(file: &Source<'_>, rule: &Node) -> Made {
    let wanted = if words(rule, "access") == Some("read") { Access::Read } else { Access::Write };
    match file.tools(rule, None)? {
        None => {
            let params = vec![("access", Node::text(wanted.word()))];
            Ok(("never", params, vec!["tools that are not listed are not covered".to_owned()]))
        }
        Some((key, names)) => {
            let access = |name: &str| {
                let listed = file.tools.iter().find(|it| it.name == name);
                listed.and_then(|it| it.access).unwrap_or_else(|| Access::by_name(name))
            };
            let covered: Vec<&str> = names
                .items()
                .iter()
                .filter_map(Node::words)
                .filter(|it| access(it) == wanted)
                .collect();
            if covered.is_empty() {
                return Err("none of its tools has this access, so it covers none".to_owned());
            }
            Ok(("never", vec![(key, Node::texts(covered))], vec![]))
        }
    }
}

fn confirm(file: &Source<'_>, rule: &Node) -> Made {
    let tools = file.tools(rule, None)?;
    let shared = "one yes serves one call of this rule, not of all that need one".to_owned();
    Ok(("confirm", tools.into_iter().collect(), vec![WORDS.to_owned(), shared]))
}

fn max_per_trace(file: &Source<'_>, rule: &Node) -> Made {
    let tools = file.tools(rule, None)?.map(|it| it.1);
    let max = rule.get("max").cloned().unwrap_or_else(|| Node::bare("0"));
    let params = match tools {
        Some(tools) => capped(tools, &max),
        None => capped(Node::list([]), &max).into_iter().skip(1).collect(),
    };
    Ok(("at_most", params, vec![]))
}

fn requires_before(file: &Source<'_>, rule: &Node) -> Made {
    let before = words(rule, "before").unwrap_or_default();
    let tools = file.tools(rule, Some(before))?;
    let params = tools.into_iter().chain([("first", Node::texts([before]))]).collect();
    Ok(("require_before", params, vec![SUBJECTS.to_owned()]))
}

fn approval_above(file: &Source<'_>, rule: &Node) -> Made {
    let by = words(rule, "approvalTool").unwrap_or_default();
    let tools = file.tools(rule, Some(by))?;
    let max = rule.get("max").cloned().unwrap_or_else(|| Node::bare("0"));
    let more = [("arg", path(rule)?), ("max", max), ("by", Node::text(by))];
    let mut differs = vec![SUBJECTS.to_owned()];
    if file.floors(rule) {
        differs.push("an amount below zero needs no approval".to_owned());
    }
    Ok(("approval_above", tools.into_iter().chain(more).collect(), differs))
}

fn arg_max(file: &Source<'_>, rule: &Node) -> Made {
    let max = rule.get("max").cloned().map(|it| ("max", it));
    let floor = file.floors(rule).then(|| ("min", Node::bare("0")));
    range(file, rule, floor.into_iter().chain(max).collect())
}

fn arg_min(file: &Source<'_>, rule: &Node) -> Made {
    let min = rule.get("min").cloned().map(|it| ("min", it));
    range(file, rule, min.into_iter().collect())
}

fn range(file: &Source<'_>, rule: &Node, bounds: Vec<(&'static str, Node)>) -> Made {
    let tools = file.tools(rule, None)?;
    let params = tools.into_iter().chain([("arg", path(rule)?)]).chain(bounds).collect();
    Ok(("arg_range", params, vec![]))
}

fn arg_in(file: &Source<'_>, rule: &Node) -> Made {
    let tools = file.tools(rule, None)?;
    let values = rule.get("values").cloned().unwrap_or_else(|| Node::list([]));
    let params = tools.into_iter().chain([("arg", path(rule)?), ("values", values)]).collect();
    Ok(("arg_in", params, vec!["a list is compared as a whole".to_owned()]))
}

fn arg_required(file: &Source<'_>, rule: &Node) -> Made {
    let tools = file.tools(rule, None)?;
    let args = Node::list([path(rule)?]);
    Ok(("arg_required", tools.into_iter().chain([("args", args)]).collect(), vec![]))
}

fn arg_not_match(file: &Source<'_>, rule: &Node) -> Made {
    let tools = file.tools(rule, None)?;
    let arg = rule.get("argPath").map(|_| path(rule)).transpose()?.map(|it| ("arg", it));
    let pattern = words(rule, "pattern").unwrap_or_default();
    let flags = words(rule, "flags").unwrap_or_default();
    let inline: String = flags.chars().filter(|it| matches!(it, 'm' | 's')).collect();
    let written = match inline.as_str() {
        "" => pattern.to_owned(),
        inline => format!("(?{inline}){pattern}"),
    };
    let either = flags.contains('i').then(|| ("flags", Node::text("i")));
    let luhn = is_true(rule, "luhn").then(|| ("luhn", Node::bare("true")));
    let mut differs: Vec<String> = reads_apart(pattern).into_iter().collect();
    if luhn.is_some() {
        differs.push("a card in another grouping than the pattern's is not found".to_owned());
    }
    let params = tools.into_iter().chain(arg).chain([("pattern", Node::text(written))]);
    Ok(("arg_never_matches", params.chain(luhn).chain(either).collect(), differs))
}

fn arg_equals(file: &Source<'_>, rule: &Node) -> Made {
    let source = rule.get("source");
    let of = |key: &str| source.and_then(|it| words(it, key)).filter(|it| !it.trim().is_empty());
    let place = match of("detail") {
        Some(detail) => ("session", Node::text(metadata(detail)?)),
        None => {
            let (tool, path) = (of("tool").unwrap_or_default(), of("path").unwrap_or_default());
            ("result", Node::map([("tool", Node::text(tool)), ("path", Node::text(path))]))
        }
    };
    let but = of("tool").filter(|_| of("detail").is_none());
    let tools = file.tools(rule, but)?;
    let params = tools.into_iter().chain([("arg", path(rule)?), place]).collect();
    Ok(("arg_equals", params, vec![]))
}

/// A `when` as a native condition, with what may be different.
fn condition(rule: &Node) -> Result<Option<(String, Option<String>)>, String> {
    let Some(when) = rule.get("when").filter(|it| it.scalar() != Some(Scalar::Null)) else {
        return Ok(None);
    };
    let place = metadata(words(when, "path").unwrap_or_default())?;
    let equals = when.get("equals");
    let Some(text) = equals.and_then(Node::words).filter(|it| !it.is_empty()) else {
        return Err("a condition on a detail that is missing can't be written".to_owned());
    };
    let is_text = matches!(equals.and_then(Node::scalar), Some(Scalar::Text(_)));
    let looks_typed = !matches!(Node::bare(text).scalar(), Some(Scalar::Text(_)));
    let differs = (!is_text || looks_typed)
        .then(|| format!("`{text}` as a text and as a number or truth value are two values"));
    let mut value = String::new();
    lawbook_event::json::write_string(&mut value, text);
    let value = if is_text { value } else { text.to_owned() };
    Ok(Some((format!("{place} == {value}"), differs)))
}

/// The native name of a place in the metadata, which is all of a recording that it can name.
fn metadata(path: &str) -> Result<String, String> {
    let fits =
        |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    match path.strip_prefix("metadata.").filter(|it| it.split('.').all(fits)) {
        Some(rest) => Ok(format!("session.metadata.{rest}")),
        None => Err(format!("`{path}` is no place that the native dialect can name")),
    }
}

fn path(rule: &Node) -> Result<Node, String> {
    let path = words(rule, "argPath").unwrap_or_default();
    if path == "length" || path.ends_with(".length") {
        return Err("the native dialect can't count items or characters by `length`".to_owned());
    }
    Ok(Node::text(path))
}

fn capped(tools: Node, max: &Node) -> Vec<(&'static str, Node)> {
    let (per, successes) = (Node::text("tool"), Node::bare("true"));
    vec![("tools", tools), ("max", whole(max)), ("per", per), ("successes", successes)]
}

/// A whole number as a native policy writes it: `2`, not `2.0`.
fn whole(max: &Node) -> Node {
    let text = max.words().unwrap_or_default();
    let number: f64 = text.parse().unwrap_or_default();
    Node::bare(if number < 1e15 { format!("{number:.0}") } else { text.to_owned() })
}

fn words<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    node.get(key).and_then(Node::words)
}

fn is_true(node: &Node, key: &str) -> bool {
    node.get(key).and_then(Node::scalar) == Some(Scalar::Bool(true))
}

/// The reason that a rule or tool states.
fn why(at: &Node) -> Option<String> {
    let why = words(at, "why")?.replace("{userLabel}", USER_WORD);
    Some(why.trim().to_owned()).filter(|it| !it.is_empty())
}

/// A text as part of a native id.
fn sound(text: &str) -> String {
    let fits = |it: char| it.is_ascii_lowercase() || it.is_ascii_digit() || "._-".contains(it);
    let lower = text.chars().map(|it| it.to_ascii_lowercase());
    lower.map(|it| if fits(it) { it } else { '-' }).collect()
}

/// An id that no rule of the sketch has, nor the engine itself.
fn free(sketch: &Sketch, id: &str) -> String {
    const OWN: &[&str] = &["terminated", "ran_anyway", "waiver", "only_listed", "denied_patterns"];
    let taken = |it: &str| OWN.contains(&it) || sketch.draft.rules.iter().any(|rule| rule.id == it);
    let numbered = (2_u32..).map(|it| format!("{id}-{it}"));
    let mut ids = std::iter::once(id.to_owned()).chain(numbered);
    ids.find(|it| !taken(it)).unwrap_or_default()
}

/// What is a name in pmstack and a pattern here.
fn stars(rule: &DraftRule) -> Vec<String> {
    let names = ["tools", "first", "by"].into_iter().filter_map(|it| rule.params.get(it));
    let items = names
        .flat_map(|it| if it.words().is_some() { std::slice::from_ref(it) } else { it.items() });
    let starred = items.filter_map(Node::words).filter(|it| it.contains('*') && *it != "*");
    starred.map(|it| format!("`{it}` is one name in pmstack and a pattern here")).collect()
}
