//! unzip: it unpacks into the folder behind an option.

use super::copies::makes;
use super::{Call, Found, Program};
use crate::reading::{Grammar, flag, valued};

/// The program.
pub(super) static PROGRAM: Unzip = Unzip;

/// It unpacks into a folder.
pub(super) struct Unzip;

static GRAMMAR: Grammar = Grammar::of(&[
    valued("-d"),
    valued("-x"),
    valued("-P"),
    flag("-o"),
    flag("-q"),
    flag("-l"),
    flag("-p"),
    flag("-t"),
    flag("-v"),
    flag("-n"),
    flag("-j"),
]);

impl Program for Unzip {
    fn names(&self) -> &'static [&'static str] {
        &["unzip"]
    }

    fn grammar(&self) -> &'static Grammar {
        &GRAMMAR
    }

    fn look(&self, call: &Call<'_>, found: &mut Found) {
        let shows = ["-l", "-p", "-t", "-v"].iter().any(|it| call.reading.has(it));
        match call.value("-d") {
            _ if shows => {}
            Some(folder) => makes(folder, call, found),
            None => makes(&crate::Word::plain("."), call, found),
        }
    }
}
