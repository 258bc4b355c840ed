//! Signed notes: a text, a blank line, and the lines of those who sign it (C2SP signed-note).

use base64ct::{Base64, Encoding};

use super::key::{KeyUse, PublicKey, is_name};
use super::signer::{SignError, Signer, signed};

/// The longest note that is read, in bytes.
pub const NOTE_BYTES_MAX: usize = 1 << 20;

/// The most signatures that a note carries.
pub const SIGNATURES_MAX: usize = 100;

/// A text that is no note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteError {
    /// More than [`NOTE_BYTES_MAX`] or [`SIGNATURES_MAX`].
    TooLarge,
    /// It holds a control character other than line feeds.
    Control,
    /// No blank line parts text and signatures, or one of them is missing or not ended.
    Shape,
    /// A line of a signature can't be read.
    Signature,
}

impl std::fmt::Display for NoteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoteError::TooLarge => "the note is too large",
            NoteError::Control => "the note holds a control character",
            NoteError::Shape => "the note is not a text, a blank line and signatures",
            NoteError::Signature => "a signature of the note can't be read",
        })
    }
}

impl std::error::Error for NoteError {}

/// One line below a note: who signs, and the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSignature {
    name: String,
    id: [u8; 4],
    bytes: Vec<u8>,
}

impl NoteSignature {
    /// The name of the key.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The id of the key.
    #[must_use]
    pub fn id(&self) -> [u8; 4] {
        self.id
    }

    /// Whether it says that it was made with `key`.
    #[must_use]
    pub fn is_of(&self, key: &PublicKey) -> bool {
        self.name == key.name() && self.id == key.id()
    }

    /// Reads a line without its end.
    fn read(line: &str) -> Option<Self> {
        let (name, base64) = line.strip_prefix("\u{2014} ")?.split_once(' ')?;
        let bytes = Base64::decode_vec(base64).ok()?;
        let (id, bytes) = bytes.split_first_chunk::<4>()?;
        if !is_name(name) || bytes.is_empty() {
            return None;
        }
        Some(NoteSignature { name: name.to_string(), id: *id, bytes: bytes.to_vec() })
    }
}

/// The line, without its end.
impl std::fmt::Display for NoteSignature {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = [&self.id[..], &self.bytes].concat();
        write!(f, "\u{2014} {} {}", self.name, Base64::encode_string(&bytes))
    }
}

/// What a key has to do with a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The key has signed it; a witness, at this time, in seconds since 1970.
    Yes(Option<u64>),
    /// No signature says that it is of this key.
    No,
    /// A signature says so and is not.
    Wrong,
}

/// A text and its signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    signatures: Vec<NoteSignature>,
}

impl Note {
    /// A note that nobody has signed. `text` must end with a line feed.
    ///
    /// # Errors
    /// When the text can't be that of a note.
    pub fn new(text: &str) -> Result<Self, NoteError> {
        if text.len() > NOTE_BYTES_MAX {
            return Err(NoteError::TooLarge);
        }
        if has_control(text) {
            return Err(NoteError::Control);
        }
        if !text.ends_with('\n') {
            return Err(NoteError::Shape);
        }
        Ok(Note { text: text.to_string(), signatures: Vec::new() })
    }

    /// Reads a note; nothing in it may be believed before [`Note::signed_by`] says yes.
    ///
    /// # Errors
    /// When it is not a note.
    pub fn read(note: &str) -> Result<Self, NoteError> {
        if note.len() > NOTE_BYTES_MAX {
            return Err(NoteError::TooLarge);
        }
        let (text, lines) = note.rsplit_once("\n\n").ok_or(NoteError::Shape)?;
        let mut out = Note::new(&format!("{text}\n"))?;
        out.add_lines(lines)?;
        if out.signatures.is_empty() { Err(NoteError::Shape) } else { Ok(out) }
    }

    /// Adds signature lines, each with its end, as witnesses answer them. A line that stands there
    /// already is not added again.
    ///
    /// # Errors
    /// When a line can't be read; then none was added.
    pub fn add_lines(&mut self, lines: &str) -> Result<(), NoteError> {
        if has_control(lines) {
            return Err(NoteError::Control);
        }
        let lines = lines.strip_suffix('\n').ok_or(NoteError::Shape)?;
        let mut all = self.signatures.clone();
        for (read, line) in lines.split('\n').enumerate() {
            if read >= SIGNATURES_MAX || all.len() >= SIGNATURES_MAX {
                return Err(NoteError::TooLarge);
            }
            let signature = NoteSignature::read(line).ok_or(NoteError::Signature)?;
            if !all.contains(&signature) {
                all.push(signature);
            }
        }
        self.signatures = all;
        Ok(())
    }

    /// The text, with the line feed at its end.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All signatures, in order, whoever made them.
    #[must_use]
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Signs as a log. A signature of the same key that stands there is replaced.
    ///
    /// # Errors
    /// When the signer gives none, or its key is not a log's.
    pub fn sign(&mut self, signer: &dyn Signer) -> Result<(), SignError> {
        if signer.public().usage() != KeyUse::Log {
            return Err(SignError::new("a witness's key signs no notes"));
        }
        let signature = signed(signer, self.text.as_bytes())?;
        self.put(signer.public(), signature.to_vec());
        Ok(())
    }

    /// Signs as a witness, at a time in seconds since 1970 (C2SP tlog-cosignature, type 0x04).
    ///
    /// # Errors
    /// When the signer gives none, its key is not a witness's, or the time is 2^63 or more.
    pub fn cosign(&mut self, signer: &dyn Signer, at_secs: u64) -> Result<(), SignError> {
        if signer.public().usage() != KeyUse::Witness {
            return Err(SignError::new("a log's key makes no cosignature"));
        }
        if i64::try_from(at_secs).is_err() {
            return Err(SignError::new("the time of a cosignature is below 2^63"));
        }
        let signature = signed(signer, self.cosigned(at_secs).as_bytes())?;
        let bytes = [&at_secs.to_be_bytes()[..], &signature].concat();
        self.put(signer.public(), bytes);
        Ok(())
    }

    /// Whether `key` has signed. Of several signatures that name the key, all must be right.
    #[must_use]
    pub fn signed_by(&self, key: &PublicKey) -> Signed {
        let mut told = Signed::No;
        for signature in self.signatures.iter().filter(|it| it.is_of(key)) {
            match self.check(key, &signature.bytes) {
                Some(at) => told = Signed::Yes(at),
                None => return Signed::Wrong,
            }
        }
        told
    }

    /// The time of a right signature, if it has one.
    fn check(&self, key: &PublicKey, bytes: &[u8]) -> Option<Option<u64>> {
        match key.usage() {
            KeyUse::Log => {
                key.verifies(self.text.as_bytes(), bytes.try_into().ok()?).then_some(None)
            }
            KeyUse::Witness => {
                let (at, signature) = bytes.split_first_chunk::<8>()?;
                let at = u64::from_be_bytes(*at);
                i64::try_from(at).ok()?;
                let message = self.cosigned(at);
                key.verifies(message.as_bytes(), signature.try_into().ok()?).then_some(Some(at))
            }
        }
    }

    fn cosigned(&self, at_secs: u64) -> String {
        format!("cosignature/v1\ntime {at_secs}\n{}", self.text)
    }

    fn put(&mut self, key: &PublicKey, bytes: Vec<u8>) {
        self.signatures.retain(|it| !it.is_of(key));
        let signature = NoteSignature { name: key.name().to_string(), id: key.id(), bytes };
        self.signatures.push(signature);
    }

    /// The lines of the signatures that `which` picks, each with its end.
    #[must_use]
    pub fn lines(&self, which: impl Fn(&NoteSignature) -> bool) -> String {
        self.signatures.iter().filter(|it| which(it)).map(|it| format!("{it}\n")).collect()
    }
}

/// The whole note.
impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n{}", self.text, self.lines(|_| true))
    }
}

fn has_control(text: &str) -> bool {
    text.bytes().any(|it| it < 0x20 && it != b'\n')
}
