//! `confirm`: a call needs somebody's yes first, as a call of another tool or as the user's words.

use std::collections::{BTreeMap, VecDeque};

use lawbook_event::{EXACT, Path, Pattern, PatternUse, State, Text};

use super::TOOLS;
use crate::argument::shared_key;
use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Asked, Body, EvidenceFrom, Found, Key, Keyed, Kind, Manner, NameMatch, Newest, Objection,
    Outcome, Role, Roles, Said, Speaker, Stamp, Tools, Watches,
};

/// How many unspent confirmations are kept by key; the oldest give way.
pub const UNSPENT_MAX: usize = 1_000;

/// A call needs somebody's yes first.
#[derive(Debug)]
pub struct Confirm {
    /// The tools that need it.
    pub tools: Tools,
    /// Whose yes.
    pub by: ConfirmBy,
    /// Whether one yes serves one call only.
    pub spend: bool,
    /// The tool that asks, as roles see it; nothing where the user's words are asked for.
    pub asker: Tools,
}

/// Whose yes a call needs.
#[derive(Debug)]
pub enum ConfirmBy {
    /// An earlier successful call of a tool.
    Tool {
        /// The tool's name.
        tool: String,
        /// The argument that both calls must share.
        same_arg: Option<Path>,
        /// What messages add on how else to confirm.
        otherwise: &'static str,
    },
    /// The user's own words, after the agent said what it would do.
    User {
        /// What counts as a yes.
        consent: Vec<Pattern>,
        /// The arguments whose values the proposal must have named.
        bind: Vec<Path>,
        /// What the user is called in messages.
        user_word: String,
    },
}

/// The confirmations that stand.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    slots: Keyed<Slot>,
    waiting: BTreeMap<u32, Key>,
    words: Words,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    granted: Newest<()>,
    unspent: VecDeque<Grant>,
    open: BTreeMap<u32, u64>,
}

#[derive(Clone, Copy, Debug)]
struct Grant {
    step: u32,
    message: u64,
}

/// What was said last.
#[derive(Clone, Debug, Default)]
struct Words {
    proposal: Option<(u64, Box<str>)>,
    earlier_proposal: Option<(u64, Box<str>)>,
    yes: Option<u64>,
    spent: bool,
}

const ASKER: usize = 1;

impl Kind for Confirm {
    type Memory = Memory;
    const NAME: &'static str = "confirm";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![
            Role { tools: &self.tools, names: manner.names },
            Role { tools: &self.asker, names: NameMatch::Exact },
        ]
    }

    fn watches(&self) -> Watches {
        let words = matches!(self.by, ConfirmBy::User { .. });
        Watches { answers: !words, words, end: false }
    }

    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        if asked.call.confirmed && asked.manner.evidence == EvidenceFrom::Call {
            return;
        }
        match &self.by {
            ConfirmBy::Tool { tool, same_arg, otherwise } => {
                let Some(key) = self.key_of(tool, same_arg.as_ref(), asked, said) else { return };
                let slot = memory.slots.get(&key);
                if slot.is_none() && memory.slots.is_full() {
                    return said.gap("memory", "more keys than the rule can remember");
                }
                if slot.is_some_and(|it| self.granted(it, asked)) {
                    return;
                }
                if let Some(step) = slot.and_then(|it| open_before(it, asked)) {
                    return said.gap(
                        format!("result of step {step}"),
                        format!(
                            "`{}` rests on step {step}, whose result is not known",
                            asked.call.tool
                        ),
                    );
                }
                let scope = match same_arg {
                    Some(path) => {
                        format!(
                            " for the same {} {}",
                            path.text(),
                            asked.manner.values.quote(key.as_str())
                        )
                    }
                    None => String::new(),
                };
                let called = &*asked.call.tool;
                said.object(Objection::new(format!(
                    "{called} without an earlier successful {tool}{scope}{otherwise}"
                )));
            }
            ConfirmBy::User { bind, user_word, .. } => {
                self.judge_words(&memory.words, bind, user_word, asked, said);
            }
        }
    }

    fn happened(&self, memory: &mut Memory, asked: &Asked<'_>, roles: Roles) {
        let ConfirmBy::Tool { tool, same_arg, .. } = &self.by else {
            if roles.has(0) && self.spend {
                memory.words.spent = true;
            }
            return;
        };
        let quiet = &mut Said::default();
        let Some(key) = self.key_of(tool, same_arg.as_ref(), asked, quiet) else { return };
        if roles.has(0)
            && self.spend
            && let Some(slot) = memory.slots.get_mut(&key)
        {
            let place = slot.unspent.iter().position(|it| it.message != asked.message);
            if let Some(place) = place {
                slot.unspent.remove(place);
            }
        }
        if !roles.has(ASKER) {
            return;
        }
        let Some(slot) = memory.slots.place(&key) else { return };
        let grant = Grant { step: asked.call.step, message: asked.message };
        if asked.manner.evidence == EvidenceFrom::Call && asked.call.hindsight.is_some() {
            if asked.outcome.is_none_or(|it| it.state(asked.manner.success) == State::Ok) {
                slot.grant(grant);
            }
        } else {
            slot.open.insert(grant.step, grant.message);
            memory.waiting.insert(grant.step, key);
        }
    }

    fn answered(&self, memory: &mut Memory, step: u32, out: &Outcome<'_>, manner: Manner) {
        let Some(key) = memory.waiting.remove(&step) else { return };
        let Some(slot) = memory.slots.get_mut(&key) else { return };
        let Some(message) = slot.open.remove(&step) else { return };
        if out.state(manner.success) == State::Ok {
            slot.grant(Grant { step, message });
        }
    }

    fn said(&self, memory: &mut Memory, who: Speaker, text: &Text<'_>, message: u64) {
        let ConfirmBy::User { consent, .. } = &self.by else { return };
        let words = &mut memory.words;
        match who {
            Speaker::Agent => {
                words.earlier_proposal = words.proposal.take();
                words.proposal = Some((message, text.text.as_ref().into()));
            }
            Speaker::User => {
                let yes = consent.iter().any(|it| it.is_match(&text.text));
                words.yes = yes.then_some(message);
                words.spent = false;
            }
        }
    }
}

impl Slot {
    fn grant(&mut self, grant: Grant) {
        let Grant { step, message } = grant;
        self.granted.push(Stamp { step, message, what: () });
        if self.unspent.len() >= UNSPENT_MAX {
            self.unspent.pop_front();
        }
        self.unspent.push_back(grant);
    }
}

/// An unanswered confirmation of an earlier message.
fn open_before(slot: &Slot, asked: &Asked<'_>) -> Option<u32> {
    slot.open.iter().find(|(_, message)| **message != asked.message).map(|(step, _)| *step)
}

impl Confirm {
    fn granted(&self, slot: &Slot, asked: &Asked<'_>) -> bool {
        match asked.manner.evidence {
            // An open confirmation is read as one with an empty result, which is a success.
            EvidenceFrom::Call => slot.granted.of_all().is_some() || !slot.open.is_empty(),
            EvidenceFrom::Result if self.spend => {
                slot.unspent.iter().any(|it| it.message != asked.message)
            }
            EvidenceFrom::Result => slot.granted.outside(asked.message).is_some(),
        }
    }

    fn key_of(
        &self,
        tool: &str,
        same_arg: Option<&Path>,
        asked: &Asked<'_>,
        said: &mut Said,
    ) -> Option<Key> {
        let key = asked.args.key(asked.manner.values, same_arg);
        shared_key(asked, same_arg, key, said, |path| {
            let (called, arg) = (&*asked.call.tool, path.text());
            format!("{called} has no readable {arg}, cannot match it to a {tool}")
        })
    }

    /// The yes must follow the newest proposal; words in the call's own message are no proposal.
    fn judge_words(
        &self,
        words: &Words,
        bind: &[Path],
        user_word: &str,
        asked: &Asked<'_>,
        said: &mut Said,
    ) {
        let newest = words.proposal.as_ref().filter(|it| it.0 != asked.message);
        let proposal = newest.or(words.earlier_proposal.as_ref());
        let tool = &*asked.call.tool;
        let unmet = |what: String| {
            let call_on = user_word.to_uppercase();
            Objection::new(format!("{tool} {what}; ask the {call_on}"))
        };
        let yes = words.yes.filter(|_| !(words.spent && self.spend));
        let Some((proposed, text)) = proposal else {
            return said.object(unmet("was never proposed".to_owned()));
        };
        if yes.is_none_or(|it| it <= *proposed) {
            return said.object(unmet(format!("without a yes of the {user_word}")));
        }
        for path in bind {
            let key = match asked.args.find(asked.manner.values, path) {
                Found::Value(value) => asked.manner.values.key(value),
                Found::Unrecorded => return crate::argument::unrecorded(asked, path, said),
                Found::Absent | Found::Unreadable(_) => None,
            };
            let named = key.as_ref().is_some_and(|it| holds_token(text, it));
            if !named {
                let what = format!("with another {} than was proposed", path.text());
                said.object(unmet(what).path(path));
            }
        }
    }
}

/// Whether a text holds a value as a run of whole tokens.
fn holds_token(text: &str, value: &str) -> bool {
    let edge = |it: Option<char>| it.is_none_or(|it| !it.is_alphanumeric());
    !value.is_empty()
        && text.match_indices(value).any(|(at, found)| {
            let before = text.get(..at).and_then(|it| it.chars().next_back());
            let end = at.saturating_add(found.len());
            let mut after = text.get(end..).unwrap_or_default().chars();
            let next = after.next();
            // `80` is not named by `80.50`, nor by `1,80`.
            let number_goes_on = matches!(next, Some('.' | ','))
                && after.next().is_some_and(|it| it.is_ascii_digit());
            edge(before) && edge(next) && !number_goes_on
        })
}

const FIELDS: &[Field] = &[
    TOOLS,
    Field::optional(
        "consent",
        Shape::Patterns,
        "What counts as a yes of the user; what the policy says under `consent` if left out.",
    ),
    Field::optional(
        "bind",
        Shape::Paths,
        "Arguments whose values the agent must have named when it proposed the call.",
    ),
    Field::optional(
        "by",
        Shape::Tool,
        "Instead of the user: a tool whose earlier successful call is the yes.",
    ),
    Field::optional("same_arg", Shape::Path, "With `by`: the argument that both calls must share."),
    Field::optional(
        "spend",
        Shape::Bool,
        "Whether one yes serves one call only; `true` if left out.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Confirm::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("confirm.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let tools = params.tools("tools");
        let spend = params.flag("spend").unwrap_or(true);
        let (by, asker) = if params.has("by") { by_tool(params)? } else { by_user(params)? };
        Some(Box::new(Confirm { tools, by, spend, asker }))
    }
}

fn by_tool(params: &mut Params<'_>) -> Option<(ConfirmBy, Tools)> {
    for name in ["consent", "bind"] {
        if params.has(name) {
            let message = format!("`{name}` is about the user's words, not about a tool");
            params.refuse(name, message, "take it away, or take `by` away");
        }
    }
    let tool = params.text("by")?.to_owned();
    let (asker, same_arg) = (params.named_tools("by"), params.path("same_arg"));
    Some((ConfirmBy::Tool { tool, same_arg, otherwise: "" }, asker))
}

fn by_user(params: &mut Params<'_>) -> Option<(ConfirmBy, Tools)> {
    if params.has("same_arg") {
        let help = "name the arguments that the agent must propose under `bind`";
        params.refuse("same_arg", "`same_arg` needs `by`", help);
    }
    let mut consent = params.patterns("consent", true, PatternUse::Allow);
    if !params.has("consent") {
        let yes = params.defaults().consent.iter();
        consent = yes.filter_map(|it| EXACT.pattern(it, true, PatternUse::Allow).ok()).collect();
    }
    let (bind, user_word) = (params.paths("bind"), params.defaults().user_word.clone());
    Some((ConfirmBy::User { consent, bind, user_word }, Tools::Named(Vec::new())))
}
