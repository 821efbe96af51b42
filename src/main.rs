//! The command `jeden`.
fn main() {}
