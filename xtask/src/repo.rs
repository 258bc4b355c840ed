//! The repository as a set of files.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders that hold nothing of ours.
const NOT_OURS: &[&str] = &["target", ".git", "__pycache__", "node_modules"];

/// The root folder and every file of the repository.
pub struct Repo {
    /// The root folder.
    pub root: PathBuf,
    /// Paths of all files, relative to the root, sorted, with `/` between the parts.
    pub files: Vec<String>,
}

impl Repo {
    /// The repository that this program was built from.
    pub fn find() -> Result<Repo, String> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.parent().ok_or("xtask stands in no folder")?;
        Repo::at(root)
    }

    /// The repository at a folder.
    pub fn at(root: &Path) -> Result<Repo, String> {
        let mut files = Vec::new();
        let mut folders = vec![root.to_path_buf()];
        while let Some(folder) = folders.pop() {
            let list = fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            for entry in list {
                let entry = entry.map_err(|e| format!("{}: {e}", folder.display()))?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let kind = entry.file_type().map_err(|e| format!("{name}: {e}"))?;
                if kind.is_dir() && !NOT_OURS.contains(&name.as_str()) {
                    folders.push(entry.path());
                } else if kind.is_file() && !name.ends_with(".profraw") {
                    files.push(relative(root, &entry.path()));
                }
            }
        }
        files.sort();
        Ok(Repo { root: root.to_path_buf(), files })
    }

    /// The folder that holds what is built.
    pub fn target(&self) -> PathBuf {
        let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
        named.unwrap_or_else(|| self.root.join("target"))
    }

    /// The text of a file; empty when it is not there or is not text.
    pub fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap_or_default()
    }

    /// Whether a file or folder is there.
    pub fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }

    /// The files under a folder that end with `suffix`.
    pub fn under<'r>(&'r self, folder: &str, suffix: &str) -> Vec<&'r str> {
        let start = format!("{folder}/");
        let fits = |it: &&str| it.starts_with(&start) && it.ends_with(suffix);
        self.files.iter().map(String::as_str).filter(fits).collect()
    }

    /// The files that stand directly in a folder and end with `suffix`, without both.
    pub fn stems(&self, folder: &str, suffix: &str) -> Vec<String> {
        self.under(folder, suffix)
            .iter()
            .filter_map(|it| it.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(suffix))
            .filter(|it| !it.contains('/'))
            .map(str::to_string)
            .collect()
    }

    /// The names of the folders in a folder that hold at least one file.
    pub fn folders(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = self
            .under(folder, "")
            .iter()
            .filter_map(|it| it.strip_prefix(folder)?.strip_prefix('/')?.split_once('/'))
            .map(|(name, _)| name.to_string())
            .collect();
        names.dedup();
        names
    }
}

fn relative(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.to_string_lossy().replace('\\', "/")
}
