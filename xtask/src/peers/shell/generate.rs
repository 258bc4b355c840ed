//! Scripts that are made, so that the programs in them are known.

/// A script and the programs in it, sorted.
pub struct Made {
    pub text: String,
    pub programs: Vec<String>,
}

/// What commands stand in: `@` is where another script goes.
const FRAMES: &[&str] = &[
    "(@)",
    "{ @; }",
    "! @",
    "if @; then @; else @; fi",
    "while @; do @; done",
    "until @\ndo\n@\ndone",
    "for x in 1 2; do @; done",
    "for ((i = 0; i < 3; i++)); do @; done",
    "case x in (a|b) @;; *) @;; esac",
    "f() { @; }",
    "function g { @; }",
    "[[ -n x && y == z ]] && @",
    "@ && @ || @",
    "@ | @",
    "@; @",
    "@\n@",
    "{ @; } > out 2>&1",
    "coproc { @; }",
    "time @",
    "@ <<'E'\n$(no)\nE\n",
];

/// The same inside of a word.
const WORDS: &[&str] = &[
    "$(@)",
    "\"$(@)\"",
    "\"a ${x:-$(@)} b\"",
    "$((1 + $(@)))",
    "<(@)",
    "a'$(no)'$(@)",
    "${x/a/$(@)}",
    "$'\\x41'$(@)",
    "\"it's $(@)\"",
];

/// The script of a number.
pub fn script(seed: u64) -> Made {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut text = FRAMES[dice.below(FRAMES.len())].to_owned();
    let mut programs = Vec::new();
    for _ in 0..40 {
        let Some(at) = text.find('@') else { break };
        let part = dice.part(&mut programs, programs_are_many(&text));
        text.replace_range(at..at + 1, &part);
    }
    while let Some(at) = text.find('@') {
        let part = dice.part(&mut programs, true);
        text.replace_range(at..at + 1, &part);
    }
    programs.sort();
    Made { text, programs }
}

fn programs_are_many(text: &str) -> bool {
    text.len() > 400
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }

    /// A command, in a frame unless it is to be the last.
    fn part(&mut self, programs: &mut Vec<String>, last: bool) -> String {
        let frame = FRAMES[self.below(FRAMES.len())];
        // A here-document ends its line, so that nothing may stand behind it.
        if !last && self.below(3) == 0 && !frame.contains('<') && !frame.starts_with('!') {
            return format!("{{ {frame}; }}").replace("\n; }", "\n}");
        }
        let name = format!("p{}", programs.len());
        programs.push(name.clone());
        let word = WORDS[self.below(WORDS.len())];
        if last || self.below(2) == 0 {
            format!("{name} 'a;b' \"c|d\"")
        } else {
            format!("{name} {word}")
        }
    }
}
