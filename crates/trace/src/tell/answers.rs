//! Answers, wherever they are told: a call has one.

use lawbook_event::{Answer, Hindsight, Ran, Time, What};

use super::Teller;
use super::calls::Walk;
use crate::cut;
use crate::dialog::Answered;

impl<'d> Teller<'d> {
    /// An answer inside messages.
    pub(super) fn answered(&mut self, time: Option<Time>, answered: Answered, walk: &mut Walk) {
        if walk.passes(&answered) {
            return;
        }
        let Some(known) = self.calls.answered_in(&answered, walk) else { return };
        walk.answered(known);
        if answered.stopped
            && let Some(place) = self.calls.event(known)
            && let Some(What::Call(call)) = self.events.get_mut(place).map(|event| &mut event.what)
        {
            call.ran = Ran::No;
        }
        let answer = Answer {
            recorded: answered.text.is_some(),
            text: answered.text.unwrap_or_default().into(),
            error: answered.error,
            span_error: None,
            pending: false,
        };
        self.answer(known, time, answer);
    }

    /// Answers a call, or completes the answer that it has.
    pub(super) fn answer(&mut self, known: usize, time: Option<Time>, mut answer: Answer<'d>) {
        answer = cut::answer_of_span(answer);
        if !answer.text.is_empty() {
            self.words.tool_said(answer.text.clone());
        }
        answer.error = answer.error.or(self.calls.noted_error(known));
        let Some(call_place) = self.calls.event(known) else { return };
        let answer_place = self.calls.answer_event(known);
        if let Some(What::Answer { answer: earlier, .. }) =
            answer_place.and_then(|place| self.events.get_mut(place)).map(|event| &mut event.what)
        {
            if !earlier.recorded && answer.recorded {
                earlier.text = answer.text;
                earlier.recorded = true;
            }
            earlier.error = earlier.error.or(answer.error);
            earlier.span_error = earlier.span_error.take().or(answer.span_error);
            answer = earlier.clone();
        } else {
            let step = match self.events.get(call_place).map(|event| &event.what) {
                Some(What::Call(call)) => call.step,
                _ => return,
            };
            self.next_message();
            self.calls.set_answer_event(known, self.events.len());
            self.push(time, What::Answer { step, answer: answer.clone() });
        }
        if let Some(What::Call(call)) = self.events.get_mut(call_place).map(|event| &mut event.what)
        {
            call.hindsight = Some(Hindsight::Answered(answer));
        }
    }
}
