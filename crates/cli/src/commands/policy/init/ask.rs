//! Asking in a terminal: one question, one letter, and what the letter needs.

use std::io::{self, BufRead, Write};

use lawbook_report::shown;

use super::print;
use super::question::{Answer, Choice, Question, Why};

/// Somebody who answers line by line.
pub struct Asker<R, W> {
    input: R,
    output: W,
}

impl<R: BufRead, W: Write> Asker<R, W> {
    /// Answers are read from here, questions are written there.
    pub fn new(input: R, output: W) -> Self {
        Asker { input, output }
    }

    /// Says something.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    /// Asks a question until a letter is one of its options. None at the end of the input.
    ///
    /// # Errors
    /// When nothing can be read or written.
    pub fn ask(&mut self, question: &Question) -> io::Result<Option<Answer>> {
        self.say(&format!("\n{}", print::question(question)))?;
        let letters: Vec<String> = question.lettered().map(|it| it.0.to_string()).collect();
        loop {
            let Some(letter) = self.line(&format!("{}? ", letters.join("/")))? else {
                return Ok(None);
            };
            if let Some(choice) = question.choice(&letter) {
                return self.rest(choice, letter);
            }
            self.say(&format!("one letter, please: {}", letters.join(", ")))?;
        }
    }

    /// What an option needs beside its letter.
    fn rest(&mut self, choice: &Choice, letter: String) -> io::Result<Option<Answer>> {
        let mut answer = Answer { letter, ..Answer::default() };
        for want in &choice.wants {
            loop {
                let otherwise = want.default.as_ref().map(print::value);
                let otherwise = otherwise.map(|it| format!(" [{it}]")).unwrap_or_default();
                let prompt = format!("{} ({}){otherwise}: ", want.ask, want.form.words());
                let Some(line) = self.line(&prompt)? else { return Ok(None) };
                if line.trim().is_empty() && want.default.is_some() {
                    break;
                }
                let node = want.form.read(&line);
                match want.form.wrong(&node) {
                    Some(wrong) => self.say(&wrong)?,
                    None => {
                        answer.values.insert(want.name.to_owned(), node);
                        break;
                    }
                }
            }
        }
        match &choice.why {
            Why::None => {}
            Why::Default(words) => {
                let prompt = format!("why, in the owner's words [{words}]: ");
                let Some(line) = self.line(&prompt)? else { return Ok(None) };
                answer.why = Some(line).filter(|it| !it.trim().is_empty());
            }
            Why::Owner => {
                while answer.why.is_none() {
                    let Some(line) = self.line("why, in the owner's words: ")? else {
                        return Ok(None);
                    };
                    answer.why = Some(line).filter(|it| !it.trim().is_empty());
                }
            }
        }
        Ok(Some(answer))
    }

    /// A line of the input. None at its end.
    fn line(&mut self, prompt: &str) -> io::Result<Option<String>> {
        write!(self.output, "{}", shown(prompt))?;
        self.output.flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
    }
}
