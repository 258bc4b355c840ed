//! `scars`: an agent, a session or a subject that did too much wrong gets no more.

use lawbook_event::{Number, Severity};

use crate::params::{Definition, Field, Node, Params, Shape};
use crate::{
    Asked, Body, Key, Keyed, Kind, Manner, Mark, Moment, Objection, Past, Role, Said, Scope, Share,
    Tools, Watches,
};

/// Whoever bears marks of this weight gets no more.
#[derive(Debug)]
pub struct Scars {
    /// The tools that it covers: all of them.
    pub tools: Tools,
    /// The score from which on it is enough.
    pub limit: u32,
    /// What each severity weighs, the mildest first.
    pub weights: [u32; 4],
    /// Whose marks are added up.
    pub per: Share,
}

/// What each severity weighs where a policy does not say, the mildest first.
pub const WEIGHTS: [u32; 4] = [1, 3, 10, u32::MAX];

/// Scores, by key.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    scores: Keyed<u32>,
}

crate::coded!(Memory { scores });

impl Memory {
    fn score(&self, key: &Key) -> u32 {
        self.scores.get(key).copied().unwrap_or_default()
    }
}

impl Kind for Scars {
    type Memory = Memory;
    /// Whose score, and what is added to it.
    type Taken = (Key, u32);
    const NAME: &'static str = "scars";

    fn roles(&self, manner: Manner) -> Vec<Role<'_>> {
        vec![Role { tools: &self.tools, names: manner.names }]
    }

    fn watches(&self) -> Watches {
        Watches { scars: true, ..Watches::default() }
    }

    fn past(&self) -> Past {
        Past { session: true, times: false, life: self.per != Share::Session }
    }

    fn scope(&self) -> Scope {
        self.per.scope()
    }

    /// The engine ends an agent with the mark that is one too many. What an agent took over may be
    /// too many without one, and a rule that only observes ends nobody.
    fn judge(&self, memory: &Memory, asked: &Asked<'_>, said: &mut Said) {
        let Some(key) = self.per.asked_key(asked, said) else { return };
        let score = match memory.scores.get(&key) {
            Some(score) => *score,
            None if memory.scores.is_full() => {
                return said.gap("memory", "more subjects than the rule can remember");
            }
            None => 0,
        };
        if score > 0 && score >= self.limit {
            let whose = match self.per {
                Share::Agent => "of this agent",
                Share::Session => "of this session",
                Share::Subject(_) => "of whom it is called for",
            };
            let limit = self.limit;
            said.object(Objection::new(format!("the scar score {whose} is {score} >= {limit}")));
        }
    }

    fn score(&self, memory: &Memory) -> Option<u32> {
        (self.per == Share::Agent).then(|| memory.score(&Key::shared()))
    }

    fn ends_by(&self, memory: &Memory, mark: &Mark<'_>) -> Option<String> {
        if self.per != Share::Agent {
            return None;
        }
        let score = memory.score(&Key::shared()).saturating_add(self.weight(mark.severity));
        let limit = self.limit;
        (score >= limit).then(|| format!("scar limit reached ({score} >= {limit})"))
    }

    fn carry(&self, memory: &mut Memory, _remaining: Option<u64>, score: u32) {
        if self.per == Share::Agent
            && let Some(own) = memory.scores.place(Key::shared())
        {
            *own = score;
        }
    }

    fn takes(&self, _memory: &Memory, moment: &Moment<'_>) -> Option<(Key, u32)> {
        let Moment::Scarred(mark) = moment else { return None };
        let key = self.per.key(mark.session, mark.manner.values, mark.keys)?;
        Some((key, self.weight(mark.severity)))
    }

    fn fold(&self, memory: &mut Memory, (key, weight): (Key, u32)) {
        if let Some(score) = memory.scores.place(key) {
            *score = score.saturating_add(weight);
        }
    }
}

impl Scars {
    fn weight(&self, scar: Severity) -> u32 {
        let [minor, moderate, severe, fatal] = self.weights;
        match scar {
            Severity::Minor => minor,
            Severity::Moderate => moderate,
            Severity::Severe => severe,
            Severity::Fatal => fatal,
        }
    }
}

const WEIGHT: &[Field] = &[
    Field::optional("minor", Shape::Whole, "1 if left out."),
    Field::optional("moderate", Shape::Whole, "3 if left out."),
    Field::optional("severe", Shape::Whole, "10 if left out."),
];

const FIELDS: &[Field] = &[
    Field::required("limit", Shape::Whole, "The score from which on it is enough."),
    Field::optional(
        "per",
        Shape::OneOf(&["agent", "session", "subject"]),
        "Whose marks are added up; `agent` if left out.",
    ),
    Field::optional(
        "subject",
        Shape::SessionKey,
        "With `per: subject`: the place in the session that names whom the agent works for.",
    ),
    Field::optional(
        "weights",
        Shape::Map(WEIGHT),
        "What a mark adds to the score; one that is `fatal` reaches every limit.",
    ),
];

/// How a native policy writes it.
#[derive(Debug)]
pub struct Native;

impl Definition for Native {
    fn name(&self) -> &'static str {
        Scars::NAME
    }

    fn page(&self) -> &'static str {
        include_str!("scars.md")
    }

    fn fields(&self) -> &'static [Field] {
        FIELDS
    }

    fn build(&self, params: &mut Params<'_>) -> Option<Box<dyn Body>> {
        let per = super::share(params);
        let limit = number(params.node("limit"));
        match limit {
            Some(0) => {
                params.refuse("limit", "a limit of 0 would be reached by anything", "at least 1")
            }
            None if params.has("limit") => {
                params.refuse("limit", "a score goes up to 4294967295", "name a smaller limit");
            }
            Some(_) | None => {}
        }
        let mut weights = WEIGHTS;
        for (weight, field) in weights.iter_mut().zip(WEIGHT) {
            let Some(node) = params.node("weights").and_then(|it| it.get(field.name)) else {
                continue;
            };
            match number(Some(node)) {
                Some(stated) => *weight = stated,
                None => {
                    let span = node.span;
                    params.refuse_at(span, "a weight goes up to 4294967295", "name a smaller one");
                }
            }
        }
        Some(Box::new(Scars { tools: Tools::Every, limit: limit?, weights, per: per? }))
    }
}

fn number(node: Option<&Node>) -> Option<u32> {
    u32::try_from(Number::exact(node?.words()?)?.whole()?).ok()
}
