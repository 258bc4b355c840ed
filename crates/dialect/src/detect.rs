//! Which dialect a policy file is written in, by its content: the first that fits.

use lawbook_diag::{Problem, nearest, place};

use crate::dialects::{DIALECTS, Dialect};
use crate::outline::Outline;

/// The dialect of a text.
pub(crate) fn dialect(source: &str, text: &str) -> Result<&'static Dialect, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::new(source, "empty", "the policy is empty")
            .help("a policy starts with `lawbook: 1`"));
    }
    let outline = Outline::of(text);
    if let Some(found) = DIALECTS.iter().find(|it| (it.fits)(&outline)) {
        return Ok(found);
    }
    Err(unknown(source, text, &outline))
}

/// No dialect fits: the nearest one, and the first key that does not fit it.
fn unknown(source: &str, text: &str, outline: &Outline) -> Problem {
    let shared = |it: &&Dialect| {
        outline.keys.iter().filter(|key| it.keys.contains(&key.name.as_str())).count()
    };
    let by_keys = DIALECTS.iter().rev().max_by_key(shared).filter(|it| shared(it) > 0);
    let by_form = DIALECTS.iter().find(|it| outline.is_json == (it.name == "faultgate"));
    let Some(near) = by_keys.or(by_form).filter(|_| !outline.keys.is_empty()) else {
        return Problem::new(
            source,
            "unknown_dialect",
            "this is no policy in any dialect that is read",
        )
        .at(1, 1)
        .help("a policy starts with `lawbook: 1`; a faultgate policy is one JSON object");
    };
    let odd = outline.keys.iter().find(|it| !near.keys.contains(&it.name.as_str()));
    let Some(odd) = odd else {
        // Every key fits and the dialect does not: a native policy without its first line.
        let message = format!("this looks like a `{}` policy without its mark", near.name);
        return Problem::new(source, "unknown_dialect", message)
            .at(1, 1)
            .help("start a native policy with `lawbook: 1`");
    };
    let (line, column) = place(text, odd.offset);
    let message = format!(
        "no dialect fits; nearest is `{}`, in which there is no key `{}`",
        near.name, odd.name
    );
    let help = match nearest(&odd.name, near.keys.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "start a native policy with `lawbook: 1`, or name the dialect with `--dialect`"
            .to_owned(),
    };
    Problem::new(source, "unknown_dialect", message).at(line, column).help(help)
}

#[cfg(test)]
mod tests {
    use super::dialect;

    #[test]
    fn the_first_that_fits_is_taken() {
        for (text, answer) in [
            ("lawbook: 1\nbudget: {credits: 3}\n", "lawbook"),
            ("{\"lawbook\": 1}", "lawbook"),
            ("{\"allow\": [\"a\"]}", "faultgate"),
            ("{}", "faultgate"),
            ("{\"allow\": [", "faultgate"),
            ("{\"format\": \"pmstack.policy/1\"}", "pmstack"),
            ("{\"format\": \"pmstack.policy/2\", \"budget\": 1}", "pmstack"),
            ("{\"budget\": 5}", "lineage"),
            ("scar_limit: 5\n", "lineage"),
            ("{\"budget\": 5, \"permissions\": {}}", "lineage"),
            ("{\"permissions\": {}, \"permission\": {}}", "claude_code"),
            ("// x\n{\"permission\": \"ask\", /* y */}", "opencode"),
            ("{\"permision\": {}}", "nearest is"),
            ("{\"permissions\": {\"allow\": []}}", "claude_code"),
            ("{\"permission\": {\"bash\": \"ask\"}}", "opencode"),
            ("prefix_rule(pattern = [\"git\"])\n", "exec_rules"),
            ("[[rule]]\ndecision = \"deny\"\n", "gemini_cli"),
            ("[rules.shell]\nx = 1\n", "codesmith"),
            ("{\"alow\": [\"a\"]}", "nearest is `faultgate`, in which there is no key `alow`"),
            ("lawbok: 1\nrules: []\n", "nearest is `lawbook`, in which there is no key `lawbok`"),
            ("rules: []\n", "without its mark"),
            ("[]", "no policy in any dialect"),
            ("hello", "no policy in any dialect"),
            (" \n", "the policy is empty"),
        ] {
            let found = match dialect("p", text) {
                Ok(found) => found.name.to_owned(),
                Err(problem) => problem.message,
            };
            assert!(found.contains(answer), "{text}: {found}");
        }
    }
}
