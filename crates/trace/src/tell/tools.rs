//! Tools' own nodes: a call that is asked for already, another telling of one, or a new one.

use std::borrow::Cow;

use lawbook_event::{Answer, ArgsState, Call, Hindsight, Ran, What};

use super::Teller;
use super::calls::Known;
use crate::cut;
use crate::print::{self, Print};
use crate::run::Tool;

impl<'d> Teller<'d> {
    /// A tool starts.
    pub(super) fn tool_start(
        &mut self,
        at: usize,
        id: Cow<'d, str>,
        start: i64,
        mut tool: Tool<'d>,
    ) {
        let time = self.time(start);
        let above = self.kin.tool_above(at);
        let print = Print::new(tool.args.clone());
        if let Some(known) = self.calls.same_remote(&tool, &print, above) {
            self.calls.alias(at, known);
            self.complete(known, &tool);
            self.calls.remember_remote(&tool, known);
            return;
        }
        if let Some(known) = self.calls.unlinked(&tool, &print) {
            self.calls.link(at, known);
            self.calls.remember_remote(&tool, known);
            if let Some(event) =
                self.calls.event(known).and_then(|place| self.events.get_mut(place))
            {
                event.at = time.or(event.at);
                if let What::Call(call) = &mut event.what {
                    call.step_id = id;
                    call.id = call.id.take().or_else(|| tool.call_id.clone());
                    call.confirmed = tool.confirmed;
                    call.ran = if tool.stopped { Ran::No } else { call.ran };
                }
            }
            self.complete(known, &tool);
            return;
        }
        // Nothing else tells these arguments, so the exporter's wrapper can only be guessed.
        if let Some(inner) =
            print::unwrapped(&tool.args).filter(|it| it.text.trim_start().starts_with('{'))
        {
            tool.args = inner;
        }
        self.last_words.clear();
        self.last_cut = false;
        self.next_message();
        let known = Known::of_tool(&tool, self.events.len());
        let call = Call {
            step: self.calls.len().saturating_add(1),
            step_id: id,
            id: tool.call_id.clone(),
            server: tool.server.clone(),
            tool: tool.name.clone(),
            args: cut::args(tool.args.clone()),
            hindsight: Some(Hindsight::Unanswered),
            ran: if tool.stopped { Ran::No } else { Ran::Yes },
            confirmed: tool.confirmed,
            cwd: None,
            cost: None,
        };
        self.push(time, What::Call(call));
        let known = self.calls.add(known);
        self.calls.link(at, known);
        self.calls.remember_remote(&tool, known);
    }

    /// Adds what another telling of a call knows better.
    fn complete(&mut self, known: usize, tool: &Tool<'d>) {
        let Some(place) = self.calls.event(known) else { return };
        if let Some(What::Call(call)) = self.events.get_mut(place).map(|event| &mut event.what) {
            if call.args.state != ArgsState::Whole {
                call.args = cut::args(tool.args.clone());
            }
            call.server = call.server.take().or_else(|| tool.server.clone());
            call.confirmed |= tool.confirmed;
        }
    }

    /// A tool has returned.
    pub(super) fn tool_end(&mut self, at: usize, end: i64, tool: Tool<'d>) {
        let Some((known, own)) = self.calls.of_node(at) else { return };
        let text = tool.result;
        if text.is_none() && tool.error.is_none() && (end == 0 || !own) {
            return;
        }
        let answer = Answer {
            recorded: text.is_some() && !tool.cut,
            text: text.unwrap_or_default(),
            error: tool.error,
            span_error: tool.span_error,
            pending: false,
        };
        self.answer(known, self.time(end), answer);
    }

    /// A detail of a tool's run is known.
    pub(super) fn detail(&mut self, at: usize, error: Option<bool>, stopped: bool) {
        let known = self.kin.tool_above(at).and_then(|tool| self.calls.of_node(tool));
        let Some((known, _)) = known else { return };
        let Some(place) = self.calls.event(known) else { return };
        if let Some(What::Call(call)) = self.events.get_mut(place).map(|event| &mut event.what)
            && stopped
        {
            call.ran = Ran::No;
        }
        if let Some(error) = error {
            self.calls.note_error(known, error);
        }
    }
}
