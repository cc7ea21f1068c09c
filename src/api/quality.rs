use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::domain::{MapName, PoolName, ServerName, Timestamp};
use crate::rating::{
    Distribution, ExperienceBucket, Figure, HistogramBin, Learnt, MeanCause, Residual, ThetaFit,
    VerdictWord, WindowedCount,
};

/// Answer of `GET /v1/admin/quality`: quality of a pool's predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Verdict about the calibration of the predictions.
    pub verdict: VerdictAnswer,
    /// Θ, the current logistic scale of the predictions, in points. Whole values are written without a fraction.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Number of rated rounds of the pool.
    pub rounds: u64,
    /// W: maximum number of rounds behind the `window` figures.
    pub window: u32,
    /// Mean Brier score: the squared error of the predictions (F6).
    pub brier: Figure,
    /// Mean log loss, in nats.
    pub log_loss: Figure,
    /// Share of decided rounds that the favourite won, from 0 to 1.
    pub accuracy: Figure,
    /// Number of drawn rounds.
    pub draws: u64,
    /// Predictions for team a compared with results, in bins, over all rounds.
    pub calibration: Vec<CalibrationAnswer>,
    /// Scores of a prediction of 0.5 for every round.
    pub coin_flip: CoinFlipAnswer,
    /// Scores of the best constant prediction for every round.
    pub best_constant: BestConstantAnswer,
    /// Improvement over the best constant prediction: 1 is perfect, 0 is no improvement.
    pub skill: SkillAnswer,
    /// Results of favourites compared with their predictions.
    pub favourites: FavouritesAnswer,
    /// Results of team a compared with its predictions.
    pub side_bias: Residual,
    /// Θ that fits the rounds best; `null` below 500 rounds, or if no Θ fits.
    pub theta_fitted: Option<ThetaFit>,
    /// Figures by map: the 50 maps with the most rounds, most rounds first. Rounds without a map are left out.
    pub by_map: Vec<GroupAnswer>,
    /// Figures by server: the 50 servers with the most rounds, most rounds first.
    pub by_server: Vec<GroupAnswer>,
    /// Figures by map and server over the last 10,000 rounds: the 50 pairs with the most rounds, most rounds first.
    pub by_map_and_server: Vec<MapOnServerAnswer>,
    /// Figures by team sizes at the start: the 50 pairs of sizes with the most rounds, most rounds first.
    pub by_team_size: Vec<GroupAnswer>,
    /// K-factors and convergence of players, by the number of rounds that they had played before.
    pub by_rounds_played: Vec<ExperienceBucket>,
    /// Numbers of players of the pool.
    pub players: PlayerCountsAnswer,
    /// Distribution of the players' ratings, in points.
    pub ratings: Distribution,
    /// Number of players by rating, in bins.
    pub histogram: Vec<HistogramBin>,
    /// Results that differ from the predictions by more than chance, over the last 10,000 rounds, the clearest first.
    pub departures: Vec<DepartureAnswer>,
    /// Change of the mean rating of the active players over the last 10,000 rounds,
    /// and its causes; `null` without rounds.
    #[serde(default)]
    pub mean_rating: Option<MeanRatingAnswer>,
    /// Findings that an operator should act on, as sentences. Includes the sentences of `departures`.
    pub warnings: Vec<String>,
    /// Parameters that the model has learnt; `null` if the pool's model learns only ratings.
    #[serde(default)]
    pub learnt: Option<LearntAnswer>,
}

/// Verdict about the calibration of a pool's predictions, with advice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VerdictAnswer {
    /// The verdict in a word.
    pub word: VerdictWord,
    /// The verdict in one or two sentences.
    pub message: String,
    /// Number of further rounds needed for a verdict; 0 if none are needed.
    pub missing_rounds: u64,
    /// Better value of Θ, in points; `null` if none is needed, or if no Θ fits.
    pub theta: Option<f64>,
    /// Command that previews the better Θ without changing anything; `null` without `theta`.
    pub command: Option<String>,
    /// Line and table of the configuration that set the better Θ; `null` without `theta`.
    pub setting: Option<String>,
    /// Mean Brier score with the present odds; `null` without rounds.
    pub brier: Option<f64>,
    /// Mean Brier score with fitted odds; `null` if the present odds need no change.
    pub brier_fitted: Option<f64>,
    /// Mean log loss with the present odds, in nats; `null` without rounds.
    pub log_loss: Option<f64>,
    /// Mean log loss with fitted odds, in nats; `null` if the present odds need no change.
    pub log_loss_fitted: Option<f64>,
}

/// Kind of expectation that results differ from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DepartureFrom {
    /// Team a wins more or less than predicted.
    Side,
    /// Predicted favourites lose more than predicted.
    Favourites,
    /// Teams that lead on the scoreboard lose.
    Scoreboards,
}

/// Results that differ from the expectation by more than chance explains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DepartureAnswer {
    /// Kind of the expectation.
    pub from: DepartureFrom,
    /// Name of the affected map; `null` if every map is affected.
    pub map: Option<MapName>,
    /// Name of the affected server; `null` if every server is affected.
    pub server: Option<ServerName>,
    /// Number of affected rounds since the estimated beginning of the difference.
    pub rounds: u64,
    /// Expected mean score of team a, of the favourites or of the leading teams, by the kind of expectation; 0 to 1.
    pub expected: f64,
    /// Actual mean score of the teams that `expected` is about, from 0 to 1.
    pub observed: f64,
    /// Standard error of `observed` minus `expected`; `null` if unknown.
    pub standard_error: Option<f64>,
    /// The difference as a sentence, with advice.
    pub message: String,
}

/// Mean rating of the active players over the last rounds of a pool, and the causes of its change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanRatingAnswer {
    /// Number of active players: players with a round in the last `stale_days` days before the end of the last round.
    pub players: u64,
    /// Mean rating of the active players before the first of the rounds. A player who
    /// came later counts with the first rating.
    pub from: f64,
    /// Current mean rating of the active players.
    pub to: f64,
    /// Causes with the points by which each moved the mean, the largest first. The points add up to `to` minus `from`.
    pub causes: Vec<MeanCauseAnswer>,
    /// Mean rating after up to 60 of the rounds, the oldest first.
    pub points: Vec<MeanPointAnswer>,
}

/// Points by which one cause moved the mean rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanCauseAnswer {
    /// Kind of the cause.
    pub cause: MeanCause,
    /// The cause in words.
    pub message: String,
    /// Points that the cause added to the mean; negative if it lowered the mean.
    pub points: f64,
}

/// Mean rating after a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanPointAnswer {
    /// Number of rounds of the pool up to and including the round of this point.
    pub rounds: u64,
    /// Time at which the round of this point ended.
    pub ended_at: Timestamp,
    /// Mean rating, after the round of this point, of the players who are active now.
    pub mean: f64,
}

/// Parameters that a model has learnt of a pool, in addition to ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntAnswer {
    /// Name of the model.
    pub model: String,
    /// Summary of the parameters, in sentences.
    pub message: String,
    /// Values of the parameters.
    #[serde(flatten)]
    pub figures: Learnt,
}

/// A bin of predictions for team a, compared with the results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CalibrationAnswer {
    /// Lowest prediction in the bin, as a probability.
    pub from: f64,
    /// Lowest prediction of the next bin, as a probability.
    pub to: f64,
    /// Number of rounds in the bin.
    pub rounds: u64,
    /// Mean prediction in the bin; `null` without rounds.
    pub predicted: Option<f64>,
    /// Mean score of team a in the bin; `null` without rounds.
    pub observed: Option<f64>,
    /// Lower end of the 95 % confidence interval of `observed`; `null` without rounds.
    pub low: Option<f64>,
    /// Upper end of the 95 % confidence interval of `observed`; `null` without rounds.
    pub high: Option<f64>,
}

/// Numbers of players of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerCountsAnswer {
    /// Number of all players.
    pub total: u64,
    /// Number of players in the shadow period, whose ratings are hidden.
    pub hidden: u64,
    /// Number of players whose ratings are shown.
    pub visible: u64,
    /// Number of players without a round in the last `stale_days` days.
    pub stale: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn whole_where_possible<S: Serializer>(
    value: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the result is used only if it equals the value"
    )]
    let whole = *value as i64;
    #[expect(
        clippy::cast_precision_loss,
        reason = "the comparison detects a loss of precision"
    )]
    if whole as f64 == *value {
        serializer.serialize_i64(whole)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// Answer of `GET /v1/admin/quality/history`: course of the quality figures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityHistoryAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// W: maximum number of rounds that each point covers.
    pub window: u32,
    /// Points of the course, the oldest first.
    pub points: Vec<QualityPointAnswer>,
}

/// Quality figures over the window of rounds that ended with one round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityPointAnswer {
    /// Number of rounds of the pool up to and including the round of this point.
    pub rounds: u64,
    /// Time at which the round of this point ended.
    pub ended_at: Timestamp,
    /// Mean Brier score of the predictions; `null` without data.
    pub brier: Option<f64>,
    /// Mean Brier score of a constant prediction of 0.5; `null` without data.
    pub coin_flip_brier: Option<f64>,
    /// Approximate standard error of the difference between `brier` and `coin_flip_brier`, assuming equal odds
    /// for all favourites; `null` without data.
    pub brier_standard_error: Option<f64>,
    /// Mean log loss of the predictions, in nats; `null` without data.
    pub log_loss: Option<f64>,
    /// Approximate standard error of the difference between `log_loss` and ln 2; `null` without data.
    pub log_loss_standard_error: Option<f64>,
}

/// Scores of a prediction of 0.5 for every round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoinFlipAnswer {
    /// Mean Brier score: 0.25 for a decided round, 0 for a draw.
    pub brier: Figure,
    /// Mean log loss, in nats: ln 2.
    pub log_loss: f64,
}

/// Scores of the best constant prediction for every round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BestConstantAnswer {
    /// The constant prediction: the mean score of team a.
    pub probability: Figure,
    /// Mean Brier score, the squared error of the prediction.
    pub brier: Figure,
    /// Mean log loss, in nats.
    pub log_loss: Figure,
}

/// Skill scores: 1 minus the score of the predictions divided by the score of the best constant prediction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SkillAnswer {
    /// Skill by the Brier score; `null` without data.
    pub brier: Figure,
    /// Skill by the log loss; `null` without data.
    pub log_loss: Figure,
}

/// Rounds that had a favourite, from the favourite's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FavouritesAnswer {
    /// Minimum distance of the prediction from 0.5 in rounds that count as having a favourite.
    pub threshold: f64,
    /// Number of rounds with a favourite.
    pub rounds: WindowedCount,
    /// Mean prediction for the favourite.
    pub predicted: Figure,
    /// Mean score of the favourite.
    pub observed: Figure,
    /// Mean score minus mean prediction. Below 0, the predictions are too bold.
    pub residual: Figure,
    /// Standard error of `residual`.
    pub standard_error: Figure,
}

/// Quality figures of a group of rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupAnswer {
    /// Name of the map or server, or the team sizes, such as `"11 v 12"`.
    pub name: String,
    /// Quality figures of the group.
    #[serde(flatten)]
    pub figures: GroupFiguresAnswer,
}

/// Quality figures of a map on one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapOnServerAnswer {
    /// Name of the map.
    pub map: MapName,
    /// Name of the server.
    pub server: ServerName,
    /// Quality figures of the group.
    #[serde(flatten)]
    pub figures: GroupFiguresAnswer,
}

/// Quality figures of a group of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupFiguresAnswer {
    /// Number of rounds in the group.
    pub rounds: u64,
    /// Number of drawn rounds in the group.
    pub draws: u64,
    /// Mean Brier score of the predictions.
    pub brier: Option<f64>,
    /// Mean Brier score of a constant prediction of 0.5.
    pub coin_flip_brier: Option<f64>,
    /// Mean log loss of the predictions, in nats.
    pub log_loss: Option<f64>,
    /// Share of decided rounds that the favourite won, from 0 to 1.
    pub accuracy: Option<f64>,
    /// Mean score minus mean prediction of team a, or of the smaller team if team sizes differ.
    pub bias: Option<f64>,
    /// Standard error of `bias`; `null` with fewer than two rounds.
    pub standard_error: Option<f64>,
}
