//! A finished run as checks see it, taken from its events.

use std::collections::BTreeMap;

use lawbook_event::json::{Document, Grammar, Limits};
use lawbook_event::{
    Answer, ArgsState, End, Event, Hindsight, Ran, Speaker, Start, TurnEnd, Usage, What, python,
};
use sha2::{Digest, Sha256};

use crate::words::is_blank;

/// A finished run.
#[derive(Clone, Debug)]
pub struct Run<'e> {
    /// What it was asked; empty when the recording does not say.
    pub prompt: &'e str,
    /// What it answered in the end; empty when there was no answer.
    pub answer: &'e str,
    /// How it says that it ended; empty when it does not say.
    pub termination: &'e str,
    /// The calls that ran, in order.
    pub steps: Vec<Step<'e>>,
    /// How each span or turn ended.
    pub turns: &'e [TurnEnd<'e>],
    /// What it used.
    pub usage: Usage,
    /// The recording has no place for what user and agent say.
    pub wordless: bool,
    /// Of the prompt, or of the answer, not all is recorded.
    prompt_cut: bool,
    answer_cut: bool,
    /// The recorder left out some of the run.
    dropped: bool,
    /// The recording reaches the end of the run.
    ended: bool,
    attributes: &'e str,
    metadata: &'e str,
}

/// A call that ran.
#[derive(Clone, Debug)]
pub struct Step<'e> {
    /// Its number in the run, from 1.
    pub number: u32,
    /// The tool.
    pub tool: &'e str,
    /// The text of the arguments.
    pub args: &'e str,
    /// How much of the arguments was recorded.
    pub args_state: ArgsState,
    /// What came back, if the recording shows it.
    pub answer: Option<&'e Answer<'e>>,
}

impl<'e> Run<'e> {
    /// The run of these events.
    #[must_use]
    pub fn of(events: &'e [Event<'e>]) -> Self {
        let mut run = Run {
            prompt: "",
            answer: "",
            termination: "",
            steps: Vec::new(),
            turns: &[],
            usage: Usage::default(),
            wordless: false,
            prompt_cut: false,
            answer_cut: false,
            dropped: false,
            ended: false,
            attributes: "",
            metadata: "",
        };
        let mut open: BTreeMap<u32, usize> = BTreeMap::new();
        for event in events {
            match &event.what {
                What::Start(start) => run.start(start),
                What::User(text) if run.prompt.is_empty() && !run.prompt_cut => {
                    run.prompt = &text.text;
                }
                What::Unheard { who: Speaker::User, left } if run.prompt.is_empty() => {
                    run.prompt = &left.text;
                    run.prompt_cut = true;
                }
                What::Call(call) if call.ran == Ran::Yes => {
                    let answer = match &call.hindsight {
                        Some(Hindsight::Answered(answer)) => Some(answer),
                        Some(Hindsight::Unanswered) | None => None,
                    };
                    open.insert(call.step, run.steps.len());
                    run.steps.push(Step {
                        number: call.step,
                        tool: &call.tool,
                        args: &call.args.text,
                        args_state: call.args.state,
                        answer,
                    });
                }
                What::Answer { step, answer } => {
                    let step = open.get(step).and_then(|at| run.steps.get_mut(*at));
                    if let Some(step) = step {
                        step.answer.get_or_insert(answer);
                    }
                }
                What::End(end) => run.end(end),
                _ => {}
            }
        }
        run
    }

    fn start(&mut self, start: &'e Start<'e>) {
        self.attributes = &start.attributes;
        self.metadata = &start.metadata;
        self.wordless = start.wordless;
        self.dropped = start.dropped;
    }

    fn end(&mut self, end: &'e End<'e>) {
        self.ended = true;
        self.answer = &end.answer;
        self.answer_cut = end.answer_cut;
        self.termination = &end.termination;
        self.turns = &end.turns;
        self.usage = end.usage;
    }

    /// The scenario that it ran: what the recording names, else a digest of the prompt.
    #[must_use]
    pub fn scenario(&self) -> String {
        let named = self
            .attribute("faultgate.scenario")
            .or_else(|| self.named_in(self.metadata, "scenario"))
            .or_else(|| self.attribute("gen_ai.agent.id"));
        named.unwrap_or_else(|| {
            let digest = Sha256::digest(self.prompt.as_bytes());
            let hex: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
            format!("p-{hex}")
        })
    }

    /// Whether the scenario is the one that it ran: what names it may be cut or left out.
    pub(crate) fn is_sure_of_scenario(&self) -> bool {
        let named = self.named_in(self.metadata, "scenario").is_some()
            || self.attribute("gen_ai.agent.id").is_some();
        self.attribute("faultgate.scenario").is_some()
            || (!self.dropped && (named || !self.prompt_cut))
    }

    /// Why what the recording does not show may have been there, if it may.
    pub(crate) fn gap(&self) -> Option<&'static str> {
        match (self.ended, self.dropped) {
            (false, _) => Some("the recording breaks off before the end of the run"),
            (true, true) => Some("the recorder dropped some of what it was told"),
            (true, false) => None,
        }
    }

    /// Why the answer may have been another one, if it may.
    pub(crate) fn answer_gap(&self) -> Option<&'static str> {
        match self.ended {
            false => self.gap(),
            true if self.answer_cut => Some("not all of the answer was recorded"),
            true if self.wordless && is_blank(self.answer) => {
                Some("the recording has no place for an answer")
            }
            true => None,
        }
    }

    /// How many results were not recorded, if any.
    pub(crate) fn unseen(&self) -> Option<String> {
        let unseen = self.steps.iter().filter(|step| !step.is_recorded()).count();
        let steps = self.steps.len();
        (unseen > 0).then(|| format!("{unseen} of {steps} results were not recorded"))
    }

    /// The agent's name.
    #[must_use]
    pub fn agent(&self) -> String {
        self.attribute("gen_ai.agent.name").unwrap_or_else(|| "agent".to_owned())
    }

    fn attribute(&self, key: &str) -> Option<String> {
        self.named_in(self.attributes, key)
    }

    /// The value of a key of a JSON object as text, where Python holds it for true.
    fn named_in(&self, object: &str, key: &str) -> Option<String> {
        if !object.contains(key) {
            return None;
        }
        let object = Document::parse(object, Grammar::Python, &Limits::DEFAULT).ok()?;
        let value = object.root().get(key).filter(|it| python::is_true(*it))?;
        Some(python::text(value).into_owned())
    }
}

impl Step<'_> {
    /// The text of the result; empty where none was recorded.
    #[must_use]
    pub fn result(&self) -> &str {
        self.answer.map_or("", |it| &it.text)
    }

    /// Whether the recording shows what came back. A call that nothing answers came back empty.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.answer.is_none_or(|it| it.recorded)
    }

    /// What is wrong with the result, in words, if anything.
    #[must_use]
    pub fn error(&self) -> Option<String> {
        let answer = self.answer?;
        let flagged = || (answer.error == Some(true)).then(|| "Marked as an error".to_owned());
        answer.structural_error().or_else(flagged)
    }
}
