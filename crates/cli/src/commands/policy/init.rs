//! `lawbook policy init`: a first policy out of what traces show and what its owner says.

mod answers;
mod ask;
mod interview;
mod making;
mod observe;
mod owner;
mod print;
mod question;
mod requirements;
mod seen;
mod uncovered;
mod write;

use std::io::{self, BufReader, IsTerminal, Read};
use std::path::PathBuf;

use clap::Args;
use lawbook_diag::Problem;

use crate::commands::rule::written;
use crate::commands::{check, stopped};
use crate::environment::switch;
use crate::exit::Exit;
use crate::input::{Inputs, each, list};
use crate::policies::is_stdin;
use crate::print::{error, note};
use answers::Answers;
use ask::Asker;
use interview::Interview;
use making::Making;
use observe::Observer;
use question::Question;
use seen::Seen;

/// Write a first policy, out of what traces show and what its owner says.
#[derive(Debug, Args)]
pub struct InitArgs {
    /// Trace files and globs; a starter is written without
    #[arg(value_name = "TRACES")]
    pub traces: Vec<String>,
    /// Write the built-in policy for coding agents, and ask nothing
    #[arg(long, conflicts_with_all = ["traces", "answers", "ask", "print_questions"],
          value_parser = switch)]
    pub coding: bool,
    /// Answers in a YAML or JSON file, `-` for standard input; what it does not answer is to
    /// confirm
    #[arg(long, value_name = "FILE", env = "LAWBOOK_ANSWERS", hide_env = true)]
    pub answers: Option<PathBuf>,
    /// Ask, line by line, even where standard input is no terminal
    #[arg(long, conflicts_with_all = ["answers", "print_questions"], value_parser = switch)]
    pub ask: bool,
    /// Print the questions as JSON, with all options, and write nothing; with `--answers` only
    /// those that are left
    #[arg(long, value_parser = switch)]
    pub print_questions: bool,
    /// The file that the policy is written to; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "lawbook.yaml")]
    pub out: PathBuf,
    /// Replace the file if it is there
    #[arg(long, value_parser = switch)]
    pub force: bool,
    /// What the user is called in messages
    #[arg(
        long,
        value_name = "WORD",
        default_value = "user",
        env = "LAWBOOK_USER_WORD",
        hide_env = true
    )]
    pub user_word: String,
    /// The format of the traces, where their content does not show it
    #[arg(
        long,
        value_name = "NAME",
        alias = "format-of",
        env = "LAWBOOK_TRACE_FORMAT",
        hide_env = true
    )]
    pub trace_format: Option<String>,
}

/// Runs the command.
pub fn run(args: &InitArgs) -> Exit {
    match init(args) {
        Ok(exit) => exit,
        Err(problems) => stopped(&problems),
    }
}

fn init(args: &InitArgs) -> Result<Exit, Vec<Problem>> {
    if args.coding {
        write::may_write(args).map_err(|it| vec![it])?;
        return write::coding(args).map_err(|it| vec![it]);
    }
    let asks = args.ask || io::stdin().is_terminal();
    if !args.print_questions && (asks || args.answers.is_some()) {
        write::may_write(args).map_err(|it| vec![it])?;
    }
    let mut answers = args.answers.as_ref().map(read_answers).transpose()?;
    let seen = observed(args)?;
    let interview = Interview::new(&seen, &args.user_word);
    if args.print_questions {
        let (questions, found) = questions(interview, answers.as_mut())?;
        return Ok(written(&print::json(&questions, &found)));
    }
    let making = match &mut answers {
        Some(answers) => answered(interview, answers)?,
        None if asks => {
            let said = asked(interview).map_err(|it| vec![ended(&it)])?;
            said.ok_or_else(|| {
                vec![ended(&io::Error::other("the answers end before the questions"))]
            })?
        }
        None => return Ok(nobody_to_ask(interview)),
    };
    write::policy(args, making)
}

/// What the traces show.
fn observed(args: &InitArgs) -> Result<Seen, Vec<Problem>> {
    let mut observer = Observer::new()?;
    if args.traces.is_empty() {
        return Ok(observer.seen());
    }
    let forced = check::reader(args.trace_format.as_deref()).map_err(|it| vec![it])?;
    let answers = args.answers.iter().filter(|it| is_stdin(it));
    if answers.count() > 0 && args.traces.iter().any(|it| it == "-") {
        return Err(vec![crate::input::stdin_twice()]);
    }
    let (places, missing) = list(&args.traces, false)?;
    missing.iter().for_each(error);
    each(Inputs::new(places, forced), |read| match read {
        Ok(session) => observer.session(&session.events),
        Err(problem) => error(&problem),
    });
    let seen = observer.seen();
    if seen.is_empty() {
        note(
            "the traces hold no calls, so nothing can be drawn from them: record tool calls first",
        );
    }
    Ok(seen)
}

fn read_answers(path: &PathBuf) -> Result<Answers, Vec<Problem>> {
    let source = path.display().to_string();
    let mut text = String::new();
    let read = match is_stdin(path) {
        true => io::stdin().lock().read_to_string(&mut text).map(drop),
        false => std::fs::read_to_string(path).map(|it| text = it),
    };
    read.map_err(|it| {
        vec![Problem::new(&source, "unreadable", format!("the answers can't be read: {it}"))]
    })?;
    Answers::read(&source, &text)
}

/// The interview with answers from a file. What they leave open is to confirm.
fn answered(mut interview: Interview<'_>, answers: &mut Answers) -> Result<Making, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut open = 0_usize;
    while let Some(question) = interview.next() {
        match answers.to(&question.id) {
            Some(answer) => {
                if let Err(wrong) = interview.take(&question, &answer) {
                    problems.extend(answers.refused(&question.id, &wrong));
                }
            }
            None => {
                open = open.saturating_add(1);
                interview.confirm_later(&question);
            }
        }
    }
    problems.extend(answers.unused());
    if !problems.is_empty() {
        return Err(problems);
    }
    interview.found().iter().for_each(|it| note(it));
    if open > 0 {
        let questions = crate::print::counted(open, "question");
        note(&format!("{questions} without an answer, marked to confirm"));
    }
    Ok(interview.policy())
}

/// The interview in a terminal. None if the answers end early.
fn asked(mut interview: Interview<'_>) -> io::Result<Option<Making>> {
    let mut asker = Asker::new(BufReader::new(io::stdin().lock()), io::stderr());
    while let Some(question) = interview.next() {
        for found in interview.found() {
            asker.say(&format!("\nfound, and not asked: {found}"))?;
        }
        loop {
            let Some(answer) = asker.ask(&question)? else { return Ok(None) };
            match interview.take(&question, &answer) {
                Ok(()) => break,
                Err(wrong) => asker.say(&wrong.join("; "))?,
            }
        }
    }
    Ok(Some(interview.policy()))
}

/// The questions that are left, each later one as if the recommendations were taken.
fn questions(
    mut interview: Interview<'_>,
    mut answers: Option<&mut Answers>,
) -> Result<(Vec<Question>, Vec<String>), Vec<Problem>> {
    let mut left = Vec::new();
    let mut problems = Vec::new();
    while let Some(question) = interview.next() {
        match answers.as_mut().and_then(|it| it.to(&question.id)) {
            Some(answer) => {
                if let Err(wrong) = interview.take(&question, &answer) {
                    let refused = answers.as_ref().map(|it| it.refused(&question.id, &wrong));
                    problems.extend(refused.unwrap_or_default());
                }
            }
            None => {
                interview.confirm_later(&question);
                left.push(question);
            }
        }
    }
    let found = interview.found();
    if problems.is_empty() { Ok((left, found)) } else { Err(problems) }
}

/// Prints what would be asked.
fn nobody_to_ask(interview: Interview<'_>) -> Exit {
    if let Ok((questions, _)) = questions(interview, None) {
        let all: Vec<String> = questions.iter().map(print::question).collect();
        let _ = written(&format!("{}\n", all.join("\n\n")));
    }
    error(
        &Problem::new("-", "nobody_to_ask", "standard input is no terminal, so nobody can answer")
            .help("write the answers to a file and name it with `--answers`; `--print-questions` lists the questions as JSON"),
    );
    Exit::Unusable
}

fn ended(error: &io::Error) -> Problem {
    Problem::new("-", "unanswered", format!("nothing is written: {error}"))
}
