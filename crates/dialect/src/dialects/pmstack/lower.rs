//! From a pmstack policy to rules: those of the tool table first, then the written ones in the
//! order of the file, which is the order in which pmstack reports.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lawbook_diag::{Mode, Verdict};
use lawbook_event::json::Value;
use lawbook_event::{
    EXACT, JAVASCRIPT, Number, Path, PatternSet, PatternUse, Reading, Semantics, SuccessReading,
    javascript_pattern,
};
use lawbook_rule::kinds::{
    ApprovalAbove, ArgEquals, ArgIn, ArgNeverMatches, ArgRange, ArgRequired, AtMost, Confirm,
    ConfirmBy, Consent, Counts, LeavesOut, Lets, Never, OnlyListed, Per, Refusals, RequireBefore,
    Searched, Source,
};
use lawbook_rule::{
    Absent, Access, AccessTable, Argument, Body, Comparison, Condition, ConditionStep,
    EvidenceFrom, Literal, Manner, NameMatch, OnUnknown, Operand, Operator, Pick, Place, Policy,
    Profile, Report, Rule, Scope, SessionPath, ToolName, Tools,
};

use super::keys::Type;
use super::rule::{flags, waits_for};
use super::shape::pattern_flags;
use super::{CONSENT, DERIVED};

/// The place in a text that pmstack puts the word for the user into.
const USER_LABEL: &str = "{userLabel}";

/// The policy that a checked object stands for.
pub(super) fn policy(root: Value<'_>, profile: Profile, user_word: &str) -> Policy {
    let table = tools(root);
    let strict = profile != Profile::Compatible;
    let lowering = Lowering { root, strict, user_word, table: &table };
    let mut rules = lowering.derived();
    rules.extend(lowering.written());
    let name = root.get("name").and_then(Value::as_str).map(str::to_owned);
    Policy {
        name,
        dialect: "pmstack",
        profile,
        digest: String::new(),
        owner: None,
        not_covered: Vec::new(),
        reading: if strict { Reading::Full } else { Reading::Pmstack },
        manner: manner(strict),
        pick: Pick::All,
        rules,
        waivers: Vec::new(),
        tools: table,
    }
}

fn manner(strict: bool) -> Manner {
    if strict {
        return Manner {
            values: EXACT,
            success: SuccessReading::Declared,
            evidence: EvidenceFrom::Result,
            names: NameMatch::Skeleton,
        };
    }
    Manner {
        values: JAVASCRIPT,
        success: SuccessReading::State,
        evidence: EvidenceFrom::ResultElseCall,
        names: NameMatch::Exact,
    }
}

/// The tools that the policy lists, with the access that it states.
fn tools(root: Value<'_>) -> BTreeMap<String, Option<Access>> {
    let access = |tool: Value<'_>| match tool.get("access").and_then(Value::as_str) {
        Some("read") => Some(Access::Read),
        Some(_) => Some(Access::Write),
        None => None,
    };
    entries(root).into_iter().map(|(name, tool)| (name.to_owned(), access(tool))).collect()
}

/// The tools of the table, each once, the last of two.
fn entries<'d>(root: Value<'d>) -> Vec<(&'d str, Value<'d>)> {
    let Some(table) = root.get("tools") else { return Vec::new() };
    let mut seen = BTreeSet::new();
    let once = table.entries().filter(|it| seen.insert(it.0));
    once.filter_map(|(name, _)| Some((name, table.get(name)?))).collect()
}

struct Lowering<'d, 'p> {
    root: Value<'d>,
    strict: bool,
    user_word: &'p str,
    table: &'p BTreeMap<String, Option<Access>>,
}

impl<'d> Lowering<'d, '_> {
    fn values(&self) -> &'static dyn Semantics {
        if self.strict { EXACT } else { JAVASCRIPT }
    }

    /// The rules of the table: only-listed, confirm, max-per-trace.
    fn derived(&self) -> Vec<Rule> {
        let [listed, confirm, most] = DERIVED;
        let mut rules = Vec::new();
        if self.root.get("onlyListedTools").and_then(Value::as_bool) == Some(true) {
            let why = "only tools on the list may be called".to_owned();
            rules.push(rule(listed, Some(why), self.only_listed()));
        }
        // Tools with one reason share a rule: which tool it is makes no other difference.
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, tool) in entries(self.root) {
            if tool.get("confirm").and_then(Value::as_bool) != Some(true) {
                continue;
            }
            let why = self
                .why(tool)
                .unwrap_or_else(|| format!("the {} says yes before this is done", self.user_word));
            match groups.iter_mut().find(|it| it.0 == why) {
                Some(group) => group.1.push(name),
                None => groups.push((why, vec![name])),
            }
        }
        for (why, names) in groups {
            rules.push(rule(confirm, Some(why), self.confirm(Tools::literal(names))));
        }
        for (name, tool) in entries(self.root) {
            let Some(max) = tool.get("maxPerTrace") else { continue };
            let why = self.why(tool);
            let why = why.or_else(|| Some("a conversation needs this only so often".to_owned()));
            rules.push(rule(most, why, self.at_most(Tools::literal([name]), max)));
        }
        rules
    }

    fn written(&self) -> Vec<Rule> {
        let rules = self.root.get("rules").into_iter().flat_map(Value::items);
        rules.filter_map(|it| self.rule(it)).collect()
    }

    /// The reason that a rule or tool states.
    fn why(&self, at: Value<'_>) -> Option<String> {
        let why = at.get("why")?.as_str()?.replace(USER_LABEL, self.user_word);
        Some(JAVASCRIPT.trim(&why).to_owned()).filter(|it| !it.is_empty())
    }

    fn rule(&self, at: Value<'d>) -> Option<Rule> {
        let kind = Type::named(at.get("type")?.as_str()?)?;
        let tools = self.tools(at, kind);
        let text = |key: &str| at.get(key).and_then(Value::as_str);
        let body: Box<dyn Body> = match kind.name {
            "only-listed" => self.only_listed(),
            "deny-tools" => Box::new(Never { tools, access: None }),
            "deny-access" => {
                let reads = text("access") == Some("read");
                let access = if reads { Access::Read } else { Access::Write };
                Box::new(Never { tools, access: Some((access, AccessTable::new(self.table))) })
            }
            "confirm" => self.confirm(tools),
            "max-per-trace" => self.at_most(tools, at.get("max")?),
            "requires-before" => self.requires_before(tools, text("before")?),
            "approval-above" => self.approval_above(tools, at)?,
            "arg-max" => {
                let argument = self.argument(at)?;
                let max = self.bound(at.get("max")?)?;
                let min = self.floor(at, &max);
                Box::new(ArgRange { tools, argument, min, max: Some(max) })
            }
            "arg-min" => {
                let (argument, min) = (self.argument(at)?, Some(self.bound(at.get("min")?)?));
                Box::new(ArgRange { tools, argument, min, max: None })
            }
            "arg-in" => {
                let text = |it: Value<'_>| self.values().text(it).into_owned();
                let allowed = at.get("values")?.items().map(text).collect();
                let argument = self.argument(at)?;
                Box::new(ArgIn { tools, argument, allowed, by_text: true })
            }
            "arg-not-match" => self.never_matches(tools, at)?,
            "arg-required" => {
                Box::new(ArgRequired { tools, args: vec![Path::parse(text("argPath")?)] })
            }
            "arg-equals" => self.arg_equals(tools, at)?,
            _ => return None,
        };
        let mut rule = rule(text("id")?, self.why(at), body);
        rule.when = at.get("when").and_then(|it| self.when(it));
        Some(rule)
    }

    fn tools(&self, at: Value<'_>, kind: &Type) -> Tools {
        match at.get("tools") {
            None => Tools::Every,
            Some(list) if list.is_array() => {
                Tools::literal(list.items().filter_map(|it| it.as_str()))
            }
            Some(_) => match waits_for(at, kind).and_then(Value::as_str) {
                Some(tool) => Tools::EveryBut(vec![ToolName::literal(tool)]),
                None => Tools::Every,
            },
        }
    }

    fn argument(&self, at: Value<'_>) -> Option<Argument> {
        let named = at.get("tools").is_some_and(Value::is_array);
        let absent = match (self.strict, named) {
            (false, _) => Absent::Passes,
            (true, false) => Absent::PassesUnlessDressed,
            (true, true) => Absent::Objected,
        };
        let path = Path::parse(at.get("argPath")?.as_str()?);
        Some(Argument { absent, counts: true, ..Argument::optional(path) })
    }

    fn bound(&self, value: Value<'_>) -> Option<Number> {
        self.values().bound(value.number_text()?)
    }

    /// Zero, for a limit from above in the strict reading: a negative amount is no small one. A
    /// limit from below on the same argument, or a negative limit, says otherwise.
    fn floor(&self, at: Value<'_>, max: &Number) -> Option<Number> {
        let path = at.get("argPath")?.as_str();
        let below = |it: Value<'_>| {
            let is =
                |key: &str, wanted: Option<&str>| it.get(key).and_then(Value::as_str) == wanted;
            is("type", Some("arg-min")) && is("argPath", path)
        };
        let zero = EXACT.bound("0")?;
        let rules = self.root.get("rules")?;
        let says_otherwise = max.compare(&zero).is_lt() || rules.items().any(below);
        (self.strict && !says_otherwise).then_some(zero)
    }

    fn only_listed(&self) -> Box<dyn Body> {
        let allowed = self.table.keys().cloned().collect();
        Box::new(OnlyListed { allowed, ..OnlyListed::default() })
    }

    fn confirm(&self, tools: Tools) -> Box<dyn Body> {
        let user_word = self.user_word.to_owned();
        let by = if self.strict {
            let (consent, bind) = (self.consent(Refusals::Anywhere), Vec::new());
            ConfirmBy::User {
                consent,
                bind,
                user_word,
                sharing: self.confirmed(),
                same_values: true,
            }
        } else {
            ConfirmBy::LastWord { consent: self.consent(Refusals::Beside), user_word }
        };
        Box::new(Confirm { tools, by, spend: self.strict, asker: Tools::Named(Vec::new()) })
    }

    fn consent(&self, refusals: Refusals) -> Consent {
        let own = self.root.get("confirmationPatterns");
        let own = own.map(|it| it.items().filter_map(Value::as_str).collect::<Vec<_>>());
        let sources = own.unwrap_or_else(|| CONSENT.to_vec());
        let compiled = sources.iter().map(|it| JAVASCRIPT.pattern(it, true, PatternUse::Allow));
        Consent::new(compiled.filter_map(Result::ok).collect(), refusals)
    }

    /// The tools whose calls draw on one and the same yes.
    fn confirmed(&self) -> Tools {
        let is = |it: &Value<'_>| it.get("confirm").and_then(Value::as_bool) == Some(true);
        let table = entries(self.root).into_iter().filter(|it| is(&it.1)).map(|it| it.0);
        let rules = self.root.get("rules").into_iter().flat_map(Value::items);
        let written = rules.filter(|it| it.get("type").and_then(Value::as_str) == Some("confirm"));
        let tools: Vec<Value<'_>> = written.filter_map(|it| it.get("tools")).collect();
        if tools.iter().any(|it| !it.is_array()) {
            return Tools::Every;
        }
        let named = tools.into_iter().flat_map(Value::items).filter_map(Value::as_str);
        Tools::literal(table.chain(named))
    }

    fn at_most(&self, tools: Tools, max: Value<'_>) -> Box<dyn Body> {
        let max: f64 = max.raw().parse().unwrap_or_default();
        Box::new(AtMost {
            tools,
            max,
            max_text: Number::javascript(max).display(),
            per: Per::Tool,
            exact: false,
            window_secs: None,
            leaves_out: LeavesOut::Failed,
            closes: false,
            scope: Scope::Session,
            front_only: false,
        })
    }

    fn requires_before(&self, tools: Tools, before: &str) -> Box<dyn Body> {
        Box::new(RequireBefore {
            tools,
            first: Tools::literal([before]),
            success: true,
            result_contains: None,
            result: Vec::new(),
            same_arg: None,
            latest: false,
            voided_by: Tools::Named(Vec::new()),
            same_subject: self.strict,
            explain: true,
        })
    }

    fn approval_above(&self, tools: Tools, at: Value<'_>) -> Option<Box<dyn Body>> {
        let max = self.bound(at.get("max")?)?;
        let lets = match self.strict {
            true => Lets::Bound { bind: Vec::new(), spend: true, same_subject: true },
            false => Lets::Everything,
        };
        Some(Box::new(ApprovalAbove {
            tools,
            argument: self.argument(at)?,
            min: self.floor(at, &max),
            max,
            by: Tools::literal([at.get("approvalTool")?.as_str()?]),
            lets,
        }))
    }

    fn never_matches(&self, tools: Tools, at: Value<'_>) -> Option<Box<dyn Body>> {
        let source = at.get("pattern")?.as_str()?;
        let flags = pattern_flags(&flags(at));
        let pattern = javascript_pattern(source, flags, PatternUse::Deny).ok()?;
        let luhn = at.get("luhn").and_then(Value::as_bool) == Some(true);
        let counts = match (luhn, self.strict) {
            (false, _) => Counts::Every,
            (true, false) => Counts::Luhn,
            (true, true) => Counts::Cards,
        };
        Some(Box::new(ArgNeverMatches {
            tools,
            arg: at.get("argPath").and_then(Value::as_str).map(Path::parse),
            paths: false,
            patterns: PatternSet::new(vec![pattern]),
            searched: if self.strict { Searched::Leaves } else { Searched::Shown },
            counts,
            except: Vec::new(),
            shows_end: true,
        }))
    }

    fn arg_equals(&self, tools: Tools, at: Value<'_>) -> Option<Box<dyn Body>> {
        let source = at.get("source")?;
        let text = |key: &str| {
            let text = source.get(key).and_then(Value::as_str);
            text.filter(|it| !JAVASCRIPT.trim(it).is_empty())
        };
        let argument = self.argument(at)?;
        let source = match text("detail") {
            Some(detail) => Source::Session {
                path: SessionPath::Recording(Path::parse(detail)),
                label: detail.to_owned(),
                objects: false,
            },
            None => Source::Result {
                tool: Tools::literal([text("tool")?]),
                path: Path::parse(text("path")?),
                same_arg: None,
            },
        };
        Some(Box::new(ArgEquals { tools, argument, source }))
    }

    fn when(&self, at: Value<'_>) -> Option<Condition> {
        let (path, equals) = (at.get("path")?.as_str()?, at.get("equals")?);
        let empty = equals.is_null() || equals.as_str() == Some("");
        // A missing detail has the empty text. Only a rule that asks for that is sure of it.
        let operator = match self.strict && !empty {
            true => Operator::SameText,
            false => Operator::SameTextIfAny,
        };
        let comparison = Comparison {
            left: Place::Session(SessionPath::Recording(Path::parse(path))),
            operator,
            right: Operand::Literal(Literal::parse(equals.raw()).ok()?),
        };
        let text = format!("{path} = {}", equals.raw());
        Some(Condition { steps: vec![ConditionStep::Compare(comparison)], text })
    }
}

fn rule(id: &str, why: Option<String>, body: Box<dyn Body>) -> Rule {
    Rule {
        id: Arc::from(id),
        why: why.map(Arc::from),
        tell: None,
        when: None,
        verdict: Verdict::Deny,
        mode: Mode::Enforce,
        on_unknown: OnUnknown::OwnVerdict,
        report: Report::Each,
        scar: None,
        body,
    }
}
