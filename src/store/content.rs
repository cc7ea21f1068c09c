//! Encoding of the database's binary columns in the format postcard, whose integers take a byte for every seven bits.

use serde::{Deserialize, Serialize};

use super::{EntryChunk, StoreError, corrupt};
use crate::domain::{PlayerId, Probability, Rating, Score, Timestamp};
use crate::rating::{
    Entry, FavouriteTotals, PlayerResult, PredictionTotals, RoundResult, Totals, TotalsStep,
};

/// Binary content of a row of the table `results`: prediction, effect on the participants, and the pool's sums up to
/// the round. The number of rounds has its own column.
#[derive(Serialize, Deserialize)]
struct ResultContent {
    win_probability: f64,
    theta: f64,
    draws: u64,
    brier: f64,
    log_loss: f64,
    right_halves: u64,
    score_halves: u64,
    favourites: (u64, f64, u64, f64),
    /// For each participant of the round: rating before, change in points, K-factor, number of rated rounds, and `true`
    /// if the rating was shown.
    players: Vec<(i32, i32, f64, u32, bool)>,
}

/// Binary content of a row of the table `entries`: consecutive rated rounds of a player.
#[derive(Serialize, Deserialize)]
struct ChunkContent {
    /// Player's totals before the first round of this row: ratings, squared ratings, expected scores in units of 2^-42,
    /// and scores in halves.
    totals: (i64, i64, i64, i64),
    first_position: u64,
    first_ended_at: i64,
    /// For each rated round of this row: log positions and microseconds since the previous one, rating after the round,
    /// expected score in units of 2^-42, and score in halves.
    entries: Vec<(u64, i64, i32, u64, u8)>,
}

pub(super) fn of_result(result: &RoundResult) -> Result<Vec<u8>, StoreError> {
    let sums = &result.predictions;
    let favourites = &sums.favourites;
    let players = result.players.iter().map(|player| {
        let before = player.before.points();
        let added = player.after.points() - before;
        (before, added, player.k, player.rounds, player.visible)
    });
    write(&ResultContent {
        win_probability: result.win_probability.get(),
        theta: result.theta,
        draws: sums.draws,
        brier: sums.brier,
        log_loss: sums.log_loss,
        right_halves: sums.right_halves,
        score_halves: sums.score_halves,
        favourites: (
            favourites.rounds,
            favourites.predicted,
            favourites.score_halves,
            favourites.brier,
        ),
        players: players.collect(),
    })
}

pub(super) fn to_result(
    position: u64,
    rounds: u64,
    content: &[u8],
) -> Result<RoundResult, StoreError> {
    let unreadable = || corrupt("results", "content");
    let content: ResultContent = postcard::from_bytes(content).map_err(|_| unreadable())?;
    let players = content
        .players
        .into_iter()
        .map(|(before, added, k, rounds, visible)| {
            Some(PlayerResult {
                before: Rating::new(before)?,
                after: Rating::new(before.checked_add(added)?)?,
                k,
                rounds,
                visible,
            })
        });
    let (favourites, predicted, score_halves, brier) = content.favourites;
    Ok(RoundResult {
        position,
        players: players.collect::<Option<_>>().ok_or_else(unreadable)?,
        win_probability: Probability::new(content.win_probability).ok_or_else(unreadable)?,
        theta: content.theta,
        predictions: PredictionTotals {
            rounds,
            draws: content.draws,
            brier: content.brier,
            log_loss: content.log_loss,
            right_halves: content.right_halves,
            score_halves: content.score_halves,
            favourites: FavouriteTotals {
                rounds: favourites,
                predicted,
                score_halves,
                brier,
            },
        },
    })
}

/// Reads the win probability of team a from the binary content of a round's result, where it is the first field.
pub(super) fn to_odds(content: &[u8]) -> Result<Probability, StoreError> {
    postcard::take_from_bytes(content)
        .ok()
        .and_then(|(odds, _)| Probability::new(odds))
        .ok_or_else(|| corrupt("results", "content"))
}

/// Binary content of the column `players.last_entries`: the player's rated rounds that fill no row of `entries` yet.
#[derive(Serialize, Deserialize)]
struct LastContent {
    /// Latest end time of the player's rated rounds, in unix microseconds.
    latest: i64,
    /// Rated rounds after the player's last full row; `None` if there are none.
    entries: Option<ChunkContent>,
}

impl EntryChunk {
    /// Encodes a player's last row of entries (rated rounds) for the column `players.last_entries`.
    ///
    /// # Errors
    /// Returns an error only because of a defect of this program.
    pub fn packed(&self) -> Result<Vec<u8>, StoreError> {
        write(&LastContent {
            latest: self.latest.unix_micros(),
            entries: chunk_content(&self.entries),
        })
    }

    /// Decodes a player's last row of entries (rated rounds) from the column `players.last_entries`. `entries` is the
    /// number of all rated rounds of the player.
    ///
    /// # Errors
    /// Returns [`StoreError::Corrupt`] if `content` does not fit a player with so many entries.
    pub fn unpack(player: PlayerId, entries: u64, content: &[u8]) -> Result<Self, StoreError> {
        let chunk = entries / Self::SIZE;
        if entries == 0 {
            return Ok(Self::empty(player, chunk, Timestamp::UNIX_EPOCH));
        }
        let read = || -> Option<Self> {
            let content: LastContent = postcard::from_bytes(content).ok()?;
            let latest = Timestamp::from_unix_micros(content.latest).ok()?;
            let mut row = Self::empty(player, chunk, latest);
            if let Some(content) = content.entries {
                row.entries = content.read(player, chunk)?;
            }
            (row.entries.len() as u64 == entries % Self::SIZE).then_some(row)
        };
        read().ok_or_else(|| corrupt("players", "last_entries"))
    }
}

/// Encodes the rated rounds of a row of the table `entries`. Without rounds, the content is empty.
pub(super) fn of_chunk(entries: &[Entry]) -> Result<Vec<u8>, StoreError> {
    let content = chunk_content(entries);
    content.map_or(Ok(Vec::new()), |content| write(&content))
}

fn chunk_content(entries: &[Entry]) -> Option<ChunkContent> {
    let first = entries.first()?;
    let before = first.totals.without(first.step);
    let (mut position, mut ended_at) = (first.position, first.ended_at.unix_micros());
    let entries = entries.iter().map(|entry| {
        let ended = entry.ended_at.unix_micros();
        let written = (
            entry.position - position,
            ended - ended_at,
            entry.step.rating.points(),
            entry.step.expected,
            entry.step.score.halves(),
        );
        (position, ended_at) = (entry.position, ended);
        written
    });
    Some(ChunkContent {
        totals: (
            before.rating,
            before.rating_squared,
            before.expected,
            before.score_halves,
        ),
        first_position: first.position,
        first_ended_at: first.ended_at.unix_micros(),
        entries: entries.collect(),
    })
}

pub(super) fn to_entries(
    player: PlayerId,
    chunk: u64,
    content: &[u8],
) -> Result<Vec<Entry>, StoreError> {
    if content.is_empty() {
        return Ok(Vec::new());
    }
    let content: Option<ChunkContent> = postcard::from_bytes(content).ok();
    let entries = content.and_then(|content| content.read(player, chunk));
    entries.ok_or_else(|| corrupt("entries", "content"))
}

impl ChunkContent {
    /// Decodes a row of a player's rated rounds, or returns `None` if its content is impossible. `chunk` is the index
    /// of the row among the player's rows, from 0.
    fn read(self, player: PlayerId, chunk: u64) -> Option<Vec<Entry>> {
        let (rating, rating_squared, expected, score_halves) = self.totals;
        let mut totals = Totals {
            rating,
            rating_squared,
            expected,
            score_halves,
        };
        let mut position = self.first_position;
        let mut ended_at = self.first_ended_at;
        let first = chunk.checked_mul(EntryChunk::SIZE)?.checked_add(1)?;
        let numbered = self.entries.into_iter().zip(first..);
        let entries = numbered.map(|((later, longer, rating, expected, halves), number)| {
            position = position.checked_add(later)?;
            ended_at = ended_at.checked_add(longer)?;
            let step = TotalsStep {
                rating: Rating::new(rating)?,
                expected,
                score: Score::of_halves(halves)?,
            };
            totals = totals.with(step);
            Some(Entry {
                player,
                number,
                position,
                ended_at: Timestamp::from_unix_micros(ended_at).ok()?,
                step,
                totals,
            })
        });
        entries.collect()
    }
}

pub(super) fn write(content: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let written = postcard::to_allocvec(content);
    written.map_err(|error| StoreError::Refused(sqlx::Error::Encode(error.to_string().into())))
}
