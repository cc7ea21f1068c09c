use serde::Serialize;
use utoipa::ToSchema;

use super::WindowedAnswer;

/// What a coin would have scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct CoinFlipAnswer {
    /// The mean Brier score: 0.25 of a decided round, 0 of a draw.
    pub brier: WindowedAnswer,
    /// The mean log loss, in nats: ln 2.
    pub log_loss: f64,
}

/// What the best single probability would have scored, said each time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct BestConstantAnswer {
    /// It: team a's mean score.
    pub probability: WindowedAnswer,
    /// The mean Brier score.
    pub brier: WindowedAnswer,
    /// The mean log loss, in nats.
    pub log_loss: WindowedAnswer,
}

/// One less the share of the best constant's score that is left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct SkillAnswer {
    /// Of the Brier score.
    pub brier: WindowedAnswer,
    /// Of the log loss.
    pub log_loss: WindowedAnswer,
}

/// A count over the last W rounds, and over all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct WindowedCountAnswer {
    /// Over the window.
    pub window: u64,
    /// Over all rounds.
    pub all: u64,
}

/// The rounds that had a favourite, seen from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct FavouritesAnswer {
    /// How far from 0.5 their predictions lie at least.
    pub threshold: f64,
    /// Rounds.
    pub rounds: WindowedCountAnswer,
    /// The mean prediction.
    pub predicted: WindowedAnswer,
    /// The mean score.
    pub observed: WindowedAnswer,
    /// The mean score less the mean prediction: below 0, predictions are too bold.
    pub residual: WindowedAnswer,
    /// Its standard error.
    pub standard_error: WindowedAnswer,
}

/// All rounds, seen from team a.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct SideBiasAnswer {
    /// Rounds.
    pub rounds: u64,
    /// The mean prediction.
    pub predicted: Option<f64>,
    /// The mean score.
    pub observed: Option<f64>,
    /// The mean score less the mean prediction.
    pub bias: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
}

/// The Θ by which the rounds would have been predicted best.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct FittedThetaAnswer {
    /// The most likely one.
    pub theta: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end; null where it has none.
    pub high: Option<f64>,
    /// The rounds that it was fitted to.
    pub rounds: u64,
    /// What the mean Brier score would have been.
    pub brier: f64,
    /// What the mean log loss would have been, in nats.
    pub log_loss: f64,
}

/// The rounds that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GroupAnswer {
    /// The map, the server, or the sizes of the teams, such as `"11 v 12"`.
    pub name: String,
    /// Rounds.
    pub rounds: u64,
    /// Of them drawn.
    pub draws: u64,
    /// The mean Brier score.
    pub brier: Option<f64>,
    /// What a coin's would have been.
    pub coin_flip_brier: Option<f64>,
    /// The mean log loss, in nats.
    pub log_loss: Option<f64>,
    /// The share of decided rounds that the favourite won.
    pub accuracy: Option<f64>,
    /// The mean score less the mean prediction of team a; where sizes differ, of the smaller team.
    pub bias: Option<f64>,
}

/// Players as they were rated with so many rounds behind them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct ExperienceAnswer {
    /// The fewest rounds.
    pub from: u32,
    /// The next bucket's fewest; null for the last.
    pub to: Option<u32>,
    /// How often anybody was rated so.
    pub entries: u64,
    /// The mean K-factor, of whole rounds.
    pub k: Option<f64>,
    /// The mean C, F3.
    pub convergence: Option<f64>,
}

/// The players whose ratings lie in one bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HistogramAnswer {
    /// The lowest rating in it.
    pub from: i32,
    /// The next bin's lowest.
    pub to: i32,
    /// Players in their shadow period.
    pub hidden: u64,
    /// Players past it.
    pub visible: u64,
}
