//! What is masked, as data, and what holds for every text.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Mask, Mode};

fn cases(of: &str) -> Vec<Value> {
    let text = include_str!("../../../conformance/mask/cases.json");
    let cases: Value = serde_json::from_str(text).unwrap();
    cases[of].as_array().unwrap().clone()
}

fn word<'c>(case: &'c Value, key: &str) -> &'c str {
    case[key].as_str().unwrap_or_else(|| panic!("{case} has no `{key}`"))
}

#[test]
fn every_case_holds_in_both_modes() {
    let mut wrong = Vec::new();
    for case in cases("texts") {
        let text = word(&case, "text");
        for (name, mode) in [("compatible", Mode::Compatible), ("builtin", Mode::Builtin)] {
            let (got, want) = (Mask::new(mode).text(text), word(&case, name));
            if got != want {
                wrong.push(format!("{}: {name} of `{text}` is `{got}`", case["about"]));
            }
        }
        assert_eq!(Mask::off().text(text), text);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn keys_are_written_as_faultgate_writes_them_in_its_own_mode() {
    for case in cases("keys") {
        let key = word(&case, "key");
        assert_eq!(Mask::new(Mode::Compatible).key(key), word(&case, "compatible"));
    }
}

#[test]
fn a_guess_at_a_masked_key_is_confirmed_by_nothing_but_the_secret() {
    let (raw, plain) = ("order of a@b.co", "order of <EMAIL>#6a19d4eb");
    let one = Mask::new(Mode::Builtin).keyed([1; 32]);
    let other = Mask::new(Mode::Builtin).keyed([2; 32]);
    assert!(one.key(raw).starts_with("order of <EMAIL>#"));
    assert_ne!(one.key(raw), plain);
    assert_ne!(one.key(raw), other.key(raw));
    assert_eq!(one.key(raw), one.key(raw));
    assert_ne!(one.key(raw), one.key("order of b@b.co"));
    assert_eq!(one.key(&one.key(raw)), one.key(raw), "a masked key stays what it is");
    assert_eq!(Mask::new(Mode::Builtin).key(raw), "order of <EMAIL>");
}

/// Numbers without a source of chance: the same in every run.
struct Stir(u64);

impl Stir {
    fn next(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % below
    }

    fn text(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.next(most)).map(|_| pieces[self.next(pieces.len())]).collect()
    }
}

/// What texts are put together from: the edges of every sort.
const PIECES: &[&str] = &[
    "4242",
    "4242424242424242",
    "12",
    "123",
    "1234",
    "0",
    "9",
    "219-09-9999",
    " ",
    "-",
    ".",
    "+",
    "(",
    ")",
    ":",
    "::",
    "2001",
    "db8",
    "@",
    "a",
    "b.co",
    "amy",
    "x",
    "_",
    "eyJ",
    "abcdefgh",
    "sk-",
    "ABCDEFGHIJKLMNOP",
    "AKIA",
    "bearer ",
    "ghp_",
    "abcdefghijklmnopqrstuvwxyz0123",
    "é",
    "３",
    "\n",
    "/",
    "://",
    "=",
    "<EMAIL>",
    "NO93",
    "8601 1117 947",
    "10.0.0.1",
    "-----BEGIN ",
    "PRIVATE KEY-----",
    "-----END ",
    "access_key",
    "SG.",
    "%",
    "hf_",
    "xoxb-",
    "ya29.",
    "020",
];

#[test]
fn masking_a_masked_text_changes_nothing() {
    let mask = Mask::new(Mode::Builtin);
    let mut stir = Stir(7);
    for _ in 0..30_000 {
        let text = stir.text(PIECES, 24);
        let once = mask.text(&text).into_owned();
        assert_eq!(mask.text(&once), once, "of `{text}`");
    }
}

/// Things that must not leave, as they stand in texts.
const THINGS: &[&str] = &[
    "4242 4242 4242 4242",
    "4242-4242-4242-4242",
    "378282246310005",
    "219-09-9999",
    "amy@b.co",
    "+47 912 34 567",
    "(415) 555-0199",
    "192.168.17.4",
    "2001:db8::1",
    "NO93 8601 1117 947",
    "sk-abcdefghijklmnop",
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_abcdefghijklmnopqrstuvwxyz0123",
    "eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSMeKKF2Q",
    "xoxb-123456789012-abcdefABCDEF",
    "hf_abcdefghijklmnopqrstuvwxyz0123",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv",
];

#[test]
fn what_must_not_leave_does_not_in_any_surroundings() {
    let mask = Mask::new(Mode::Builtin);
    let around =
        ["", "\"", "'", "`", "\n", ", ", "{\"a\":\"", "\"}", "=", " æ ", " | ", "(", "<b>"];
    for thing in THINGS {
        for before in around {
            for after in around {
                let text = format!("x{before}{thing}{after}");
                let text = if before.is_empty() { text.trim_start_matches('x') } else { &text };
                let masked = mask.text(text);
                assert!(!masked.contains(thing), "`{text}` leaves as `{masked}`");
            }
        }
    }
}

#[test]
fn what_the_compatible_mode_masks_is_masked_by_default_but_for_groups_that_no_country_writes() {
    let mut stir = Stir(11);
    for _ in 0..30_000 {
        let text = stir.text(PIECES, 16);
        let compatible = Mask::new(Mode::Compatible).text(&text).into_owned();
        let changed = compatible.replace("<PHONE>", "") != text;
        if changed && !compatible.contains("<PHONE>") {
            assert!(Mask::new(Mode::Builtin).changes(&text), "`{text}` is left as it is");
        }
    }
}

#[test]
// A text that takes squared time would take hours, so the bound is far from any machine's speed.
#[allow(clippy::disallowed_methods)]
fn hostile_texts_take_no_longer_than_others_of_their_length() {
    let pieces = [
        "eyJ",
        "eyJ-",
        "eyJaaaaaaaa.",
        "bearer ",
        "sk-a-",
        "a@",
        "a.",
        "a@a.",
        "1-",
        "123 ",
        "123-",
        "1.",
        "a:",
        "1:",
        "::1",
        "a.1::",
        "+1",
        "(12",
        "(1) ",
        "+",
        "0 0",
        "accesskey",
        "accesskey=",
        "-----BEGIN ",
        "-----BEGIN PRIVATE KEY-----",
        "://a:",
        "://",
        "AA11",
        "AA11 ",
        "SG.a",
        "３",
        "１２３ ",
        "219-09-",
        "1234567",
        "4242 4242 ",
        "%",
        "é@",
        "ghp_",
        "x",
    ];
    for piece in pieces {
        let text = piece.repeat(1_000_000 / piece.len());
        for mode in [Mode::Builtin, Mode::Compatible] {
            let begun = Instant::now();
            let _ = Mask::new(mode).text(&text);
            let took = begun.elapsed();
            assert!(took < Duration::from_secs(8), "`{piece}` takes {took:?} in {mode:?}");
        }
    }
}

#[test]
fn a_mask_does_not_show_its_secret() {
    let shown = format!("{:?}", Mask::new(Mode::Builtin).keyed([77; 32]));
    assert!(!shown.contains("77"), "{shown}");
}
