//! Dynamic programming over the players, in two halves that meet in the middle.
//!
//! `chain.rs` has the players in order (`order.rs`) with their transitions, and `frontier.rs` the seats to remember
//! of linked players. A half (`half.rs`) is a sequence of players (`turn.rs`) with a table after each (`table.rs`).
//! The layout of a table (`layout.rs`) stays within the bound of `bound.rs`. `meet.rs` joins two halves, row by row
//! (`windows.rs`).

pub(crate) mod bound;
pub(crate) mod chain;
mod frontier;
mod half;
mod layout;
pub(crate) mod meet;
mod order;
pub(crate) mod search;
pub(crate) mod table;
mod turn;
mod windows;
