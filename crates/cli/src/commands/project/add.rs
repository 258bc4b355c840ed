//! `lawbook project add`: a policy check written into a project, all else in it left as it stands.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use lawbook_diag::{Problem, nearest};
use lawbook_dialect::{Options, load};
use lawbook_event::json::{Document, Grammar, Limits, Value, write_string};
use lawbook_rule::Profile;

use super::file::{PROJECT, PmstackFile};
use super::{judge, moment, studio};
use crate::commands::rule::written;
use crate::commands::stopped;
use crate::edit::Edits;
use crate::environment::switch;
use crate::exit::Exit;
use crate::output::{Output, unwritable};
use crate::policies::{PolicyFile, now, read_all};
use crate::print::{counted, error};

/// The template of the failure mode, and the name that it gets.
const TEMPLATE: &str = "policy";
const MODE_NAME: &str = "Breaks a tool policy";
const DEFINITION: &str = "Fails when a call to a tool breaks a rule of the policy: a tool that is \
                          off, a change without a yes, a step that is missing before, a value \
                          that is not allowed.";

/// The id and the name of the check.
const CHECK_ID: &str = "ck-tool-policy";
const CHECK_NAME: &str = "Follows the tool policy";

/// Write a policy check into a pmstack project.
#[derive(Debug, Args)]
pub struct AddArgs {
    /// The project
    #[arg(value_name = "PROJECT")]
    pub project: PathBuf,
    /// The policy, in pmstack's dialect
    #[arg(long, value_name = "FILE")]
    pub policy: PathBuf,
    /// The failure mode that the check is about, by its id; the one of tool policies if left out
    #[arg(long, value_name = "ID")]
    pub mode: Option<String>,
    /// Run the check on every change
    #[arg(long, value_parser = switch)]
    pub ci: bool,
}

/// Runs the command.
pub fn run(args: &AddArgs) -> Exit {
    match add(args) {
        Ok(exit) => exit,
        Err(problems) => stopped(&problems),
    }
}

fn add(args: &AddArgs) -> Result<Exit, Vec<Problem>> {
    let file = PmstackFile::read(&args.project, &[PROJECT]).map_err(|it| vec![it])?;
    studio::closed(&args.project).map_err(|it| vec![it])?;
    let policies = read_all(std::slice::from_ref(&args.policy))?;
    let Some(policy) = policies.first() else { return Ok(Exit::Unusable) };
    let policy = compact(policy)?;
    let plan = Plan::of(&file, args).map_err(|it| vec![it])?;
    let text = plan.written(&file, args, &policy);
    save(args, &text).map_err(|it| vec![it])?;
    report(args, &plan)
}

/// The policy as JSON, if it is one in pmstack's dialect.
fn compact(file: &PolicyFile) -> Result<String, Vec<Problem>> {
    let loaded = load(&file.source, &file.bytes, &Options::default());
    match loaded.dialect {
        Some(judge::DIALECT) if loaded.problems.is_empty() => {}
        Some(judge::DIALECT) | None => return Err(loaded.problems),
        Some(other) => {
            let message = format!("it is a `{other}` policy, and a project holds pmstack's");
            return Err(vec![
                Problem::new(&file.source, "other_dialect", message)
                    .help("`lawbook policy convert … --to pmstack` writes it in that dialect"),
            ]);
        }
    }
    let text = String::from_utf8_lossy(&file.bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.trim().to_owned())
}

/// What is written where.
struct Plan {
    mode: String,
    /// The failure mode is not there yet.
    mode_is_new: bool,
    check: String,
    check_is_new: bool,
}

impl Plan {
    fn of(file: &PmstackFile, args: &AddArgs) -> Result<Self, Problem> {
        let modes = || file.root().get("modes").into_iter().flat_map(Value::items);
        let ids: Vec<&str> = modes().filter_map(|it| id(it)).collect();
        let marked = || modes().find(|it| text(*it, "template") == Some(TEMPLATE)).and_then(id);
        let (mode, mode_is_new) = match &args.mode {
            Some(wanted) => (known(file, wanted, &ids)?, false),
            None => match marked() {
                Some(mode) => (mode.to_owned(), false),
                None => (free("fm-breaks-a-tool-policy", &ids), true),
            },
        };
        let checks = || file.root().get("checks").into_iter().flat_map(Value::items);
        let own = checks().find(|it| {
            text(*it, "type") == Some("policy") && text(*it, "modeId") == Some(mode.as_str())
        });
        let taken: Vec<&str> = checks().filter_map(|it| id(it)).collect();
        let (check, check_is_new) = match own.and_then(id) {
            Some(check) => (check.to_owned(), false),
            None => (free(CHECK_ID, &taken), true),
        };
        Ok(Plan { mode, mode_is_new, check, check_is_new })
    }

    /// The project with the check in it.
    fn written(&self, file: &PmstackFile, args: &AddArgs, policy: &str) -> String {
        let root = file.root();
        let mut edits = Edits::of(&file.text);
        let moment = this_moment();
        match self.find(root, "modes", &self.mode) {
            Some(mode) => {
                if text(mode, "template") != Some(TEMPLATE) {
                    edits.set(mode, "template", &quoted(TEMPLATE));
                }
            }
            None => append(&mut edits, root, "modes", &self.new_mode(file, &moment)),
        }
        match self.find(root, "checks", &self.check) {
            Some(check) => {
                edits.set(check, "policy", policy);
                edits.set(check, "ci", &args.ci.to_string());
            }
            None => append(&mut edits, root, "checks", &self.new_check(args, policy)),
        }
        // Whoever writes a project counts it up, so that a studio sees that it changed.
        let revision = root.get("revision").and_then(Value::number_text);
        let revision = revision.and_then(|it| it.parse::<u64>().ok()).unwrap_or(0);
        edits.set(root, "revision", &revision.saturating_add(1).to_string());
        edits.set(root, "updatedAt", &quoted(&moment));
        edits.text()
    }

    fn find<'f>(&self, root: Value<'f>, list: &str, wanted: &str) -> Option<Value<'f>> {
        root.get(list).into_iter().flat_map(Value::items).find(|it| id(*it) == Some(wanted))
    }

    fn new_mode(&self, file: &PmstackFile, moment: &str) -> String {
        let stages = file.experience().and_then(|it| it.get("stages"));
        let mut stages = stages.into_iter().flat_map(Value::items);
        let act = stages.find(|it| text(*it, "column") == Some("act")).and_then(id);
        format!(
            "{{\"id\":{},\"kind\":\"failure\",\"name\":{},\"definition\":{},\"stage\":{},\
             \"severity\":null,\"instructed\":null,\"decision\":\"check\",\"impact\":\"\",\
             \"createdAt\":{},\"definitionUpdatedAt\":null,\"fixedAt\":null,\"source\":\"human\",\
             \"template\":{}}}",
            quoted(&self.mode),
            quoted(MODE_NAME),
            quoted(DEFINITION),
            act.map_or("null".to_owned(), quoted),
            quoted(moment),
            quoted(TEMPLATE),
        )
    }

    fn new_check(&self, args: &AddArgs, policy: &str) -> String {
        format!(
            "{{\"id\":{},\"modeId\":{},\"type\":\"policy\",\"name\":{},\"policy\":{policy},\
             \"ruleIds\":[],\"when\":null,\"ci\":{}}}",
            quoted(&self.check),
            quoted(&self.mode),
            quoted(CHECK_NAME),
            args.ci,
        )
    }
}

fn append(edits: &mut Edits<'_>, root: Value<'_>, key: &str, json: &str) {
    match root.get(key).filter(|it| it.is_array()) {
        Some(list) => edits.push(list, json),
        None => edits.set(root, key, &format!("[{json}]")),
    }
}

fn id(value: Value<'_>) -> Option<&str> {
    text(value, "id")
}

fn text<'v>(value: Value<'v>, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

/// The failure mode of this id, which must be there.
fn known(file: &PmstackFile, wanted: &str, ids: &[&str]) -> Result<String, Problem> {
    if ids.contains(&wanted) {
        return Ok(wanted.to_owned());
    }
    let source = file.path.display().to_string();
    let message = format!("it has no failure mode `{wanted}`");
    let help = match nearest(wanted, ids.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if ids.is_empty() => "without `--mode` one is made".to_owned(),
        None => format!("its modes are {}", ids.join(", ")),
    };
    Err(Problem::new(source, "unknown_mode", message).help(help))
}

/// An id that is not taken.
fn free(id: &str, taken: &[&str]) -> String {
    let taken: BTreeSet<&str> = taken.iter().copied().collect();
    let numbered = (2_u32..).map(|it| format!("{id}-{it}"));
    let mut ids = std::iter::once(id.to_owned()).chain(numbered);
    ids.find(|it| !taken.contains(it.as_str())).unwrap_or_default()
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(&mut out, text);
    out
}

/// Now, as pmstack writes moments.
fn this_moment() -> String {
    let nanos = now().map_or(0, |it| it.nanos);
    let millis = nanos.div_euclid(1_000_000);
    moment::written(millis)
}

/// Writes the project, whole or not at all.
fn save(args: &AddArgs, text: &str) -> Result<(), Problem> {
    let failed = |error: std::io::Error| unwritable(&args.project, &error);
    if let Err(error) = Document::parse(text, Grammar::Strict, &Limits::DEFAULT) {
        let message = format!("what would be written is no JSON: {error}");
        return Err(Problem::new(args.project.display().to_string(), "not_written", message));
    }
    let mut output = Output::open(Some(&args.project))?;
    output.write(text).map_err(failed)?;
    output.finish().map_err(failed)
}

/// Says what was written and what the project's traces make of it.
fn report(args: &AddArgs, plan: &Plan) -> Result<Exit, Vec<Problem>> {
    let file = PmstackFile::read(&args.project, &[PROJECT]).map_err(|it| vec![it])?;
    let word = |is_new: bool| if is_new { "new " } else { "" };
    let every = if args.ci { "runs on every change" } else { "does not run on every change" };
    let mut out = format!(
        "{}check {} on {}failure mode {}: {every}\n",
        word(plan.check_is_new),
        plan.check,
        word(plan.mode_is_new),
        plan.mode,
    );
    let checks: Vec<_> = file.checks(false).into_iter().filter(|it| it.id == plan.check).collect();
    match judge::run(&file, &checks, Profile::Compatible, None) {
        Ok(results) => {
            results.problems.iter().for_each(error);
            let fails = results.checks.first().map_or(0, |it| it.fails.len());
            let traces = counted(results.traces.len(), "trace");
            out.push_str(&format!("breaks the policy in {fails} of {traces}\n"));
        }
        Err(problem) => error(&problem),
    }
    Ok(written(&out))
}
