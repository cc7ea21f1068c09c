use std::str::FromStr;

use super::{EntryChunk, StoreError, content, corrupt};
use crate::domain::{PlayerId, Rating, Timestamp, from_hexadecimal};
use crate::rating::{Entry, Totals};

/// What lists are made of: a player as of now.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedPlayer {
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
    /// How many rounds the player was predicted to win, a draw a half.
    pub expected_wins: f64,
    /// How many the player won, a draw a half.
    pub wins: f64,
}

impl ListedPlayer {
    /// A player of a line of text, in which the columns are separated by spaces.
    ///
    /// # Errors
    /// A value that is not possible.
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

/// The last entry of a player up to the place of the log, and some around it, of a line of text: the player, how many rated
/// rounds there are ever, and the content of the last row; then the number of a full row and its content, or `-`.
pub(super) fn read_entries(line: &str, position: u64) -> Result<Vec<Entry>, StoreError> {
    let columns: Vec<&str> = line.split(' ').collect();
    let [id, count, last, full @ ..] = &*columns else {
        return Err(corrupt("players", "(line)"));
    };
    let id = player(id)?;
    let last = from_hexadecimal(last).ok_or_else(|| corrupt("players", "last_entries"))?;
    let row = EntryChunk::unpack(id, number(count, "entries")?, &last)?;
    let begins_later = row
        .entries
        .first()
        .is_none_or(|entry| entry.position > position);
    match full {
        [chunk, content] if begins_later => {
            let content = from_hexadecimal(content).ok_or_else(|| corrupt("entries", "content"))?;
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
