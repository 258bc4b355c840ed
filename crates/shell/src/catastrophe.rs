//! The few shapes that no rule can allow: wiping the root or the home directory, and a fork bomb.

use crate::path::{Cwd, Path};
use crate::{Analysis, Segment, Unclear, raw};

/// The shape of a function that only starts itself, twice, for ever.
pub const FORK_BOMB: &str = "a fork bomb";
const ROOT: &str = "removes the root of the file system";
const HOME: &str = "removes the home directory";

/// Looks at one segment; its shape is told once.
pub(crate) fn look(segment: &Segment, cwd: &Cwd, out: &mut Vec<String>) {
    let removes = matches!(segment.program.as_deref(), Some("grm" | "rm"));
    if !removes || !segment.reading.has("-r") {
        return;
    }
    for operand in &segment.reading.operands {
        // Operands are counted behind the program.
        let Some(word) = segment.argv.get(operand.at.saturating_add(1)) else { continue };
        let (places, _) = cwd.resolve(word);
        if let Some(shape) = places.iter().find_map(|it| shape(it, &cwd.home)) {
            tell(shape, out);
        }
    }
}

/// Looks at the words of a text that could not be understood.
pub(crate) fn raw(out: &mut Analysis) {
    if !out.unclear.iter().any(is_lost) {
        return;
    }
    let mut found = [false; 3];
    for text in out.texts() {
        raw::each(text, false, |words| {
            let mut behind = words.from(0).skip_while(|it| !is_remover(it)).peekable();
            if behind.peek().is_none() || !behind.clone().any(is_recursive) {
                return;
            }
            for word in behind {
                let rest = ["~", "$HOME"].iter().find_map(|it| word.strip_prefix(it));
                let all = |it: &str| it.trim_matches(['/', '.', '*']).is_empty();
                found[0] |= word.starts_with('/') && all(word);
                found[1] |= rest.is_some_and(all);
            }
        });
        if text.contains(":") {
            let squeezed: String = text.chars().filter(|it| !it.is_whitespace()).collect();
            found[2] |= squeezed.contains(":(){:|:&}");
        }
    }
    for (shape, _) in [ROOT, HOME, FORK_BOMB].into_iter().zip(found).filter(|it| it.1) {
        tell(shape, &mut out.catastrophes);
    }
}

fn is_remover(word: &str) -> bool {
    word.strip_suffix("rm").is_some_and(|it| it.is_empty() || it.ends_with('/'))
}

fn is_recursive(word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => long.starts_with('r'),
        None => word.starts_with('-') && word.contains(['r', 'R']),
    }
}

/// Whether commands of the text may be missing from its segments.
pub(crate) fn is_lost(unclear: &Unclear) -> bool {
    matches!(
        unclear,
        Unclear::Syntax { .. } | Unclear::Control(_) | Unclear::Limit(_) | Unclear::Construct(_)
    )
}

fn shape(path: &Path, home: &Path) -> Option<&'static str> {
    if path.is_root() {
        Some(ROOT)
    } else if path.is_home(home) {
        Some(HOME)
    } else {
        None
    }
}

fn tell(shape: &str, out: &mut Vec<String>) {
    if !out.iter().any(|it| it == shape) {
        out.push(shape.to_owned());
    }
}
