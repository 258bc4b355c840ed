//! What a judge replied, by the digest of what it was asked.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use lawbook_checks::judge::REPLY_BYTES_MAX;
use lawbook_diag::Problem;
use sha2::{Digest, Sha256};

use crate::output;

/// A folder of replies.
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// The replies in a folder, which is made if it is missing.
    pub fn open(folder: &Path) -> Result<Self, Problem> {
        std::fs::create_dir_all(folder).map_err(|error| output::unwritable(folder, &error))?;
        Ok(Cache { folder: folder.to_owned() })
    }

    fn place(&self, body: &str) -> PathBuf {
        let digest = Sha256::digest(body.as_bytes());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(hex + ".json")
    }

    /// What was replied to this request.
    pub fn get(&self, body: &str) -> Option<String> {
        let file = File::open(self.place(body)).ok()?;
        let mut text = String::new();
        // One byte more shows that the file is no reply that was kept.
        let bytes_max = u64::try_from(REPLY_BYTES_MAX).ok()?.saturating_add(1);
        file.take(bytes_max).read_to_string(&mut text).ok()?;
        Some(text)
    }

    /// Keeps a reply. One that can't be kept is asked for again.
    pub fn put(&self, body: &str, reply: &str) {
        let _ = output::replace(&self.place(body), reply);
    }
}
