use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PoolName, PowerName, Probability, RoleName, ServerName, SplitMethod, Timestamp,
};

/// A table of splits: the best split for each team size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SplitTableAnswer {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool whose ratings were used.
    pub pool: PoolName,
    /// Name of the power that the splits are balanced by. `rating` if no other power was requested, or
    /// if no player has the requested power.
    pub by: PowerName,
    /// Power of each player, in the order of the request; empty if no power was named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// Factor from powers to the whole points of sums and differences: a power of ten from 0.001 to
    /// 1000000000; `null` if ratings are summed.
    pub scale: Option<f64>,
    /// Number of eligible players.
    pub eligible: usize,
    /// Time at which the table was computed.
    pub computed_at: Timestamp,
    /// One split for each requested team size, from 2 to half of the players. If `bench`
    /// is `false`, the split of all players.
    pub splits: Vec<SplitAnswer>,
    /// Best splits of the size in the requested `alternatives`, the best first.
    pub alternatives: Vec<SplitAnswer>,
    /// Description of the randomly drawn split in `splits`; `null` if no draw was requested,
    /// or if there is no split of that size.
    pub drawn: Option<DrawnSplitAnswer>,
    /// Reason why there is no split, as a sentence; `null` if there is one.
    pub message: Option<String>,
}

/// Description of a randomly drawn split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawnSplitAnswer {
    /// Number of players per team.
    pub size: usize,
    /// Rank of the drawn split among the best splits of its size, 1 for the best.
    pub rank: usize,
    /// Number of splits that the draw chose from.
    pub of: usize,
}

/// A split of players into two teams and a bench, and the outcome of each wish. Teams have equal sizes.
/// If `bench` is `false` and the number of players is odd, one team has one player more. Lists of
/// players are in descending order of rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SplitAnswer {
    /// Number of players per team. For uneven teams, number of players of the smaller team.
    pub size: usize,
    /// Ids of the team with the highest-rated player.
    pub a: Vec<PlayerId>,
    /// Ids of the other team.
    pub b: Vec<PlayerId>,
    /// Ids of the players who wait.
    pub waiting: Vec<PlayerId>,
    /// Sum of team a's ratings, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_a: i64,
    /// Sum of team b's ratings, or of its powers in whole points if `by` is another power than `rating`.
    pub sum_b: i64,
    /// Absolute difference between `sum_a` and `sum_b`, adjusted for map and bots if they favour a team.
    pub difference: u64,
    /// Win probability of team a (F1).
    pub win_probability_a: Probability,
    /// Method that found the split.
    pub method: SplitMethod,
    /// `true` if no split of this size is closer, or serves wishes better that may raise the difference. `false` if
    /// another split than the best was drawn.
    pub optimal: bool,
    /// Smallest possible difference for this size, with no wishes but `anchor` and `bench`; `null` if unknown.
    pub best_difference: Option<u64>,
    /// Number of players who change teams; `null` if the request had no current teams.
    pub moves: Option<usize>,
    /// Outcome for the parties.
    pub parties: PartiesAnswer,
    /// Outcome for the pairs that should be apart.
    pub apart: ApartAnswer,
    /// Outcome for the roles. Tables stored by old versions have none.
    #[serde(default)]
    pub roles: RolesAnswer,
    /// Number of newcomers on each team; `null` if no newcomers are shared out.
    #[serde(default)]
    pub newcomers: Option<NewcomersAnswer>,
    /// Wishes in `must_play` and `must_wait` that could not be met.
    pub relaxed: RelaxedAnswer,
    /// Number of rounds that each waiting player has waited, in the order of `waiting`.
    pub waits: Vec<WaitAnswer>,
    /// Similarity of the two teams in spread.
    pub spread: SpreadAnswer,
    /// `true` if a split in `recent`, or of the last rounds in `repeat`, had the same teams.
    pub repeats: bool,
    /// Summary as a sentence.
    pub message: String,
}

/// Outcome for the parties of which at least two members are eligible. Each party is the list of these members.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartiesAnswer {
    /// Parties that share a team, or all wait.
    pub kept: Vec<Vec<PlayerId>>,
    /// Parties that are split up.
    pub split: Vec<Vec<PlayerId>>,
}

/// Outcome for the pairs that should be apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApartAnswer {
    /// Pairs that share a team nevertheless.
    pub together: Vec<[PlayerId; 2]>,
}

/// Outcome for the roles that each team should have players for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RolesAnswer {
    /// Roles with too few players.
    pub missing: Vec<MissingRoleAnswer>,
}

/// A role with too few players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MissingRoleAnswer {
    /// Name of the role from the request.
    #[schema(value_type = RoleName)]
    pub name: String,
    /// Number of missing players, over both teams.
    pub missing: usize,
}

/// Newcomers on each team, and the cost of sharing them out.
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

/// Wishes in `must_play` and `must_wait` that could not be met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelaxedAnswer {
    /// Players who should play but wait, because there are too few seats.
    pub must_play: Vec<PlayerId>,
    /// Players who should wait but play, because there are too few other players.
    pub must_wait: Vec<PlayerId>,
}

/// Wait of a player on the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Number of consecutive rounds that the player waited before this split.
    pub waited: u32,
}

/// Similarity of the two teams in spread.
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
    /// The table as it was computed.
    #[serde(flatten)]
    pub table: SplitTableAnswer,
    /// Age of the table, in whole seconds.
    pub age: i32,
    /// `true` if a player's rating has changed since, or if a player who was unknown
    /// then is known now; `null` if unknown.
    pub ratings_changed: Option<bool>,
}

impl AgedSplitTableAnswer {
    /// Returns `table` with its age at `now`. A table from a clock that is ahead has age 0.
    #[must_use]
    pub fn new(table: SplitTableAnswer, now: Timestamp, ratings_changed: Option<bool>) -> Self {
        let seconds = now.whole_seconds_since(table.computed_at).max(0);
        Self {
            age: i32::try_from(seconds).unwrap_or(i32::MAX),
            table,
            ratings_changed,
        }
    }
}
