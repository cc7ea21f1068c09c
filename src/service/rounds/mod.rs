//! Rounds: queued, rated and recorded together, listed, voided.

pub(crate) mod batch;
pub(crate) mod in_order;
pub(crate) mod list;
pub(crate) mod queue;
pub(crate) mod record;
pub(crate) mod void;
