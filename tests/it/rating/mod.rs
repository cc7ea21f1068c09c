//! The rating math against known answers, against its definitions, and against guarantees for players.
pub mod definition;
pub mod generate;
mod known_answers;
mod laws;
mod projection;
mod rounding;
mod worked_round;
