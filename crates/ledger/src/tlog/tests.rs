//! The tree against published vectors, its own definition, and two other implementations.

mod notes;
mod peers;
mod tree;
mod witness;
