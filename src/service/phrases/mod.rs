//! The sentences of answers.

pub(crate) mod balance;
pub(crate) mod clauses;
pub(crate) mod odds;
pub(crate) mod reason;
pub(crate) mod split;
