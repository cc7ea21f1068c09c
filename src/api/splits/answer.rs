use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PoolName, PowerName, Probability, RoleName, ServerName, SplitMethod, Timestamp,
};

/// A table of splits: the best split for each team size.
// Databases store this type, too: a new field needs a default, and a renamed one an alias.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SplitTableAnswer {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings were used to compute the splits.
    pub pool: PoolName,
    /// Name of the power (player value from scoreboards) that the splits are balanced by. `rating` if no other power
    /// was requested, or if no player has the requested power.
    #[serde(default)]
    pub by: PowerName,
    /// Power (player value from scoreboards) of each player, in the order of the request; empty if no power was named.
    #[serde(default)]
    pub powers: Vec<PlayerPowerAnswer>,
    /// Factor that converts powers into the whole points of sums and differences: a power of ten from 0.001 to
    /// 1000000000; `null` if ratings are summed.
    pub scale: Option<f64>,
    /// Number of players in the request, whom each split puts on a team or into the waiting group.
    pub eligible: usize,
    /// Time at which the table of splits was computed.
    pub computed_at: Timestamp,
    /// One split for each requested team size, in ascending order; by default from 2 to half of the players. If `bench`
    /// is `false`, the split of all players.
    pub splits: Vec<SplitAnswer>,
    /// Best splits of the team size that the request's `alternatives` names, the best first.
    pub alternatives: Vec<SplitAnswer>,
    /// Description of the randomly drawn split in `splits`; `null` if no draw was requested,
    /// or if there is no split of that size.
    pub drawn: Option<DrawnSplitAnswer>,
    /// `true` if the teams of `splits` were drawn at random as a probe, by the setting `probe_share`.
    #[serde(default)]
    pub is_probe: bool,
    /// Reason why the table has no split, as a sentence; `null` if the table has one.
    pub message: Option<String>,
}

/// Description of a randomly drawn split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawnSplitAnswer {
    /// Number of players per team of the drawn split.
    pub size: usize,
    /// Rank of the drawn split among the best splits of its size, 1 for the best.
    pub rank: usize,
    /// Number of best splits of the size from which one was drawn at random.
    pub of: usize,
}

/// A split of players into two teams and a bench, and the outcome of each wish. Teams have equal sizes.
/// If `bench` is `false` and the number of players is odd, one team has one player more. Lists of
/// players are in descending order of rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SplitAnswer {
    /// Number of players on each team of the split. For uneven teams, number of players of the smaller team.
    pub size: usize,
    /// Ids of the players of team a by descending rating. Team a has the highest-rated player who plays, unless the map
    /// or bots favour a side and the opposite order is more even.
    pub a: Vec<PlayerId>,
    /// Ids of the players of team b by descending rating.
    pub b: Vec<PlayerId>,
    /// Ids of the players whom the split leaves waiting, by descending rating.
    pub waiting: Vec<PlayerId>,
    /// Sum of team a's ratings in points, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_a: i64,
    /// Sum of team b's ratings in points, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_b: i64,
    /// Absolute difference between the teams' sums of ratings or powers in points, adjusted for map and bots if they
    /// favour a team.
    pub difference: u64,
    /// Predicted win probability of team a of the split (F1).
    pub win_probability_a: Probability,
    /// Method that found the split: `exact` or `greedy`.
    pub method: SplitMethod,
    /// `true` if the split is proven to be the best of its size: no split that serves the wishes as well has a smaller
    /// difference, and no split within the `tolerance` serves them better. `false` if another split than the best was
    /// drawn.
    pub optimal: bool,
    /// Smallest possible difference between the teams' sums of ratings or powers for this team size, in points, with no
    /// wishes but `anchor` and `bench`; `null` if unknown.
    pub best_difference: Option<u64>,
    /// Number of players who change teams compared with the request's current teams; `null` if the request had none.
    pub moves: Option<usize>,
    /// Parties (players who want one team) that the split keeps together, and parties that it separates.
    pub parties: PartiesAnswer,
    /// Pairs of players who share a team of the split although they should be apart.
    pub apart: ApartAnswer,
    /// Roles that the teams of the split have too few players for. Tables stored by old versions list none.
    #[serde(default)]
    pub roles: RolesAnswer,
    /// Number of newcomers (players whose rating is still a guess) on each team; `null` if no newcomers are shared out.
    pub newcomers: Option<NewcomersAnswer>,
    /// Players for whom the wishes `must_play` and `must_wait` could not be met.
    pub relaxed: RelaxedAnswer,
    /// Number of rounds that each waiting player has waited, in the order of `waiting`.
    pub waits: Vec<WaitAnswer>,
    /// Spread (standard deviation) of the ratings in each team.
    pub spread: SpreadAnswer,
    /// `true` if a split in the request's `recent`, or one of the server's last `repeat` rounds, had the same teams.
    pub repeats: bool,
    /// Summary of the split as a sentence.
    pub message: String,
}

/// Parties that a split keeps together or separates. Each party is the list of its eligible members, at least two.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartiesAnswer {
    /// Parties whose members share a team, or all wait. Each party is a list of player ids.
    pub kept: Vec<Vec<PlayerId>>,
    /// Parties that the split separates. Each party is a list of player ids.
    pub split: Vec<Vec<PlayerId>>,
}

/// Pairs of players who share a team of a split although they should be apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApartAnswer {
    /// Pairs of players who share a team although they should be apart.
    pub together: Vec<[PlayerId; 2]>,
}

/// Roles that the teams of a split have too few players for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RolesAnswer {
    /// Roles with too few players on the teams, each with the number of missing players.
    pub missing: Vec<MissingRoleAnswer>,
}

/// A role that the two teams have too few players for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MissingRoleAnswer {
    /// Name of the role from the request.
    #[schema(value_type = RoleName)]
    pub name: String,
    /// Number of players that the role lacks, over both teams.
    pub missing: usize,
}

/// Newcomers (players whose rating is still a guess) on each team, and the cost in points of sharing them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewcomersAnswer {
    /// Number of newcomers on team a.
    pub a: usize,
    /// Number of newcomers on team b.
    pub b: usize,
    /// Rating points by which the difference of the closest split that shares newcomers as evenly
    /// exceeds the difference of the closest split. `null` for alternatives and for splits of the
    /// method `greedy`, whose cost is unknown.
    pub cost: Option<u64>,
}

/// Players for whom the wishes `must_play` and `must_wait` could not be met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelaxedAnswer {
    /// Players who should play but wait, because there are too few seats.
    pub must_play: Vec<PlayerId>,
    /// Players who should wait but play, because there are too few other players.
    pub must_wait: Vec<PlayerId>,
}

/// Number of rounds that a player on the bench has waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitAnswer {
    /// Id of the waiting player.
    pub id: PlayerId,
    /// Number of consecutive rounds that the player waited before this split.
    pub waited: u32,
}

/// Spread (standard deviation) of the ratings in each of the two teams.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpreadAnswer {
    /// Population standard deviation of team a's ratings, in points.
    pub a: f64,
    /// Population standard deviation of team b's ratings, in points.
    pub b: f64,
    /// `true` if the two highest-rated eligible players are not on the same team, even if one of them waits.
    pub top_two_apart: bool,
}

/// A table of splits with its age.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgedSplitTableAnswer {
    /// Table of splits as it was computed.
    #[serde(flatten)]
    pub table: SplitTableAnswer,
    /// Age of the table of splits, in whole seconds.
    pub age: i32,
    /// `true` if a player's rating has changed since the table was computed, or if a player who was unknown then is
    /// known now; `null` if unknown.
    pub ratings_changed: Option<bool>,
}

impl AgedSplitTableAnswer {
    /// Adds the age at time `now` to a table of splits. A table from a clock that is ahead has age 0.
    pub(crate) fn new(
        table: SplitTableAnswer,
        now: Timestamp,
        ratings_changed: Option<bool>,
    ) -> Self {
        let seconds = now.whole_seconds_since(table.computed_at).max(0);
        Self {
            age: i32::try_from(seconds).unwrap_or(i32::MAX),
            table,
            ratings_changed,
        }
    }
}
