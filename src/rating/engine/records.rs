use crate::domain::{PlayerId, Probability, Rating, Timestamp};
use crate::rating::{ModelState, PredictionTotals, Totals, TotalsStep};

/// State of a player in a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerState {
    /// Identifier of the player.
    pub id: PlayerId,
    /// Rating after the player's last round or change.
    pub rating: Rating,
    /// Number of rated rounds since the last reset.
    pub rounds: u32,
    /// Number of rated rounds, including rounds before resets.
    pub entries: u64,
    /// Time at which the latest round since the last reset ended.
    pub last_played: Option<Timestamp>,
    /// Totals after the latest entry.
    pub totals: Totals,
    /// State that the pool's model keeps for the player.
    pub model_state: ModelState,
}

/// Record of one rated round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Identifier of the player.
    pub player: PlayerId,
    /// Number of the entry among all entries of the player, from 1.
    pub number: u64,
    /// Position of the round in the pool's log.
    pub position: u64,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Contribution of the round to the totals.
    pub step: TotalsStep,
    /// Totals of the player after the round.
    pub totals: Totals,
}

/// Effect of a round on one participant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerResult {
    /// Rating before the round.
    pub before: Rating,
    /// Rating after the round.
    pub after: Rating,
    /// K-factor that was applied, or 0 in a void round.
    pub k: f64,
    /// Number of rated rounds after the round.
    pub rounds: u32,
    /// `true` if the rating was visible after the round.
    pub visible: bool,
}

/// Results of a round's participants. In a void round nothing changes: ratings, numbers of rounds and sums are the
/// values before the round, and K is 0.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundResult {
    /// Position of the round in the pool's log.
    pub position: u64,
    /// Results of the participants, in the order of [`Round::participants`](crate::domain::Round::participants).
    pub players: Vec<PlayerResult>,
    /// Predicted probability that team a wins (F1).
    pub win_probability: Probability,
    /// Θ by which the round was rated.
    pub theta: f64,
    /// Prediction sums of the pool after the round.
    pub predictions: PredictionTotals,
}

/// Change of a player by an admin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// The admin set this rating.
    Set(Rating),
    /// The admin made the player new again.
    Reset,
}

/// Property by which rounds are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKind {
    /// Map of the round. Rounds without a map have no such group. Scores are team a's.
    Map,
    /// Server of the round. Scores are team a's.
    Server,
    /// Number of players on each team at the start. Scores are the smaller team's, or team a's if sizes are equal.
    TeamSize,
    /// Difference of the teams' sums, in the bins of [`lead_bin`](crate::rating::lead_bin). Scores are the favourite's.
    Lead,
}

impl GroupKind {
    /// All kinds of groups, in the order of declaration.
    pub const ALL: [Self; 4] = [Self::Map, Self::Server, Self::TeamSize, Self::Lead];

    /// Returns the name in the database and in messages.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Server => "server",
            Self::TeamSize => "team_size",
            Self::Lead => "lead",
        }
    }
}

/// Group of rounds in a pool that share a property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundGroup {
    /// Property that the rounds share.
    pub kind: GroupKind,
    /// Name of the map or server, team sizes such as `6 v 7`, or index of the bin.
    pub name: String,
}
