//! Turns of models of which nothing is recorded, in runs where other turns say something.

use super::Kin;
use crate::dialog::{Message, Role};
use crate::run::{Node, Work};

/// Marks the turns of models where neither their own node nor one around or inside it holds a
/// message: somebody may have spoken there. A turn that shows what it was asked and no answer is
/// one that failed.
pub fn mark(nodes: &mut [Node<'_>], kin: &Kin) {
    let filled: Vec<bool> = nodes.iter().map(is_filled).collect();
    let mut holds = filled.clone();
    for (at, _) in filled.iter().enumerate().filter(|it| *it.1) {
        for above in kin.turns_above(at) {
            match holds.get_mut(above) {
                Some(held) if !*held => *held = true,
                _ => break,
            }
        }
    }
    for (at, node) in nodes.iter_mut().enumerate() {
        let told = holds.get(at) == Some(&true)
            || kin.turns_above(at).any(|it| filled.get(it) == Some(&true));
        if let (false, Work::Model(turn)) = (told, &mut node.work) {
            turn.input.push(Message::unheard(Role::User));
            turn.output.push(Message::unheard(Role::Agent));
        }
    }
}

fn is_filled(node: &Node<'_>) -> bool {
    match &node.work {
        Work::Model(turn) | Work::Agent(turn) => !turn.input.is_empty() || !turn.output.is_empty(),
        Work::Tool(_) | Work::Detail { .. } | Work::Other => false,
    }
}
