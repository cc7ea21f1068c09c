//! Objective function that compares splits.

pub(crate) mod waits;
pub(crate) mod weights;
