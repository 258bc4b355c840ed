//! The binary `lawbook`.

fn main() {}
