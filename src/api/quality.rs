use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use crate::domain::{MapName, PoolName, ServerName, Timestamp};
use crate::rating::{
    Distribution, ExperienceBucket, Figure, HistogramBin, Learnt, MeanCause, Residual, ThetaFit,
    VerdictWord, WindowedCount,
};

/// `GET /v1/admin/quality`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// Whether the predictions are honest.
    pub verdict: VerdictAnswer,
    /// Θ, the logistic scale of the predictions, now, a whole number where it is one.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// Rated rounds.
    pub rounds: u64,
    /// W: the window's figures are over at most that many rounds.
    pub window: u32,
    /// The mean Brier score, the square of how far off predictions were (F6).
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
    /// The share of decided rounds that the favourite won.
    pub accuracy: Figure,
    /// Drawn rounds.
    pub draws: u64,
    /// Predictions against results, over all rounds.
    pub calibration: Vec<CalibrationAnswer>,
    /// What a coin would have scored.
    pub coin_flip: CoinFlipAnswer,
    /// What the best single probability would have scored, given each time.
    pub best_constant: BestConstantAnswer,
    /// How much better than that the predictions are: 1 is perfect, 0 as good.
    pub skill: SkillAnswer,
    /// Favourites against what was predicted of them.
    pub favourites: FavouritesAnswer,
    /// Team a against what was predicted of it.
    pub side_bias: Residual,
    /// Θ, the logistic scale, as the rounds would have it; null below 500 rounds, and where no Θ fits.
    pub theta_fitted: Option<ThetaFit>,
    /// By map, most rounds first, 50 at most; rounds without one are in none.
    pub by_map: Vec<GroupAnswer>,
    /// By server, most rounds first, 50 at most.
    pub by_server: Vec<GroupAnswer>,
    /// By map and server over the latest rounds, 10,000 at most, most rounds first, 50 at most.
    pub by_map_and_server: Vec<MapOnServerAnswer>,
    /// By the sizes of the teams at the start, most rounds first, 50 at most.
    pub by_team_size: Vec<GroupAnswer>,
    /// What players were rated by, by how many rounds they had played before.
    pub by_rounds_played: Vec<ExperienceBucket>,
    /// How many players.
    pub players: PlayerCountsAnswer,
    /// How their ratings are spread.
    pub ratings: Distribution,
    /// The players by rating.
    pub histogram: Vec<HistogramBin>,
    /// Where results depart from the predictions by more than chance, over the same latest rounds, the clearest first.
    pub departures: Vec<DepartureAnswer>,
    /// Movement of the active players' mean rating over the same latest rounds, and its causes; `null` without rounds.
    #[serde(default)]
    pub mean_rating: Option<MeanRatingAnswer>,
    /// What an operator should look at, in sentences, those of `departures` among them.
    pub warnings: Vec<String>,
    /// What the model has learnt of the pool; only of a pool whose model learns more than ratings.
    #[serde(default)]
    pub learnt: Option<LearntAnswer>,
}

/// Whether predictions are honest, and what to do where they are not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VerdictAnswer {
    /// In a word.
    pub word: VerdictWord,
    /// In a sentence or two.
    pub say: String,
    /// The rounds that are still missing before anything can be said; 0 where none are.
    pub missing_rounds: u64,
    /// The Θ to try; null where predictions need no other, or none fits.
    pub theta: Option<f64>,
    /// The command that shows what it would change, and changes nothing; null without `theta`.
    pub command: Option<String>,
    /// The line of the configuration that sets it, and its table; null without `theta`.
    pub setting: Option<String>,
    /// The mean Brier score of the odds by the Θ that is set; null without rounds.
    pub brier: Option<f64>,
    /// What fitting odds would have scored; null where predictions need no other.
    pub brier_fitted: Option<f64>,
    /// The mean log loss of the odds by the Θ that is set, in nats; null without rounds.
    pub log_loss: Option<f64>,
    /// What fitting odds would have lost, in nats; null where predictions need no other.
    pub log_loss_fitted: Option<f64>,
}

/// From what results depart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DepartureFrom {
    /// Team a gets more or less than was predicted of it.
    Side,
    /// Those who were predicted to win lose.
    Favourites,
    /// Those who are ahead on the scoreboard lose.
    Scoreboards,
}

/// Results that are further from what was expected than chance explains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DepartureAnswer {
    /// What is wrong.
    pub from: DepartureFrom,
    /// The map where; null where it is on any.
    pub map: Option<MapName>,
    /// The server where; null where it is on any.
    pub server: Option<ServerName>,
    /// The rounds there since about when it began.
    pub rounds: u64,
    /// The mean score that was expected in them: of team a, of the favourites, or of the teams ahead.
    pub expected: f64,
    /// The mean score that those got.
    pub observed: f64,
    /// The standard error of what lies between.
    pub standard_error: Option<f64>,
    /// All of it in a sentence, with what to do.
    pub say: String,
}

/// The mean rating of the active players over the latest rounds of a pool, and what moved it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanRatingAnswer {
    /// The active players: those who have played at most `stale_days` before the end of the latest round.
    pub players: u64,
    /// Mean rating of these players before the first of the rounds. A player who came later counts with the first rating.
    pub from: f64,
    /// Mean rating of these players now.
    pub to: f64,
    /// Points by which each cause moved the mean, the largest first; their sum is `to` less `from`.
    pub causes: Vec<MeanCauseAnswer>,
    /// The mean after up to 60 of the rounds, the oldest first.
    pub points: Vec<MeanPointAnswer>,
}

/// Points by which one cause moved the mean rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanCauseAnswer {
    /// The cause.
    pub cause: MeanCause,
    /// The cause in words.
    pub say: String,
    /// Points that the cause added to the mean; negative if it lowered the mean.
    pub points: f64,
}

/// The mean rating after a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MeanPointAnswer {
    /// Number of rounds that counted then.
    pub rounds: u64,
    /// End of the last of them.
    pub ended_at: Timestamp,
    /// Mean rating then of the players who are active now.
    pub mean: f64,
}

/// What a model has learnt of a pool besides its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntAnswer {
    /// The model.
    pub model: String,
    /// All of it in some sentences.
    pub say: String,
    /// The figures.
    #[serde(flatten)]
    pub figures: Learnt,
}

/// One bin of predictions for team a.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityHistoryAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// W: every point is over at most that many rounds.
    pub window: u32,
    /// The oldest first.
    pub points: Vec<QualityPointAnswer>,
}

/// The figures over the window that ended at a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QualityPointAnswer {
    /// Number of rounds that counted then.
    pub rounds: u64,
    /// When the last of them ended.
    pub ended_at: Timestamp,
    /// The mean Brier score.
    pub brier: Option<f64>,
    /// What a coin's would have been.
    pub coin_flip_brier: Option<f64>,
    /// The standard error of what lies between, about: as if all favourites had been given the same odds.
    pub brier_standard_error: Option<f64>,
    /// The mean log loss, in nats.
    pub log_loss: Option<f64>,
    /// The standard error of what lies between that and a coin's, about.
    pub log_loss_standard_error: Option<f64>,
}

/// What a coin would have scored.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CoinFlipAnswer {
    /// The mean Brier score: 0.25 of a decided round, 0 of a draw.
    pub brier: Figure,
    /// The mean log loss, in nats: ln 2.
    pub log_loss: f64,
}

/// What the best single probability would have scored, given each time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BestConstantAnswer {
    /// It: team a's mean score.
    pub probability: Figure,
    /// The mean Brier score.
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
}

/// One less the share of the best constant's score that is left.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SkillAnswer {
    /// Of the Brier score.
    pub brier: Figure,
    /// Of the log loss.
    pub log_loss: Figure,
}

/// The rounds that had a favourite, seen from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct FavouritesAnswer {
    /// How far from 0.5 their predictions lie at least.
    pub threshold: f64,
    /// Rounds.
    pub rounds: WindowedCount,
    /// The mean prediction.
    pub predicted: Figure,
    /// The mean score.
    pub observed: Figure,
    /// The mean score less the mean prediction: below 0, predictions are too bold.
    pub residual: Figure,
    /// Its standard error.
    pub standard_error: Figure,
}

/// The rounds that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupAnswer {
    /// The map, the server, or the sizes of the teams, such as `"11 v 12"`.
    pub name: String,
    /// The figures.
    #[serde(flatten)]
    pub figures: GroupFiguresAnswer,
}

/// The rounds of a map on a server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapOnServerAnswer {
    /// The map.
    pub map: MapName,
    /// The server.
    pub server: ServerName,
    /// The figures.
    #[serde(flatten)]
    pub figures: GroupFiguresAnswer,
}

/// How the rounds were predicted that have something in common.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct GroupFiguresAnswer {
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
    /// Its standard error; null of fewer than two rounds.
    pub standard_error: Option<f64>,
}
