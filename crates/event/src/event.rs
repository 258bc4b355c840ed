//! The events of a session, in the order in which they happened.

use std::borrow::Cow;

use crate::{Actor, Answer, Effect, Severity};

/// A point in time: nanoseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time {
    /// Nanoseconds since the epoch; negative before it.
    pub nanos: i64,
}

/// Something that happened in a session, or is asked of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<'a> {
    /// When it happened, if the recording or the door says so.
    pub at: Option<Time>,
    /// Its place among all records of the session, counted from 0.
    pub place: u64,
    /// The message that holds it. The calls of one message are a batch.
    pub message: u64,
    /// What happened.
    pub what: What<'a>,
}

/// The kinds of events.
#[derive(Clone, Debug, PartialEq)]
pub enum What<'a> {
    /// The session begins. It comes first and once.
    Start(Start<'a>),
    /// The human user said something.
    User(Text<'a>),
    /// The agent said something to the user.
    Agent(Text<'a>),
    /// Somebody said something, and not all of the words are recorded.
    Unheard {
        /// Who spoke.
        who: Speaker,
        /// What is left of the words. Where nothing is left, it is not sure that there were any.
        left: Text<'a>,
    },
    /// Anything else that takes a place: reasoning, system text, an empty message.
    Other,
    /// The agent asks for a tool.
    Call(Call<'a>),
    /// A tool answered an earlier call.
    Answer {
        /// The step of the call that is answered.
        step: u32,
        /// What came back.
        answer: Answer<'a>,
    },
    /// A person said yes to a waiting call.
    Approval {
        /// The step of the waiting call.
        step: u32,
        /// Who said yes.
        by: Cow<'a, str>,
    },
    /// A person said no to a waiting call.
    Rejection {
        /// The step of the waiting call.
        step: u32,
        /// Who said no.
        by: Cow<'a, str>,
        /// Why, in that person's words.
        reason: Cow<'a, str>,
        /// The mark that the no leaves on the agent, if that person says so.
        scar: Option<Severity>,
    },
    /// Somebody says what a call that happened came to. It changes no result.
    Outcome {
        /// The step of the call.
        step: u32,
        /// What it came to.
        effect: Effect,
        /// Whose word that is.
        by: Actor,
        /// The same in words.
        detail: Cow<'a, str>,
    },
    /// An operator or a monitor marks the agent.
    Scar {
        /// How bad it was.
        severity: Severity,
        /// Why, in words.
        reason: Cow<'a, str>,
        /// The step that it is about, if it is about one.
        step: Option<u32>,
    },
    /// An operator ends the agent for good.
    Terminate {
        /// Why, in words.
        reason: Cow<'a, str>,
        /// Who does.
        by: Cow<'a, str>,
    },
    /// The session ends. It comes last and once.
    End(End<'a>),
}

/// What belongs to the whole session from its first moment on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start<'a> {
    /// The session's own id.
    pub id: Cow<'a, str>,
    /// Attributes of the session as the text of a JSON object; empty when there are none.
    /// Keys are whole names, dots included.
    pub attributes: Cow<'a, str>,
    /// Metadata of the session as the text of a JSON object; empty when there is none.
    pub metadata: Cow<'a, str>,
    /// The working directory that relative paths stand on.
    pub cwd: Option<Cow<'a, str>>,
    /// The workspace the agent may work in.
    pub workspace: Option<Cow<'a, str>>,
    /// The home directory of the user that the agent works as.
    pub home: Option<Cow<'a, str>>,
    /// The recording has no place for what user and agent say, or was made without it: that nobody
    /// said yes can't be told from it.
    pub wordless: bool,
    /// The recorder left out some of what it was told, so that attributes, metadata, ends of turns
    /// and calls that do not stand here may have been there.
    pub dropped: bool,
    /// The recording itself as the text of a JSON object, for policies that name any path of it;
    /// empty where no such policy reads it.
    pub recording: Cow<'a, str>,
    /// What the recording's own system makes of it, as the text of a JSON object: its paths are
    /// looked up where the recording itself has none. Empty as above.
    pub normalised: Cow<'a, str>,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// The human user.
    User,
    /// The agent.
    Agent,
}

/// Text of the user or the agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Text<'a> {
    /// The id that reports print: `m{i}`.
    pub id: Cow<'a, str>,
    /// The words.
    pub text: Cow<'a, str>,
}

/// One tool request.
#[derive(Clone, Debug, PartialEq)]
pub struct Call<'a> {
    /// Its number in the session, from 1.
    pub step: u32,
    /// The id that reports print, as in `m4.c0` or a span id.
    pub step_id: Cow<'a, str>,
    /// The caller's own id. It may be missing or repeated, and nothing is decided on it.
    pub id: Option<Cow<'a, str>>,
    /// The server that offers the tool, where the recording names one.
    pub server: Option<Cow<'a, str>>,
    /// The tool's name, never cut.
    pub tool: Cow<'a, str>,
    /// The arguments.
    pub args: Args<'a>,
    /// What a recording knows of the future of this call; none at a live door.
    pub hindsight: Option<Hindsight<'a>>,
    /// Whether the recording shows that the call did not run.
    pub ran: Ran,
    /// The call's own span says that a person confirmed it (`faultgate.confirmed`).
    pub confirmed: bool,
    /// The working directory at the call, where it is known to differ from the session's.
    pub cwd: Option<Cow<'a, str>>,
    /// What the caller says that it costs, in credits; rules may ask for more and never for less.
    pub cost: Option<u64>,
}

/// Arguments as text, with what is known about that text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Args<'a> {
    /// The text, as the tool received it.
    pub text: Cow<'a, str>,
    /// Whether the text is all of it.
    pub state: ArgsState,
}

/// How much of the arguments was recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArgsState {
    /// The whole text.
    #[default]
    Whole,
    /// The recording carries no arguments for this call; the tool may have received some.
    Unrecorded,
    /// The recording carries a part only.
    Cut,
}

/// What a recording knows of a call's future.
#[derive(Clone, Debug, PartialEq)]
pub enum Hindsight<'a> {
    /// No answer follows.
    Unanswered,
    /// This answer follows, or came with the call's own span.
    Answered(Answer<'a>),
}

/// Whether a recorded call ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ran {
    /// It ran, as far as the recording tells.
    #[default]
    Yes,
    /// The recording shows it rejected, cancelled or blocked.
    No,
}

/// What belongs to the whole session and is known at its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct End<'a> {
    /// The final answer's text; empty when there was none.
    pub answer: Cow<'a, str>,
    /// Of the final answer a part only is recorded, or no more than that there was one.
    pub answer_cut: bool,
    /// How the run says that it ended; empty when it does not say.
    pub termination: Cow<'a, str>,
    /// The root span, for recordings that are made of spans.
    pub root: RootEnd<'a>,
    /// How each span or turn of a model ended, in order; empty where nobody asked for it
    /// ([`RecordingPart::Measures`](crate::RecordingPart::Measures)) or the format does not say.
    pub turns: Vec<TurnEnd<'a>>,
    /// What the run used; formats of spans say it only where somebody asked for it
    /// ([`RecordingPart::Measures`](crate::RecordingPart::Measures)).
    pub usage: Usage,
}

/// How one span, or one turn of a model, ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnEnd<'a> {
    /// The span's name, or the model's.
    pub name: Cow<'a, str>,
    /// Why the model stopped, in the words of the recording.
    pub finish: Vec<Cow<'a, str>>,
    /// The message of its status; empty when there is none.
    pub message: Cow<'a, str>,
    /// The type of its error; empty when there is none.
    pub error_type: Cow<'a, str>,
    /// What is wrong with it, in words, if anything.
    pub error: Option<Cow<'a, str>>,
    /// The steps of the calls that it carries.
    pub steps: Vec<u32>,
}

/// What a run used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Tokens, in and out.
    pub tokens: Option<f64>,
    /// How long it took, in milliseconds.
    pub latency_ms: Option<f64>,
    /// What it cost, in US dollars.
    pub cost_usd: Option<f64>,
}

/// The root span at the end of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RootEnd<'a> {
    /// The recording is not made of spans.
    #[default]
    NotSpans,
    /// The recording is made of spans and none is the root.
    Missing,
    /// The root span.
    Span {
        /// What is wrong with it, in words, if anything.
        error: Option<Cow<'a, str>>,
        /// Whether it has an end time.
        ended: bool,
    },
}

impl Call<'_> {
    /// The same call, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Call<'static> {
        Call {
            step: self.step,
            step_id: owned(self.step_id),
            id: self.id.map(owned),
            server: self.server.map(owned),
            tool: owned(self.tool),
            args: Args { text: owned(self.args.text), state: self.args.state },
            hindsight: self.hindsight.map(Hindsight::into_owned),
            ran: self.ran,
            confirmed: self.confirmed,
            cwd: self.cwd.map(owned),
            cost: self.cost,
        }
    }
}

impl Hindsight<'_> {
    /// The same, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> Hindsight<'static> {
        match self {
            Hindsight::Unanswered => Hindsight::Unanswered,
            Hindsight::Answered(answer) => Hindsight::Answered(answer.into_owned()),
        }
    }
}

fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}
