use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::PoolName;
use crate::rating::{ComparedRounds, Figure};

/// Answer of `GET /v1/admin/models`: the pool's rating model compared with its challengers, models that predict the
/// same rounds without effect on ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelsAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Name of the rating model that rates the pool.
    pub model: String,
    /// W: maximum number of the pool's latest rounds that the figures named `window` cover.
    pub window: u32,
    /// Number of rounds of the pool that count for ratings.
    pub rounds: u64,
    /// Number of rounds that the challengers (compared models) have processed; below `rounds` while they catch up.
    pub caught_up_to: u64,
    /// Rounds that the models are compared on: rounds up to `caught_up_to` that are not pruned.
    pub compared: ComparedRounds,
    /// Figures of the pool's own model, then of its challengers (compared models) in configured order, all on the same
    /// rounds. Empty without challengers, and until the first figures are known.
    pub models: Vec<ModelFiguresAnswer>,
    /// Conclusion of the comparison of the rating models as a sentence.
    pub advice: String,
}

/// Quality of a rating model's predictions for the rounds on which models are compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ModelFiguresAnswer {
    /// Name of the rating model, as in the configuration.
    pub model: String,
    /// Mean log loss of the rating model's predictions for the compared rounds, in nats per round; lower is better.
    pub log_loss: Figure,
    /// Mean Brier score (squared error) of the rating model's predictions for the compared rounds (F6); lower is
    /// better.
    pub brier: Figure,
    /// Share of the decided compared rounds that the rating model's favourite won, from 0 to 1.
    pub accuracy: Figure,
    /// Factor on the log-odds of the rating model's predictions that fits the results best. Below 1 the predictions are
    /// too bold, above 1 too timid.
    pub calibration_slope: Figure,
    /// Log loss of the rating model minus the log loss of the pool's own model, in nats per round. Below 0 is better.
    /// `null` for the own model.
    pub difference: Figure,
    /// Standard error of `difference` (log loss minus the log loss of the pool's own model), in nats per round,
    /// computed from the differences in each round.
    pub standard_error: Figure,
}
