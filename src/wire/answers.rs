use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::quality_answers::{
    BestConstantAnswer, CoinFlipAnswer, ExperienceAnswer, FavouritesAnswer, FittedThetaAnswer,
    GroupAnswer, HistogramAnswer, SideBiasAnswer, SkillAnswer,
};
use super::{AgedSplitTableAnswer, ProblemAnswer};
use crate::domain::{
    MapName, PlayerId, PoolName, Probability, Rating, RoundId, ServerName, Side, Timestamp, Winner,
};

/// A figure for each team.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct PairAnswer<T> {
    /// Team a's.
    pub a: T,
    /// Team b's.
    pub b: T,
}

/// `POST /v1/update`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct UpdateAnswer {
    /// As sent.
    pub round_id: RoundId,
    /// As sent.
    pub server: ServerName,
    /// The pool that the round counts in.
    pub pool: PoolName,
    /// Whether it had been counted before; the rest is then what was answered first.
    pub duplicate: bool,
    /// F1.
    pub win_probability: PairAnswer<Probability>,
    /// Θ, a whole number where it is one.
    #[serde(serialize_with = "whole_where_possible")]
    pub theta: f64,
    /// The participants: team a's, then team b's, each in the order sent.
    pub players: Vec<RatedPlayerAnswer>,
    /// The splits that were asked for with the round, by the ratings after it.
    pub splits: Option<AgedSplitTableAnswer>,
    /// Why there are none although they were asked for; the round counts all the same.
    pub splits_error: Option<ProblemAnswer>,
}

/// What a round made of one participant.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RatedPlayerAnswer {
    /// Who.
    pub id: PlayerId,
    /// The team played for.
    pub team: Side,
    /// The rating before.
    pub before: Rating,
    /// The rating now.
    pub rating: Rating,
    /// The difference, in points.
    pub delta: i32,
    /// The K-factor.
    pub k: f64,
    /// Rated rounds, this one included.
    pub rounds: u32,
    /// Whether the rating is shown.
    pub visible: bool,
}

/// `GET /v1/players/{id}`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerAnswer {
    /// Who.
    pub id: PlayerId,
    /// The pool asked for.
    pub pool: PoolName,
    /// The rating now.
    pub rating: Rating,
    /// Whether it is shown: the shadow period is over.
    pub visible: bool,
    /// Rated rounds.
    pub rounds: u32,
    /// Whether the last of them was too long ago.
    pub stale: bool,
    /// When the last of them ended.
    pub last_played: Option<Timestamp>,
}

/// `/v1/admin/players/{id}`: the player, and what the next round's K-factor comes from.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AdminPlayerAnswer {
    /// What everybody may see.
    #[serde(flatten)]
    pub player: PlayerAnswer,
    /// C, F3.
    pub convergence: f64,
    /// K, F5.
    pub k: f64,
    /// The figures of F3.
    pub window: WindowAnswer,
    /// The latest rounds, the latest first.
    pub last_rounds: Vec<LastRoundAnswer>,
}

/// The figures of F3.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct WindowAnswer {
    /// Rounds in the window.
    pub n: u32,
    /// v_vel.
    pub velocity: f64,
    /// v_wre.
    pub win_rate_excess: f64,
    /// v_vol.
    pub volatility: f64,
}

/// A round as it was for one player.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LastRoundAnswer {
    /// The round.
    pub round_id: RoundId,
    /// Where it was played.
    pub server: ServerName,
    /// On which map.
    pub map: Option<MapName>,
    /// When it ended.
    pub ended_at: Timestamp,
    /// How.
    pub winner: Winner,
    /// The team that the player was rated on.
    pub team: Side,
    /// That team's win probability.
    pub win_probability: Probability,
    /// The rating before.
    pub before: Rating,
    /// The rating after.
    pub rating: Rating,
    /// The difference, in points.
    pub delta: i32,
    /// The K-factor.
    pub k: f64,
}

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
pub(super) fn whole_where_possible<S: Serializer>(
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
