use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::PlayerPowerAnswer;
use crate::domain::{
    PlayerId, PoolName, PowerName, Probability, RoleName, ServerName, SplitMethod, Timestamp,
};

/// `POST` and `GET /v1/scramble`: the splits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SplitTableAnswer {
    /// As sent.
    pub server: ServerName,
    /// The pool whose ratings count.
    pub pool: PoolName,
    /// The power that the splits are balanced by: `rating`, unless another was asked for and knows
    /// something of somebody.
    pub by: PowerName,
    /// What everybody counts by that power, in the order sent; empty where none is named.
    pub powers: Vec<PlayerPowerAnswer>,
    /// By what powers are multiplied to the whole points that sums and differences are of, a power of
    /// ten from 0.001 to 1000000000; `null` where it is ratings that are summed.
    pub scale: Option<f64>,
    /// How many players may play.
    pub eligible: usize,
    /// When the table was computed.
    pub computed_at: Timestamp,
    /// One for every team size asked for, from 2 to half of the players; where `bench` is `false`, that
    /// of everybody alone.
    pub splits: Vec<SplitAnswer>,
    /// The best splits of the size that alternatives were asked for, the best first.
    pub alternatives: Vec<SplitAnswer>,
    /// Which of `splits` was drawn of the best of its size; `null` where no draw was asked for, or there is no split of
    /// that size.
    pub drawn: Option<DrawnSplitAnswer>,
    /// Why there is no split, in a sentence; `null` where there is one.
    pub say: Option<String>,
}

/// A split that was drawn of the best of its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DrawnSplitAnswer {
    /// Players a team.
    pub size: usize,
    /// Which of the best it is: 1 for the very best.
    pub rank: usize,
    /// Of how many it was drawn.
    pub of: usize,
}

/// Two teams and who waits, and what became of the wishes. The teams have as many players as each
/// other, or where `bench` is `false` and an odd number play, one has one more. Players stand by rating,
/// the highest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SplitAnswer {
    /// Players a team; of uneven teams, the smaller one's.
    pub size: usize,
    /// The team of the highest rated player who plays.
    pub a: Vec<PlayerId>,
    /// The other team.
    pub b: Vec<PlayerId>,
    /// Everybody else.
    pub waiting: Vec<PlayerId>,
    /// The sum of team a's ratings.
    pub sum_a: i64,
    /// The sum of team b's ratings.
    pub sum_b: i64,
    /// |sum_a - sum_b|.
    pub difference: u64,
    /// The win probability of team a (F1).
    pub win_probability_a: Probability,
    /// How the split was found.
    pub method: SplitMethod,
    /// Whether no split of this size is closer or, where wishes trade that, serves them better; `false` where another
    /// than the best was drawn.
    pub optimal: bool,
    /// The least difference that a split of this size can have with no wish but `anchor` and
    /// `bench`; `null` where it is not known.
    pub best_difference: Option<u64>,
    /// How many players change teams, where the current teams were sent.
    pub moves: Option<usize>,
    /// What became of the parties.
    pub parties: PartiesAnswer,
    /// What became of the pairs who should be apart.
    pub apart: ApartAnswer,
    /// What became of the roles; tables that were kept before there were roles have none.
    #[serde(default)]
    pub roles: RolesAnswer,
    /// Newcomers on each team; `null` if no newcomers are shared out.
    #[serde(default)]
    pub newcomers: Option<NewcomersAnswer>,
    /// Which hard wishes could not be met.
    pub relaxed: RelaxedAnswer,
    /// For how long the waiting have waited, in the order of `waiting`.
    pub waits: Vec<WaitAnswer>,
    /// The shape of the teams.
    pub spread: SpreadAnswer,
    /// Whether a recent split had these very teams.
    pub repeats: bool,
    /// All of it in a sentence.
    pub say: String,
}

/// The parties of which two or more may play, each as those of its members.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PartiesAnswer {
    /// On one team, or all waiting.
    pub kept: Vec<Vec<PlayerId>>,
    /// The others.
    pub split: Vec<Vec<PlayerId>>,
}

/// The pairs who should be apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApartAnswer {
    /// Those who share a team all the same.
    pub together: Vec<[PlayerId; 2]>,
}

/// The roles that each team should have players for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RolesAnswer {
    /// Those that some players are missing for.
    pub missing: Vec<MissingRoleAnswer>,
}

/// A role that some players are missing for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MissingRoleAnswer {
    /// The role's name, as sent.
    #[schema(value_type = RoleName)]
    pub name: String,
    /// How many players are missing, over both teams.
    pub missing: usize,
}

/// Newcomers on each team, and the cost of sharing them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewcomersAnswer {
    /// The newcomers on team a.
    pub a: usize,
    /// The newcomers on team b.
    pub b: usize,
    /// Rating points by which the difference of the closest split that shares them so evenly exceeds that of the closest
    /// split overall. `null` if unknown: for alternatives and for splits of the method `greedy`.
    pub cost: Option<u64>,
}

/// The hard wishes that could not be met.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RelaxedAnswer {
    /// Who should play and waits, for want of room.
    pub must_play: Vec<PlayerId>,
    /// Who should wait and plays, for want of others.
    pub must_wait: Vec<PlayerId>,
}

/// Somebody who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitAnswer {
    /// Who.
    pub id: PlayerId,
    /// For how many rounds in a row before this one.
    pub waited: u32,
}

/// How alike the teams are in shape.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SpreadAnswer {
    /// The population standard deviation of team a's ratings.
    pub a: f64,
    /// That of team b's.
    pub b: f64,
    /// True if the two highest-rated eligible players are not on one team, even if one of them waits.
    pub top_two_apart: bool,
}

/// `POST` and `GET /v1/scramble`, and the splits of an update: a table, and how it has aged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AgedSplitTableAnswer {
    /// The table as it was computed.
    #[serde(flatten)]
    pub table: SplitTableAnswer,
    /// Whole seconds since then.
    pub age: i32,
    /// Whether any of the players is rated otherwise since then, or was unknown and no longer is;
    /// `null` where that is not known.
    pub ratings_changed: Option<bool>,
}

impl AgedSplitTableAnswer {
    /// `table` as it stands at `now`. What was computed by a clock that is ahead has no age yet.
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
