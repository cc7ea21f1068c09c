use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::PoolName;
use crate::rating::Figure;

/// `GET /v1/admin/models`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelsAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// The model that it is rated by.
    pub model: String,
    /// W: the window's figures are over at most that many rounds.
    pub window: u32,
    /// Rounds of the pool that count.
    pub rounds: u64,
    /// The last of them that the challengers have come to; less than `rounds` while they catch up.
    pub caught_up_to: u64,
    /// The rounds that the models are compared on: those up to `caught_up_to` that are not pruned.
    pub compared: ComparedRoundsAnswer,
    /// The pool's own model, then its challengers in the order in which they are set, all on the same rounds;
    /// none where no challenger is set, and before anything is known.
    pub models: Vec<ModelFiguresAnswer>,
    /// What to make of it, in a sentence.
    pub advice: String,
}

/// Rounds that models are compared on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ComparedRoundsAnswer {
    /// All of them.
    pub rounds: u64,
    /// Those that nobody won.
    pub draws: u64,
    /// Those that began with more players on one team than on the other.
    pub uneven: u64,
    /// Those in which a team had nobody who is rated, so that models learn little or nothing from them.
    pub unrated: u64,
}

/// How well a model predicted the rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelFiguresAnswer {
    /// The model, as the settings name it.
    pub model: String,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
    /// The mean Brier score, the square of how far off predictions were (F6).
    pub brier: Figure,
    /// The share of decided rounds that the favourite won.
    pub accuracy: Figure,
    /// What the predictions' log-odds would have to be multiplied with to fit the results best: below 1 they are
    /// too bold, above 1 too timid.
    pub calibration_slope: Figure,
    /// The log loss less that of the pool's own model, in nats a round: below 0 is better; null of the pool's own.
    pub difference: Figure,
    /// The standard error of the difference, from the differences round by round.
    pub standard_error: Figure,
}
