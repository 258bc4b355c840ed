//! brush-parser: its tree is walked as JSON, since every command in it has the same form wherever
//! it stands; its words are parsed by its own parser of words.

use brush_parser::{Parser, ParserOptions, word};
use serde_json::{Value, to_value};

use crate::DYNAMIC;

/// The programs of a text, sorted; none where the parser takes the text or a part of it for wrong.
pub fn programs(text: &str) -> Option<Vec<String>> {
    let mut walk = Walk { found: Vec::new(), open: vec![text.to_owned()] };
    while let Some(text) = walk.open.pop() {
        let options = ParserOptions::default();
        let program = Parser::new(text.as_bytes(), &options).parse_program().ok()?;
        walk.node(&to_value(program).ok()?)?;
    }
    walk.found.sort();
    Some(walk.found)
}

struct Walk {
    found: Vec<String>,
    /// The texts of substitutions that wait.
    open: Vec<String>,
}

impl Walk {
    fn node(&mut self, node: &Value) -> Option<()> {
        match node {
            Value::Array(items) => items.iter().try_for_each(|it| self.node(it)),
            Value::Object(fields) => {
                if fields.contains_key("here_end") {
                    return self.here_document(node);
                }
                if let (Some(Value::String(text)), true) = (fields.get("value"), fields.len() <= 2)
                {
                    return self.word(&word::parse(text, &ParserOptions::default()).ok()?);
                }
                fields.iter().try_for_each(|(key, it)| self.field(key, it))
            }
            _ => Some(()),
        }
    }

    fn field(&mut self, key: &str, node: &Value) -> Option<()> {
        match (key, node) {
            ("Simple", command) => {
                if let Some(text) = command["word_or_name"]["value"].as_str() {
                    self.found.push(name(text)?);
                }
                self.node(command)
            }
            // The word says once more what the assignment says.
            ("AssignmentWord", Value::Array(items)) => self.node(items.first()?),
            ("ArrayElementName", Value::Array(items)) => {
                let subscript = items.get(1)?.as_str()?;
                self.word(&word::parse(subscript, &ParserOptions::default()).ok()?)
            }
            ("loc", _) => Some(()),
            _ => self.node(node),
        }
    }

    fn here_document(&mut self, node: &Value) -> Option<()> {
        if node["requires_expansion"] != true {
            return Some(());
        }
        let text = node["doc"]["value"].as_str()?;
        self.word(&word::parse_heredoc(text, &ParserOptions::default()).ok()?)
    }

    fn word(&mut self, pieces: &[word::WordPieceWithSource]) -> Option<()> {
        self.pieces(&to_value(pieces).ok()?)
    }

    fn pieces(&mut self, node: &Value) -> Option<()> {
        match node {
            Value::Array(items) => items.iter().try_for_each(|it| self.pieces(it)),
            Value::Object(fields) => fields.iter().try_for_each(|(key, it)| match key.as_str() {
                "CommandSubstitution" => {
                    self.open.push(it.as_str()?.to_owned());
                    Some(())
                }
                // One level of backslashes is undone before such a text is read.
                "BackquotedCommandSubstitution" => {
                    self.open.push(bared(it.as_str()?));
                    Some(())
                }
                "ArithmeticExpression" => self.node(it),
                "ParameterExpansion" => self.parameter(it),
                _ => self.pieces(it),
            }),
            _ => Some(()),
        }
    }

    /// Every text of an expansion may hold substitutions.
    fn parameter(&mut self, node: &Value) -> Option<()> {
        match node {
            Value::String(text) if text.contains(['$', '`']) => {
                self.word(&word::parse(text, &ParserOptions::default()).ok()?)
            }
            Value::Array(items) => items.iter().try_for_each(|it| self.parameter(it)),
            Value::Object(fields) => fields.values().try_for_each(|it| self.parameter(it)),
            _ => Some(()),
        }
    }
}

fn bared(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(it) = chars.next() {
        let undone = it == '\\' && matches!(chars.peek(), Some('$' | '`' | '\\'));
        out.push(if undone { chars.next().unwrap_or(it) } else { it });
    }
    out
}

/// The program that a word names.
fn name(text: &str) -> Option<String> {
    let pieces = to_value(word::parse(text, &ParserOptions::default()).ok()?).ok()?;
    let mut out = String::new();
    Some(if literal(&pieces, &mut out) { out } else { DYNAMIC.to_owned() })
}

/// Adds what pieces stand for, and says whether all of it is known.
fn literal(pieces: &Value, out: &mut String) -> bool {
    pieces.as_array().into_iter().flatten().all(|piece| {
        piece["piece"].as_object().into_iter().flatten().all(|(key, it)| match key.as_str() {
            "Text" => {
                let text = it.as_str().unwrap_or_default();
                out.push_str(text);
                text == "[" || text == "[[" || !text.contains(['*', '?', '['])
            }
            "SingleQuotedText" => {
                out.push_str(it.as_str().unwrap_or_default());
                true
            }
            "EscapeSequence" => {
                out.push_str(
                    it.as_str().unwrap_or_default().strip_prefix('\\').unwrap_or_default(),
                );
                true
            }
            "DoubleQuotedSequence" | "GettextDoubleQuotedSequence" => literal(it, out),
            _ => false,
        })
    })
}
