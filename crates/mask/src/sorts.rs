//! The sorts of things that are masked, in the order in which they are looked for: what is narrow
//! comes before what is loose.

mod account;
mod address;
mod card;
mod cloud;
mod email;
mod family;
mod number;
mod phone;
mod private_key;
mod token;
mod url;

use std::ops::Range;

use crate::Mode;
use crate::hints::Hints;

/// One sort.
pub struct Sort {
    /// What stands in its place.
    pub tag: &'static str,
    /// Whether faultgate masks it.
    pub compatible: bool,
    /// Whether a text with these hints may hold one.
    pub may: fn(Hints) -> bool,
    /// Finds all of it: places in order, none over another.
    pub find: fn(&str, Mode, &mut Vec<Range<usize>>),
}

const SECRET: &str = "<SECRET>";

/// All sorts.
pub const SORTS: &[Sort] = &[
    Sort { tag: SECRET, compatible: false, may: |it| it.secret, find: private_key::find },
    Sort { tag: SECRET, compatible: false, may: |it| it.at, find: url::find },
    Sort { tag: SECRET, compatible: true, may: |it| it.secret, find: token::find_signed },
    Sort { tag: SECRET, compatible: true, may: |it| it.secret, find: token::find_bearer },
    Sort { tag: SECRET, compatible: true, may: |it| it.secret, find: family::find },
    Sort { tag: SECRET, compatible: false, may: |it| it.secret, find: cloud::find },
    Sort { tag: "<EMAIL>", compatible: true, may: |it| it.at, find: email::find },
    Sort { tag: "<US_SSN>", compatible: true, may: |it| it.number, find: number::find },
    Sort { tag: "<IBAN>", compatible: false, may: |it| it.account, find: account::find },
    Sort { tag: "<CREDIT_CARD>", compatible: true, may: |it| it.number, find: card::find },
    Sort { tag: "<IP_ADDRESS>", compatible: true, may: |it| it.dotted, find: address::find_four },
    Sort { tag: "<IP_ADDRESS>", compatible: true, may: |it| it.colons, find: address::find_eight },
    Sort { tag: "<PHONE>", compatible: true, may: |it| it.number, find: phone::find },
];
