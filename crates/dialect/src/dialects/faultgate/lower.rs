//! From the keys of a faultgate policy to rules, in the order in which faultgate reports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::json::{Kind as JsonKind, Value};
use lawbook_event::{EXACT, PYTHON, Path, PatternSet, PatternUse, Reading, SuccessReading};
use lawbook_rule::kinds::{
    ArgEquals, ArgIn, ArgNeverMatches, ArgRange, ArgRequired, ArgSize, AtMost, Complete, Confirm,
    ConfirmBy, Counts, LeavesOut, OnlyListed, Per, PickEntry, RequireBefore, Searched, Source,
};
use lawbook_rule::{
    Absent, Argument, Body, EvidenceFrom, Literal, Manner, NameMatch, OnUnknown, Pick, Policy,
    Predicate, Profile, Report, Rule, Scope, SessionPath, Test, Tools,
};

use super::read::{Filled, Reader};
use super::{DENIED_PATTERNS, MORE_DENIED_PATTERNS};

/// The keys of a policy file.
pub(crate) const KEYS: &[&str] = &[
    "allow",
    "max_calls",
    "max_arg_chars",
    "deny_patterns",
    "limits",
    "identity",
    "requires",
    "max_calls_per_arg",
    "values",
    "required_args",
    "confirmation",
    "require_complete",
];

const TOOL_NAMES: &str = "a list of tool names";
const NAMES: &str = "a non-empty list of names";

/// The policy that an object stands for, if nothing is wrong with it.
pub(super) fn policy(reader: &mut Reader<'_>, root: Value<'_>, profile: Profile) -> Option<Policy> {
    if !root.is_object() {
        reader.wrong(root, "wrong_shape", "a policy must be an object");
        return None;
    }
    reader.known(root, "", KEYS);
    let mut lowering = Lowering { reader, strict: profile != Profile::Compatible };
    // Faultgate looks at the keys in this order and tells the first thing that is wrong; rules
    // report in another order, so they are read first and put in order after.
    let limits = lowering.each(root, "limits", Lowering::limit);
    let identity = root.get("identity").and_then(|it| lowering.identity(it));
    let requires = lowering.each(root, "requires", Lowering::requirement);
    let budgets = lowering.each(root, "max_calls_per_arg", Lowering::per_arg);
    let values = lowering.each(root, "values", Lowering::values);
    let required = lowering.each(root, "required_args", Lowering::required);
    let confirmation = root.get("confirmation").and_then(|it| lowering.confirmation(it));
    let complete = lowering.complete(root);
    let allow = lowering.allow(root);
    let max_calls = lowering.max_calls(root);
    let max_arg_chars = lowering.max_arg_chars(root);
    let denied = lowering.denied(root);
    let rules = allow
        .into_iter()
        .chain(denied)
        .chain(max_arg_chars)
        .chain(limits)
        .chain(identity)
        .chain(values)
        .chain(requires)
        .chain(required)
        .chain(confirmation)
        .chain(budgets)
        .chain(complete)
        .chain(max_calls)
        .collect();
    Some(Policy {
        name: None,
        dialect: "faultgate",
        profile,
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        reading: reading(profile),
        manner: manner(profile),
        pick: Pick::All,
        rules,
        waivers: Vec::new(),
        tools: listed(root),
    })
}

fn reading(profile: Profile) -> Reading {
    match profile {
        Profile::Compatible => Reading::Faultgate,
        Profile::Strict | Profile::Native => Reading::Full,
    }
}

fn manner(profile: Profile) -> Manner {
    match profile {
        Profile::Compatible => Manner {
            values: PYTHON,
            success: SuccessReading::Structural,
            evidence: EvidenceFrom::Call,
            names: NameMatch::Exact,
        },
        Profile::Strict | Profile::Native => Manner {
            values: EXACT,
            success: SuccessReading::Declared,
            evidence: EvidenceFrom::Result,
            names: NameMatch::Skeleton,
        },
    }
}

fn listed(root: Value<'_>) -> BTreeMap<String, Option<lawbook_rule::Access>> {
    let allow = root.get("allow").filter(|it| it.is_array());
    let names = allow.into_iter().flat_map(|it| it.items()).filter_map(|it| it.as_str());
    names.map(|it| (it.to_owned(), None)).collect()
}

fn rule(id: impl Into<String>, report: Report, body: impl Body + 'static) -> Rule {
    Rule {
        id: Arc::from(id.into()),
        why: None,
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report,
        scar: None,
        body: Box::new(body),
    }
}

fn one(tool: String) -> Tools {
    Tools::literal([tool])
}

struct Lowering<'r, 't> {
    reader: &'r mut Reader<'t>,
    strict: bool,
}

impl Lowering<'_, '_> {
    /// The rules of a list, one by one.
    fn each<'d>(
        &mut self,
        root: Value<'d>,
        key: &str,
        lower: fn(&mut Self, Value<'d>, String) -> Option<Rule>,
    ) -> Vec<Rule> {
        let items = self.reader.items(root, key);
        let placed = items.into_iter().enumerate();
        placed.filter_map(|(place, it)| lower(self, it, format!("{key}[{place}]"))).collect()
    }

    /// Reports each offending call in the strict reading; compatible, as faultgate does.
    fn report(&self, compatible: Report) -> Report {
        if self.strict { Report::Each } else { compatible }
    }

    fn argument(&self, path: &str) -> Argument {
        let absent = if self.strict { Absent::Objected } else { Absent::Passes };
        Argument { absent, ..Argument::optional(Path::parse(path)) }
    }

    fn limit(&mut self, at: Value<'_>, place: String) -> Option<Rule> {
        let reader = &mut *self.reader;
        let at = reader.object(at, &place, &["tool", "arg"], &["min", "max"])?;
        let (tool, arg) = (reader.text(at, &place, "tool"), reader.text(at, &place, "arg"));
        let (has_min, has_max) = (at.get("min").is_some(), at.get("max").is_some());
        let (min, max) = (reader.finite(at, &place, "min"), reader.finite(at, &place, "max"));
        if !has_min && !has_max {
            reader.wrong(at, "missing_key", format!("{place} needs 'min' or 'max'"));
            return None;
        }
        let values = if self.strict { EXACT } else { PYTHON };
        let bound = |it: Option<&str>| it.and_then(|it| values.bound(it));
        let (low, high) = (bound(min), bound(max));
        if let (Some(low), Some(high)) = (&low, &high)
            && low.compare(high).is_gt()
        {
            let show = |key| at.get(key).map(|it| PYTHON.text(it).into_owned()).unwrap_or_default();
            let message = format!("{place} min {} > max {}", show("min"), show("max"));
            self.reader.wrong(at, "empty_range", message);
            return None;
        }
        let argument = self.argument(&arg?);
        let body = ArgRange { tools: one(tool?), argument, min: low, max: high };
        Some(rule(place, Report::Each, body))
    }

    fn identity(&mut self, at: Value<'_>) -> Option<Rule> {
        let reader = &mut *self.reader;
        let at = reader.object(at, "identity", &["arg"], &["session_attr", "tools"])?;
        let arg = reader.text(at, "identity", "arg");
        let attribute = match at.get("session_attr") {
            Some(_) => reader.text(at, "identity", "session_attr"),
            None => Some("enduser.id".to_owned()),
        };
        let named = at.get("tools").is_some();
        let tools = reader.texts(at, "identity", "tools", Filled::MayBeEmpty, TOOL_NAMES);
        if named && tools.is_none() {
            return None;
        }
        let (argument, attribute) = (self.argument(&arg?), attribute?);
        // Without a list of tools the rule speaks of calls that carry the argument.
        let absent = match (self.strict, named) {
            (true, false) => Absent::PassesUnlessDressed,
            _ => argument.absent,
        };
        let argument = Argument { absent, only_if_mentioned: !named && !self.strict, ..argument };
        let source = Source::Session {
            path: SessionPath::Attribute(attribute.clone()),
            label: attribute,
            objects: true,
        };
        let tools = tools.map_or(Tools::Every, Tools::literal);
        Some(rule("identity", Report::Each, ArgEquals { tools, argument, source }))
    }

    fn requirement(&mut self, at: Value<'_>, place: String) -> Option<Rule> {
        let reader = &mut *self.reader;
        let optional =
            ["result_contains", "same_arg", "success", "result", "latest", "invalidated_by"];
        let at = reader.object(at, &place, &["tool", "after"], &optional)?;
        let tool = reader.text(at, &place, "tool");
        let after = match at.get("after")? {
            it if it.as_str().is_some() => it.as_str().map(|it| vec![it.to_owned()]),
            _ => {
                let expected = "a tool name or a list of tool names";
                reader.texts(at, &place, "after", Filled::List, expected)
            }
        };
        let result_contains = reader.text(at, &place, "result_contains");
        let same_arg = reader.text(at, &place, "same_arg");
        let success = reader.truth(at, &place, "success");
        let latest = reader.truth(at, &place, "latest");
        let voided_by = reader.texts(at, &place, "invalidated_by", Filled::ListAndItems, NAMES);
        let result = self.predicates(at, &place)?;
        let voided_by = voided_by.unwrap_or_default();
        let stateful = success || latest || !result.is_empty() || !voided_by.is_empty();
        let body = RequireBefore {
            tools: one(tool?),
            first: Tools::literal(after?),
            success: success || self.strict,
            result_contains,
            result,
            same_arg: same_arg.map(|it| Path::parse(&it)),
            latest,
            voided_by: Tools::literal(voided_by),
            same_subject: false,
            explain: stateful || self.strict,
        };
        Some(rule(place, Report::Each, body))
    }

    fn predicates(&mut self, at: Value<'_>, place: &str) -> Option<Vec<Predicate>> {
        let Some(list) = at.get("result") else { return Some(Vec::new()) };
        if !list.is_array() || list.is_empty() {
            let message = format!("{place}.result must be a non-empty list of predicates");
            self.reader.wrong(list, "wrong_shape", message);
            return None;
        }
        let items = list.items().enumerate();
        let read: Vec<Option<Predicate>> = items
            .map(|(index, it)| self.predicate(it, &format!("{place}.result[{index}]")))
            .collect();
        read.into_iter().collect()
    }

    fn predicate(&mut self, at: Value<'_>, place: &str) -> Option<Predicate> {
        const OPERATORS: [&str; 4] = ["equals", "in", "not_in", "exists"];
        let reader = &mut *self.reader;
        if !at.is_object() {
            reader.wrong(at, "wrong_shape", format!("{place} must be an object"));
            return None;
        }
        let Some(path) = at.get("path").and_then(Value::as_str).filter(|it| !it.is_empty()) else {
            let message = format!("{place} needs a 'path' (a dotted path into the JSON result)");
            reader.wrong(at, "missing_key", message);
            return None;
        };
        reader.known(at, place, &["path", "equals", "in", "not_in", "exists"]);
        let mut present =
            OPERATORS.into_iter().filter_map(|it| at.get(it).map(|value| (it, value)));
        let (Some((operator, value)), None) = (present.next(), present.next()) else {
            let message = format!("{place} needs exactly one of {}", OPERATORS.join(", "));
            reader.wrong(at, "wrong_shape", message);
            return None;
        };
        let literal = Literal::parse(value.raw()).ok()?;
        let test = match operator {
            "equals" => Test::Equals(literal),
            "exists" => match value.as_bool() {
                Some(wanted) => Test::Exists(wanted),
                None => {
                    let message = format!("{place}.exists must be true or false");
                    reader.wrong(value, "wrong_shape", message);
                    return None;
                }
            },
            _ if !value.is_array() => {
                reader.wrong(value, "wrong_shape", format!("{place}.{operator} must be a list"));
                return None;
            }
            "in" => Test::In(literal),
            _ => Test::NotIn(literal),
        };
        Some(Predicate { path: Path::parse(path), test })
    }

    fn per_arg(&mut self, at: Value<'_>, place: String) -> Option<Rule> {
        let reader = &mut *self.reader;
        let at = reader.object(at, &place, &["tools", "arg", "max"], &[])?;
        let tools = reader.texts(at, &place, "tools", Filled::MayBeEmpty, TOOL_NAMES);
        let arg = reader.text(at, &place, "arg");
        let max = at.get("max")?;
        let whole = max.number_text().filter(|it| is_whole(it));
        let Some(lexeme) = whole.filter(|it| !it.starts_with('-') && *it != "0") else {
            reader.wrong(max, "wrong_shape", format!("{place}.max must be a whole number >= 1"));
            return None;
        };
        let leaves_out = if self.strict { LeavesOut::Failed } else { LeavesOut::ErrorTexts };
        let body = AtMost {
            tools: Tools::literal(tools?),
            max: lexeme.parse().unwrap_or(f64::INFINITY),
            max_text: lexeme.to_owned(),
            per: Per::Arg(Path::parse(&arg?)),
            exact: false,
            window_secs: None,
            leaves_out,
            closes: false,
            scope: Scope::Session,
            front_only: false,
        };
        Some(rule(place, self.report(Report::First), body))
    }

    fn values(&mut self, at: Value<'_>, place: String) -> Option<Rule> {
        let reader = &mut *self.reader;
        let at = reader.object(at, &place, &["tool", "arg", "allowed"], &[])?;
        let (tool, arg) = (reader.text(at, &place, "tool"), reader.text(at, &place, "arg"));
        let allowed = reader.texts(at, &place, "allowed", Filled::List, "a list of strings");
        let argument = self.argument(&arg?);
        let body = ArgIn { tools: one(tool?), argument, allowed: allowed?, by_text: false };
        Some(rule(place, Report::Each, body))
    }

    fn required(&mut self, at: Value<'_>, place: String) -> Option<Rule> {
        let reader = &mut *self.reader;
        let at = reader.object(at, &place, &["tool", "args"], &[])?;
        let tool = reader.text(at, &place, "tool");
        let args = reader.texts(at, &place, "args", Filled::ListAndItems, NAMES);
        let args = args?.iter().map(|it| Path::parse(it)).collect();
        Some(rule(place, Report::Each, ArgRequired { tools: one(tool?), args }))
    }

    fn confirmation(&mut self, at: Value<'_>) -> Option<Rule> {
        let reader = &mut *self.reader;
        let at = reader.object(at, "confirmation", &["tools", "by"], &["same_arg"])?;
        let tools = reader.texts(at, "confirmation", "tools", Filled::MayBeEmpty, TOOL_NAMES);
        let tool = reader.text(at, "confirmation", "by")?;
        let same_arg = reader.text(at, "confirmation", "same_arg");
        let otherwise = " (or faultgate.confirmed = true on its span)";
        let body = Confirm {
            tools: Tools::literal(tools?),
            asker: one(tool.clone()),
            spend: self.strict,
            by: ConfirmBy::Tool {
                tool,
                same_arg: same_arg.map(|it| Path::parse(&it)),
                otherwise: if self.strict { "" } else { otherwise },
            },
        };
        Some(rule("confirmation", Report::Each, body))
    }

    fn complete(&mut self, root: Value<'_>) -> Option<Rule> {
        if !self.reader.truth(root, "", "require_complete") {
            return None;
        }
        Some(rule("require_complete", Report::Run, Complete::new()?))
    }

    fn allow(&mut self, root: Value<'_>) -> Option<Rule> {
        let at = root.get("allow")?;
        let unhashable = |it: &Value<'_>| matches!(it.kind(), JsonKind::Array | JsonKind::Object);
        if at.is_array() && at.items().any(|it| unhashable(&it)) {
            self.reader.wrong(at, "wrong_shape", "allow must be a list of strings");
            return None;
        }
        let allowed: BTreeSet<String> = self.reader.collection(at, "allow")?.into_iter().collect();
        let body = OnlyListed {
            tools: Tools::Every,
            allowed,
            entries: Vec::new(),
            pick: PickEntry::Strictest,
            otherwise: Verdict::Deny,
        };
        Some(rule("allow", Report::Each, body))
    }

    fn denied(&mut self, root: Value<'_>) -> Option<Rule> {
        let sources = match root.get("deny_patterns") {
            None => {
                let more = MORE_DENIED_PATTERNS.iter().filter(|_| self.strict);
                DENIED_PATTERNS.iter().chain(more).map(|it| (*it).to_owned()).collect()
            }
            Some(at) => {
                if at.is_array() && at.items().any(|it| it.as_str().is_none()) {
                    self.reader.wrong(at, "wrong_shape", "deny_patterns must be a list of strings");
                    return None;
                }
                self.reader.collection(at, "deny_patterns")?
            }
        };
        let mut patterns = Vec::with_capacity(sources.len());
        for source in &sources {
            match PYTHON.pattern(source, true, PatternUse::Deny) {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => {
                    let at = root.get("deny_patterns").unwrap_or(root);
                    let at = at.items().find(|it| it.as_str() == Some(source)).unwrap_or(at);
                    let message =
                        format!("pattern {} does not compile: {error}", PYTHON.quote(source));
                    self.reader.wrong(at, "bad_pattern", message);
                }
            }
        }
        if patterns.is_empty() {
            return None;
        }
        let searched = if self.strict { Searched::Leaves } else { Searched::Text };
        let (tools, patterns, counts) = (Tools::Every, PatternSet::new(patterns), Counts::Every);
        let body = ArgNeverMatches {
            tools,
            arg: None,
            paths: false,
            patterns,
            searched,
            counts,
            except: Vec::new(),
            shows_end: false,
        };
        Some(rule("deny_patterns", Report::Each, body))
    }

    fn max_calls(&mut self, root: Value<'_>) -> Option<Rule> {
        let value = self.reader.unchecked_number(root, "max_calls")?;
        let body = AtMost {
            tools: Tools::Every,
            max: double(value),
            max_text: PYTHON.text(value).into_owned(),
            per: Per::Session,
            exact: false,
            window_secs: None,
            leaves_out: LeavesOut::Nothing,
            closes: !self.strict,
            scope: Scope::Session,
            front_only: false,
        };
        Some(rule("max_calls", self.report(Report::Run), body))
    }

    fn max_arg_chars(&mut self, root: Value<'_>) -> Option<Rule> {
        let value = self.reader.unchecked_number(root, "max_arg_chars")?;
        let body = ArgSize {
            tools: Tools::Every,
            arg: None,
            max_chars: double(value),
            max_text: PYTHON.text(value).into_owned(),
        };
        Some(rule("max_arg_chars", Report::Each, body))
    }
}

/// A JSON integer, as opposed to a number with a fraction or an exponent.
fn is_whole(lexeme: &str) -> bool {
    lexeme.bytes().all(|it| it.is_ascii_digit() || it == b'-')
}

/// The double nearest to a number; true counts as 1, as in Python.
fn double(value: Value<'_>) -> f64 {
    match value.number_text() {
        Some("NaN") => f64::NAN,
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some(lexeme) => lexeme.parse().unwrap_or(f64::INFINITY),
        None => f64::from(u8::from(value.as_bool() == Some(true))),
    }
}
