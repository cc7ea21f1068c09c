//! Dynamic programming over the players, in two halves that meet in the middle.
//!
//! `chain.rs` has the players in order (`order.rs`) and their transitions, with what must be remembered
//! of those who are linked (`frontier.rs`). A half (`half.rs`) is a number of players (`turn.rs`) with a
//! table after each (`table.rs`, laid out by `layout.rs` within what `bound.rs` says). `meet.rs` joins two
//! halves, row by row (`windows.rs`).

pub(crate) mod bound;
pub(crate) mod chain;
pub(crate) mod cost;
mod frontier;
mod half;
mod layout;
pub(crate) mod meet;
mod order;
pub(crate) mod search;
mod table;
mod turn;
mod windows;
