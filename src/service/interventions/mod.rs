//! Interventions: moves recommended by balance, and the outcomes of their rounds.

pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod summary;
