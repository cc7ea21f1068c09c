//! Objective function that compares splits by the wishes they leave unserved.

pub(crate) mod waits;
pub(crate) mod weights;
