//! From a script to segments: wrappers and payloads are looked through, one command at a time, and
//! what earlier commands leave behind (directories, names, variables) is kept in mind.

mod pipes;
mod state;

use std::ops::Range;

use crate::path::Path;
use crate::programs::{self, Call, Found, Run};
use crate::reading::Reading;
use crate::{
    Analysis, Assignment, Command, Dynamic, Effect, EffectKind, Piece, Place, Redirect,
    RedirectKind, Script, Segment, Shell, Unclear, Word, World, catastrophe, hazard, parse, sets,
    windows,
};
use pipes::Pipes;
use state::State;

/// How many segments an analysis holds.
pub const SEGMENTS_MAX: usize = 256;
/// How deep wrappers and payloads may stand in each other.
pub const REACH_MAX: usize = 24;
/// How many bytes of payloads are parsed for one text.
pub const PAYLOAD_BYTES_MAX: usize = 64 * 1024;
/// How many words of commands that wrappers run are read for one text.
pub const WORDS_MAX: usize = 3 * 1024;
/// How many effects an analysis holds.
pub const EFFECTS_MAX: usize = 1024;

/// How many bytes of payloads that could not be understood are kept beside the text.
const HIDDEN_BYTES_MAX: usize = PAYLOAD_BYTES_MAX;

/// Reads a text as the programs that it can reach and what they would do.
#[must_use]
pub fn analyse(text: &str, world: &World<'_>) -> Analysis {
    let windows = match world.shell {
        Shell::PowerShell => Some(windows::powershell(text)),
        Shell::Cmd => Some(windows::cmd(text)),
        Shell::Bash | Shell::Zsh => None,
    };
    if let Some(analysis) = windows {
        return Analysis { text: text.to_owned(), ..analysis };
    }
    let mut walk = Walk {
        out: Analysis { text: text.to_owned(), ..Analysis::default() },
        state: State::of(world),
        workspace: Path::workspace(world),
        pipes: Pipes::default(),
        frames: Vec::new(),
        payload_bytes: PAYLOAD_BYTES_MAX,
        words: WORDS_MAX,
        effects: EFFECTS_MAX,
    };
    let script = parse(text);
    for unclear in sets::look(text, &script) {
        walk.unclear(unclear);
    }
    walk.enter(text, script, None, false, &Place::default());
    while let Some(todo) = walk.next() {
        walk.step(todo);
    }
    catastrophe::raw(&mut walk.out);
    walk.out
}

/// A command to look at, and what runs it.
#[derive(Clone, Debug, Default)]
struct Todo {
    command: Command,
    /// The segment that runs it, and which operand of that its program is.
    wrapper: Option<(usize, Option<usize>)>,
    /// The bytes that it takes in the outermost text, where it stands in a payload.
    source: Option<Range<usize>>,
    /// Whether it is its wrapper once more, with its variables known.
    shadow: bool,
}

/// What is to be looked at: the rest of a list, in order, the next one last.
struct Walk {
    out: Analysis,
    state: State,
    workspace: Path,
    /// What is said into pipes.
    pipes: Pipes,
    /// Lists that are open, the innermost last; each has its next command last.
    frames: Vec<Vec<Todo>>,
    payload_bytes: usize,
    words: usize,
    effects: usize,
}

impl Walk {
    fn next(&mut self) -> Option<Todo> {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(todo) = frame.pop() {
                return Some(todo);
            }
            self.frames.pop();
        }
        None
    }

    /// Opens what a script holds, in front of everything that still waits.
    fn enter(
        &mut self,
        text: &str,
        mut script: Script,
        from: Option<(usize, Range<usize>)>,
        own: bool,
        outer: &Place,
    ) {
        for unclear in script.unclear.drain(..) {
            self.unclear(unclear);
        }
        if script.fork_bomb {
            self.out.catastrophes.push(catastrophe::FORK_BOMB.to_owned());
        }
        self.state.defined.extend(script.functions.drain(..));
        self.state.foresee(text, &script.commands);
        self.state.number(&mut script.commands, &script.shells, own);
        self.pipes.number(&mut script, outer);
        let todo = |command| Todo {
            command,
            wrapper: from.as_ref().map(|it| (it.0, None)),
            source: from.as_ref().map(|it| it.1.clone()),
            shadow: false,
        };
        self.open(script.commands.into_iter().map(todo).collect());
    }

    fn open(&mut self, mut list: Vec<Todo>) {
        if self.frames.len() >= REACH_MAX {
            self.unclear(Unclear::Limit("reach"));
            return;
        }
        list.reverse();
        self.frames.push(list);
    }

    fn unclear(&mut self, what: Unclear) {
        if !self.out.unclear.contains(&what) {
            self.out.unclear.push(what);
        }
    }

    fn step(&mut self, todo: Todo) {
        if self.out.segments.len() >= SEGMENTS_MAX {
            self.unclear(Unclear::Limit("segments"));
            self.frames.clear();
            return;
        }
        let Todo { command, wrapper, source, shadow } = todo;
        self.state.place(&command.place);
        let mut segment = Segment {
            source: source.unwrap_or_else(|| command.source.clone()),
            wrapper: wrapper.map(|it| it.0),
            operand: wrapper.and_then(|it| it.1),
            shadow,
            ..Segment::default()
        };
        assignments(&command.assignments, &mut segment);
        self.redirects(&command.redirects, &mut segment);
        if command.words.is_empty() {
            self.state.assign(&command.assignments, &command.place);
            self.bound(&mut segment);
            if !segment.effects.is_empty() {
                self.out.segments.push(segment);
            }
            return;
        }
        self.program(command, segment);
    }

    /// Keeps no more effects than the analysis holds.
    fn bound(&mut self, segment: &mut Segment) {
        if segment.effects.len() > self.effects {
            segment.effects.truncate(self.effects);
            self.unclear(Unclear::Limit("effects"));
        }
        self.effects = self.effects.saturating_sub(segment.effects.len());
    }

    fn redirects(&mut self, redirects: &[Redirect], segment: &mut Segment) {
        for redirect in redirects {
            let text = redirect.target.shown();
            let network = ["/dev/tcp/", "/dev/udp/"].iter().any(|it| text.starts_with(it));
            match redirect.what {
                RedirectKind::Duplicate | RedirectKind::Heredoc | RedirectKind::HereString => {}
                _ if network => {
                    let message = format!("the shell itself connects to `{text}`");
                    segment.effects.push(Effect::new(EffectKind::Network, text, message));
                }
                RedirectKind::Read => segment.reads.push(redirect.target.clone()),
                RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite => {
                    if redirect.what == RedirectKind::ReadWrite {
                        segment.reads.push(redirect.target.clone());
                    }
                    if !programs::is_process(&redirect.target) {
                        segment.effects.extend(Effect::writes(&redirect.target, &self.state.cwd));
                    }
                }
            }
        }
    }

    /// Looks at the program of a command, and opens what it runs.
    fn program(&mut self, command: Command, mut segment: Segment) {
        let Some((first, rest)) = command.words.split_first() else { return };
        let name = first.literal();
        let identity = name.as_deref().map(programs::identity);
        segment.program = identity.as_ref().map(|it| it.name.to_owned());
        segment.by_path = identity.as_ref().is_some_and(|it| it.by_path);
        let known = identity.as_ref().and_then(|it| programs::find(it.name));
        let grammar = known.map_or(&crate::reading::PLAIN, |it| it.grammar());
        segment.reading = Reading::of(rest, grammar);
        if segment.reading.full {
            self.unclear(Unclear::Limit("options"));
        }
        if name.is_none() {
            let shown = first.shown();
            let message = format!("the program `{shown}` is known only when it runs");
            segment.effects.push(Effect::new(EffectKind::Unknown, shown, message));
        }
        for word in &command.words {
            indirect(word, &mut segment);
        }
        if let Some(name) = segment.program.as_ref().filter(|it| self.state.defined.contains(*it)) {
            let message = format!("`{name}` is defined in the same text");
            let effect = Effect::new(EffectKind::Unknown, name.clone(), message);
            segment.effects.push(effect);
        }
        let mut found = Found::default();
        let piped = match known.filter(|it| it.drinks(identity.as_ref().map_or("", |it| it.name))) {
            Some(_) => self.piped(command.place.reads),
            None => String::new(),
        };
        if let Some(known) = known {
            let call = Call {
                workspace: &self.workspace,
                piped: &piped,
                name: identity.as_ref().map_or("", |it| it.name),
                words: rest,
                reading: &segment.reading,
                redirects: &command.redirects,
                place: &command.place,
                cwd: &self.state.cwd,
            };
            programs::look(known, &call, &mut found);
            if command.place.feeds > 0 {
                let says = known.says(&call);
                self.pipes.say(&command.place, says, known.passes(&call));
            }
        }
        let shadows =
            if segment.shadow { Vec::new() } else { self.state.shadows(&command, self.words) };
        // With its variables known, the command says itself where it writes.
        if !shadows.is_empty() && self.state.is_told(&command) {
            found.effects.retain(|it| it.kind != EffectKind::Writes || it.path.is_some());
        }
        self.elsewhere(&found, &mut segment);
        if let Some(to) = &found.moves {
            self.state.go(to, &command.place);
        }
        for (name, value) in found.sets.drain(..) {
            self.state.set(&name, value, &command.place);
        }
        segment.effects.append(&mut found.effects);
        self.bound(&mut segment);
        segment.transparent = found.transparent && segment.effects.is_empty();
        self.state.defined.extend(found.defines);
        segment.reading.imply(&found.implies);
        segment.reading.operands.drain(..found.skips.min(segment.reading.operands.len()));
        let Command { words, place, .. } = command;
        segment.argv = words;
        let place = Place { negated: false, ..place };
        let at = self.out.segments.len();
        catastrophe::look(&segment, &self.state.cwd, &mut self.out.catastrophes);
        let outer = segment.source.clone();
        self.out.segments.push(segment);
        self.reach(found.runs, shadows, (at, outer), &place);
    }

    /// What is said into a pipe, as far as it may still be read.
    fn piped(&mut self, pipe: u32) -> String {
        let said = self.pipes.said(pipe, self.payload_bytes);
        if said.is_none() {
            self.unclear(Unclear::Limit("payloads"));
        }
        let said = said.unwrap_or_default();
        self.payload_bytes = self.payload_bytes.saturating_sub(said.len());
        said
    }

    /// A program that runs what its directory says asks where that is not the workspace.
    fn elsewhere(&self, found: &Found, segment: &mut Segment) {
        let mut cwd = self.state.cwd.clone();
        for word in &found.directories {
            cwd.go(Some(word), false);
        }
        let moved = !found.directories.is_empty();
        if (found.trusts_directory || moved) && !cwd.is_in(&self.workspace) {
            let subject = segment.program.clone().unwrap_or_default();
            let message = format!("`{subject}` works in a directory outside of the workspace");
            segment.effects.push(Effect::new(EffectKind::Elsewhere, subject, message));
        }
    }

    /// Opens what a command runs: words, then code, then itself with its variables known.
    fn reach(
        &mut self,
        runs: Vec<Run>,
        shadows: Vec<Vec<Word>>,
        (at, outer): (usize, Range<usize>),
        place: &Place,
    ) {
        let mut opened = Vec::new();
        let mut codes = Vec::new();
        let mut open = |words: Vec<Word>, operand, shadow| {
            self.words = self.words.saturating_sub(words.len());
            let place = *place;
            let command = Command { words, place, source: outer.clone(), ..Command::default() };
            let source = Some(outer.clone());
            opened.push(Todo { command, wrapper: Some((at, operand)), source, shadow });
        };
        for run in runs {
            match run {
                Run::Words { words, operand } => open(words, operand, false),
                Run::Known(words) => open(words, Some(0), true),
                Run::Called { text, words } => codes.push((text, true, words)),
                Run::Code { text, own } => codes.push((text, own, Vec::new())),
            }
        }
        for words in shadows {
            open(words, None, true);
        }
        if self.words == 0 {
            self.unclear(Unclear::Limit("words"));
            return codes.into_iter().for_each(|it| self.hide(it.0));
        }
        if !opened.is_empty() {
            self.open(opened);
        }
        for (text, own, words) in codes {
            if text.len() > self.payload_bytes {
                self.unclear(Unclear::Limit("payloads"));
                self.hide(text);
                continue;
            }
            self.payload_bytes = self.payload_bytes.saturating_sub(text.len());
            let mut script = parse(&text);
            let given = pipes::given(words, &script);
            script.commands.splice(0..0, given);
            let words = script.commands.iter().map(|it| it.words.len());
            self.words = words.fold(self.words, usize::saturating_sub);
            if self.words == 0 {
                self.unclear(Unclear::Limit("words"));
                self.hide(text);
                continue;
            }
            if script.unclear.iter().any(catastrophe::is_lost) {
                self.hide(text.clone());
            }
            self.enter(&text, script, Some((at, outer.clone())), own, place);
        }
    }

    /// Keeps a payload for what is searched where something could not be understood.
    fn hide(&mut self, text: String) {
        let hidden: usize = self.out.hidden.iter().map(String::len).sum();
        let fits = hidden.saturating_add(text.len()) <= HIDDEN_BYTES_MAX;
        if fits && !self.out.text.contains(&text) {
            self.out.hidden.push(text);
        }
    }
}

/// Notes assignments that change what programs do.
fn assignments(list: &[Assignment], segment: &mut Segment) {
    for assignment in list {
        let name = &assignment.name;
        if hazard::is_hazard(name, assignment.value.literal().as_deref()) {
            let message = format!("sets `{name}`, which changes what programs do");
            segment.effects.push(Effect::new(EffectKind::Environment, name.clone(), message));
        }
        indirect(&assignment.value, segment);
    }
}

/// Notes a value that is read as code or as another name.
fn indirect(word: &Word, segment: &mut Segment) {
    let found = word.pieces.iter().find_map(|it| match it {
        Piece::Dynamic { what: Dynamic::Indirect, text, .. } => Some(text),
        _ => None,
    });
    if let Some(text) = found {
        let message = format!("`{text}` reads a value as code or as a name");
        segment.effects.push(Effect::new(EffectKind::Unknown, text.clone(), message));
    }
}
