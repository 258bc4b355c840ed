//! `lawbook policy test`: policy tests, run by the engine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_cases::{Ended, Replay, Settings, Told, run as run_case};
use lawbook_diag::Problem;
use lawbook_report::{quote, shown};

use crate::commands::rule::written;
use crate::commands::{Format, stopped};
use crate::exit::Exit;
use crate::policies::ProfileName;

/// Run policy tests.
#[derive(Debug, Args)]
pub struct TestArgs {
    /// Case files, and folders whose `.yaml` files are all case files
    #[arg(required = true, value_name = "FILE|DIR")]
    pub paths: Vec<PathBuf>,
    /// How policies of other systems are read, in cases that don't say
    #[arg(long, value_name = "PROFILE", env = "LAWBOOK_PROFILE", hide_env = true)]
    pub profile: Option<ProfileName>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t, env = "LAWBOOK_FORMAT", hide_env = true)]
    pub format: Format,
}

/// What became of all cases.
#[derive(Default)]
struct Results {
    told: Vec<(String, Told)>,
    problems: Vec<Problem>,
}

/// Runs the command.
pub fn run(args: &TestArgs) -> Exit {
    let files = match files(&args.paths) {
        Ok(files) => files,
        Err(problems) => return stopped(&problems),
    };
    let mut results = Results::default();
    for path in &files {
        results.run(path, args);
    }
    let printed = match args.format {
        Format::Text => written(&results.text()),
        Format::Json => written(&results.json()),
    };
    for problem in &results.problems {
        crate::print::error(problem);
    }
    printed.max(results.exit())
}

impl Results {
    fn run(&mut self, path: &Path, args: &TestArgs) {
        let name = path.display().to_string();
        let settings = Settings {
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            profile: args.profile.map(Into::into),
        };
        let told = std::fs::read_to_string(path)
            .map_err(|error| {
                Problem::new(&name, "unreadable", format!("it can't be read: {error}"))
            })
            .and_then(|text| run_case(&name, &text, &Replay, &settings));
        match told {
            Ok(told) => self.told.extend(told.into_iter().map(|it| (name.clone(), it))),
            Err(problem) => self.problems.push(problem),
        }
    }

    fn exit(&self) -> Exit {
        let failed = self.told.iter().any(|it| matches!(it.1.ended, Ended::Failed(_)));
        if !self.problems.is_empty() {
            Exit::Unusable
        } else if failed {
            Exit::Found
        } else if self.count().0 == 0 {
            Exit::Unknown
        } else {
            Exit::Clean
        }
    }

    /// How many passed, failed, and were skipped for which reason.
    fn count(&self) -> (usize, usize, BTreeMap<&'static str, usize>) {
        let (mut passed, mut failed, mut skipped) = (0_usize, 0_usize, BTreeMap::new());
        for (_, told) in &self.told {
            let count = match told.ended {
                Ended::Passed => &mut passed,
                Ended::Failed(_) => &mut failed,
                Ended::Skipped(reason) => skipped.entry(reason).or_default(),
            };
            *count = count.saturating_add(1);
        }
        (passed, failed, skipped)
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (name, told) in &self.told {
            if let Ended::Failed(differences) = &told.ended {
                out.push_str(&format!("failed {}: {}\n", shown(name), shown(&told.about)));
                for it in differences {
                    out.push_str(&format!("  at {}\n", shown(&it.to_string())));
                }
            }
        }
        let (passed, failed, skipped) = self.count();
        out.push_str(&format!("{passed} passed, {failed} failed"));
        for (reason, count) in skipped {
            out.push_str(&format!(", {count} skipped ({reason})"));
        }
        if !self.problems.is_empty() {
            out.push_str(&format!(", {} unreadable", self.problems.len()));
        }
        out.push('\n');
        out
    }

    fn json(&self) -> String {
        let one = |(name, told): &(String, Told)| {
            let (ended, differences, reason) = match &told.ended {
                Ended::Passed => ("passed", Vec::new(), None),
                Ended::Failed(it) => {
                    ("failed", it.iter().map(|it| quote(&it.to_string())).collect(), None)
                }
                Ended::Skipped(reason) => ("skipped", Vec::new(), Some(*reason)),
            };
            format!(
                "{{\"source\":{},\"about\":{},\"ended\":{},\"differences\":[{}],\"reason\":{}}}",
                quote(name),
                quote(&told.about),
                quote(ended),
                differences.join(","),
                reason.map_or("null".to_owned(), quote),
            )
        };
        let (passed, failed, skipped) = self.count();
        let skipped: usize = skipped.values().sum();
        let cases: Vec<String> = self.told.iter().map(one).collect();
        format!(
            "{{\"schema\":\"lawbook.test/1\",\"cases\":[{}],\"summary\":{{\"passed\":{passed},\
             \"failed\":{failed},\"skipped\":{skipped},\"unreadable\":{}}}}}\n",
            cases.join(","),
            self.problems.len(),
        )
    }
}

/// The case files, in order: those named, and all below the folders named.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Vec<Problem>> {
    let mut out = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        let before = out.len();
        if path.is_dir() {
            below(path, &mut out, &mut problems);
            if out.len() == before {
                let name = path.display().to_string();
                problems.push(Problem::new(name, "no_case", "no `.yaml` file is in this folder"));
            }
        } else {
            out.push(path.clone());
        }
    }
    if problems.is_empty() { Ok(out) } else { Err(problems) }
}

fn below(folder: &Path, out: &mut Vec<PathBuf>, problems: &mut Vec<Problem>) {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                let name = folder.display().to_string();
                problems.push(Problem::new(
                    name,
                    "unreadable",
                    format!("it can't be read: {error}"),
                ));
                continue;
            }
        };
        for path in entries.flatten().map(|it| it.path()) {
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "yaml" || it == "yml") {
                found.push(path);
            }
        }
    }
    found.sort();
    out.extend(found);
}
