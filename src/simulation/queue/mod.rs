//! Days of a community that plays matches from a queue: how long players wait and how even their matches truly are, by
//! the service's way to make matches and by those that are usual.

mod crowd;
mod figures;
mod matcher;
mod play;
mod scenario;
mod trade;

pub use figures::Queued;
pub use matcher::Matcher;
pub use play::simulate_queue;
pub use scenario::{GIVE_UP_SECONDS, MOST_MEMBERS, QueueScenario};
pub use trade::Trade;

#[cfg(test)]
mod tests;
