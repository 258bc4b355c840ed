//! Checkpoints: which log, how many entries, which root (C2SP tlog-checkpoint).

use super::hash::Hash;
use super::key::PublicKey;
use super::note::{Note, NoteError, Signed};
use super::signer::{SignError, Signer};

/// A text that is no checkpoint, or one that nobody known has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointError {
    /// It is no signed note.
    Note(NoteError),
    /// The text of the note is not origin, size and root.
    Shape,
    /// No key that is known has signed it.
    Unsigned,
    /// A signature says that it is of this key and is not.
    Forged(String),
    /// It is of another log.
    Origin(String),
}

impl std::fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CheckpointError::Note(error) => write!(f, "{error}"),
            CheckpointError::Shape => f.write_str("the note is no checkpoint"),
            CheckpointError::Unsigned => f.write_str("no known key of the log has signed"),
            CheckpointError::Forged(name) => write!(f, "the signature of `{name}` is wrong"),
            CheckpointError::Origin(origin) => write!(f, "this is a checkpoint of `{origin}`"),
        }
    }
}

impl std::error::Error for CheckpointError {}

impl From<NoteError> for CheckpointError {
    fn from(error: NoteError) -> Self {
        CheckpointError::Note(error)
    }
}

/// What a checkpoint says.
///
/// ```
/// use lawbook_ledger::tlog::{Checkpoint, KeyUse, SeedSigner, Signer, Tree, leaf_hash};
///
/// let signer = SeedSigner::new("example.com/ledger", KeyUse::Log, &[7; 32]).unwrap();
/// let tree: Tree = [leaf_hash(b"entry")].into_iter().collect();
/// let checkpoint = Checkpoint::new("example.com/ledger", 1, tree.root_at(1).unwrap());
/// let note = checkpoint.signed(&[&signer]).unwrap();
/// let (read, _) = Checkpoint::open(&note.to_string(), &[signer.public().clone()]).unwrap();
/// assert_eq!(read, checkpoint);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The name of the log.
    pub origin: String,
    /// How many entries it has.
    pub size: u64,
    /// The root of their tree.
    pub root: Hash,
    /// Further lines, opaque; ours have none.
    pub extensions: Vec<String>,
}

impl Checkpoint {
    /// A checkpoint without further lines.
    #[must_use]
    pub fn new(origin: &str, size: u64, root: Hash) -> Self {
        Checkpoint { origin: origin.to_string(), size, root, extensions: Vec::new() }
    }

    /// The text that is signed.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = format!("{}\n{}\n{}\n", self.origin, self.size, self.root.to_base64());
        for line in &self.extensions {
            out.push_str(line);
            out.push('\n');
        }
        out
    }

    /// Reads the text of a note.
    ///
    /// # Errors
    /// When it is not that of a checkpoint.
    pub fn of(note: &Note) -> Result<Self, CheckpointError> {
        Self::read(note.text()).ok_or(CheckpointError::Shape)
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let origin = lines.next().filter(|it| !it.is_empty())?.to_string();
        let size = number(lines.next()?)?;
        let root = Hash::from_base64(lines.next()?)?;
        let extensions: Vec<String> = lines.map(str::to_string).collect();
        let whole = extensions.iter().all(|it| !it.is_empty());
        whole.then_some(Checkpoint { origin, size, root, extensions })
    }

    /// Reads a signed note and checks it against the keys of its log: one that is named must be
    /// right, and at least one must have signed.
    ///
    /// # Errors
    /// When it is no checkpoint, or not signed so.
    pub fn open(note: &str, keys: &[PublicKey]) -> Result<(Self, Note), CheckpointError> {
        let note = Note::read(note)?;
        let checkpoint = Checkpoint::of(&note)?;
        checkpoint.check(&note, keys)?;
        Ok((checkpoint, note))
    }

    /// Checks the signatures of a note that this was read from.
    pub(super) fn check(&self, note: &Note, keys: &[PublicKey]) -> Result<(), CheckpointError> {
        let mut signed = false;
        for key in keys.iter().filter(|it| it.name() == self.origin) {
            match note.signed_by(key) {
                Signed::Yes(_) => signed = true,
                Signed::No => {}
                Signed::Wrong => return Err(CheckpointError::Forged(key.name().to_string())),
            }
        }
        if signed {
            return Ok(());
        }
        let known = keys.iter().any(|it| it.name() == self.origin);
        Err(if known || keys.is_empty() {
            CheckpointError::Unsigned
        } else {
            CheckpointError::Origin(self.origin.clone())
        })
    }

    /// The note that these signers sign, in order.
    ///
    /// # Errors
    /// When one of them gives no signature, or has a key of another name than the origin.
    pub fn signed(&self, signers: &[&dyn Signer]) -> Result<Note, SignError> {
        let mut note = Note::new(&self.text()).map_err(|it| SignError::new(it.to_string()))?;
        if Self::read(note.text()).as_ref() != Some(self) {
            return Err(SignError::new("this can't be said in a checkpoint"));
        }
        for signer in signers {
            if signer.public().name() != self.origin {
                return Err(SignError::new("the key of a log has the name of the log"));
            }
            note.sign(*signer)?;
        }
        Ok(note)
    }
}

/// A whole number in decimal digits without leading zeros.
pub(crate) fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    if !digits || (text.len() > 1 && text.starts_with('0')) {
        return None;
    }
    text.parse().ok()
}
