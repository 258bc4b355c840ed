//! The data of a policy with its places in the text, and how rule kinds read typed values from it.

mod definition;
mod node;
mod read;
mod scalar;
mod shape;

pub use definition::{Defaults, Definition};
pub use node::{Entry as NodeEntry, Fault, Form, Node};
pub use read::Params;
pub use scalar::{Scalar, duration_secs};
pub use shape::{Field, Shape};
