//! The quality of the predictions, its history, and what servers do.

pub(crate) mod activity;
pub(crate) mod history;
pub(crate) mod hours;
pub(crate) mod metrics;
pub(crate) mod report;
pub(crate) mod warnings;
