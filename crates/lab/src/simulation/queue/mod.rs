//! Days of a community that plays matches from a queue: how long players wait and how even their matches are by true
//! skill, with the service's way of matchmaking and with common alternatives.

mod crowd;
mod figures;
mod matcher;
mod play;
mod scenario;
mod trade;

pub(crate) use figures::Queued;
pub(crate) use matcher::Matcher;
pub(crate) use play::simulate_queue;
pub(crate) use scenario::{MAX_MEMBERS, QueueScenario};
pub(crate) use trade::Trade;

#[cfg(test)]
mod tests;
