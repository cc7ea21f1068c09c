use std::collections::{BTreeSet, HashMap, VecDeque};

use super::counted::{Standing, counted};
use super::games_of::Situation;
use super::rule::{PowerRule, ScoreboardPower};
use crate::balance::state::Power;
use crate::domain::{
    GameWindow, PastGame, PlayerId, Probability, Round, Score, SetRules, Side, past_games,
};
use crate::rating::logistic_slope;

/// Predicted results of past rounds, computed from a power (worth of players by scoreboards).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PowerPredictions {
    /// Predicted probability that team a wins, and the actual result, for each round after the fitted rounds.
    pub(crate) predicted: Vec<(Probability, Score)>,
    /// Number of predicted rounds in which some player had a power. Other rounds are predicted with even odds.
    pub(crate) known: usize,
}

impl PowerPredictions {
    /// Predicts `rounds`, given in the order of the log, each from the rounds before it.
    ///
    /// The probability that team a wins is the logistic function of the difference of the teams' powers, times a slope.
    /// The slope fits the first `fitted` rounds best. Teams are the rosters at the start. Players without a power count
    /// as in [`counted()`].
    ///
    /// Returns `None` if the power needs no games, if no round has stats, or if no slope fits the first rounds.
    pub(crate) fn of(
        rule: &PowerRule,
        sets: Option<&SetRules>,
        rounds: &[Round],
        fitted: usize,
    ) -> Option<Self> {
        let has_stats = |round: &Round| round.entries().any(|(_, entry)| entry.stats.is_some());
        let PowerRule::Scoreboard(power) = rule else {
            return None;
        };
        if !rounds.iter().any(has_stats) {
            return None;
        }
        let mut players = Players::default();
        let points: Vec<(Option<f64>, Score)> = rounds
            .iter()
            .map(|round| {
                let difference = players.difference(power, sets, round);
                players.remember(round);
                (difference, round.parts().winner.score(Side::A))
            })
            .collect();
        let (first, rest) = points.split_at(fitted.min(points.len()));
        let known: Vec<(f64, Score)> = first
            .iter()
            .filter_map(|(difference, score)| Some(((*difference)?, *score)))
            .collect();
        // Scales slopes to about 1, for any unit of the power.
        let squares: f64 = known
            .iter()
            .map(|(difference, _)| difference * difference)
            .sum();
        let unit = (squares / known.iter().map(|_| 1.0).sum::<f64>()).sqrt();
        // Without rounds, the unit is NaN.
        if unit.is_nan() || unit <= 0.0 {
            return None;
        }
        let scaled = known
            .iter()
            .map(|(difference, score)| (difference / unit, *score));
        let slope = logistic_slope(&scaled.collect::<Vec<_>>())? / unit;
        let predicted = rest.iter().map(|(difference, score)| {
            let log_odds = slope * difference.unwrap_or(0.0);
            let probability = Probability::new(1.0 / (1.0 + libm::exp(-log_odds)));
            (probability.unwrap_or(Probability::HALF), *score)
        });
        Some(Self {
            predicted: predicted.collect(),
            known: rest
                .iter()
                .filter(|(difference, _)| difference.is_some())
                .count(),
        })
    }
}

/// Last games of each player, the latest first.
#[derive(Debug, Default)]
struct Players(HashMap<PlayerId, VecDeque<PastGame>>);

impl Players {
    /// Returns the power of team a less the power of team b, in points; `None` if nobody has a power.
    fn difference(
        &mut self,
        power: &ScoreboardPower,
        sets: Option<&SetRules>,
        round: &Round,
    ) -> Option<f64> {
        let parts = round.parts();
        let situation = Situation {
            now: round.ended_at(),
            mode: parts.mode.as_ref(),
            mutators: &parts.mutators,
            sets,
        };
        let roster = round.entries().filter(|(_, entry)| entry.at_start);
        let (sides, standings): (Vec<Side>, Vec<Standing>) = roster
            .map(|(side, entry)| {
                let known = self.0.get_mut(&entry.id);
                let games = known.map_or(&[][..], |games| games.make_contiguous());
                let valued = power.of(games, situation);
                let id = entry.id;
                (side, Standing { id, valued })
            })
            .unzip();
        let counted = counted(&standings)?;
        let sum = |of: Side| -> Power {
            let team = sides.iter().zip(&counted).filter(|(side, _)| **side == of);
            team.map(|(_, player)| player.power).sum()
        };
        Some((sum(Side::A) - sum(Side::B)).points())
    }

    fn remember(&mut self, round: &Round) {
        let everybody: BTreeSet<PlayerId> = round.entries().map(|(_, entry)| entry.id).collect();
        for (player, game) in past_games(round.parts(), round.ended_at(), &everybody) {
            let games = self.0.entry(player).or_default();
            games.push_front(game);
            games.truncate(GameWindow::MAX as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::PowerRules;
    use super::*;
    use crate::domain::{PoolName, Report, RoundParts, Timestamp};
    use crate::rating::ModelScores;

    /// Returns test rounds of three against three out of twelve players. Better players have more points, and win.
    /// Without `spread` nobody has points; with a spread of 0 all have the same.
    fn rounds(count: u64, spread: Option<u64>) -> Vec<Round> {
        let round = |number: u64| {
            // A mixed congruential generator of full period.
            let draw =
                |salt: u64| (number * 12 + salt).wrapping_mul(6_364_136_223_846_793_005) >> 33;
            let mut players: Vec<u64> = (1..=12).collect();
            players.sort_by_key(|player| draw(*player));
            let entry = |player: &u64| {
                let score = 10 * player + draw(20 + player) % 40;
                if let Some(spread) = spread {
                    json!({"id": format!("[U:1:{player}]"), "stats": {"score": spread * score}})
                } else {
                    json!(format!("[U:1:{player}]"))
                }
            };
            let (a, b) = (&players[..3], &players[3..6]);
            let lead = i64::try_from(a.iter().sum::<u64>()).unwrap()
                - i64::try_from(b.iter().sum::<u64>()).unwrap()
                + i64::try_from(draw(99) % 15).unwrap()
                - 7;
            let parts = json!({
                "round_id": number.to_string(), "server": "s", "mode": "ctf",
                "winner": if lead > 0 { "a" } else { "b" },
                "team_a": a.iter().map(entry).collect::<Vec<_>>(),
                "team_b": b.iter().map(entry).collect::<Vec<_>>(),
            });
            let parts: RoundParts = serde_json::from_value(parts).unwrap();
            let ended_at = Timestamp::from_unix_seconds(i64::try_from(60 * number).unwrap());
            Report::try_from(parts)
                .unwrap()
                .settled(ended_at.unwrap(), PoolName::default())
        };
        (0..count).map(round).collect()
    }

    fn predictions(power: &str, rounds: &[Round]) -> Option<PowerPredictions> {
        let powers = PowerRules::built_in().unwrap();
        let rule = powers.named(&power.parse().unwrap()).unwrap();
        PowerPredictions::of(rule, None, rounds, 100)
    }

    #[test]
    fn where_the_scoreboard_tells_who_wins_a_power_predicts_it() {
        let rounds = rounds(500, Some(1));
        for power in ["pub-power", "ut2004"] {
            let found = predictions(power, &rounds).unwrap();
            assert_eq!((found.predicted.len(), found.known), (400, 400), "{power}");
            let scored = ModelScores::of(&found.predicted, None);
            let loss = scored.log_loss.unwrap();
            // A coin toss has a log loss of 0.693.
            assert!(loss < 0.6, "{power}: {loss}");
        }
        // Without kills, nobody has a kill ratio.
        assert_eq!(predictions("kdr-power", &rounds), None);
    }

    #[test]
    fn a_round_does_not_know_what_comes_after_it() {
        let rounds = rounds(300, Some(1));
        let all = predictions("pub-power", &rounds).unwrap();
        let some = predictions("pub-power", &rounds[..200]).unwrap();
        assert_eq!(all.predicted[..100], some.predicted);
    }

    #[test]
    fn without_stats_and_of_the_rating_there_is_nothing_to_predict_by() {
        assert_eq!(predictions("pub-power", &rounds(200, None)), None);
        assert_eq!(predictions("rating", &rounds(200, Some(1))), None);
    }

    #[test]
    fn where_the_powers_of_all_teams_are_even_no_slope_fits() {
        assert_eq!(predictions("pub-power", &rounds(200, Some(0))), None);
    }
}
