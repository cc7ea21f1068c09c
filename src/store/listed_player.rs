use std::str::FromStr;

use super::{EntryChunk, StoreError, content, corrupt};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{Entry, Totals};

/// Player with the current figures that lists of many players show.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPlayer {
    /// Id of the player.
    pub id: PlayerId,
    /// Current rating of the player.
    pub rating: Rating,
    /// Number of rated rounds since the player's last reset.
    pub rounds: u32,
    /// Number of all rated rounds of the player, including those before resets.
    pub entries: u64,
    /// Time at which the latest round since the player's last reset ended.
    pub last_played: Option<Timestamp>,
    /// Number of rounds that the player was predicted to win: the sum of the win probabilities.
    pub expected_wins: f64,
    /// Number of rounds that the player won. A draw counts as half a win.
    pub wins: f64,
}

impl ListedPlayer {
    /// Parses a player from a line of columns separated by spaces. An invalid value is [`StoreError::Corrupt`].
    pub(super) fn read(line: &str) -> Result<Self, StoreError> {
        let columns: Vec<&str> = line.split(' ').collect();
        let [id, rating, rounds, entries, last_played, expected, halves] = *columns else {
            return Err(corrupt("players", "(line)"));
        };
        let totals = Totals {
            expected: number(expected, "expected_total")?,
            score_halves: number(halves, "score_halves_total")?,
            ..Totals::default()
        };
        let last_played = match last_played {
            "-" => None,
            micros => {
                let at = Timestamp::from_unix_micros(number(micros, "last_played")?);
                Some(at.map_err(|_| corrupt("players", "last_played"))?)
            }
        };
        Ok(Self {
            id: player(id)?,
            rating: Rating::new(number(rating, "rating")?)
                .ok_or_else(|| corrupt("players", "rating"))?,
            rounds: number(rounds, "rounds")?,
            entries: number(entries, "entries")?,
            last_played,
            expected_wins: totals.expected_wins(),
            wins: totals.wins(),
        })
    }
}

/// Parses a player's last entry (rated round) up to a log position, with others of its stored row, from a line of text.
/// The columns are the player, the number of entries, and the content of the last row. Then come index and content of a
/// full row, or `-`.
pub(super) fn read_entries(line: &str, position: u64) -> Result<Vec<Entry>, StoreError> {
    let columns: Vec<&str> = line.split(' ').collect();
    let [id, count, last, full @ ..] = &*columns else {
        return Err(corrupt("players", "(line)"));
    };
    let id = player(id)?;
    let last = hex::decode(last).map_err(|_| corrupt("players", "last_entries"))?;
    let row = EntryChunk::unpack(id, number(count, "entries")?, &last)?;
    let begins_later = row
        .entries
        .first()
        .is_none_or(|entry| entry.position > position);
    match full {
        [chunk, content] if begins_later => {
            let content = hex::decode(content).map_err(|_| corrupt("entries", "content"))?;
            content::to_entries(id, number(chunk, "chunk")?, &content)
        }
        _ => Ok(row.entries),
    }
}

fn player(text: &str) -> Result<PlayerId, StoreError> {
    let id = PlayerId::from_steam_id64(number(text, "player_id")?);
    id.map_err(|_| corrupt("players", "player_id"))
}

fn number<T: FromStr>(text: &str, column: &'static str) -> Result<T, StoreError> {
    text.parse().map_err(|_| corrupt("players", column))
}
