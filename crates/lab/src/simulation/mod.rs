//! Communities whose players' skills are known, because they are made up: what becomes of a rating model when the
//! teams are split by its own ratings. Pure: a seed decides everything.
//!
//! Data of rounds that were really played say how well a model predicts. They cannot say how far its ratings are
//! from the truth, nor whether its splits even out games: even teams leave an outcome nothing to say about the scale of
//! the ratings, and errors feed on themselves. Here the whole loop is played: ratings make teams, hidden skills
//! decide who wins, results make ratings.

mod community;
mod dice;
mod measures;
mod play;
mod queue;
mod scenario;
mod teams;

pub(crate) use measures::{Simulated, Summary, Tenth};
pub(crate) use play::{ImpossibleScenario, simulate};
pub(crate) use queue::{MAX_MEMBERS, Matcher, QueueScenario, Queued, Trade, simulate_queue};
pub(crate) use scenario::Scenario;

#[cfg(test)]
mod tests;
