//! Reads JSON texts, one on each line, and says for each which programs two other parsers find.
//!
//! Either may overflow its stack or never end on a hostile text, so that whoever asks bounds the
//! texts and the time, and takes a process that ends for an answer.

mod brush;
mod tree;

use std::io::{BufRead, Write, stdin, stdout};

/// What stands for a program that is known only when it runs.
const DYNAMIC: &str = "<dynamic>";

/// How much stack the parsers have.
const STACK_BYTES: usize = 256 << 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let answer = || -> std::io::Result<()> {
        for line in stdin().lock().lines() {
            let text: String = serde_json::from_str(&line?)?;
            let said = serde_json::json!({
                "brush": brush::programs(&text),
                "tree-sitter": tree::programs(&text),
            });
            let mut out = stdout().lock();
            writeln!(out, "{said}")?;
            out.flush()?;
        }
        Ok(())
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(answer)?;
    thread.join().map_err(|_| "a parser panicked")??;
    Ok(())
}
