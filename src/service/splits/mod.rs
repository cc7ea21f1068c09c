//! Splits: a question with its wishes, the solver, the answer, and the last table of each server.

pub(crate) mod answer;
pub(crate) mod last;
pub(crate) mod newcomers;
pub(crate) mod offline;
pub(crate) mod propose;
mod recent_rounds;
pub(crate) mod solver;
mod stored;
pub(crate) mod wishes;
