use serde::{Deserialize, Serialize};

use crate::domain::{PlayerId, PoolName, Probability, Rating, Round, Timestamp};
use crate::rating::{Calibration, PredictionTotals, Totals};

/// A pool's key in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolId(pub(super) i64);

/// A pool: its place in its log, and its running figures.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolRecord {
    /// Its key.
    pub id: PoolId,
    /// Its name.
    pub name: PoolName,
    /// Positions given out in its log; the next entry takes the one after.
    pub log_length: u64,
    /// Sums over all its rounds.
    pub predictions: PredictionTotals,
    /// Its predictions against the results.
    pub calibration: Calibration,
}

/// A player in a pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRecord {
    /// Who.
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
}

/// What a round made of one participant. In JSON a list of the fields in this order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    try_from = "(i32, i32, f64, u32, bool)",
    into = "(i32, i32, f64, u32, bool)"
)]
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

impl TryFrom<(i32, i32, f64, u32, bool)> for PlayerResult {
    type Error = &'static str;

    fn try_from(
        (before, after, k, rounds, visible): (i32, i32, f64, u32, bool),
    ) -> Result<Self, Self::Error> {
        Ok(Self {
            before: Rating::new(before).ok_or("not a rating")?,
            after: Rating::new(after).ok_or("not a rating")?,
            k,
            rounds,
            visible,
        })
    }
}

impl From<PlayerResult> for (i32, i32, f64, u32, bool) {
    fn from(result: PlayerResult) -> Self {
        let PlayerResult {
            before,
            after,
            k,
            rounds,
            visible,
        } = result;
        (before.points(), after.points(), k, rounds, visible)
    }
}

/// A round that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRound {
    /// Its place in the pool's log, from 1.
    pub position: u64,
    /// The round, with the time and pool that it counts with.
    pub round: Round,
    /// When it ended.
    pub ended_at: Timestamp,
    /// When it was taken.
    pub received_at: Timestamp,
    /// One for each participant: team a's, then team b's, each in the order reported.
    pub results: Vec<PlayerResult>,
    /// F1, for team a.
    pub win_probability: Probability,
    /// Θ when it was rated.
    pub theta: f64,
    /// The pool's sums, this round included.
    pub predictions: PredictionTotals,
}

/// A player's row for one rated round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewEntry {
    /// Who.
    pub player: PlayerId,
    /// Counts the player's rated rounds ever, from 1.
    pub number: u64,
    /// The round's place in the pool's log.
    pub position: u64,
    /// The player's totals after it.
    pub totals: Totals,
}

/// What an admin did to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Gave a rating.
    Set(Rating),
    /// Made the player new again.
    Reset,
}

/// An admin's change, in its place in the pool's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in the pool's log, from 1.
    pub position: u64,
    /// Names it for good.
    pub change_id: String,
    /// Who was changed.
    pub player: PlayerId,
    /// How.
    pub kind: ChangeKind,
    /// Why, if the admin said so.
    pub reason: Option<String>,
    /// When.
    pub made_at: Timestamp,
    /// The player's rating before.
    pub rating_before: Rating,
    /// The player's rounds before.
    pub rounds_before: u32,
}

/// How many players a pool has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerCounts {
    /// All.
    pub total: u64,
    /// Of them in their shadow period.
    pub hidden: u64,
    /// Of them without a round for too long.
    pub stale: u64,
}
