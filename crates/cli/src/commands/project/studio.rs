//! Whether pmstack's studio has a project open, which is then its own to write.

use std::path::Path;

use lawbook_diag::Problem;
use lawbook_event::json::{Document, Grammar, Limits, Value};

/// The file beside a project in which its studio names itself.
const LOCK: &str = ".studio.json";

/// That no studio has the project open.
///
/// # Errors
/// When the process that its file names is alive, or can't be told to be gone.
pub fn closed(project: &Path) -> Result<(), Problem> {
    let lock = project.with_file_name(LOCK);
    let Ok(text) = std::fs::read_to_string(&lock) else { return Ok(()) };
    let document = Document::parse(&text, Grammar::Strict, &Limits::DEFAULT).ok();
    let root = document.as_ref().map(|it| it.root());
    let pid = root.and_then(|it| it.get("pid")).and_then(Value::number_text);
    let Some(pid) = pid.and_then(|it| it.parse::<u32>().ok()).filter(|it| *it > 0) else {
        // A file that names no process was left behind.
        return Ok(());
    };
    if !is_alive(pid) {
        return Ok(());
    }
    let url = root.and_then(|it| it.get("url")).and_then(Value::as_str).unwrap_or_default();
    let message = format!("the studio has it open, as process {pid} {url}");
    Err(Problem::new(project.display().to_string(), "studio_open", message.trim_end())
        .help("paste the policy in its Checks tab, or close the studio"))
}

/// Whether a process is alive. Where nothing tells, it is.
#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else {
        return false;
    };
    // A process of somebody else can't be asked, and is there.
    rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH)
}

/// Whether a process is alive. Where nothing tells, it is.
#[cfg(not(unix))]
fn is_alive(_pid: u32) -> bool {
    true
}
