//! Challengers: models that predict every round of a pool beside the pool's own model, for comparison only.

mod follow;
pub(crate) mod report;
