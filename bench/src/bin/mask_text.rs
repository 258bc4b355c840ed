//! Masking a text that holds nothing to mask, beside one walk over its bytes, and one that does.
//!
//! `cargo run --release -p lawbook-bench --bin mask_text`

use std::hint::black_box;
use std::time::Instant;

use lawbook::Mask;

const ROUNDS: u32 = 40;

fn main() {
    let plain =
        "refunded the order after the user had said yes, as the policy asks: ".repeat(16_000);
    let full =
        "card 4242 4242 4242 4242 of amy@example.com, call +47 912 34 567 now. ".repeat(16_000);
    let mask = Mask::default();
    report("one walk over the bytes", &plain, |it| {
        black_box(it.bytes().filter(|it| *it == b'@').count());
    });
    report("nothing to mask", &plain, |it| {
        black_box(mask.text(it));
    });
    report("three things in each line", &full, |it| {
        black_box(mask.text(it));
    });
}

fn report(what: &str, text: &str, work: impl Fn(&str)) {
    let begun = Instant::now();
    (0..ROUNDS).for_each(|_| work(black_box(text)));
    let bytes = f64::from(ROUNDS) * text.len() as f64;
    println!("{what:28} {:8.0} MB/s", bytes / begun.elapsed().as_secs_f64() / 1e6);
}
