//! The `rbs` command.
fn main() {}
