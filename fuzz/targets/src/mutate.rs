//! Small random changes to an input, the same for the same seed.

/// A generator of random numbers that needs no entropy (SplitMix64).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall alike for one seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Dice(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).unwrap_or(u64::MAX);
        let number = self.next().checked_rem(bound).unwrap_or_default();
        usize::try_from(number).unwrap_or_default()
    }
}

/// Pieces of text that parsers stumble over.
const PIECES: [&str; 44] = [
    "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "NaN", "-", "1e999", "0", "-0", "e+",
    ".", "\\u0000", "\\ud800", "\\udc00", "\n", "\r\n", "\t", "\0", "\u{feff}", "é", "\u{2028}",
    "😀", "(", ")", "(?:", "(?=", "(?<!", "(?P<n>", "(?(1)", "*", "+?", "{2,3}", "|", "^", "$",
    "\\b", "[^]", "\\1",
];

/// Changes `input` a little, at times with a part of `other`.
pub fn mutate(input: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    for _ in 0..=dice.below(4) {
        let at = dice.below(input.len().saturating_add(1)).min(input.len());
        match dice.below(6) {
            0 => {
                let length = dice.below(8).min(input.len().saturating_sub(at));
                input.drain(at..at.saturating_add(length));
            }
            1 => {
                let byte = u8::try_from(dice.below(256)).unwrap_or_default();
                if let Some(place) = input.get_mut(at) {
                    *place = byte;
                }
            }
            2 => {
                let length = dice.below(64).min(input.len().saturating_sub(at));
                let part = input.get(at..at.saturating_add(length)).unwrap_or_default().to_vec();
                input.splice(at..at, part);
            }
            3 => {
                let from = dice.below(other.len());
                let part = other.iter().skip(from).take(dice.below(64)).copied();
                input.splice(at..at, part.collect::<Vec<u8>>());
            }
            4 => input.truncate(at.max(1)),
            _ => {
                let piece = PIECES.get(dice.below(PIECES.len())).copied().unwrap_or_default();
                input.splice(at..at, piece.bytes());
            }
        }
    }
}
