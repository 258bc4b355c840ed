//! The rule IR: what a policy demands, whatever dialect it was written in, and the kinds of
//! demands there are.
//!
//! Rules say what they hold against an event; they don't decide, order or count findings. That is
//! the engine's.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::panic,
        clippy::string_slice
    )
)]

mod access;
mod argument;
mod arguments;
mod command;
mod condition;
mod file_glob;
mod keyed;
mod kind;
pub mod kinds;
mod life;
mod literal;
mod location;
mod lost;
mod named;
mod newest;
mod outcome;
pub mod params;
mod patch;
mod path_arguments;
mod policy;
mod predicate;
mod selector;
mod session;
mod spelling;
mod spoken;
mod subject;
mod tools;
mod wire;

pub use access::{Access, AccessTable};
pub use argument::{Absent, Argument};
pub use arguments::{Arguments, Fields, Found, KeyAt};
pub use command::{
    Commands, Hidden, Surroundings, command_arguments, command_tools, runs_commands,
};
pub use condition::{
    Applies, CONDITION_DEPTH_MAX, Comparison, Condition, ConditionStep, Operand, Operator, Place,
};
pub use file_glob::{Anchor, FileGlob, GlobStyle, Standing};
pub use keyed::{Identity, KEYS_MAX, Key, Keyed, Keys, Sought};
pub use kind::{
    Asked, Body, EvidenceFrom, Gap, Kind, Manner, Mark, Memory, Moment, Objection, Past, Reads,
    Role, Roles, Said, Watches,
};
pub use life::{Account, Asks, Charge, Scar, Scope, Share};
pub use literal::Literal;
pub use location::{Footing, Location, Odd};
pub use newest::{Newest, Stamp};
pub use outcome::Outcome;
pub use path_arguments::path_arguments;
pub use policy::{OnUnknown, Pick, Policy, Profile, Report, Rule, Waiver, names};
pub use predicate::{Predicate, Test};
pub use selector::{Chosen, Selector};
pub use session::{Session, SessionPath, SessionValue};
pub use spoken::{PIECES_MAX, Spoken};
pub use tools::{Name, NameMatch, ToolName, Tools};
pub use wire::{Broken, Coded, Reader, Writer};
