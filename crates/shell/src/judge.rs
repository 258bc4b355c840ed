//! From an analysis to a verdict: each segment by its rules, then the strictest of all.

mod folded;
mod lost;
mod speaking;

use folded::FoldedRules;
use speaking::Speaking;

use crate::glob;
use crate::path::Path;
use crate::prefix::{Fit, names_strictly, words_strictly};
use crate::segment::Named;
use crate::{
    Analysis, Effect, EffectKind, Judged, Judgement, Matcher, Pick, Prefix, Reason, Rules, Segment,
    Shell, Unclear, Verdict, World, catastrophe,
};

/// What the rules say of a text that was analysed.
#[must_use]
pub fn judge(analysis: &Analysis, rules: &Rules, world: &World<'_>) -> Judgement {
    let bench = Bench::of(analysis, rules, world);
    let mut out = Judgement { verdict: Verdict::Allow, ..Judgement::default() };
    for shape in &analysis.catastrophes {
        out.reasons
            .push(whole(Verdict::Deny, format!("it {}", shape.replacen("a fork", "is a fork", 1))));
    }
    for unclear in &analysis.unclear {
        out.reasons.push(whole(Verdict::Ask, said(unclear)));
    }
    // Comments and plain assignments run nothing; of an empty text that can't be said.
    if analysis.text.trim().is_empty() && out.reasons.is_empty() {
        out.reasons.push(whole(Verdict::Ask, "it holds no command".to_owned()));
    }
    let mut speaking = Speaking::of(&rules.entries);
    for at in 0..analysis.segments.len() {
        let (judged, reasons) = bench.segment(at, &mut speaking);
        out.segments.push(judged);
        out.reasons.extend(reasons);
    }
    if analysis.unclear.iter().any(catastrophe::is_lost) {
        out.reasons.extend(lost::search(&bench));
    }
    out.verdict = out.reasons.iter().map(|it| it.verdict).max().unwrap_or(Verdict::Allow);
    out
}

fn whole(verdict: Verdict, message: String) -> Reason {
    Reason { verdict, segment: None, rule: None, message }
}

fn said(unclear: &Unclear) -> String {
    match unclear {
        Unclear::Syntax { expected, .. } => format!("it can't be read: {expected} was expected"),
        Unclear::Control(it) => format!("it holds the control character `{}`", it.escape_default()),
        Unclear::Limit(it) => format!("it is past the limit of {it}"),
        Unclear::Construct(it) => format!("it holds {it}, which is not understood here"),
    }
}

/// What a segment is judged with.
struct Bench<'b> {
    analysis: &'b Analysis,
    rules: &'b Rules,
    shell: Shell,
    /// Folders that may be written to.
    roots: Vec<Path>,
    /// The first segment that each segment runs, if it runs one.
    inner: Vec<Option<&'b Segment>>,
    /// Whether a rule asks or denies.
    guarded: bool,
    /// Each rule as it is compared where names have aliases.
    folded: FoldedRules,
}

/// The programs that a rule on a segment may name.
struct Names<'n> {
    known: Vec<&'n str>,
    /// The first word as written.
    written: String,
}

impl Names<'_> {
    fn has(&self, word: &str) -> bool {
        self.known.iter().any(|it| is_named(word, it))
    }

    fn are_in(&self, prefix: &Prefix) -> bool {
        prefix.words.first().is_some_and(|it| it.iter().any(|it| self.has(it)))
    }

    /// Whether a pattern begins with a word that names one of them, or with no word.
    fn may_begin(&self, glob: &crate::Glob) -> bool {
        let text = glob.text.trim();
        let end = text.find([' ', '*', '?']).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let part = !(rest.is_empty() || rest.starts_with(' '));
        let begins = |it: &&str| it.starts_with(word);
        part || self.has(word) || self.written.starts_with(word) || self.known.iter().any(begins)
    }
}

/// How one rule fits one segment.
struct Matched<'b> {
    at: usize,
    rule: &'b crate::Rule,
    fit: Fit,
}

impl<'b> Bench<'b> {
    fn of(analysis: &'b Analysis, rules: &'b Rules, world: &World<'_>) -> Bench<'b> {
        let workspace = Path::workspace(world);
        let root = |it: &String| match it.strip_prefix("~/") {
            Some(rest) => Path::of(rest, &Path::home(world)),
            None => Path::of(it, &workspace),
        };
        Bench {
            analysis,
            rules,
            shell: world.shell,
            roots: rules.write_roots.iter().filter_map(root).collect(),
            inner: inner(&analysis.segments),
            guarded: rules.entries.iter().any(|it| it.verdict != Verdict::Allow),
            folded: match world.shell {
                Shell::PowerShell | Shell::Cmd => FoldedRules::of(&rules.entries),
                Shell::Bash | Shell::Zsh => FoldedRules::default(),
            },
        }
    }

    /// Whether names have aliases, and case does not matter.
    fn is_windows(&self) -> bool {
        matches!(self.shell, Shell::PowerShell | Shell::Cmd)
    }

    /// Judges one segment.
    fn segment(&self, at: usize, speaking: &mut Speaking<'b>) -> (Judged, Vec<Reason>) {
        let Some(segment) = self.analysis.segments.get(at) else { return Default::default() };
        let matched = self.matched(at, segment, speaking);
        let decided = self.decided(&matched);
        let verdict = match decided {
            Some(it) => it.rule.verdict,
            None if segment.transparent || segment.shadow || segment.argv.is_empty() => {
                Verdict::Allow
            }
            None => self.rules.otherwise,
        };
        let mut reasons = Vec::new();
        let mut add = |verdict, rule, message| {
            reasons.push(Reason { verdict, segment: Some(at), rule, message });
        };
        let shown = Shown { segment };
        match decided {
            Some(it) if verdict != Verdict::Allow => {
                add(verdict, Some(it.at), format!("`{shown}`: the rule `{}`", it.rule.text));
            }
            None if verdict != Verdict::Allow => {
                add(verdict, None, format!("no rule covers `{shown}`"))
            }
            _ => {}
        }
        if verdict == Verdict::Allow {
            for it in self.doubts(&matched, decided) {
                let message =
                    format!("`{shown}` may be what `{}` means, once it runs", it.rule.text);
                add(Verdict::Ask, Some(it.at), message);
            }
            let covering: Vec<_> = matched
                .iter()
                .filter(|it| it.fit == Fit::Yes && it.rule.verdict == Verdict::Allow)
                .collect();
            for effect in &segment.effects {
                if !self.is_covered(effect, segment, &covering, decided.is_none()) {
                    add(Verdict::Ask, None, format!("`{shown}`: {}", effect.message));
                }
            }
        }
        let verdict = reasons.iter().map(|it| it.verdict).max().unwrap_or(verdict);
        let rule = decided.map(|it| it.at);
        let why = match (reasons.iter().max_by_key(|it| it.verdict), decided) {
            (Some(reason), _) => reason.message.clone(),
            (None, Some(it)) => format!("the rule `{}`", it.rule.text),
            (None, None) if segment.transparent => "it changes nothing for what it runs".to_owned(),
            (None, None) => "nothing forbids it".to_owned(),
        };
        (Judged { verdict, why, rule }, reasons)
    }

    /// Every rule that fits a segment, or may.
    fn matched(
        &self,
        at: usize,
        segment: &'b Segment,
        speaking: &mut Speaking<'b>,
    ) -> Vec<Matched<'b>> {
        if segment.argv.is_empty() {
            return Vec::new();
        }
        let names = self.names(segment);
        let folded = self.is_windows().then(|| folded::folded(segment));
        let program = segment.program.as_deref().unwrap_or_default().to_ascii_lowercase();
        let mut text = None;
        let mut out = Vec::new();
        let numbers = match folded {
            Some(_) => self.folded.speaking(&program).to_vec(),
            None => speaking.about(&names.known),
        };
        for number in numbers {
            let Some(rule) = self.rules.entries.get(number) else { continue };
            let fold = self.folded.get(number).filter(|it| it.names(&program));
            let fold = fold.zip(folded.as_ref());
            let prefix = |prefix: &Prefix| match (fold, rule.verdict) {
                // Most rules speak of other programs.
                (None, _) if folded.is_some() || !names.are_in(prefix) => Fit::No,
                (None, Verdict::Allow) => sure(self.strict(prefix, at, segment)),
                (None, _) => self.loose(prefix, segment),
                (Some((rule, it)), Verdict::Allow) => {
                    sure(!segment.by_path && rule.fit(it) == Fit::Yes)
                }
                (Some((rule, it)), _) => rule.fit(it),
            };
            let fit = match &rule.matcher {
                Matcher::Prefix(it) => prefix(it),
                Matcher::Glob(it) if fold.is_none() && !names.may_begin(it) => Fit::No,
                matcher => {
                    let text = text.get_or_insert_with(|| glob::Text::of(segment));
                    match (is_match(matcher, rule.verdict, text), matcher) {
                        (true, _) => Fit::Yes,
                        (false, Matcher::Glob(it)) if rule.verdict != Verdict::Allow => {
                            let keyed = it.assigned(segment);
                            keyed.max(it.prefix().map_or(Fit::No, |it| prefix(&it)))
                        }
                        (false, _) => Fit::No,
                    }
                }
            };
            if fit != Fit::No {
                out.push(Matched { at: number, rule, fit });
            }
        }
        out
    }

    /// The programs that a rule on a segment may name: its own, and those that run it.
    fn names(&self, segment: &'b Segment) -> Names<'b> {
        let mut known: Vec<&str> = segment.program.as_deref().into_iter().collect();
        let mut outer = segment.wrapper;
        for _ in 0..crate::REACH_MAX {
            let Some(wrapper) = outer.and_then(|it| self.analysis.segments.get(it)) else { break };
            if let Some(name) = wrapper.program.as_deref()
                && !known.contains(&name)
            {
                known.push(name);
            }
            outer = wrapper.wrapper;
        }
        // A rule may forbid several programs by one name.
        for at in 0..known.len() {
            let kin = known.get(at).and_then(|it| crate::programs::kin(it));
            known.extend(kin.filter(|it| !known.contains(it)));
        }
        let written = segment.argv.first().map(crate::Word::shown).unwrap_or_default();
        Names { known, written }
    }

    fn decided<'m>(&self, matched: &'m [Matched<'b>]) -> Option<&'m Matched<'b>> {
        let mut sure = matched.iter().filter(|it| it.fit == Fit::Yes);
        match self.rules.pick {
            Pick::First => sure.next(),
            Pick::Last => sure.next_back(),
            // Of several that are equally strict, the first.
            Pick::Strictest => sure.rev().max_by_key(|it| it.rule.verdict),
        }
    }

    /// Rules that would decide if they fit, and may.
    fn doubts<'m>(
        &self,
        matched: &'m [Matched<'b>],
        decided: Option<&Matched<'b>>,
    ) -> impl Iterator<Item = &'m Matched<'b>> {
        let pick = self.rules.pick;
        let place = decided.map(|it| it.at);
        matched.iter().filter(move |it| {
            it.fit == Fit::Maybe
                && match (pick, place) {
                    (Pick::First, Some(place)) => it.at < place,
                    (Pick::Last, Some(place)) => it.at > place,
                    _ => true,
                }
        })
    }

    /// Whether an allowing rule fits, itself or through the command that runs the segment.
    fn strict(&self, prefix: &Prefix, at: usize, segment: &Segment) -> bool {
        let inner = self.inner.get(at).copied().flatten().map(|it| &it.reading);
        prefix.is_strict(segment, inner) || self.through(prefix, segment)
    }

    /// Whether a rule that names a wrapper and what it runs covers what runs.
    fn through(&self, prefix: &Prefix, segment: &Segment) -> bool {
        let Some(outer) = segment.wrapper.and_then(|it| self.analysis.segments.get(it)) else {
            return false;
        };
        let Some(operand) = segment.operand else { return false };
        let Some((program, words)) = prefix.words.split_first() else { return false };
        let Some((fixed, rest)) = words.split_at_checked(operand) else { return false };
        let Some((inner, rest)) = rest.split_first() else { return false };
        program.iter().any(|it| names_strictly(it, outer))
            && words_strictly(fixed, &outer.reading.operands)
            && inner.iter().any(|it| names_strictly(it, segment))
            && words_strictly(rest, &segment.reading.operands)
            && prefix.has_options(segment, Some(&outer.reading))
    }

    /// How well an asking or denying rule fits, through everything that runs the segment.
    fn loose(&self, prefix: &Prefix, segment: &Segment) -> Fit {
        let mut fit = prefix.loose(segment);
        let mut outer = segment.wrapper;
        let Some((_, words)) = prefix.words.split_first().filter(|it| !it.1.is_empty()) else {
            return fit;
        };
        let Some((inner, rest)) = words.split_first() else { return fit };
        for _ in 0..crate::REACH_MAX {
            let Some(wrapper) = outer.and_then(|it| self.analysis.segments.get(it)) else { break };
            let names = |it: &String| {
                segment.program.as_deref() == Some(crate::programs::identity(it).name)
            };
            if prefix.names_loosely(wrapper) && inner.iter().any(names) {
                fit = fit.max(prefix.loose_words(rest, segment));
            }
            outer = wrapper.wrapper;
        }
        fit
    }

    /// Whether a rule or a root covers what a segment does.
    fn is_covered(
        &self,
        effect: &Effect,
        segment: &Segment,
        covering: &[&Matched<'b>],
        unruled: bool,
    ) -> bool {
        let open =
            covering.iter().any(|it| matches!(&it.rule.matcher, Matcher::Glob(it) if it.is_all()))
                || unruled && self.rules.otherwise == Verdict::Allow && !segment.transparent;
        if open && (effect.kind != EffectKind::Unknown || !self.guarded) {
            return true;
        }
        if effect.kind == EffectKind::Writes && self.may_write(effect) {
            return true;
        }
        let program = segment.program.as_deref().unwrap_or_default();
        covering.iter().any(|it| match &it.rule.matcher {
            Matcher::Prefix(prefix) => match &effect.named {
                Named::Never => false,
                Named::Option(name, written) => prefix.names_option(program, name, written),
                Named::Words(usize::MAX) => false,
                Named::Words(count) => prefix.words.len() >= *count,
            },
            Matcher::Glob(glob) => glob.names(&effect.named),
            Matcher::Regex(regex) => match &effect.named {
                Named::Option(_, written) => regex.as_str().contains(written.as_str()),
                _ => false,
            },
        })
    }

    fn may_write(&self, effect: &Effect) -> bool {
        let allowed = |path: &Path| {
            self.roots.iter().any(|root| {
                let held = |it: &String| RUNS.iter().any(|run| run.eq_ignore_ascii_case(it));
                path.is_in(root) && !path.below(root).iter().any(held)
            })
        };
        !effect.places.is_empty() && effect.places.iter().all(allowed)
    }
}

/// The first segment that each segment runs, found in one walk over all.
fn inner(segments: &[Segment]) -> Vec<Option<&Segment>> {
    let mut out = vec![None; segments.len()];
    for segment in segments {
        if let Some(first) = segment.wrapper.and_then(|it| out.get_mut(it)) {
            first.get_or_insert(segment);
        }
    }
    out
}

/// Folders whose files run or decide when others open them, whatever root they lie in.
pub(crate) const RUNS: &[&str] =
    &[".claude", ".codex", ".cursor", ".gemini", ".git", ".husky", ".opencode", ".vscode"];

/// Whether a word names a program, by its name or by a path.
fn is_named(word: &str, name: &str) -> bool {
    word.strip_suffix(name).is_some_and(|it| it.is_empty() || it.ends_with('/'))
}

fn sure(fits: bool) -> Fit {
    if fits { Fit::Yes } else { Fit::No }
}

/// Whether a pattern fits a segment; one that allows fits its text from the start.
fn is_match(matcher: &Matcher, verdict: Verdict, text: &glob::Text) -> bool {
    let strict = verdict == Verdict::Allow;
    match matcher {
        Matcher::Prefix(_) => false,
        Matcher::Glob(it) => text.fits(strict, |text| it.is_match(text)),
        Matcher::Regex(it) if strict => {
            text.fits(strict, |text| it.find(text).is_some_and(|it| it.start() == 0))
        }
        Matcher::Regex(it) => text.fits(strict, |text| it.is_match(text)),
    }
}

/// How much of a segment stands in a message.
const SHOWN_MAX: usize = 120;

/// A segment as a message shows it, made only where it is shown.
#[derive(Clone, Copy)]
struct Shown<'s> {
    segment: &'s Segment,
}

impl std::fmt::Display for Shown<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&shown(self.segment))
    }
}

fn shown(segment: &Segment) -> String {
    let words = segment.argv.iter().take(40).map(crate::Word::shown).collect::<Vec<_>>();
    let text = words.join(" ").replace('\n', " ");
    if text.chars().count() <= SHOWN_MAX {
        return text;
    }
    text.chars().take(SHOWN_MAX).chain(['…']).collect()
}
