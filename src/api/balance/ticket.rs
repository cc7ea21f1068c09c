use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::domain::{PlayerId, TeamLetter, Timestamp};

/// The most characters of a ticket: as many moves as a match has players, and every rule.
const MAX_LENGTH: usize = 4096;

/// What was found about a match, for the next time that somebody asks about it.
///
/// It is a text of three parts, such as `1764072000;size_pairs;76561197960265729>b`: the second when
/// the teams were first found unbalanced, the rules, and who was to move where. It is not signed: who
/// changes it deceives only who sent it, since nothing is decided by it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct BalanceTicket {
    /// When the teams were first found unbalanced, in whole seconds.
    pub found_at: Timestamp,
    /// By which rules they were last time.
    pub rules: Vec<String>,
    /// Who was to move last time, and to which team.
    pub moves: Vec<(PlayerId, TeamLetter)>,
}

/// A text that is no ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no ticket; send one as /v1/balance answered it, or leave it out")]
pub struct InvalidTicket;

impl fmt::Display for BalanceTicket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.found_at.unix_micros().div_euclid(1_000_000);
        write!(formatter, "{second};{};", self.rules.join(","))?;
        for (place, (player, team)) in self.moves.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(formatter, "{comma}{player}>{team}")?;
        }
        Ok(())
    }
}

impl FromStr for BalanceTicket {
    type Err = InvalidTicket;

    fn from_str(text: &str) -> Result<Self, InvalidTicket> {
        if text.len() > MAX_LENGTH {
            return Err(InvalidTicket);
        }
        let mut parts = text.split(';');
        let (Some(second), Some(rules), Some(moves), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(InvalidTicket);
        };
        let second = second.parse().map_err(|_| InvalidTicket)?;
        let moves = split(moves).map(|one| {
            let (player, team) = one.split_once('>')?;
            let mut letters = team.chars();
            let team = letters.next().and_then(TeamLetter::from_letter)?;
            letters.next().is_none().then_some(())?;
            Some((player.parse().ok()?, team))
        });
        let is_rule = |rule: &str| {
            let mut letters = rule.bytes();
            !rule.is_empty() && letters.all(|letter| letter.is_ascii_lowercase() || letter == b'_')
        };
        if !split(rules).all(is_rule) {
            return Err(InvalidTicket);
        }
        Ok(Self {
            found_at: Timestamp::from_unix_seconds(second).map_err(|_| InvalidTicket)?,
            rules: split(rules).map(str::to_owned).collect(),
            moves: moves.collect::<Option<_>>().ok_or(InvalidTicket)?,
        })
    }
}

impl TryFrom<String> for BalanceTicket {
    type Error = InvalidTicket;

    fn try_from(text: String) -> Result<Self, InvalidTicket> {
        text.parse()
    }
}

/// What stands between commas; nothing where there is nothing.
fn split(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').filter(|_| !list.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_read_as_it_is_written() {
        for text in [
            "1764072000;size_pairs,power_difference;76561197960265729>b,76561197960265730>h",
            "1764072000;win_probability;",
            "-1;;",
        ] {
            let ticket: BalanceTicket = text.parse().unwrap();
            assert_eq!(ticket.to_string(), text);
        }
    }

    #[test]
    fn nothing_else_is_a_ticket() {
        let long = format!("1;{};", "a".repeat(MAX_LENGTH));
        for text in [
            "",
            "1",
            "1;;;",
            "x;;",
            "1;A;",
            "1;a,;",
            "1;;1>a",
            "1;;76561197960265729>i",
            "1;;76561197960265729>ab",
            "1;;76561197960265729",
            "99999999999999999;;",
            &long,
        ] {
            assert_eq!(
                text.parse::<BalanceTicket>(),
                Err(InvalidTicket),
                "{text:.40}"
            );
        }
    }
}
