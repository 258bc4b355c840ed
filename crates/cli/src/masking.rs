//! The mask of this run: every command that prints words of traces puts them through it.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::OnceLock;

use lawbook_diag::{Finding, Problem, Unknown};
use lawbook_mask::{Mask, Mode as MaskMode};

/// What is masked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Redact {
    /// Secrets and personal data
    #[default]
    Builtin,
    /// Nothing
    Off,
}

static CHOSEN: OnceLock<Redact> = OnceLock::new();
static MASK: OnceLock<Mask> = OnceLock::new();
static SECRET: OnceLock<Option<[u8; 32]>> = OnceLock::new();

/// The variable that holds the secret of masked keys, for machines that keep no files.
const SECRET_VARIABLE: &str = "LAWBOOK_REDACT_KEY";

/// Chooses the mask, once, before anything is printed.
pub fn choose(redact: Redact) {
    // A second choice could not reach what is printed already, so the first one holds.
    CHOSEN.set(redact).ok();
}

/// The mask of this run, without the secret of keys.
pub fn mask() -> &'static Mask {
    MASK.get_or_init(|| match CHOSEN.get().copied().unwrap_or_default() {
        Redact::Builtin => Mask::new(MaskMode::Builtin),
        Redact::Off => Mask::off(),
    })
}

/// The mask of a gate, which masks as faultgate does where it is asked to be compatible.
pub fn of(compatible: bool) -> Mask {
    match mask().mode() {
        MaskMode::Builtin if compatible => Mask::new(MaskMode::Compatible),
        mode => Mask::new(mode),
    }
}

/// A text that may leave.
pub fn text(text: &str) -> Cow<'_, str> {
    mask().text(text)
}

/// The name of a session or of another thing that must stay one and the same from run to run.
pub fn key(raw: &str) -> Cow<'_, str> {
    // Few names are masked, and the secret is not looked for until one is.
    if !mask().changes(raw) {
        return Cow::Borrowed(raw);
    }
    let secret = SECRET.get_or_init(secret);
    secret.map_or_else(|| mask().clone(), |it| mask().clone().keyed(it)).key(raw)
}

/// A finding that may leave. The words of the policy's owner stay.
pub fn finding(it: &mut Finding) {
    finding_under(mask(), it);
}

/// The same under a mask of its own.
pub fn finding_under(mask: &Mask, it: &mut Finding) {
    mask.apply(&mut it.message);
    for text in [&mut it.step_id, &mut it.call_id, &mut it.tool, &mut it.path] {
        text.iter_mut().for_each(|it| mask.apply(it));
    }
    for evidence in &mut it.evidence {
        mask.apply(&mut evidence.step_id);
        evidence.quote.iter_mut().for_each(|it| mask.apply(it));
    }
}

/// What could not be told, as it may leave.
pub fn unknown(it: &mut Unknown) {
    unknown_under(mask(), it);
}

/// The same under a mask of its own.
pub fn unknown_under(mask: &Mask, it: &mut Unknown) {
    mask.apply(&mut it.message);
    mask.apply(&mut it.missing);
    it.step_id.iter_mut().for_each(|it| mask.apply(it));
}

/// A problem as it may leave. The name of its file stays, since it must be found.
pub fn problem(it: &Problem) -> Problem {
    let help = it.help.as_deref().map(|it| text(it).into_owned());
    Problem { message: text(&it.message).into_owned(), help, ..it.clone() }
}

/// The secret of this user, made when it is first needed; one for this run alone where no file can
/// be kept.
fn secret() -> Option<[u8; 32]> {
    if let Some(word) = std::env::var(SECRET_VARIABLE).ok().filter(|it| !it.is_empty()) {
        return Some(digest(word.as_bytes()));
    }
    let file = file();
    let kept = || std::fs::read(file.as_ref()?).ok().filter(|it| it.len() >= 32);
    if let Some(kept) = kept() {
        return Some(digest(&kept));
    }
    let mut fresh = [0; 32];
    getrandom::fill(&mut fresh).ok()?;
    let made = file.as_deref().map(|it| keep(it, &fresh));
    // Another process may have been first.
    let bytes = match made {
        Some(false) => kept().unwrap_or(fresh.to_vec()),
        _ => fresh.to_vec(),
    };
    Some(digest(&bytes))
}

fn digest(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).into()
}

fn keep(file: &std::path::Path, fresh: &[u8]) -> bool {
    let folder = file.parent().is_some_and(|it| std::fs::create_dir_all(it).is_ok());
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = |mut it: std::fs::File| std::io::Write::write_all(&mut it, fresh);
    folder && options.open(file).and_then(write).is_ok()
}

fn file() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    Some(state.or_else(|| folder("LOCALAPPDATA"))?.join("lawbook/redact.key"))
}
