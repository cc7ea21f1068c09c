mod findings;

pub use findings::*;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::domain::{MapName, PoolName, ServerName, Timestamp};
use crate::rating::{
    DepartureKind, Distribution, ExperienceBucket, Figure, HistogramBin, Learnt, MeanCause,
    Residual, ThetaFit, VerdictWord, WindowedCount,
};

/// Answer of `GET /v1/admin/quality`: quality of a pool's predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Verdict about the calibration of the pool's predictions: do teams with predicted 60 % win 60 % of their rounds?
    pub verdict: VerdictAnswer,
    /// Θ, the current logistic scale of the predictions, in points. Whole values are written without a fraction.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Number of rated rounds of the pool.
    pub rounds: u64,
    /// W: maximum number of the pool's latest rounds that the figures named `window` cover.
    pub window: u32,
    /// Mean Brier score (squared error) of the pool's predictions (F6); lower is better.
    pub brier: Figure,
    /// Mean log loss of the pool's predictions, in nats per round; lower is better.
    pub log_loss: Figure,
    /// Share of the pool's decided rounds that the predicted favourite won, from 0 to 1.
    pub accuracy: Figure,
    /// Number of drawn rounds of the pool.
    pub draws: u64,
    /// Calibration: predictions for team a compared with results, in bins of predictions, over all rounds.
    pub calibration: Vec<CalibrationAnswer>,
    /// Brier score and log loss of a prediction of 0.5 for every round.
    pub coin_flip: CoinFlipAnswer,
    /// Brier score and log loss of the best constant prediction for every round.
    pub best_constant: BestConstantAnswer,
    /// Improvement of the predictions over the best constant prediction: 1 is perfect, 0 is no improvement.
    pub skill: SkillAnswer,
    /// Results of the predicted favourites, compared with the predictions.
    pub favourites: FavouritesAnswer,
    /// Results of team a, compared with the predictions for team a.
    pub side_bias: Residual,
    /// Θ (scale of the odds, in points) that fits the rounds best; `null` below 500 rounds, or if no Θ fits.
    pub theta_fitted: Option<ThetaFit>,
    /// Quality of the predictions by map: the 50 maps with the most rounds, most first. Rounds without a map are left
    /// out.
    pub by_map: Vec<GroupAnswer>,
    /// Quality of the predictions by server: the 50 servers with the most rounds, most rounds first.
    pub by_server: Vec<GroupAnswer>,
    /// Quality of the predictions by map and server in the last 10,000 rounds: the 50 most frequent pairs, most rounds
    /// first.
    pub by_map_and_server: Vec<MapOnServerAnswer>,
    /// Quality of the predictions by team sizes at the start: the 50 pairs of sizes with the most rounds, most first.
    pub by_team_size: Vec<GroupAnswer>,
    /// K-factors and convergence of players, by the number of rounds that they had played before.
    pub by_rounds_played: Vec<ExperienceBucket>,
    /// Numbers of players of the pool: all, with a hidden or shown rating, and without a recent round.
    pub players: PlayerCountsAnswer,
    /// Distribution of the players' ratings, in points.
    pub ratings: Distribution,
    /// Histogram of the players' ratings: number of players in each bin of ratings.
    pub histogram: Vec<HistogramBin>,
    /// Results that differ from the predictions by more than chance, over the last 10,000 rounds, the clearest first.
    pub departures: Vec<DepartureAnswer>,
    /// Change of the mean rating of the active players over the last 10,000 rounds,
    /// and its causes; `null` without rounds.
    pub mean_rating: Option<MeanRatingAnswer>,
    /// Numbers of one-sided rounds, by scoreboard and by length, among the pool's last 10,000 rounds. Does not depend
    /// on ratings.
    pub one_sided: OneSidedAnswer,
    /// Evenness of the pool's recent matches, and how many people play and wait.
    pub community: CommunityAnswer,
    /// Servers that sent rounds twice under different ids, over the last 10,000 rounds. Copies count, but are left out
    /// of the verdict and of `departures`.
    pub copies: Vec<CopiesAnswer>,
    /// Game servers whose clocks are behind the clock of RBS.
    pub clocks: Vec<ClockAnswer>,
    /// Habits of players, such as leaving when losing, that chance does not explain, over the pool's last 10,000
    /// rounds.
    pub habits: Vec<HabitAnswer>,
    /// Findings that an operator should act on, as sentences. Includes the sentences of `departures`, `copies`, `clocks`
    /// and `habits`.
    pub warnings: Vec<String>,
    /// Parameters that the model has learnt; `null` if the pool's model learns only ratings.
    pub learnt: Option<LearntAnswer>,
}

/// Verdict about the calibration of a pool's predictions, with advice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VerdictAnswer {
    /// Verdict about the calibration of the predictions, as a word such as `too_bold`.
    pub word: VerdictWord,
    /// Verdict about the calibration of the predictions, in one or two sentences.
    pub message: String,
    /// Number of further rounds that a verdict about the predictions needs; 0 if none are needed.
    pub missing_rounds: u64,
    /// Factor on the log-odds of the pool's predictions that fits the results best: 1 is honest, below 1 the
    /// predictions are too bold. `null` without rounds, and if favourites always win.
    pub slope: Option<f64>,
    /// Lower end of the 95 % interval of `slope`, the best factor on the predictions' log-odds; `null` without an
    /// interval.
    pub slope_low: Option<f64>,
    /// Upper end of the 95 % interval of `slope`, the best factor on the predictions' log-odds; `null` without an
    /// interval.
    pub slope_high: Option<f64>,
    /// Better value of Θ (scale of the odds), in points; `null` if none is needed, if no Θ fits, or if another setting
    /// helps more.
    pub theta: Option<f64>,
    /// Command that previews, without changing anything, the setting that would improve the predictions most; `null` if
    /// no setting is advised.
    pub command: Option<String>,
    /// Line and table for the configuration file that make the advised setting; `null` if no setting is advised, or a
    /// switch of the model.
    pub setting: Option<String>,
    /// Mean Brier score (squared error) of the pool's predictions as made, before any fit; `null` without rounds.
    pub brier: Option<f64>,
    /// Mean Brier score (squared error) of the pool's predictions with odds refitted to the results; `null` if the odds
    /// need no change.
    pub brier_fitted: Option<f64>,
    /// Mean log loss of the pool's predictions as made, before any fit, in nats; `null` without rounds.
    pub log_loss: Option<f64>,
    /// Mean log loss of the pool's predictions with odds refitted to the results, in nats; `null` if the odds need no
    /// change.
    pub log_loss_fitted: Option<f64>,
}

/// Departure: results of rounds that differ from the expectation by more than chance explains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DepartureAnswer {
    /// Kind of departure: the expectation that the results contradict, such as the predicted odds of the favourites.
    pub from: DepartureKind,
    /// Name of the map on which the results differ from the expectation; `null` if on every map.
    pub map: Option<MapName>,
    /// Name of the server on which the results differ from the expectation; `null` if on every server.
    pub server: Option<ServerName>,
    /// Number of rounds on the named map and server since their results began, by estimate, to differ from the
    /// expectation.
    pub rounds: u64,
    /// Expected mean score of team a, of the favourites or of the leading teams, by the kind of expectation; 0 to 1.
    pub expected: f64,
    /// Actual mean score of the teams whose mean score `expected` predicts, from 0 to 1.
    pub observed: f64,
    /// Standard error of the difference `observed` minus `expected` between mean scores of teams (0 to 1); `null` if
    /// unknown.
    pub standard_error: Option<f64>,
    /// Sentence about the difference between the expected and the observed results of rounds, with advice.
    pub message: String,
}

/// Mean rating of the active players over the last 10,000 rounds of a pool, and the causes of its change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanRatingAnswer {
    /// Number of active players: players with a round in the last `stale_days` days before the end of the last round.
    pub players: u64,
    /// Mean rating of the active players before the last 10,000 rounds, in points. Players new since count with their
    /// first rating.
    pub from: f64,
    /// Current mean rating of the active players, in points.
    pub to: f64,
    /// Causes with the points by which each moved the mean rating, the largest first. Their sum is `to` minus `from`.
    pub causes: Vec<MeanCauseAnswer>,
    /// Mean ratings of the active players after up to 60 of the pool's last 10,000 rounds, the oldest first.
    pub points: Vec<MeanPointAnswer>,
}

/// Number of points by which one cause moved the mean rating of a pool's active players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanCauseAnswer {
    /// Kind of cause that moved the mean rating of the pool's active players.
    pub cause: MeanCause,
    /// Cause that moved the mean rating of the pool's active players, in words.
    pub message: String,
    /// Number of points that the cause added to the mean rating of the pool's active players; negative if the cause
    /// lowered it.
    pub points: f64,
}

/// Mean rating of a pool's active players after one round, as a point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanPointAnswer {
    /// Number of the pool's rounds up to and including the round after which the mean rating was measured.
    pub rounds: u64,
    /// End of the round after which the mean rating of the active players was measured.
    pub ended_at: Timestamp,
    /// Mean rating, in points, that the players who are active now had after the round.
    pub mean: f64,
}

/// Parameters that a rating model has learnt from a pool's rounds, in addition to ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntAnswer {
    /// Name of the rating model that has learnt the parameters.
    pub model: String,
    /// Sentences that summarize the parameters that the rating model has learnt from the pool's rounds.
    pub message: String,
    /// Values of the parameters that the rating model has learnt.
    #[serde(flatten)]
    pub figures: Learnt,
}

/// Rounds whose predictions for team a fall into one bin, compared with the results.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CalibrationAnswer {
    /// Lower end of the bin of predictions, as a win probability of team a.
    pub from: f64,
    /// Upper end of the bin of predictions, as a win probability of team a.
    pub to: f64,
    /// Number of rounds whose predicted win probability of team a is in the bin.
    pub rounds: u64,
    /// Mean predicted win probability of team a in the rounds of the bin; `null` without rounds.
    pub predicted: Option<f64>,
    /// Mean score of team a (win 1, draw 0.5, loss 0) in rounds whose predicted win probability is in the bin; `null`
    /// without rounds.
    pub observed: Option<f64>,
    /// Lower end of the 95 % confidence interval of team a's mean score in the rounds of the bin; `null` without
    /// rounds.
    pub low: Option<f64>,
    /// Upper end of the 95 % confidence interval of team a's mean score in the rounds of the bin; `null` without
    /// rounds.
    pub high: Option<f64>,
}

/// Numbers of players of a pool: all, with a hidden or shown rating, and without a recent round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlayerCountsAnswer {
    /// Number of all players of the pool.
    pub total: u64,
    /// Number of players in the shadow period, whose ratings are hidden.
    pub hidden: u64,
    /// Number of players whose ratings are shown.
    pub visible: u64,
    /// Number of players without a round in the last `stale_days` days.
    pub stale: u64,
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes references, and the whole number is used only if it equals the value"
)]
pub(crate) fn whole_where_possible<S: Serializer>(
    value: &f64,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let whole = *value as i64;
    if whole as f64 == *value {
        serializer.serialize_i64(whole)
    } else {
        serializer.serialize_f64(*value)
    }
}

/// Answer of `GET /v1/admin/quality/history`: quality of a pool's predictions over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityHistoryAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// W: maximum number of latest rounds in each point of the curve of quality figures, such as the mean Brier score.
    pub window: u32,
    /// Points of the curve of quality figures, the oldest first.
    pub points: Vec<QualityPointAnswer>,
}

/// Quality of a pool's predictions for the window of rounds that ends with one round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityPointAnswer {
    /// Number of rounds of the pool up to and including the last round of the window that the quality figures cover.
    pub rounds: u64,
    /// End of the last round of the window that the quality figures cover.
    pub ended_at: Timestamp,
    /// Mean Brier score (squared error) of the pool's predictions in the window of rounds; `null` without data.
    pub brier: Option<f64>,
    /// Mean Brier score of a constant prediction of 0.5 in the window of rounds; `null` without data.
    pub coin_flip_brier: Option<f64>,
    /// Approximate standard error of the difference between `brier` and `coin_flip_brier`, assuming equal odds
    /// for all favourites; `null` without data.
    pub brier_standard_error: Option<f64>,
    /// Mean log loss of the pool's predictions in the window of rounds, in nats; `null` without data.
    pub log_loss: Option<f64>,
    /// Approximate standard error of the difference between `log_loss` and ln 2 (the log loss of a prediction of 0.5),
    /// in nats; `null` without data.
    pub log_loss_standard_error: Option<f64>,
}

/// Brier score and log loss of a prediction of 0.5 for every round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoinFlipAnswer {
    /// Mean Brier score of the prediction 0.5: 0.25 for a decided round, 0 for a draw.
    pub brier: Figure,
    /// Mean log loss of the prediction 0.5, in nats: ln 2.
    pub log_loss: f64,
}

/// Brier score and log loss of the best constant prediction for every round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BestConstantAnswer {
    /// Constant prediction with the lowest Brier score and log loss: team a's mean score in the measured rounds, from 0
    /// to 1.
    pub probability: Figure,
    /// Mean Brier score (mean squared error) of the constant prediction `probability` over the measured rounds.
    pub brier: Figure,
    /// Mean log loss of the constant prediction `probability`, in nats per round.
    pub log_loss: Figure,
}

/// Skill scores: 1 minus the score of the predictions divided by the score of the best constant prediction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SkillAnswer {
    /// Skill score of the predictions by the Brier score: 1 is perfect; `null` without data.
    pub brier: Figure,
    /// Skill score of the predictions by the log loss: 1 is perfect; `null` without data.
    pub log_loss: Figure,
}

/// Predictions and results of rounds that had a favourite, from the favourite's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FavouritesAnswer {
    /// Minimum distance of the prediction from 0.5 in rounds that count as having a favourite.
    pub threshold: f64,
    /// Number of the pool's rounds with a favourite: their prediction is at least `threshold` from 0.5.
    pub rounds: WindowedCount,
    /// Mean predicted win probability of the favourites, from 0.5 to 1, in rounds with a favourite.
    pub predicted: Figure,
    /// Mean score of the favourites, from 0 to 1, in rounds with a favourite: a win is 1, a draw 0.5.
    pub observed: Figure,
    /// Mean score of the favourites minus their mean predicted win probability. Below 0, the predictions are too bold.
    pub residual: Figure,
    /// Standard error of `residual`, the favourite's mean score minus mean prediction.
    pub standard_error: Figure,
}

/// Quality of the predictions for the rounds of one map, server or pair of team sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupAnswer {
    /// Name of the map or server that the rounds share, or their team sizes, such as `"11 v 12"`.
    pub name: String,
    /// Quality of the predictions for the rounds of the map, server or team sizes: scores, accuracy and bias.
    #[serde(flatten)]
    pub figures: GroupFiguresAnswer,
}

/// Quality of the predictions for the rounds on one map of one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapOnServerAnswer {
    /// Name of the map whose rounds on the server the figures cover.
    pub map: MapName,
    /// Name of the server whose rounds on the map the figures cover.
    pub server: ServerName,
    /// Quality of the predictions for the server's rounds on the map: scores, accuracy and bias.
    #[serde(flatten)]
    pub figures: GroupFiguresAnswer,
}

/// Quality of the predictions for a group of rounds that share a map, a server or team sizes: scores, accuracy and
/// bias.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupFiguresAnswer {
    /// Number of rounds in the group of rounds that share a map, a server or team sizes.
    pub rounds: u64,
    /// Number of drawn rounds in the group of rounds that share a map, a server or team sizes.
    pub draws: u64,
    /// Mean Brier score (squared error) of the predictions for the rounds of one map, server or pair of team sizes.
    pub brier: Option<f64>,
    /// Mean Brier score of a constant prediction of 0.5 for the rounds of one map, server or pair of team sizes.
    pub coin_flip_brier: Option<f64>,
    /// Mean log loss of the predictions for the rounds of one map, server or pair of team sizes, in nats.
    pub log_loss: Option<f64>,
    /// Share of the group's decided rounds that the predicted favourite won, from 0 to 1.
    pub accuracy: Option<f64>,
    /// Bias in the group of rounds: mean score minus mean prediction of team a, or of the smaller team if team sizes
    /// differ.
    pub bias: Option<f64>,
    /// Standard error of `bias` (mean score minus mean prediction); `null` with fewer than two rounds.
    pub standard_error: Option<f64>,
}
