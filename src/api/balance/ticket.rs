use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

use crate::domain::{PlayerId, TeamLetter, Timestamp};

/// Maximum number of bytes of a ticket of `/v1/balance`: enough for a move of every player in a match, and every rule.
const MAX_LENGTH: usize = 4096;

/// Ticket: the finding about a match, which a client sends back with its next balance request about the match.
///
/// The text form has three parts, such as `1764072000;size_pairs;76561197960265729>b`: the Unix second at which the
/// teams were first found unbalanced, the broken rules, and the recommended moves. Tickets are not signed. A changed
/// ticket affects only the wait and the reported changes, so it deceives only its sender.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct BalanceTicket {
    /// Time at which the teams of the match were first found unbalanced, in whole seconds.
    pub found_at: Timestamp,
    /// Names of the balance rules that the teams broke.
    pub rules: Vec<String>,
    /// Players whose moves were recommended, with their new teams.
    pub moves: Vec<(PlayerId, TeamLetter)>,
}

/// Error for a text that is not a ticket of `/v1/balance`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a ticket; send the ticket that /v1/balance returned, or leave it out")]
pub struct InvalidTicket;

impl fmt::Display for BalanceTicket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let second = self.found_at.unix_micros().div_euclid(1_000_000);
        let moves = self
            .moves
            .iter()
            .map(|(player, team)| format!("{player}>{team}"))
            .collect::<Vec<_>>()
            .join(",");
        write!(formatter, "{second};{};{moves}", self.rules.join(","))
    }
}

impl FromStr for BalanceTicket {
    type Err = InvalidTicket;

    fn from_str(text: &str) -> Result<Self, InvalidTicket> {
        if text.len() > MAX_LENGTH {
            return Err(InvalidTicket);
        }
        let parts: Vec<&str> = text.split(';').collect();
        let [second, rules, moves] = parts[..] else {
            return Err(InvalidTicket);
        };
        let second = second.parse().map_err(|_| InvalidTicket)?;
        let moves = split(moves).map(|one| {
            let (player, team) = one.split_once('>')?;
            Some((player.parse().ok()?, TeamLetter::parse(team)?))
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

/// Splits a list in a text at its commas. An empty text has no items.
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
