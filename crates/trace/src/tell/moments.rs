//! When the things of a run happened, in one order.

use crate::run::{Node, Work};

/// What happens to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// A model receives its messages.
    Input,
    /// A model or agent has answered.
    Output,
    /// A tool starts.
    ToolStart,
    /// A detail of a tool's run is known.
    Detail,
    /// A tool has returned.
    ToolEnd,
}

/// All moments of a run in order. At one time a tool returns before anything else begins, and
/// the order of the file decides the rest. Nodes without times follow the order of the file.
pub fn moments(nodes: &[Node<'_>], timed: bool) -> Vec<(Moment, usize)> {
    let mut all = Vec::with_capacity(nodes.len().saturating_mul(2));
    for (at, node) in nodes.iter().enumerate() {
        let start = if timed { node.start } else { i64::try_from(at).unwrap_or(i64::MAX) };
        let end = if timed { node.end.max(start) } else { start };
        match &node.work {
            Work::Tool(_) => {
                all.push((start, true, at, Moment::ToolStart));
                all.push((end, end <= start, at, Moment::ToolEnd));
            }
            Work::Model(_) => {
                all.push((start, true, at, Moment::Input));
                all.push((end, true, at, Moment::Output));
            }
            Work::Agent(_) => {
                all.push((start, true, at, Moment::Input));
                // An agent repeats what the models inside said, so it comes after them.
                let end = if timed { end } else { i64::MAX };
                all.push((end, true, usize::MAX, Moment::Output));
                if let Some(last) = all.last_mut() {
                    last.2 = at.saturating_add(nodes.len());
                }
            }
            Work::Detail { .. } => all.push((end, true, at, Moment::Detail)),
            Work::Other => {}
        }
    }
    all.sort_by_key(|(time, late, at, moment)| (*time, *late, *at, *moment));
    let place = |at: usize| if at >= nodes.len() { at.saturating_sub(nodes.len()) } else { at };
    all.into_iter().map(|(_, _, at, moment)| (moment, place(at))).collect()
}
