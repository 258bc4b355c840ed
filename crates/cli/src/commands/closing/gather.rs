//! Everything that the closing report says, each part out of a file that it names.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use lawbook::Proven;
use lawbook_diag::Problem;
use lawbook_report::{SessionReport, Summary};
use sha2::{Digest, Sha256};

use super::ClosingArgs;
use super::build::{RunsIn, look};
use crate::commands::check::{Judge, reader};
use crate::fields::file_text;
use crate::input::{Inputs, Place, each_under, list, stdin_twice};
use crate::output;
use crate::policies::{Otherwise, Policies, Selection};
use crate::review::{Disposition, Found, Gathered as Seen, Mark, Review, State, is_open};

/// Everything that the closing report says.
pub struct Gathered {
    /// The policies.
    pub policies: Policies,
    /// The numbers of the traces.
    pub summary: Summary,
    /// The review, if one is named, as it stands on these traces.
    pub review: Option<Review>,
    /// What is proven, if a file says so.
    pub proven: Option<Proven>,
    /// Where the check runs, for each file that is named.
    pub runs_in: Vec<RunsIn>,
    /// Every file that was read.
    pub read: Vec<ReadFile>,
    /// Something could not be read.
    pub unreadable: bool,
}

/// A file that the report rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadFile {
    /// What it is to the report.
    pub what: &'static str,
    /// Its name; `-` is standard input.
    pub source: String,
    /// `sha256:` and the digest of its bytes; none of standard input, which is gone.
    pub digest: Option<String>,
}

/// A rule that its owner fixed after the review.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// The rule.
    pub rule: String,
    /// How many findings that cleared.
    pub findings: u64,
    /// What the owner said of them.
    pub notes: Vec<String>,
}

/// Reads and judges everything.
///
/// # Errors
/// When something that the report rests on can't be used.
pub fn gather(args: &ClosingArgs) -> Result<Gathered, Vec<Problem>> {
    let forced = reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    if args.policies.wants_stdin(&args.traces) {
        return Err(vec![stdin_twice()]);
    }
    let (places, missing) = list(&args.traces, false)?;
    let policies = args.policies.load(&Selection::default(), Otherwise::BuiltIn)?;
    let review = args.review.as_deref().map(Review::load).transpose()?;
    let one = |problem| vec![problem];
    let proven = args.proven.as_deref().map(proven_rules).transpose()?;
    let looked: Result<Vec<RunsIn>, Problem> =
        args.runs_in.iter().map(|it| look(it, &policies.files)).collect();
    let runs_in = looked.map_err(one)?;

    let file = |what, source: &str, digest: &str| ReadFile {
        what,
        source: source.to_owned(),
        digest: Some(digest.to_owned()),
    };
    let mut read: Vec<ReadFile> =
        policies.lines.iter().map(|it| file("policy", &it.source, &it.digest)).collect();
    for place in &places {
        let digest = match place {
            Place::Stdin => None,
            Place::File(path) => Some(of_file(path).map_err(one)?),
        };
        read.push(ReadFile { what: "traces", source: place.name(), digest });
    }
    if let Some(path) = &args.review {
        let digest = of_file(path).map_err(one)?;
        read.push(file("review", &path.display().to_string(), &digest));
    }
    if let Some(path) = &args.proven {
        let digest = of_file(path).map_err(one)?;
        read.push(file("proven rules", &path.display().to_string(), &digest));
    }
    read.extend(runs_in.iter().map(|it| file("where it runs", &it.source, &it.digest)));
    let inputs = read.iter().map(|it| it.source.clone().into());
    output::apart(args.output.as_deref(), inputs).map_err(one)?;

    let mut gathered = Gathered {
        policies,
        summary: Summary::default(),
        review: None,
        proven,
        runs_in,
        read,
        unreadable: !missing.is_empty(),
    };
    missing.iter().for_each(crate::print::error);
    let seen = gathered.judge(Inputs::new(places, forced), review.as_ref());
    gathered.review = review.map(|mut it| {
        it.merge(seen, |_| true);
        it
    });
    Ok(gathered)
}

impl Gathered {
    /// Judges all traces, and says what the review should know of them.
    fn judge(&mut self, inputs: Inputs, review: Option<&Review>) -> Seen {
        let judge = Judge::new(&self.policies);
        let known = review.map(Review::sessions).unwrap_or_default();
        let mut seen = Seen::default();
        each_under(inputs, judge.wanted(), |read| match read {
            Ok(session) => {
                let judged = judge.all(session);
                self.summary.add(
                    &SessionReport {
                        id: &session.id,
                        source: &session.source,
                        trace_format: session.format,
                        calls: u64::from(session.calls),
                        verdict: judged.verdict(),
                        findings: &judged.findings,
                        unknown: &judged.unknown,
                        scenario: None,
                        checks: &[],
                    },
                    None,
                );
                if review.is_none() {
                    return;
                }
                let mut here = Seen::default();
                if known.contains(&*session.id) {
                    here.judged.insert(session.id.to_string());
                    here.unknown(&session.id, &judged.unknown);
                }
                let open = judged.findings.iter().filter(|it| is_open(it));
                here.found.extend(open.map(|it| Found::new(&session.id, it, None)));
                seen.add(here);
            }
            Err(problem) => {
                self.unreadable = true;
                crate::print::error(&problem);
            }
        });
        seen
    }

    /// Who answers for the policies.
    #[must_use]
    pub fn owners(&self) -> Vec<&str> {
        self.policies.layers.iter().filter_map(|it| it.owner.as_deref()).collect()
    }

    /// The rules that found most, and how often.
    #[must_use]
    pub fn top_rules(&self) -> Vec<(&str, u64)> {
        let mut rules: Vec<(&str, u64)> =
            self.summary.by_rule.iter().map(|it| (&**it.0, *it.1)).collect();
        rules.sort_by_key(|it| std::cmp::Reverse(it.1));
        rules
    }

    /// The rules that were fixed after the review: their findings are gone.
    #[must_use]
    pub fn fixed(&self) -> Vec<Fixed> {
        let mut out: Vec<Fixed> = Vec::new();
        let entries = self.review.iter().flat_map(|it| &it.findings);
        for entry in entries.filter(|it| it.mark == Mark::RuleToFix && it.state == State::Cleared) {
            let rule = &entry.key.rule;
            if out.last().is_none_or(|it| it.rule != *rule) {
                out.push(Fixed { rule: rule.clone(), ..Fixed::default() });
            }
            if let Some(fixed) = out.last_mut() {
                fixed.findings = fixed.findings.saturating_add(1);
                if !entry.note.is_empty() && !fixed.notes.contains(&entry.note) {
                    fixed.notes.push(entry.note.clone());
                }
            }
        }
        out
    }

    /// What no rule covers: what the policies say themselves, then what notes were sorted to.
    #[must_use]
    pub fn not_covered(&self) -> Vec<String> {
        let own = self.policies.layers.iter().flat_map(|it| it.not_covered.iter().cloned());
        let notes = self.review.iter().flat_map(|it| &it.notes);
        let sorted = notes.filter_map(|it| {
            let who = match it.disposition {
                Disposition::WhoElseChecks => it.with.clone(),
                Disposition::Instruction => format!("an instruction to the agent: {}", it.with),
                Disposition::Unsorted | Disposition::NewRule | Disposition::NoGap => return None,
            };
            Some(format!("{} (trace {}): {who}", it.said, it.trace))
        });
        own.chain(sorted).collect()
    }

    /// Whether what is proven is proven of the policy that was judged by.
    #[must_use]
    pub fn is_proven_of_this(&self) -> bool {
        let same =
            |proven: &Proven| self.policies.lines.iter().any(|it| it.digest == proven.policy);
        self.proven.as_ref().is_some_and(same)
    }
}

/// The rules that a file says are proven.
fn proven_rules(path: &Path) -> Result<Proven, Vec<Problem>> {
    let text = file_text(path).map_err(|it| vec![it])?;
    let proven = Proven::read(&path.display().to_string(), &text);
    proven.map_err(|error| error.problems().to_vec())
}

/// The digest of a file, read in blocks.
fn of_file(path: &Path) -> Result<String, Problem> {
    let name = path.display().to_string();
    hashed(path)
        .map_err(|error| Problem::new(name, "unreadable", format!("it can't be read: {error}")))
}

fn hashed(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut block = vec![0; 64 * 1024];
    loop {
        let read = file.read(&mut block)?;
        if read == 0 {
            let hex: String = hash.finalize().iter().map(|it| format!("{it:02x}")).collect();
            return Ok(format!("sha256:{hex}"));
        }
        hash.update(block.get(..read).unwrap_or_default());
    }
}
