//! The log of a generated community: many servers, a few players who play every evening, and many occasional players.
//! The seed determines the log.

use std::io::{self, Write};

use serde_json::json;

use super::{Dice, FIRST_ACCOUNT};

/// Number of servers and maps.
const SERVERS: usize = 40;
const MAPS: usize = 20;
/// Seconds between the ends of two consecutive rounds.
const INTERVAL: u64 = 60;
/// Flattens the activity of the top players: the odds of a player being in a round fall as 1 / (rank + `LEVEL`).
const LEVEL: f64 = 13.0;
/// Number of values of one random draw.
const ROLLS: usize = 1 << 30;

/// Parameters of the generated rounds of a pool.
#[derive(Clone, Copy, Debug)]
pub struct History {
    pub rounds: u64,
    /// Number of players per round.
    pub players: usize,
    /// Number of distinct players. With 32,000 players and rounds of 24, the most active player is in nearly a quarter
    /// of the rounds, and the thousandth in one of 300.
    pub population: u32,
    /// Time at which the last round ended, in seconds since 1970.
    pub end: u64,
}

impl History {
    /// Writes the rounds as JSON Lines for `rbs import`.
    pub fn write(self, file: &mut impl Write) -> io::Result<()> {
        let mut dice = Dice::new(self.rounds);
        for number in 0..self.rounds {
            writeln!(file, "{}", self.round(number, &mut dice))?;
        }
        Ok(())
    }

    /// Returns a random round with this number.
    pub fn round(self, number: u64, dice: &mut Dice) -> serde_json::Value {
        let mut players: Vec<String> = Vec::with_capacity(self.players);
        while players.len() < self.players {
            let player = player(self.rank(dice)).to_string();
            if !players.contains(&player) {
                players.push(player);
            }
        }
        let (a, b) = players.split_at(self.players / 2);
        let (server, round_id) = name(number);
        let map = format!("arena_{}", dice.roll(MAPS));
        // Additional rounds end with the last one.
        let later = self.rounds.saturating_sub(number + 1);
        json!({
            "round_id": round_id, "server": server, "map": map,
            "ended_at": self.end - later * INTERVAL,
            "winner": if dice.roll(2) == 0 { "a" } else { "b" }, "team_a": a, "team_b": b,
        })
    }

    /// Draws a player's activity rank, from 0.
    fn rank(self, dice: &mut Dice) -> u64 {
        #[expect(clippy::cast_precision_loss, reason = "a roll has 30 bits")]
        let share = dice.roll(ROLLS) as f64 / ROLLS as f64;
        let rank = LEVEL * ((1.0 + f64::from(self.population) / LEVEL).powf(share) - 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the value is below the population"
        )]
        let rank = rank as u64;
        rank
    }
}

/// SteamID64 of the player with that rank.
pub fn player(rank: u64) -> u64 {
    FIRST_ACCOUNT + rank
}

/// Server and id of the round with that number.
pub fn name(number: u64) -> (String, String) {
    let server = number % SERVERS as u64;
    (format!("server-{server}"), format!("round-{number}"))
}
