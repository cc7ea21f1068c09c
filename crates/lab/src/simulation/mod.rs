//! Simulated communities whose players have known skills, to study a rating model whose ratings split the teams. A seed
//! determines every result.
//!
//! Recorded rounds show how well a model predicts. They cannot show how far the ratings are from the truth, nor if
//! splits by the ratings make games even: even teams leave the outcome no information about the scale of the ratings,
//! and errors reinforce themselves. The simulation closes the loop: ratings make teams, hidden skills decide the
//! winner, and results make ratings.

mod community;
mod dice;
mod measures;
mod play;
mod queue;
mod scenario;
mod scrambles;
mod teams;

pub(crate) use dice::Dice;
pub(crate) use measures::{Simulated, Summary, Tenth};
pub(crate) use play::{ImpossibleScenario, simulate};
pub(crate) use queue::{MAX_MEMBERS, Matcher, QueueScenario, Queued, Trade, simulate_queue};
pub(crate) use scenario::Scenario;
pub(crate) use scrambles::{ScrambleRule, Scrambled, simulate_scrambles};

#[cfg(test)]
mod tests;
