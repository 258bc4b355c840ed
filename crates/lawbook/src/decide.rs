//! A question with its whole past in it, answered without a session.

use lawbook_diag::Problem;
use lawbook_event::{ArgsState, Event, Speaker, Time, What};
use lawbook_trace::{Limits, Session, Source, read};

use crate::decision::Decision;
use crate::question::{self, Question};
use crate::{Answer, Error, Policy};

/// Answers a question that carries its whole past, as JSON of the form `lawbook.question/1`.
///
/// What stands in `messages` has happened; the call is judged as a live door judges it. `at` is the
/// time of the door's own clock: a time that the question claims is kept and never used. The cost
/// is linear in the bytes of the question.
///
/// # Errors
/// When the question can't be read as one: no call may run then.
///
/// ```
/// use lawbook::{decide, Policy, Time, Verdict};
///
/// let text = "{lawbook: 1, default: deny, tools: {issue_credit: {access: write, confirm: true}}}";
/// let policy = Policy::from_text("credits.yaml", text)?;
/// let question = br#"{
///   "session": {"id": "chat-7"},
///   "history": "complete",
///   "messages": [
///     {"role": "assistant", "content": "I can credit 40. Shall I?"},
///     {"role": "user", "content": "no, don't do it"}
///   ],
///   "call": {"id": "call_9", "tool": "issue_credit", "args": {"amount": 40}}
/// }"#;
/// let answer = decide(&policy, question, Time { nanos: 1_767_225_600_000_000_000 })?;
/// assert_eq!(answer.verdict(), Verdict::Deny);
///
/// let error = decide(&policy, br#"{"call": {"tool": "issue_credit"}}"#, Time { nanos: 0 });
/// assert_eq!(error.unwrap_err().code(), "missing_key");
/// # Ok::<(), lawbook::Error>(())
/// ```
pub fn decide(policy: &Policy, question: &[u8], at: Time) -> Result<Answer, Error> {
    let document = question::document(question::text(question)?)?;
    let question = Question::read(&document)?;
    let Some(messages) = question.messages else {
        let nothing: Vec<&[Event<'_>]> = policy.parts().iter().map(|_| [].as_slice()).collect();
        return Decision::new(policy, &question, at).answer(&nothing, &[]);
    };
    let mut answers = Vec::new();
    let (source, limits) = (Source::new("messages"), Limits::default());
    let wanted = policy.wanted();
    let mut each = |session: Session<'_>| {
        let session = as_told(session);
        let readings: Vec<&[Event<'_>]> =
            policy.parts().iter().map(|it| session.under(it.reading)).collect();
        answers.push(Decision::new(policy, &question, at).answer(&readings, &session.notes));
    };
    let problems = read(messages.raw().as_bytes(), None, wanted, &source, &limits, &mut each);
    if !problems.is_empty() {
        let problems: Vec<Problem> = problems.into_iter().map(about_messages).collect();
        return Err(problems.into());
    }
    match (answers.pop(), answers.is_empty()) {
        (Some(answer), true) => answer,
        _ => {
            let message = "`messages` hold no conversation, or several";
            Err(about_messages(Problem::new("messages", "unknown_format", message)).into())
        }
    }
}

/// The session as its host tells it: nothing that stands there was cut by a recorder, so a mark at
/// the end of a result is the tool's own word, and one at the end of a message its speaker's.
fn as_told(mut session: Session<'_>) -> Session<'_> {
    let own = session.own.iter_mut().flat_map(|it| &mut it.1);
    for event in session.events.iter_mut().chain(own) {
        match &mut event.what {
            What::Answer { answer, .. } => answer.recorded |= !answer.text.is_empty(),
            What::Call(call) if call.args.state == ArgsState::Cut => {
                call.args.state = ArgsState::Whole;
            }
            What::Unheard { who, left } if !left.text.is_empty() => {
                let text = left.clone();
                event.what = match who {
                    Speaker::User => What::User(text),
                    Speaker::Agent => What::Agent(text),
                };
            }
            _ => {}
        }
    }
    session
}

/// A problem of the messages, whose way out is not that of a trace file.
fn about_messages(problem: Problem) -> Problem {
    let help = "give one conversation as a list of messages, in a format that a reader knows";
    Problem { source: "messages".to_owned(), help: Some(help.to_owned()), ..problem }
}
