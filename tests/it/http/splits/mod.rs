//! Splits: wishes, what becomes of them, and how they are computed.

mod contradictions;
mod draws;
mod equals;
mod in_update;
mod last;
mod lately;
mod letters;
mod lobby;
mod newcomers;
mod no_bench;
mod refusals;
mod roles;
pub mod scramble;
mod sentences;
mod solving;
mod tried;
mod wishes;
