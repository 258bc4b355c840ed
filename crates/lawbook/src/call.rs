//! A call as the host is about to make it, and what came back.

use std::borrow::Cow;

use lawbook_event::{Answer, Args, ArgsState};

/// One call that the agent asks for.
///
/// ```
/// use lawbook::Call;
///
/// let call = Call::new("call_9", "issue_credit", r#"{"amount": 80}"#).server("billing");
/// assert_eq!((call.id(), call.tool()), ("call_9", "issue_credit"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) args: String,
    pub(crate) state: ArgsState,
    pub(crate) server: Option<String>,
}

impl Call {
    /// A call with the host's own id, the tool's name and the text of the arguments exactly as the
    /// tool will receive it.
    ///
    /// An id serves one call of a session; a second one is refused.
    ///
    /// ```
    /// # use lawbook::Call;
    /// let call = Call::new("call_9", "issue_credit", r#"{"amount": 80}"#);
    /// # let _ = call;
    /// ```
    #[must_use]
    pub fn new(id: impl Into<String>, tool: impl Into<String>, args: impl Into<String>) -> Self {
        Call {
            id: id.into(),
            tool: tool.into(),
            args: args.into(),
            state: ArgsState::Whole,
            server: None,
        }
    }

    /// A call whose arguments the host can't show. Rules that look at them are unknown.
    ///
    /// ```
    /// use lawbook::{Call, Policy, Session, Start, Time, Verdict};
    /// # let text = "{lawbook: 1, default: allow, rules: [{id: cap, arg_range: {tools: [pay], arg: n, max: 1}}]}";
    /// # let policy = Policy::from_text("p.yaml", text)?;
    /// # let now = Time { nanos: 0 };
    /// # let mut session = Session::begin(&policy, &Start::new("s"), now)?;
    /// let answer = session.call(&Call::unrecorded("c1", "pay"), now)?;
    /// assert_eq!((answer.verdict(), answer.only_unknown()), (Verdict::Deny, true));
    /// # Ok::<(), lawbook::Error>(())
    /// ```
    #[must_use]
    pub fn unrecorded(id: impl Into<String>, tool: impl Into<String>) -> Self {
        Call { state: ArgsState::Unrecorded, ..Call::new(id, tool, "") }
    }

    /// The same call of a tool that this server offers.
    ///
    /// ```
    /// # use lawbook::Call;
    /// let call = Call::new("call_9", "delete", "{}").server("files");
    /// # let _ = call;
    /// ```
    #[must_use]
    pub fn server(self, server: impl Into<String>) -> Self {
        Call { server: Some(server.into()), ..self }
    }

    /// The host's own id.
    ///
    /// ```
    /// # use lawbook::Call;
    /// assert_eq!(Call::new("call_9", "pay", "{}").id(), "call_9");
    /// ```
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The tool's name.
    ///
    /// ```
    /// # use lawbook::Call;
    /// assert_eq!(Call::new("call_9", "pay", "{}").tool(), "pay");
    /// ```
    #[must_use]
    pub fn tool(&self) -> &str {
        &self.tool
    }

    pub(crate) fn args(&self) -> Args<'_> {
        Args { text: Cow::Borrowed(&self.args), state: self.state }
    }
}

/// What a tool returned.
///
/// ```
/// use lawbook::ToolResult;
///
/// let plain: ToolResult = r#"{"status": "ok"}"#.into();
/// let failed = ToolResult::new("no such order").error(true);
/// let unfinished = ToolResult::new("queued").pending();
/// # let _ = (plain, failed, unfinished, ToolResult::unrecorded());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    answer: Answer<'static>,
}

impl ToolResult {
    /// A result of this text. Whether it is a success is read out of it: error members, exit codes
    /// and HTTP status count.
    ///
    /// ```
    /// # use lawbook::ToolResult;
    /// assert_eq!(ToolResult::new("ok"), "ok".into());
    /// ```
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        let text = Cow::Owned(text.into());
        ToolResult { answer: Answer { text, recorded: true, ..Answer::default() } }
    }

    /// The call has ended, and the host doesn't know what came back. Rules that rest on it are
    /// unknown.
    ///
    /// ```
    /// # use lawbook::ToolResult;
    /// assert_ne!(ToolResult::unrecorded(), ToolResult::new(""));
    /// ```
    #[must_use]
    pub fn unrecorded() -> Self {
        ToolResult { answer: Answer::default() }
    }

    /// The same with the error flag of the host's format, as MCP's `isError`, set or cleared.
    ///
    /// ```
    /// # use lawbook::ToolResult;
    /// let failed = ToolResult::new("no such order").error(true);
    /// # let _ = failed;
    /// ```
    #[must_use]
    pub fn error(mut self, error: bool) -> Self {
        self.answer.error = Some(error);
        self
    }

    /// The same, saying that the work is not done yet.
    ///
    /// ```
    /// # use lawbook::ToolResult;
    /// let unfinished = ToolResult::new("queued").pending();
    /// # let _ = unfinished;
    /// ```
    #[must_use]
    pub fn pending(mut self) -> Self {
        self.answer.pending = true;
        self
    }

    pub(crate) fn answer(&self) -> Answer<'_> {
        let answer = &self.answer;
        Answer { text: Cow::Borrowed(&answer.text), ..answer.clone() }
    }
}

impl From<&str> for ToolResult {
    fn from(text: &str) -> Self {
        ToolResult::new(text)
    }
}

impl From<String> for ToolResult {
    fn from(text: String) -> Self {
        ToolResult::new(text)
    }
}
