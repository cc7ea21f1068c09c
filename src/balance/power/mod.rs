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

pub use counted::{Counted, Standing, counted};
pub use figure::{Figure, PlaceScale};
pub use games_of::{GamesOf, Situation};
pub use predictor::PowerPredictions;
pub use rule::{Combination, PowerRule, ScoreboardPower, Source, Term, Valued};
pub use seats::SeatScale;
pub use statistic::Statistic;
pub use table::{PowerRules, PowerTable};
