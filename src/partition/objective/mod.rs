//! Which of two splits is better.

pub(crate) mod waits;
pub(crate) mod weights;
