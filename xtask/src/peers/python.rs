//! A Python environment for peers, made once and kept under `target/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repo::Repo;
use crate::run;

/// The interpreter of an environment that holds a package. An error says why there is none.
pub fn with(repo: &Repo, package: &str) -> Result<PathBuf, String> {
    let folder = repo.target().join("peers").join(package.replace("==", "-"));
    let python = folder.join("bin").join("python");
    let ready = folder.join("ready");
    if ready.exists() {
        return Ok(python);
    }
    make(&folder)?;
    let mut pip = Command::new(&python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
    run::pass(&mut pip).map_err(|e| format!("{package} could not be installed from PyPI: {e}"))?;
    std::fs::write(&ready, package).map_err(|e| format!("{}: {e}", ready.display()))?;
    Ok(python)
}

/// Debian ships Python without `venv`; where we may, we install it.
fn make(folder: &Path) -> Result<(), String> {
    if venv(folder).is_ok() {
        return Ok(());
    }
    let mut update = Command::new("apt-get");
    run::pass(update.args(["update", "--quiet"])).ok();
    let mut install = Command::new("apt-get");
    run::pass(install.args(["install", "--yes", "--quiet", "python3-venv"])).ok();
    venv(folder).map_err(|e| format!("no Python environment could be made: {e}"))
}

fn venv(folder: &Path) -> Result<(), String> {
    run::pass(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder))
}
