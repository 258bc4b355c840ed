//! JSON text laid out as pmstack writes it: two spaces a level, one value a line.

/// The same JSON, laid out, with its lines after the first so many spaces from the left.
pub fn indented(json: &str, margin: usize) -> String {
    let mut out = String::with_capacity(json.len());
    let mut level = 0_usize;
    let mut rest = json.chars().filter(|it| !it.is_whitespace()).peekable();
    // White space inside texts counts, so texts are copied from the text itself.
    let mut texts = texts(json).into_iter();
    while let Some(it) = rest.next() {
        match it {
            '"' => {
                let text = texts.next().unwrap_or_default();
                let more = text.chars().filter(|it| !it.is_whitespace()).count();
                rest.by_ref().take(more.saturating_sub(1)).for_each(drop);
                out.push_str(text);
            }
            '{' | '[' => {
                out.push(it);
                match rest.next_if(|next| matches!(next, '}' | ']')) {
                    Some(close) => out.push(close),
                    None => {
                        level = level.saturating_add(1);
                        line(&mut out, margin, level);
                    }
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut out, margin, level);
                out.push(it);
            }
            ',' => {
                out.push(it);
                line(&mut out, margin, level);
            }
            ':' => out.push_str(": "),
            _ => out.push(it),
        }
    }
    out
}

fn line(out: &mut String, margin: usize, level: usize) {
    out.push('\n');
    out.push_str(&" ".repeat(margin.saturating_add(level.saturating_mul(2))));
}

/// The texts in JSON, quotes included, as they are written.
fn texts(json: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut open = None;
    let mut escaped = false;
    for (at, it) in json.char_indices() {
        match (open, it) {
            (None, '"') => open = Some(at),
            (None, _) => {}
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(from), '"') => {
                out.extend(json.get(from..=at));
                open = None;
            }
            (Some(_), _) => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::indented;

    #[test]
    fn json_is_laid_out_and_texts_stay() {
        let json = r#"{"a" :[1, {"b c": "x, \" {y"} ,[]],"d":{}, "e": "\\"}"#;
        let wanted = "{\n    \"a\": [\n      1,\n      {\n        \"b c\": \"x, \\\" {y\"\n      },\n      []\n    ],\n    \"d\": {},\n    \"e\": \"\\\\\"\n  }";
        assert_eq!(indented(json, 2), wanted);
        assert_eq!(indented(wanted, 2), wanted);
    }
}
