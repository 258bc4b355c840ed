//! The JSON Schema of the native policy, made from the fields that its reader checks.

use lawbook_event::json::write_string;
use lawbook_rule::kinds::KINDS;
use lawbook_rule::params::{Field, Shape};

use crate::dialects::fields::{RULE, TOOL, TOP, WAIVER};

/// The JSON Schema (draft 2020-12) of a native policy, laid out for reading.
#[must_use]
pub fn schema() -> String {
    let mut out = Layout::default();
    out.open();
    out.text("$schema", "https://json-schema.org/draft/2020-12/schema");
    out.text("$id", "lawbook.policy/1");
    out.text("title", "A lawbook policy");
    out.text("type", "object");
    out.raw("required", "[\"lawbook\"]");
    out.raw("additionalProperties", "false");
    out.map("properties");
    for field in TOP {
        out.field(field);
    }
    out.map("tools");
    out.text("description", "The tools, with what they do and what holds for each.");
    out.text("type", "object");
    out.map("additionalProperties");
    out.raw("type", "[\"object\", \"null\"]");
    out.fields(TOOL, &[]);
    out.close();
    out.close();
    out.list("rules", "The rules; each has an id and one kind.", "#/$defs/rule");
    out.list("waivers", "Findings that are taken out for a time.", "#/$defs/waiver");
    out.close();
    out.map("$defs");
    out.map("rule");
    out.text("type", "object");
    let kinds: Vec<String> =
        KINDS.iter().map(|it| format!("{{\"required\": [\"{}\"]}}", it.name())).collect();
    out.raw("oneOf", &format!("[{}]", kinds.join(", ")));
    let names: Vec<&str> = KINDS.iter().map(|it| it.name()).collect();
    out.fields(RULE, &names);
    out.close();
    out.map("waiver");
    out.text("type", "object");
    out.fields(WAIVER, &[]);
    out.close();
    for kind in KINDS {
        out.map(kind.name());
        out.text("description", summary(kind.page()));
        out.text("type", "object");
        out.fields(kind.fields(), &[]);
        out.close();
    }
    out.close();
    out.close();
    out.text
}

/// The first sentence of a page, which follows its title.
fn summary(page: &str) -> &str {
    page.lines().skip(1).find(|it| !it.is_empty()).unwrap_or_default()
}

/// A JSON text that is laid out while it is written.
#[derive(Default)]
struct Layout {
    text: String,
    depth: usize,
    /// Whether the innermost map holds anything yet.
    filled: bool,
}

impl Layout {
    fn open(&mut self) {
        self.text.push('{');
        self.depth = self.depth.saturating_add(1);
        self.filled = false;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.line();
        self.text.push('}');
        self.filled = true;
        if self.depth == 0 {
            self.text.push('\n');
        }
    }

    fn line(&mut self) {
        self.text.push('\n');
        self.text.push_str(&"  ".repeat(self.depth));
    }

    fn key(&mut self, key: &str) {
        if self.filled {
            self.text.push(',');
        }
        self.line();
        write_string(&mut self.text, key);
        self.text.push_str(": ");
        self.filled = true;
    }

    fn map(&mut self, key: &str) {
        self.key(key);
        self.open();
    }

    fn raw(&mut self, key: &str, json: &str) {
        self.key(key);
        self.text.push_str(json);
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        write_string(&mut self.text, text);
    }

    fn list(&mut self, key: &str, doc: &str, item: &str) {
        self.map(key);
        self.text("description", doc);
        self.text("type", "array");
        self.raw("items", &format!("{{\"$ref\": \"{item}\"}}"));
        self.close();
    }

    /// What a map of these fields looks like; `refs` are keys that are defined apart.
    fn fields(&mut self, fields: &[Field], refs: &[&str]) {
        let required: Vec<String> =
            fields.iter().filter(|it| it.required).map(|it| format!("\"{}\"", it.name)).collect();
        if !required.is_empty() {
            self.raw("required", &format!("[{}]", required.join(", ")));
        }
        self.raw("additionalProperties", "false");
        self.map("properties");
        for field in fields {
            self.field(field);
        }
        for name in refs {
            self.raw(name, &format!("{{\"$ref\": \"#/$defs/{name}\"}}"));
        }
        self.close();
    }

    /// One field. The nesting of shapes is that of the program, so this ends.
    fn field(&mut self, field: &Field) {
        self.map(field.name);
        self.text("description", field.doc);
        match field.shape {
            Shape::Map(inner) => {
                self.text("type", "object");
                self.fields(inner, &[]);
            }
            Shape::Entries(inner) => {
                self.text("type", "array");
                self.map("items");
                self.text("type", "object");
                self.fields(inner, &[]);
                self.close();
            }
            Shape::OneOf(["1"]) => self.raw("enum", "[1, \"1\"]"),
            Shape::OneOf(words) => {
                let words: Vec<String> = words.iter().map(|it| format!("\"{it}\"")).collect();
                self.raw("enum", &format!("[{}]", words.join(", ")));
            }
            shape => {
                for (key, json) in plain(shape) {
                    self.raw(key, json);
                }
            }
        }
        self.close();
    }
}

/// A whole number, or the argument that says so.
const COST: &str = "[{\"type\": \"integer\", \"minimum\": 0}, {\"type\": \"object\", \
     \"required\": [\"arg\"], \"additionalProperties\": false, \
     \"properties\": {\"arg\": {\"type\": \"string\"}}}]";

/// What a schema says of a shape that holds no keys.
fn plain(shape: Shape) -> &'static [(&'static str, &'static str)] {
    match shape {
        Shape::Text | Shape::Tool | Shape::Path | Shape::SessionKey => {
            &[("type", "[\"string\", \"number\", \"boolean\"]")]
        }
        Shape::Tools | Shape::Paths | Shape::Patterns => &[
            ("type", "[\"string\", \"array\"]"),
            ("minItems", "1"),
            ("items", "{\"type\": [\"string\", \"number\", \"boolean\"]}"),
        ],
        Shape::AnyPatterns | Shape::Texts => &[
            ("type", "[\"string\", \"array\"]"),
            ("items", "{\"type\": [\"string\", \"number\", \"boolean\"]}"),
        ],
        Shape::Number => &[("type", "\"number\"")],
        Shape::Whole => &[("type", "\"integer\""), ("minimum", "0")],
        Shape::Cost => &[("oneOf", COST)],
        Shape::Costs => &[("type", "\"object\""), ("minProperties", "1")],
        Shape::Wholes => &[
            ("type", "\"object\""),
            ("minProperties", "1"),
            ("additionalProperties", "{\"type\": \"integer\", \"minimum\": 1}"),
        ],
        Shape::Numbers => &[
            ("type", "\"object\""),
            ("minProperties", "1"),
            ("additionalProperties", "{\"type\": \"number\"}"),
        ],
        Shape::Bool => &[("type", "\"boolean\"")],
        Shape::Values => &[("type", "\"array\""), ("minItems", "1")],
        Shape::Duration => &[("type", "\"string\""), ("pattern", "\"^[0-9]{1,9}(ms|s|m|h|d)$\"")],
        Shape::FlagOrMap => &[("type", "[\"boolean\", \"object\"]")],
        Shape::Value | Shape::Map(_) | Shape::Entries(_) | Shape::OneOf(_) => &[],
    }
}

#[cfg(test)]
mod tests {
    use lawbook_event::json::{Document, Grammar, Limits};
    use lawbook_rule::kinds::KINDS;

    use super::schema;

    #[test]
    fn the_schema_is_json_and_knows_every_kind() {
        let text = schema();
        let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT).unwrap();
        assert!(document.duplicate_key().is_none());
        let definitions = document.root().get("$defs").unwrap();
        for kind in KINDS {
            let properties = definitions.get(kind.name()).unwrap().get("properties").unwrap();
            let keys: Vec<&str> = properties.entries().map(|it| it.0).collect();
            let fields: Vec<&str> = kind.fields().iter().map(|it| it.name).collect();
            assert_eq!(keys, fields, "{}", kind.name());
            let rule = definitions.get("rule").unwrap().get("properties").unwrap();
            assert!(rule.get(kind.name()).is_some());
        }
    }
}
