//! The flags that say which reports are written, and where.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use lawbook_diag::{Problem, nearest};
use lawbook_report::{Options, REPORTERS, Reporter};

use super::sheet::Sheet;
use super::{Audit, Form, Kept, Reports};
use crate::output::{self, is_stdout};

/// The reporter of a name; commands have their own for some formats.
pub type Lookup = fn(&str) -> Option<&'static dyn Reporter>;

/// Which reports are written, and where.
#[derive(Clone, Debug, Args)]
pub struct ReportArgs {
    /// How the report is written: text, json, jsonl, junit, sarif, github, gitlab, markdown or html
    #[arg(
        long,
        default_value = "text",
        value_name = "FORMAT",
        env = "LAWBOOK_FORMAT",
        hide_env = true
    )]
    pub format: String,
    /// Write the report to a file, which changes only once it is whole; `-` is standard output
    #[arg(long, value_name = "FILE", env = "LAWBOOK_OUTPUT", hide_env = true)]
    pub output: Option<PathBuf>,
    /// Write the same report in one more format to a file; may be given several times
    #[arg(long, value_name = "FORMAT=FILE")]
    pub also: Vec<String>,
    /// Also keep an audit in a new folder: the report in every format, digests of all that was
    /// read, the policies, and a script that does it again
    #[arg(long, value_name = "DIR", env = "LAWBOOK_AUDIT", hide_env = true)]
    pub audit: Option<PathBuf>,
}

impl ReportArgs {
    /// How each report is written, the main one first and those of an audit last.
    ///
    /// # Errors
    /// When a format or a file is not usable.
    pub fn forms(&self, lookup: Lookup, options: Options) -> Result<Vec<Form>, Problem> {
        let plain = Options { colour: false, ..options };
        let colour = self.file().is_none() && colours();
        let main = reporter("--format", &self.format, lookup)?;
        let mut forms = vec![Form { reporter: main, options: Options { colour, ..options } }];
        for (format, _) in self.also()? {
            let reporter = reporter("--also", format, lookup)?;
            forms.push(Form { reporter, options: plain });
        }
        if self.audit.is_some() {
            let whole = Options { all: true, ..plain };
            let kept = Audit::formats().iter().filter_map(|it| lookup(it));
            forms.extend(kept.map(|reporter| Form { reporter, options: whole }));
        }
        Ok(forms)
    }

    /// Opens every report, and the audit if there is one.
    ///
    /// # Errors
    /// When one can't be written.
    pub fn open(&self, forms: &[Form], kept: Kept) -> Result<Reports, Vec<Problem>> {
        let audit = self.audit.as_deref().map(|it| Audit::open(it, kept)).transpose()?;
        let also = self.also().map_err(|it| vec![it])?.into_iter().map(|it| Some(it.1));
        let places = std::iter::once(self.output.clone()).chain(also);
        let kept = audit.iter().flat_map(Audit::places).map(Some);
        let opened = forms.iter().zip(places.chain(kept)).map(|(form, at)| Sheet::open(*form, at));
        let sheets = opened.collect::<Result<Vec<_>, _>>().map_err(|it| vec![it])?;
        Ok(Reports::new(sheets, audit))
    }

    /// No report replaces what is read, nor another report.
    ///
    /// # Errors
    /// When one would.
    pub fn apart(&self, read: &[PathBuf]) -> Result<(), Problem> {
        let also = self.also()?.into_iter().map(|it| it.1);
        for file in self.file().map(Path::to_owned).into_iter().chain(also) {
            output::apart(Some(&file), read.iter().cloned())?;
        }
        Ok(())
    }

    /// The file that the main report goes to, if it does not go to standard output.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|it| !is_stdout(it))
    }

    /// The reports that are written beside the main one.
    fn also(&self) -> Result<Vec<(&str, PathBuf)>, Problem> {
        let mut taken: Vec<PathBuf> = self.file().map(Path::to_owned).into_iter().collect();
        let mut also = Vec::new();
        for word in &self.also {
            let Some((format, file)) = word.split_once('=').filter(|it| !it.1.is_empty()) else {
                return Err(unusable(format!("`{word}` names no file")));
            };
            let file = PathBuf::from(file);
            if is_stdout(&file) {
                return Err(unusable("standard output is for the main report".to_owned()));
            }
            if taken.contains(&file) {
                return Err(unusable(format!("two reports would go to `{}`", file.display())));
            }
            taken.push(file.clone());
            also.push((format, file));
        }
        Ok(also)
    }
}

fn unusable(message: String) -> Problem {
    Problem::new("--also", "unusable_flag", message)
        .help("it is a format and a file, as in `--also markdown=report.md`")
}

fn reporter(flag: &str, name: &str, lookup: Lookup) -> Result<&'static dyn Reporter, Problem> {
    lookup(name).ok_or_else(|| {
        let names: Vec<&str> = REPORTERS.iter().map(|it| it.name()).collect();
        let help = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        };
        Problem::new(flag, "unknown_name", format!("there is no report format `{name}`")).help(help)
    })
}

/// Whether standard output shows colours.
fn colours() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}
