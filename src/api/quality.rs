use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::domain::{PoolName, Timestamp};

/// `GET /v1/admin/quality`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QualityAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// Θ in force, a whole number where it is one.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Rated rounds.
    pub rounds: u64,
    /// W: the window's figures are over at most that many rounds.
    pub window: u32,
    /// F6: the mean Brier score.
    pub brier: WindowedAnswer,
    /// The mean log loss, in nats.
    pub log_loss: WindowedAnswer,
    /// The share of decided rounds that the favourite won.
    pub accuracy: WindowedAnswer,
    /// Drawn rounds.
    pub draws: u64,
    /// Predictions against results, over all rounds.
    pub calibration: Vec<CalibrationAnswer>,
    /// What a coin would have scored.
    pub coin_flip: CoinFlipAnswer,
    /// What the best single probability would have scored, said each time.
    pub best_constant: BestConstantAnswer,
    /// How much better than that the predictions are: 1 is perfect, 0 as good.
    pub skill: SkillAnswer,
    /// Favourites against what was predicted of them.
    pub favourites: FavouritesAnswer,
    /// Team a against what was predicted of it.
    pub side_bias: SideBiasAnswer,
    /// Θ as the rounds would have it; null below 500 rounds, and where no Θ fits.
    pub theta_fitted: Option<FittedThetaAnswer>,
    /// By map, most rounds first, 50 at most; rounds that do not tell it are in none.
    pub by_map: Vec<GroupAnswer>,
    /// By server, most rounds first, 50 at most.
    pub by_server: Vec<GroupAnswer>,
    /// By the sizes of the teams at the start, most rounds first, 50 at most.
    pub by_team_size: Vec<GroupAnswer>,
    /// What players were rated by, by how many rounds they had played before.
    pub by_rounds_played: Vec<ExperienceAnswer>,
    /// How many players.
    pub players: PlayerCountsAnswer,
    /// How their ratings are spread.
    pub ratings: RatingsAnswer,
    /// The players by rating.
    pub histogram: Vec<HistogramAnswer>,
    /// What an operator should look at, in sentences.
    pub warnings: Vec<String>,
}

/// A figure over the last W rounds, and over all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct WindowedAnswer {
    /// Over the window.
    pub window: Option<f64>,
    /// Over all rounds.
    pub all: Option<f64>,
}

/// One bin of predictions for team a.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct CalibrationAnswer {
    /// The lowest prediction in it.
    pub from: f64,
    /// The next bin's lowest.
    pub to: f64,
    /// Rounds.
    pub rounds: u64,
    /// The mean prediction.
    pub predicted: Option<f64>,
    /// The mean result.
    pub observed: Option<f64>,
    /// The lower end of its 95 % interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// How many players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerCountsAnswer {
    /// All.
    pub total: u64,
    /// In their shadow period.
    pub hidden: u64,
    /// Past it.
    pub visible: u64,
    /// Without a round for too long.
    pub stale: u64,
}

/// How ratings are spread, in points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct RatingsAnswer {
    /// The lowest.
    pub min: Option<f64>,
    /// The tenth percentile.
    pub p10: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// The ninetieth percentile.
    pub p90: Option<f64>,
    /// The highest.
    pub max: Option<f64>,
    /// The mean.
    pub mean: Option<f64>,
    /// The population standard deviation.
    pub sd: Option<f64>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn whole_where_possible<S: Serializer>(
    value: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "compared before it is used"
    )]
    let whole = *value as i64;
    #[expect(clippy::cast_precision_loss, reason = "that is what is asked")]
    if whole as f64 == *value {
        serializer.serialize_i64(whole)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// `GET /v1/admin/quality/history`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QualityHistoryAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// W: every point is over at most that many rounds.
    pub window: u32,
    /// The oldest first.
    pub points: Vec<QualityPointAnswer>,
}

/// The figures over the window that ended at a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct QualityPointAnswer {
    /// The rounds that counted then.
    pub rounds: u64,
    /// When the last of them ended.
    pub ended_at: Timestamp,
    /// The mean Brier score.
    pub brier: Option<f64>,
    /// What a coin's would have been.
    pub coin_flip_brier: Option<f64>,
    /// The mean log loss, in nats.
    pub log_loss: Option<f64>,
}

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
