//! `confirm`: a call needs somebody's yes first, as a call of another tool or as the user's words.

mod consent;
mod last_word;
mod taken;
mod words;

use std::collections::{BTreeMap, VecDeque};

use lawbook_event::{EXACT, Path, PatternUse, Speaker, State};

use self::last_word::{LastWord, Missing, asks, is_blank};
pub use self::taken::Taken;
use self::taken::{Call, Grants, What};
use self::words::{Standing, Words, amounts, names_others};
use super::TOOLS;
use crate::argument::shared_key;
use crate::lost::Lost;
use crate::params::{Definition, Field, Params, Shape};
use crate::{
    Asked, Body, EvidenceFrom, Found, Key, Keyed, Kind, Manner, Moment, NameMatch, Newest,
    Objection, Role, Roles, Said, Spoken, Stamp, ToolName, Tools, Watches,
};

pub use self::consent::{Consent, DOUBT, Refusals};

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
        consent: Consent,
        /// The arguments whose values the proposal must have named.
        bind: Vec<Path>,
        /// What the user is called in messages.
        user_word: String,
        /// Other tools whose calls draw on the same yes.
        sharing: Tools,
        /// Whether numbers and identifiers of the call must be those of the proposal, where it
        /// names any.
        same_values: bool,
    },
    /// The user's newest message, to whatever it was (pmstack).
    LastWord {
        /// What counts as a yes.
        consent: Consent,
        /// What the user is called in messages.
        user_word: String,
    },
}

/// The confirmations that stand.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    slots: Keyed<Slot>,
    waiting: BTreeMap<u32, Key>,
    /// The newest call whose key is not recorded: it may have spent any yes.
    unplaced: u32,
    /// How many such calls there were.
    unread: u64,
    words: Words,
    last: LastWord,
}

#[derive(Clone, Debug, Default)]
struct Slot {
    granted: Newest<()>,
    unspent: VecDeque<Call>,
    lost: Lost,
    open: BTreeMap<u32, u64>,
}

crate::coded!(Memory { slots, waiting, unplaced, unread, words, last });
crate::coded!(Slot { granted, unspent, lost, open });

const ASKER: usize = 1;

/// The role of the tools that share a yes, where words are asked for.
const SHARING: usize = 1;

/// Every tool, since any call makes narration of the words beside it.
const EVERY: Tools = Tools::Every;

impl Kind for Confirm {
    type Memory = Memory;
    type Taken = Taken;
    const NAME: &'static str = "confirm";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        let own = Role { tools: &self.tools, names: manner.names };
        match &self.by {
            ConfirmBy::Tool { .. } => {
                vec![own, Role { tools: &self.asker, names: NameMatch::Exact }]
            }
            ConfirmBy::User { sharing, .. } => vec![
                own,
                Role { tools: sharing, names: manner.names },
                Role { tools: &EVERY, names: NameMatch::Exact },
            ],
            ConfirmBy::LastWord { .. } => {
                vec![own, Role { tools: &EVERY, names: NameMatch::Exact }]
            }
        }
    }

    fn watches(&self) -> Watches {
        let words = !matches!(self.by, ConfirmBy::Tool { .. });
        Watches { answers: !words, words, ..Watches::default() }
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
                    let spent = |it: &&Slot| self.spend && !it.leaves(memory.unread, asked);
                    if slot.filter(spent).is_some() {
                        let (tool, step) = (&*asked.call.tool, memory.unplaced);
                        let message = format!("step {step} may have spent the yes to `{tool}`");
                        said.gap(format!("key of step {step}"), message);
                    }
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
                            asked.manner.values.quote(&asked.args.plain(&key))
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
            ConfirmBy::LastWord { user_word, .. } => {
                let Some(missing) = memory.last.missing(asked.message) else { return };
                said.object(unheard(missing, user_word, &self.tools, asked));
            }
        }
    }

    fn reply(&self, _asked: &Asked<'_>, objection: &Objection) -> Option<String> {
        Some(objection.message.clone())
    }

    fn takes(&self, memory: &Memory, moment: &Moment<'_>) -> Option<Taken> {
        let what = match *moment {
            Moment::Happened { asked, roles } => self.takes_call(asked, roles),
            Moment::Answered { step, out, manner } => {
                memory.waiting.contains_key(&step).then(|| {
                    let ok = out.state(manner.success) == State::Ok;
                    What::Answered { step, ok }
                })
            }
            Moment::Said(spoken) => self.takes_words(memory, spoken),
            Moment::Refused { .. } | Moment::Scarred(_) => None,
        };
        what.map(Taken)
    }

    fn fold(&self, memory: &mut Memory, taken: Taken) {
        match taken.0 {
            What::Asked { key, call, spends, grants } => memory.asked(key, call, spends, grants),
            What::Answered { step, ok } => memory.answered(step, ok),
            What::Called { message, spends } => {
                if let ConfirmBy::LastWord { .. } = self.by {
                    return memory.last.called(message);
                }
                memory.words.called(message);
                if spends {
                    memory.words.spend(message);
                }
            }
            What::Proposed { message, words } => memory.words.agent(words, message),
            What::Replied { message, yes } => memory.words.user(yes, message),
            What::Spoke { message, asks } => memory.last.agent(asks, message),
            What::Heard { yes } => memory.last.user(yes),
            What::Unplaced { step } => {
                memory.unplaced = step;
                memory.unread = memory.unread.saturating_add(1);
            }
            What::Unheard { message, user: false } => memory.words.unheard_agent(message),
            What::Unheard { message, user: true } => memory.words.unheard_user(message),
        }
    }
}

impl Memory {
    fn asked(&mut self, key: Key, call: Call, spends: bool, grants: Grants) {
        let Call { step, message } = call;
        if spends && let Some(slot) = self.slots.get_mut(&key) {
            slot.lost.settle(self.unread, slot.unspent.len());
            let place = slot.unspent.iter().position(|it| it.message != message);
            if let Some(place) = place {
                slot.unspent.remove(place);
            }
        }
        match grants {
            Grants::Nothing => {}
            Grants::Now => {
                if let Some(slot) = self.slots.place(key) {
                    slot.grant(call, self.unread);
                }
            }
            Grants::Later => {
                if let Some(slot) = self.slots.place(key.clone()) {
                    slot.open.insert(step, message);
                    self.waiting.insert(step, key);
                }
            }
        }
    }

    fn answered(&mut self, step: u32, ok: bool) {
        let Some(key) = self.waiting.remove(&step) else { return };
        let Some(slot) = self.slots.get_mut(&key) else { return };
        let Some(message) = slot.open.remove(&step) else { return };
        if ok {
            slot.grant(Call { step, message }, self.unread);
        }
    }
}

/// What a call without the user's yes is told.
fn unheard(missing: Missing, user_word: &str, tools: &Tools, asked: &Asked<'_>) -> Objection {
    let tool = tools.called(asked);
    Objection::new(match missing {
        Missing::User => format!("{tool} before the {user_word} said anything"),
        Missing::Answer => format!("{tool} before the {user_word} answered the agent's message"),
        Missing::Yes => format!("{tool} without a yes in the {user_word}'s newest message"),
    })
}

impl Slot {
    /// Whether a yes is left for sure, where calls whose key is not recorded may have spent some.
    fn leaves(&self, unread: u64, asked: &Asked<'_>) -> bool {
        let serving = self.unspent.iter().filter(|it| it.message != asked.message).count();
        self.lost.leaves(unread, self.unspent.len(), serving)
    }

    fn grant(&mut self, call: Call, unread: u64) {
        let Call { step, message } = call;
        self.lost.settle(unread, self.unspent.len());
        self.granted.push(Stamp { step, message, what: () });
        if self.unspent.len() >= UNSPENT_MAX {
            self.unspent.pop_front();
        }
        self.unspent.push_back(call);
    }
}

/// An unanswered confirmation of an earlier message.
fn open_before(slot: &Slot, asked: &Asked<'_>) -> Option<u32> {
    slot.open.iter().find(|(_, message)| **message != asked.message).map(|(step, _)| *step)
}

impl Confirm {
    fn takes_call(&self, asked: &Asked<'_>, roles: Roles) -> Option<What> {
        let (step, message) = (asked.call.step, asked.message);
        let ConfirmBy::Tool { tool, same_arg, .. } = &self.by else {
            let spends = self.spend && (roles.has(0) || roles.has(SHARING));
            return Some(What::Called { message, spends });
        };
        let spends = self.spend && roles.has(0);
        let foreseen =
            asked.manner.evidence == EvidenceFrom::Call && asked.call.hindsight.is_some();
        let ok = || asked.outcome.is_none_or(|it| it.state(asked.manner.success) == State::Ok);
        let grants = match roles.has(ASKER) {
            false => Grants::Nothing,
            true if !foreseen => Grants::Later,
            true => {
                if ok() {
                    Grants::Now
                } else {
                    Grants::Nothing
                }
            }
        };
        if !spends && !roles.has(ASKER) {
            return None;
        }
        let mut said = Said::default();
        let Some(key) = self.key_of(tool, same_arg.as_ref(), asked, &mut said) else {
            return (spends && !said.gaps.is_empty()).then_some(What::Unplaced { step });
        };
        Some(What::Asked { key, call: Call { step, message }, spends, grants })
    }

    fn takes_words(&self, memory: &Memory, spoken: &Spoken<'_>) -> Option<What> {
        let (text, message) = (spoken.text, spoken.message);
        match (&self.by, spoken.who) {
            (ConfirmBy::Tool { .. }, _) => None,
            (ConfirmBy::User { .. }, Speaker::Agent) if memory.words.narrates(message) => None,
            (ConfirmBy::User { .. }, who) if spoken.cut => {
                Some(What::Unheard { message, user: who == Speaker::User })
            }
            (ConfirmBy::User { .. }, Speaker::Agent) => {
                Some(What::Proposed { message, words: spoken.wording() })
            }
            (ConfirmBy::User { consent, .. }, Speaker::User) => {
                let yes = consent.is_yes(text).then(|| amounts(text, spoken.keys()));
                Some(What::Replied { message, yes })
            }
            (ConfirmBy::LastWord { .. }, _) if is_blank(text) => None,
            (ConfirmBy::LastWord { .. }, Speaker::Agent) => {
                Some(What::Spoke { message, asks: asks(text) })
            }
            (ConfirmBy::LastWord { consent, .. }, Speaker::User) => {
                Some(What::Heard { yes: consent.is_yes(text) })
            }
        }
    }

    fn granted(&self, slot: &Slot, asked: &Asked<'_>) -> bool {
        match asked.manner.evidence {
            // An open confirmation is read as one with an empty result, which is a success.
            EvidenceFrom::Call => slot.granted.of_all().is_some() || !slot.open.is_empty(),
            EvidenceFrom::Result | EvidenceFrom::ResultElseCall if self.spend => {
                slot.unspent.iter().any(|it| it.message != asked.message)
            }
            EvidenceFrom::Result | EvidenceFrom::ResultElseCall => {
                slot.granted.outside(asked.message).is_some()
            }
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

    fn wants_same_values(&self) -> bool {
        matches!(self.by, ConfirmBy::User { same_values: true, .. })
    }

    /// The yes must follow the newest proposal; words in a call's own message are no proposal.
    fn judge_words(
        &self,
        words: &Words,
        bind: &[Path],
        user_word: &str,
        asked: &Asked<'_>,
        said: &mut Said,
    ) {
        let tool = &*asked.call.tool;
        if asked.session.is_wordless() {
            let message = format!("`{tool}` needs a yes, and the recording holds no words");
            return said.gap(format!("words of the {user_word}"), message);
        }
        let unmet = |what: &str| {
            let (call_on, called) = (user_word.to_uppercase(), self.tools.called(asked));
            Objection::new(format!("{called} {what}; ask the {call_on}"))
        };
        let text = match words.standing(asked, self.spend) {
            Standing::Confirmed(text) => text,
            Standing::NeverProposed => return said.object(unmet("was never proposed")),
            Standing::Spent => return said.object(unmet("was not proposed again")),
            Standing::Unanswered => {
                return said.object(unmet(&format!("without a yes of the {user_word}")));
            }
            Standing::Untold => {
                let message = format!("`{tool}` rests on words that are not all recorded");
                return said.gap(format!("words before `{tool}`"), message);
            }
        };
        if self.wants_same_values() && names_others(text, asked) {
            said.object(unmet("with other values than were proposed"));
        }
        for path in bind {
            let key = match asked.args.find(asked.manner.values, path) {
                Found::Value(value) => asked.manner.values.key(value),
                Found::Unrecorded => return crate::argument::unrecorded(asked, path, said),
                Found::Absent | Found::Unreadable(_) => None,
            };
            let keys = asked.args.keys();
            let named = key.as_ref().is_some_and(|it| text.hold(it, keys));
            if !named {
                let what = format!("with another {} than was proposed", path.text());
                said.object(unmet(&what).path(path));
            }
        }
    }
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
    let (asker, same_arg) = (params.named_tools("by"), params.single_path("same_arg"));
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
    let consent = Consent::new(consent, Refusals::OutsideMatch);
    let bind = params.single_paths("bind");
    let (user_word, sharing) =
        (params.defaults().user_word.clone(), params.defaults().confirmed.clone());
    let sharing = Tools::Named(sharing.into_iter().map(ToolName::literal).collect());
    let same_values = false;
    let by = ConfirmBy::User { consent, bind, user_word, sharing, same_values };
    Some((by, Tools::Named(Vec::new())))
}
