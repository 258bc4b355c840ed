//! The queue at a terminal: each waiting action is shown whole and asked about.

use std::io::{BufRead, Write};

use lawbook::agent::{Agents, Waiting};

use super::told;
use crate::exit::Exit;

/// Asks about each action. Only the whole word `yes` is a yes.
pub fn each(agents: &Agents, waiting: &[Waiting], by: &str) -> Exit {
    let mut lines = std::io::stdin().lock().lines();
    let mut exit = Exit::Clean;
    for (place, it) in waiting.iter().enumerate() {
        let mut out = std::io::stdout().lock();
        let left = waiting.len().saturating_sub(place);
        let question = match it.binding {
            Some(_) => "yes, no, or Enter to leave it: ",
            None => "no, or Enter to leave it: ",
        };
        if write!(out, "{}({left} left) {question}", told::item(it)).and(out.flush()).is_err() {
            return Exit::Unusable;
        }
        drop(out);
        let Some(Ok(word)) = lines.next() else { return exit };
        let decided = match (word.trim(), &it.binding) {
            ("yes", Some(binding)) => agents
                .agent(&it.agent)
                .and_then(|agent| agent.approve_seen(&it.action, by, Some(binding), "")),
            ("no", _) => {
                agents.agent(&it.agent).and_then(|agent| agent.reject(&it.action, by, "", None))
            }
            _ => continue,
        };
        let said = match decided {
            Ok(decision) => told::decision(&decision),
            Err(error) => {
                exit = exit.max(Exit::Unusable);
                format!("{error}\n")
            }
        };
        if crate::commands::rule::written(&format!("{said}\n")) != Exit::Clean {
            return Exit::Unusable;
        }
    }
    exit
}
