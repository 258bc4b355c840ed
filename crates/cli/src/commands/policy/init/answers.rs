//! Answers in a file: which letter, what it takes, and why.

use std::collections::BTreeMap;

use lawbook_diag::{Problem, Span, nearest, place};
use lawbook_dialect::tree;
use lawbook_rule::params::{Form, Node};

use super::question::Answer;

/// The keys of a file.
const KEYS: &[&str] = &["schema", "answers"];

/// Answers by the ids of their questions.
#[derive(Debug, Default)]
pub struct Answers {
    source: String,
    text: String,
    all: BTreeMap<String, (Answer, Span)>,
    used: BTreeMap<String, Vec<String>>,
}

impl Answers {
    /// Reads a file. `source` is its name in problems.
    ///
    /// # Errors
    /// With everything that is wrong with its shape.
    pub fn read(source: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let root = tree(source, text)?;
        let mut answers =
            Answers { source: source.to_owned(), text: text.to_owned(), ..Answers::default() };
        let mut problems = Vec::new();
        for entry in root.entries().iter().filter(|it| !KEYS.contains(&it.key.as_str())) {
            let problem = answers.problem(entry.key_span, format!("unknown key `{}`", entry.key));
            problems.push(problem.help("a file of answers has one key, `answers`"));
        }
        let Some(listed) = root.get("answers").filter(|it| matches!(it.form, Form::Map(_))) else {
            let message = "`answers` must be a map of question ids";
            problems.push(answers.problem(root.span, message.to_owned()));
            return Err(problems);
        };
        for entry in listed.entries() {
            match answer(&entry.value) {
                Ok(answer) => {
                    answers.all.insert(entry.key.clone(), (answer, entry.value.span));
                }
                Err(message) => problems.push(answers.problem(entry.value.span, message)),
            }
        }
        if problems.is_empty() { Ok(answers) } else { Err(problems) }
    }

    /// The answer to a question, if there is one.
    pub fn to(&mut self, id: &str) -> Option<Answer> {
        self.used.entry(id.to_owned()).or_default();
        self.all.get(id).map(|it| it.0.clone())
    }

    /// The problems of an answer that was not taken.
    pub fn refused(&self, id: &str, wrong: &[String]) -> Vec<Problem> {
        let span = self.all.get(id).map_or(Span::default(), |it| it.1);
        wrong.iter().map(|it| self.problem(span, format!("`{id}`: {it}"))).collect()
    }

    /// The problems of answers to questions that were not asked.
    pub fn unused(&self) -> Vec<Problem> {
        let unused = self.all.iter().filter(|it| !self.used.contains_key(it.0));
        unused
            .map(|(id, (_, span))| {
                let problem = self.problem(*span, format!("no question `{id}` was asked"));
                match nearest(id, self.used.keys().map(String::as_str)) {
                    Some(near) => problem.help(format!("did you mean `{near}`?")),
                    None => problem.help("`--print-questions` lists the questions"),
                }
            })
            .collect()
    }

    fn problem(&self, span: Span, message: String) -> Problem {
        let (line, column) = place(&self.text, span.start);
        Problem::new(&self.source, "bad_answer", message).at(line, column)
    }
}

/// An answer: a letter, or a map with the letter under `choose`.
fn answer(node: &Node) -> Result<Answer, String> {
    if let Some(letter) = node.words() {
        return Ok(Answer { letter: letter.to_owned(), ..Answer::default() });
    }
    let Some(letter) = node.get("choose").and_then(Node::words) else {
        return Err("an answer is a letter, or a map with the letter under `choose`".to_owned());
    };
    let mut answer = Answer { letter: letter.to_owned(), ..Answer::default() };
    for entry in node.entries() {
        match entry.key.as_str() {
            "choose" => {}
            "why" => match entry.value.words() {
                Some(words) => answer.why = Some(words.to_owned()),
                None => return Err("`why` must be text".to_owned()),
            },
            key => {
                answer.values.insert(key.to_owned(), entry.value.clone());
            }
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::Answers;

    #[test]
    fn what_is_no_answer_is_told_at_its_place() {
        for (text, wanted) in [
            ("a: 1\n", "1:1 unknown key `a`"),
            ("answers: {}\nanswers: {}\n", "2:1 key `answers` stands twice"),
            ("answers: [A]\n", "1:1 `answers` must be a map of question ids"),
            ("answers:\n  owner: [A]\n", "2:10 an answer is a letter"),
            ("answers:\n  owner: {choose: A, why: [x]}\n", "2:10 `why` must be text"),
        ] {
            let problems = Answers::read("a.yaml", text).unwrap_err();
            let told: Vec<String> = problems
                .iter()
                .map(|it| format!("{}:{} {}", it.line.unwrap(), it.column.unwrap(), it.message))
                .collect();
            assert!(told.iter().any(|it| it.starts_with(wanted)), "{text}: {told:?}");
        }
    }

    #[test]
    fn an_empty_file_is_told() {
        assert_eq!(Answers::read("a.yaml", "").unwrap_err()[0].message, "the file holds nothing");
    }

    #[test]
    fn an_answer_that_nobody_asked_for_is_told() {
        let mut answers = Answers::read("a.yaml", "answers: {owner: B, acces: A}\n").unwrap();
        assert_eq!(answers.to("owner").unwrap().letter, "B");
        assert!(answers.to("access").is_none());
        let unused = answers.unused();
        assert_eq!(unused.len(), 1);
        assert_eq!(unused[0].help.as_deref(), Some("did you mean `access`?"));
    }
}
