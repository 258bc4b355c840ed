//! pmstack's reading: the steps that pmstack makes of a trace, its pairing of results with calls
//! and its roles, faults included.

mod content;
mod id;
mod key;
mod log;
mod normalised;
mod pairing;
mod step;
mod told;
mod trace;
mod walk;

pub use id::{Ids, own as own_id};
pub use told::events;
pub use trace::Trace;
