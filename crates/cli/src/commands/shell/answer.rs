//! What is said of one command, for people and for programs.

use lawbook_event::json::Writer;
use lawbook_report::shown;
use lawbook_shell::{Analysis, Judged, Rules, Verdict, Word, World, analyse, judge};

/// The schema of the answer.
const SCHEMA: &str = "lawbook.shell/1";

/// What is said of one command.
pub struct Answer<'c> {
    command: &'c str,
    verdict: Verdict,
    analysis: Analysis,
    /// The strictest verdict on each segment.
    segments: Vec<Judged>,
    findings: Vec<Finding>,
}

struct Finding {
    rule: Option<String>,
    entry: Option<String>,
    verdict: Verdict,
    segment: Option<usize>,
    message: String,
}

impl<'c> Answer<'c> {
    /// Judges a command by every rule; without any, by what it is alone.
    pub fn of(command: &'c str, rules: &[(&str, &Rules)], world: &World<'_>) -> Self {
        let analysis = analyse(command, world);
        let none = Rules::default();
        let rules: Vec<(Option<&str>, &Rules)> = match rules {
            [] => vec![(None, &none)],
            rules => rules.iter().map(|it| (Some(it.0), it.1)).collect(),
        };
        let mut answer = Answer {
            command,
            verdict: Verdict::Allow,
            segments: Vec::new(),
            findings: Vec::new(),
            analysis: Analysis::default(),
        };
        for (id, rules) in rules {
            let judgement = judge(&analysis, rules, world);
            answer.verdict = answer.verdict.max(judgement.verdict);
            for reason in judgement.reasons {
                let entry = reason.rule.and_then(|it| rules.entries.get(it));
                answer.findings.push(Finding {
                    rule: id.map(str::to_owned),
                    entry: entry.map(|it| it.text.clone()),
                    verdict: reason.verdict,
                    segment: reason.segment,
                    message: reason.message,
                });
            }
            answer.take(judgement.segments);
        }
        answer.analysis = analysis;
        answer
    }

    /// The answer on a text that can't be read: a person must look at it.
    pub fn untold(command: &'c str, why: &str) -> Self {
        let finding = Finding {
            rule: None,
            entry: None,
            verdict: Verdict::Ask,
            segment: None,
            message: why.to_owned(),
        };
        Answer {
            command,
            verdict: Verdict::Ask,
            segments: Vec::new(),
            findings: vec![finding],
            analysis: Analysis::default(),
        }
    }

    fn take(&mut self, segments: Vec<Judged>) {
        if self.segments.is_empty() {
            self.segments = segments;
            return;
        }
        for (mine, other) in self.segments.iter_mut().zip(segments) {
            if other.verdict > mine.verdict {
                *mine = other;
            }
        }
    }

    /// The answer as one JSON object.
    pub fn json(&self) -> String {
        let mut out = Writer::new();
        out.object();
        out.key("schema").string(SCHEMA);
        out.key("command").string(self.command);
        out.key("verdict").string(word(self.verdict));
        out.key("segments").array();
        for (segment, judged) in self.analysis.segments.iter().zip(&self.segments) {
            out.object();
            out.key("argv").array();
            for word in &segment.argv {
                out.string(&word.shown());
            }
            out.end_array();
            match &segment.program {
                Some(program) => out.key("program").string(program),
                None => out.key("program").null(),
            };
            out.key("effects").array();
            for effect in &segment.effects {
                out.object();
                out.key("kind").string(effect.kind.name());
                out.key("subject").string(&effect.subject);
                out.key("message").string(&effect.message);
                out.end_object();
            }
            out.end_array();
            out.key("verdict").string(word(judged.verdict));
            out.key("why").string(&judged.why);
            out.end_object();
        }
        out.end_array();
        out.key("findings").array();
        for it in &self.findings {
            out.object();
            for (key, text) in [("rule", &it.rule), ("entry", &it.entry)] {
                match text {
                    Some(text) => out.key(key).string(text),
                    None => out.key(key).null(),
                };
            }
            out.key("verdict").string(word(it.verdict));
            match it.segment.and_then(|it| u64::try_from(it).ok()) {
                Some(segment) => out.key("segment").number(segment),
                None => out.key("segment").null(),
            };
            out.key("message").string(&it.message);
            out.end_object();
        }
        out.end_array();
        out.end_object();
        out.finish()
    }

    /// The answer for a person.
    pub fn text(&self) -> String {
        let mut out = format!("{}\n", word(self.verdict));
        for (segment, judged) in self.analysis.segments.iter().zip(&self.segments) {
            let words: Vec<String> = segment.argv.iter().map(Word::shown).collect();
            let why =
                if judged.why.is_empty() { String::new() } else { format!("  ({})", judged.why) };
            let line = format!("{}{why}", words.join(" "));
            out.push_str(&format!("  {:<5}  {}\n", word(judged.verdict), shown(&line)));
            for effect in &segment.effects {
                out.push_str(&format!("           {}\n", shown(&effect.message)));
            }
        }
        for it in &self.findings {
            let rule = it.rule.as_deref().map(|it| format!(" [{it}]")).unwrap_or_default();
            let line = format!("{}{rule}", it.message);
            out.push_str(&format!("  {}: {}\n", word(it.verdict), shown(&line)));
        }
        out
    }

    /// The same in one line, for one of many.
    pub fn line(&self) -> String {
        let why = self.findings.iter().find(|it| it.verdict == self.verdict);
        let why = why.map(|it| format!("  # {}", it.message)).unwrap_or_default();
        format!("{:<5}  {}\n", word(self.verdict), shown(&format!("{}{why}", self.command)))
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}
