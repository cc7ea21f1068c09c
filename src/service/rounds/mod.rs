//! Rounds: queuing, recording and rating in batches, lists, voids and corrections.

pub(crate) mod answer;
pub(crate) mod batch;
pub(crate) mod batch_players;
pub(crate) mod change;
mod end_time;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod player_cache;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod transaction;
pub(crate) mod void_all;
