//! What players are worth by the scoreboards of their last games, as data: a power is a table in TOML.
//!
//! A [`PowerRule`] says which games count ([`GamesOf`]), what each says of the player ([`Figure`]), how
//! the figures of several games become one ([`Statistic`]), and how those are combined ([`Combination`]).
//! [`PowerRules`] has those of three communities (`docs/powers.md` quotes their documents).
//! Somebody of whom nothing is known has no power, which is not a power of 0: [`counted()`] says what
//! stands in for it.

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
