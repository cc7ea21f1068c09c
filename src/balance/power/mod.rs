//! Powers: the worth of players by the scoreboards of their last games. A power is a table in TOML.
//!
//! A [`PowerRule`] selects games ([`GamesOf`]), reads a figure from each game ([`Figure`]), reduces the figures to one
//! number ([`Statistic`]), and combines several numbers ([`Combination`]). [`PowerRules`] has the powers of three
//! communities (`benches/powers.md` quotes their documents).
//!
//! A player without games has no power, which differs from a power of 0. [`counted()`] substitutes missing powers.

mod counted;
mod figure;
mod games_of;
mod predictor;
mod rule;
mod seats;
mod statistic;
mod table;

pub(crate) use counted::{Counted, Standing, counted};
#[cfg(test)]
pub(crate) use games_of::GamesOf;
pub(crate) use games_of::Situation;
pub(crate) use predictor::PowerPredictions;
pub(crate) use rule::{PowerRule, Source};
#[cfg(test)]
pub(crate) use rule::{ScoreboardPower, Valued};
pub(crate) use seats::SeatScale;
#[cfg(test)]
pub(crate) use statistic::Statistic;
pub(crate) use table::{PowerRules, PowerTable};
