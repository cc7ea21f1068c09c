//! Balance: the verdict on a match under way, and where somebody who joins goes.

pub(crate) mod answer;
mod bot_levels;
pub(in crate::service) mod evaluate;
mod form;
mod players;
pub(crate) mod reason;
mod ticket;

use crate::domain::InterventionResult;

/// What the teams of a match are left alone for, whatever they are.
pub(in crate::service) const SUPPRESSED: &str = "suppressed";
/// What teams are that need nothing.
pub(in crate::service) const BALANCED: &str = "balanced";

/// Every result of an answer in mid-round, as metrics name it.
pub(super) const RESULTS: [&str; 5] = [
    BALANCED,
    SUPPRESSED,
    InterventionResult::Moved.as_str(),
    InterventionResult::Filled.as_str(),
    InterventionResult::NothingHelps.as_str(),
];
