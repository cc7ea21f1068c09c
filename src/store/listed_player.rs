use std::str::FromStr;

use super::{Entry, EntryChunk, StoreError, content, corrupt};
use crate::domain::{PlayerId, Rating, Timestamp, from_hexadecimal};
use crate::rating::Totals;

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

/// Reads a player's entries of a line of text: the player, how many rated rounds there are ever, the number of a full
/// row and its content, and the content of the last row; `-` for what was not asked for.
pub(super) fn read_entries(line: &str, entries: &mut Vec<Entry>) -> Result<(), StoreError> {
    let columns: Vec<&str> = line.split(' ').collect();
    let [id, count, chunk, full, last] = *columns else {
        return Err(corrupt("players", "(line)"));
    };
    let id = player(id)?;
    if chunk != "-" {
        let content = from_hexadecimal(full).ok_or_else(|| corrupt("entries", "content"))?;
        entries.append(&mut content::to_entries(
            id,
            number(chunk, "chunk")?,
            &content,
        )?);
    }
    if last != "-" {
        let content = from_hexadecimal(last).ok_or_else(|| corrupt("players", "last_entries"))?;
        let mut row = EntryChunk::unpack(id, number(count, "entries")?, &content)?;
        entries.append(&mut row.entries);
    }
    Ok(())
}

fn player(text: &str) -> Result<PlayerId, StoreError> {
    let id = PlayerId::from_steam_id64(number(text, "player_id")?);
    id.map_err(|_| corrupt("players", "player_id"))
}

fn number<T: FromStr>(text: &str, column: &'static str) -> Result<T, StoreError> {
    text.parse().map_err(|_| corrupt("players", column))
}
