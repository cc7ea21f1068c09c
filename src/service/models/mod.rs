//! Models that predict every round of a pool beside its own, for comparison alone.

mod follow;
pub(crate) mod report;
