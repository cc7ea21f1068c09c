//! The log of a community, drawn from a seed: many servers, a few who play every evening and many who come
//! now and then.

use std::io::{self, Write};

use serde_json::json;

use super::{Dice, FIRST_ACCOUNT};

/// Servers that the rounds are spread over, and maps.
const SERVERS: usize = 40;
const MAPS: usize = 20;
/// Seconds from one round's end to the next.
const INTERVAL: u64 = 60;
/// How much the most active players are alike: the odds that one stands in a round fall as
/// 1 / (rank + `LEVEL`).
const LEVEL: f64 = 13.0;
/// The rolls that a player is drawn by.
const ROLLS: usize = 1 << 30;

/// The rounds of a pool.
#[derive(Clone, Copy, Debug)]
pub struct History {
    /// How many rounds there are.
    pub rounds: u64,
    /// Players of each.
    pub players: usize,
    /// All who play. Of 32,000 with rounds of 24, the most active stands in nearly a quarter of them, and the
    /// thousandth in one of 300.
    pub population: u32,
    /// When the last of the rounds ended, in seconds since 1970.
    pub end: u64,
}

impl History {
    /// Writes its rounds as lines that `rbs import` reads.
    pub fn write(self, file: &mut impl Write) -> io::Result<()> {
        let mut dice = Dice::new(self.rounds);
        for number in 0..self.rounds {
            writeln!(file, "{}", self.round(number, &mut dice))?;
        }
        Ok(())
    }

    /// The round of that number, or any that is drawn like it.
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
        // What is drawn besides ends with the last.
        let later = self.rounds.saturating_sub(number + 1);
        json!({
            "round_id": round_id, "server": server, "map": map,
            "ended_at": self.end - later * INTERVAL,
            "winner": if dice.roll(2) == 0 { "a" } else { "b" }, "team_a": a, "team_b": b,
        })
    }

    /// The rank of a player by how often they play, from 0.
    fn rank(self, dice: &mut Dice) -> u64 {
        #[expect(clippy::cast_precision_loss, reason = "a roll has 30 bits")]
        let share = dice.roll(ROLLS) as f64 / ROLLS as f64;
        let rank = LEVEL * ((1.0 + f64::from(self.population) / LEVEL).powf(share) - 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is below the population"
        )]
        let rank = rank as u64;
        rank
    }
}

/// The player of that rank.
pub fn player(rank: u64) -> u64 {
    FIRST_ACCOUNT + rank
}

/// The server and the id of the round of that number.
pub fn name(number: u64) -> (String, String) {
    let server = number % SERVERS as u64;
    (format!("server-{server}"), format!("round-{number}"))
}
