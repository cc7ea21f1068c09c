//! The rating math against known answers, against its own definitions, and against the laws that
//! players rely on.
mod definition;
mod generate;
mod known_answers;
mod laws;
mod projection;
mod rounding;
mod worked_round;
