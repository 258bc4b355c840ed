//! tree-sitter-bash: every node of the kind of a command, wherever it stands.

use tree_sitter::{Node, Parser};

use crate::DYNAMIC;

/// The programs of a text, sorted; none where the grammar takes the text or a part of it for wrong.
pub fn programs(text: &str) -> Option<Vec<String>> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    let tree = parser.parse(text, None)?;
    if tree.root_node().has_error() {
        return None;
    }
    let mut found = Vec::new();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.kind() == "command"
            && let Some(word) = node.child_by_field_name("name")
        {
            found.push(name(word, text));
        }
        open.extend((0..node.child_count()).filter_map(|it| node.child(it)));
    }
    found.sort();
    Some(found)
}

/// The program that a node names.
fn name(node: Node<'_>, text: &str) -> String {
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        let plain = ["command_name", "word", "string", "raw_string", "string_content"];
        let known = plain.contains(&node.kind()) || matches!(node.kind(), "concatenation" | "\"");
        if !known {
            return DYNAMIC.to_owned();
        }
        open.extend((0..node.child_count()).filter_map(|it| node.child(it)));
    }
    let written = text.get(node.byte_range()).unwrap_or_default();
    if written.contains(['*', '?']) || written.contains('[') && written != "[" {
        return DYNAMIC.to_owned();
    }
    written.chars().filter(|it| !matches!(it, '"' | '\'' | '\\')).collect()
}
