//! Balance of a match in progress: verdicts on its teams, and placement of joining players.

pub(crate) mod answer;
mod bot_levels;
pub(in crate::service) mod evaluate;
mod form;
mod players;
pub(crate) mod reason;
mod ticket;

use crate::domain::InterventionResult;

/// Metrics label value for a match whose teams the policy leaves alone, even if unbalanced.
pub(in crate::service) const SUPPRESSED: &str = "suppressed";
/// Metrics label value for a match whose teams need no change.
pub(in crate::service) const BALANCED: &str = "balanced";

/// Every result of a balance request, as values of a metrics label.
pub(super) const RESULTS: [&str; 5] = [
    BALANCED,
    SUPPRESSED,
    InterventionResult::Moved.as_str(),
    InterventionResult::Filled.as_str(),
    InterventionResult::NothingHelps.as_str(),
];
