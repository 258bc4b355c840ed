//! Writing JSON: escapes as Python's `json.dumps(ensure_ascii=False)` writes them.

/// Appends `text` as a JSON string, quotes included.
pub fn write_string(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        out.push_str(text.get(from..at).unwrap_or_default());
        from = at.wrapping_add(1);
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0C => out.push_str("\\f"),
            _ => out.push_str(&format!("\\u{byte:04x}")),
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out.push('"');
}

/// Builds one JSON text piece by piece: commas and colons come by themselves.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    out: String,
    /// Whether the next key or value needs a comma in front.
    comma: bool,
}

impl Writer {
    /// A writer that has written nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What was written.
    #[must_use]
    pub fn finish(self) -> String {
        self.out
    }

    fn separate(&mut self) {
        if self.comma {
            self.out.push(',');
        }
    }

    fn open(&mut self, bracket: char) -> &mut Self {
        self.separate();
        self.out.push(bracket);
        self.comma = false;
        self
    }

    fn close(&mut self, bracket: char) -> &mut Self {
        self.out.push(bracket);
        self.comma = true;
        self
    }

    /// Opens an object.
    pub fn object(&mut self) -> &mut Self {
        self.open('{')
    }

    /// Closes the object.
    pub fn end_object(&mut self) -> &mut Self {
        self.close('}')
    }

    /// Opens a list.
    pub fn array(&mut self) -> &mut Self {
        self.open('[')
    }

    /// Closes the list.
    pub fn end_array(&mut self) -> &mut Self {
        self.close(']')
    }

    /// Writes a key; its value must follow.
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.separate();
        write_string(&mut self.out, key);
        self.out.push(':');
        self.comma = false;
        self
    }

    /// Writes a string.
    pub fn string(&mut self, text: &str) -> &mut Self {
        self.separate();
        write_string(&mut self.out, text);
        self.comma = true;
        self
    }

    /// Writes a value that is JSON text already: a number's lexeme, `true`, a whole object.
    pub fn raw(&mut self, json: &str) -> &mut Self {
        self.separate();
        self.out.push_str(json);
        self.comma = true;
        self
    }

    /// Writes a whole number.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.raw(&number.to_string())
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, truth: bool) -> &mut Self {
        self.raw(if truth { "true" } else { "false" })
    }

    /// Writes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.raw("null")
    }
}
