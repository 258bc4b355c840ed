//! LangChain messages in all their spellings, and LangGraph's states, checkpoints and streams.

mod gather;
mod message;
mod shape;
mod tell;

use lawbook_diag::Problem;
use lawbook_event::json::Value;

use crate::reader::document_notes;
use crate::{Part, Reader, Readings, Shape, Source, Untold};

/// The reader.
pub struct Langchain;

impl Reader for Langchain {
    fn name(&self) -> &'static str {
        "langchain"
    }

    fn page(&self) -> &'static str {
        include_str!("langchain.md")
    }

    fn sniff(&self, root: Value<'_>) -> bool {
        shape::sniff(root)
    }

    fn shape(&self) -> Shape {
        Shape::Gathered
    }

    fn find<'d>(
        &self,
        parts: &'d [Part<'d>],
        _wanted: Readings,
        source: &Source,
        out: &mut dyn FnMut(Untold<'d>),
    ) -> Vec<Problem> {
        let mut gathered = gather::Gathered::default();
        let mut problems = Vec::new();
        for part in parts {
            let mut found = false;
            shape::lists(part.document.root(), &mut |list| {
                found = true;
                gathered.add(list, || source.place(part.line, &list.pointer()));
            });
            if !found {
                let message = "there are no messages of LangChain here";
                let problem = Problem::new(source.name.clone(), "no_messages", message)
                    .help("give a list of messages, or a state with `messages`");
                problems.push(problem.on_line(part.line));
            }
        }
        let notes = document_notes(parts);
        for conversation in gathered.conversations {
            let mut session = tell::session(conversation);
            session.notes.extend(notes.iter().cloned());
            out(session.into());
        }
        problems
    }
}

#[cfg(test)]
mod tests;
