//! Interventions: what balance proposed, whether it was done, and what came of it.

pub(crate) mod list;
pub(crate) mod record;
pub(crate) mod summary;
