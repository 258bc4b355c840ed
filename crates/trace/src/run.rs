//! A recorded run as a tree of nodes: what span formats have in common.

use std::borrow::Cow;

use lawbook_event::{Args, RootEnd};

use crate::dialog::Message;
use crate::measures::Ended;

/// One run, its nodes in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Run<'d> {
    /// Its id.
    pub id: Cow<'d, str>,
    /// The nodes.
    pub nodes: Vec<Node<'d>>,
    /// Attributes of the session as a JSON object, or empty.
    pub attributes: String,
    /// Metadata of the session as a JSON object, or empty.
    pub metadata: String,
    /// The recorder left out some of what it was told.
    pub dropped: bool,
    /// What the run says was asked; read when no node says it.
    pub prompt: Vec<Message>,
    /// What the run itself says that it answered.
    pub answer: Option<String>,
    /// How the run says that it ended.
    pub termination: String,
    /// The root.
    pub root: RootEnd<'d>,
    /// How each node ended and what it used, in the order of the nodes; empty where nobody asked.
    pub ended: Vec<Ended<'d>>,
}

/// A span, run or observation.
#[derive(Clone, Debug)]
pub struct Node<'d> {
    /// Its id.
    pub id: Cow<'d, str>,
    /// The id of the node that it stands in.
    pub parent: Option<Cow<'d, str>>,
    /// Start in nanoseconds; 0 when it is missing.
    pub start: i64,
    /// End in nanoseconds; 0 when it is missing.
    pub end: i64,
    /// What was done.
    pub work: Work<'d>,
}

/// What a node did.
#[derive(Clone, Debug, Default)]
pub enum Work<'d> {
    /// A tool ran.
    Tool(Box<Tool<'d>>),
    /// A model answered.
    Model(Turn),
    /// An agent ran; its messages repeat those of the models inside.
    Agent(Turn),
    /// A detail of the tool's run that it stands in.
    Detail {
        /// Whether the tool failed.
        error: Option<bool>,
        /// Whether the tool was stopped before it ran.
        stopped: bool,
    },
    /// Nothing that matters here.
    #[default]
    Other,
}

/// The messages before and after a turn.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// What went in: the whole history, usually.
    pub input: Vec<Message>,
    /// What came out.
    pub output: Vec<Message>,
}

/// A tool's run.
#[derive(Clone, Debug, Default)]
pub struct Tool<'d> {
    /// The caller's own id.
    pub call_id: Option<Cow<'d, str>>,
    /// The server.
    pub server: Option<Cow<'d, str>>,
    /// The tool.
    pub name: Cow<'d, str>,
    /// The arguments, with everything that the exporter put around them.
    pub args: Args<'d>,
    /// The result, if it was recorded.
    pub result: Option<Cow<'d, str>>,
    /// What the result means may stand in what the recorder left out.
    pub cut: bool,
    /// Whether it failed.
    pub error: Option<bool>,
    /// What is wrong, in words.
    pub span_error: Option<Cow<'d, str>>,
    /// Whether it was stopped before it ran.
    pub stopped: bool,
    /// Whether a person confirmed it.
    pub confirmed: bool,
    /// What the client's and the server's node of one remote call have in common.
    pub remote: Option<String>,
}
