//! From the bytes of a policy file to rules.

use lawbook_diag::{Problem, place};
use lawbook_rule::{Policy, Profile};

use crate::dialects::Dialect;
use crate::{detect, dialects};

/// How large a policy file may be.
pub const POLICY_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What a caller knows about a policy file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'o> {
    /// The dialect; found by content if there is none.
    pub dialect: Option<&'o str>,
    /// The reading; compatible if there is none. It means nothing to a dialect that has only one.
    pub profile: Option<Profile>,
    /// What the user is called in messages; the policy's own word if there is none.
    pub user_word: Option<&'o str>,
}

/// What became of a policy file.
#[derive(Debug)]
pub struct Loaded {
    /// The policy; none if there is any problem.
    pub policy: Option<Policy>,
    /// Everything that is wrong with the file, in the order of the text.
    pub problems: Vec<Problem>,
    /// The dialect that it is read as, if one fits.
    pub dialect: Option<&'static str>,
}

/// Reads a policy file. `source` is its name in problems.
#[must_use]
pub fn load(source: &str, bytes: &[u8], options: &Options<'_>) -> Loaded {
    let (dialect, text) = match open(source, bytes, options) {
        Ok(found) => found,
        Err(problem) => {
            return Loaded { policy: None, problems: vec![problem], dialect: None };
        }
    };
    let (policy, mut problems) = (dialect.lower)(source, text, options);
    if problems.is_empty() && policy.is_none() {
        problems.push(Problem::new(source, "no_policy", "the file holds no policy"));
    }
    let policy = policy.filter(|_| problems.is_empty());
    Loaded { policy, problems, dialect: Some(dialect.name) }
}

/// The dialect of a file and the text that it reads.
pub(crate) fn open<'t>(
    source: &str,
    bytes: &'t [u8],
    options: &Options<'_>,
) -> Result<(&'static Dialect, &'t str), Problem> {
    let text = decode(source, bytes)?;
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let dialect = match options.dialect {
        Some(name) => dialects::named(source, name)?,
        None => detect::dialect(source, plain)?,
    };
    Ok((dialect, if dialect.takes_mark { text } else { plain }))
}

fn decode<'t>(source: &str, bytes: &'t [u8]) -> Result<&'t str, Problem> {
    if bytes.len() > POLICY_BYTES_MAX {
        let message = format!("the policy has {} bytes, more than {POLICY_BYTES_MAX}", bytes.len());
        return Err(Problem::new(source, "policy_bytes_max", message)
            .help("split it into several policies; later ones only tighten"));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let (line, column) = place(&String::from_utf8_lossy(good), good.len());
        Problem::new(source, "not_utf8", "the policy is not UTF-8 text")
            .at(line, column)
            .help("save the file as UTF-8")
    })
}
