//! Splits: a question with its wishes, the solver, the answer, and the last table of each server.

pub(crate) mod answer;
pub(crate) mod last;
mod lately;
pub(crate) mod newcomers;
pub(crate) mod offline;
pub(crate) mod propose;
pub(crate) mod solver;
mod stored;
pub(crate) mod wishes;
