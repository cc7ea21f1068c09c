//! Rounds: queued, rated and recorded together, listed, voided, pruned.

pub(crate) mod answer;
pub(crate) mod batch;
pub(crate) mod batch_players;
pub(crate) mod change;
mod end_time;
pub(crate) mod import;
pub(crate) mod kept_players;
pub(crate) mod list;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod transaction;
pub(crate) mod void_all;
