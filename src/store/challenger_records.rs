//! What is kept of the models that predict beside a pool's own.

use super::{Generation, SettingsId};
use crate::domain::Timestamp;

/// Who follows a pool's log for its challengers, and how well those did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengersRecord {
    /// Who follows it.
    pub owner: String,
    /// When the owner was last heard of.
    pub renewed_at: Timestamp,
    /// How well they did; `None` before that is known of any round.
    pub figures: Option<ChallengerFigures>,
}

/// How well the challengers of a pool did up to some place of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengerFigures {
    /// The generation of the pool's results that its own predictions were read from.
    pub generation: Generation,
    /// The place of the log behind which they begin, up to which it was pruned.
    pub pruned: u64,
    /// The constants of the models.
    pub settings: SettingsId,
    /// The last place of the log that is in the figures.
    pub position: u64,
    /// How many of the pool's rounds counted up to there, pruned ones among them.
    pub rounds: u64,
    /// JSON: the figures.
    pub content: String,
}
