//! Players, entries and results: what the engine computes and the store keeps.

use crate::domain::{PlayerId, Probability, Rating, Timestamp};
use crate::rating::{ModelState, PredictionTotals, Totals, TotalsIncrement};

/// A player in a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerState {
    /// The player.
    pub id: PlayerId,
    /// The rating now.
    pub rating: Rating,
    /// Rated rounds since the last reset.
    pub rounds: u32,
    /// Rated rounds ever.
    pub entries: u64,
    /// When the latest of the rounds since the last reset ended.
    pub last_played: Option<Timestamp>,
    /// The totals after the latest entry.
    pub totals: Totals,
    /// What the pool's model remembers of the player.
    pub model_state: ModelState,
}

/// One rated round of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The player.
    pub player: PlayerId,
    /// Counts the player's rated rounds ever, from 1.
    pub number: u64,
    /// The round's place in the pool's log.
    pub position: u64,
    /// When the round ended.
    pub ended_at: Timestamp,
    /// What it added to the totals.
    pub step: TotalsIncrement,
    /// The player's totals after it.
    pub totals: Totals,
}

/// What a round made of one participant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerResult {
    /// The rating before.
    pub before: Rating,
    /// The rating after.
    pub after: Rating,
    /// The K-factor.
    pub k: f64,
    /// Rated rounds, this one included.
    pub rounds: u32,
    /// Whether the rating was shown after it.
    pub visible: bool,
}

/// The results of a round's participants. A void round moves nobody: the rating stays, K is 0, and rounds and sums are
/// those before the round.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundResult {
    /// The round's place in the pool's log.
    pub position: u64,
    /// One for each participant: team a's, then team b's, each in the order reported.
    pub players: Vec<PlayerResult>,
    /// F1, for team a.
    pub win_probability: Probability,
    /// Θ that it was rated by.
    pub theta: f64,
    /// The pool's sums, this round included.
    pub predictions: PredictionTotals,
}

/// An admin's change of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Gave a rating.
    Set(Rating),
    /// Made the player new again.
    Reset,
}

/// What rounds can have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKind {
    /// The map, empty where it is not known. Seen from team a.
    Map,
    /// The server. Seen from team a.
    Server,
    /// How many stood on each team at the start. Seen from the smaller team, else from team a.
    TeamSize,
    /// How far the sums of the teams lay apart, in fine bins. Seen from the favourite.
    Lead,
}

impl GroupKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Map, Self::Server, Self::TeamSize, Self::Lead];

    /// As it is stored, and as a part of a sentence.
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

/// The rounds of a pool that have something in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoundGroup {
    /// What they have in common.
    pub kind: GroupKind,
    /// The name of the map or server, the sizes, or the number of the bin.
    pub name: String,
}
