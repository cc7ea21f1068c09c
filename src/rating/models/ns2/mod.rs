//! The player ranking of Natural Selection 2 (its makers' document of 2014): logistic regression over the history of
//! rounds, refitted now and then.
//!
//! P_A = σ(b + Σ s_i t_i x_i / Σ t_i): x_i is a player's skill, s_i is 1 on team a and -1 on team b, and t_i is the
//! time in the round, its beginning weighing more than its end. The sum of all time stands below, not that of a
//! team, so that a head more is worth what a head is worth. The intercept b is measured, not fitted: the log-odds of
//! how often team a has won on the map so far. A Gamma distribution is the prior of each skill.
//!
//! # Design
//! The document follows the gradient with steps of a size to be chosen; here each skill in turn takes a Newton step,
//! which has no size to choose and reaches the same maximum in a few sweeps, because the posterior is concave. It has a
//! second skill for whoever commands; a round does not say who did, so that it is left out. Nor does it say
//! how long anybody has played the game, by whose logarithm the document begins.

mod history;

use std::collections::HashMap;

use super::teams::{above_new, probability};
use super::{Constant, Model};
use crate::domain::{MapName, PlayerEntry, PlayerId, Probability, Rating, Round, Side, Winner};
use crate::rating::participation_weight;
use history::{History, Past, Prior, Skill, logistic};

/// The mean and the standard deviation of the prior of a skill, fitted to public data of two games; skills are in
/// log-odds of two teams of nobody but that player against nothing.
pub(super) const CONSTANTS: [Constant; 2] = [
    Constant::around("prior_mean", 10.0, 16.0),
    Constant::around("prior_deviation", 5.0, 16.0),
];

/// A refit comes after so many rounds, and after a hundredth of the history where that is more.
const REFIT_EVERY: usize = 100;
/// The log-odds of team a count as if so many rounds at the overall rate, and overall at even odds, had been played.
const PRIOR_ROUNDS: f64 = 50.0;
/// How fast the running mean of players a round follows, which only the ratings need.
const RATE: f64 = 0.02;

/// The model's state.
#[derive(Debug)]
pub(super) struct Ns2 {
    theta: f64,
    /// The pool's, where it has one: the seconds after which a second counts half.
    half_life: u32,
    prior: Prior,
    numbers: HashMap<PlayerId, usize>,
    skills: Vec<Skill>,
    history: History,
    since_refit: usize,
    side: Won,
    maps: HashMap<MapName, Won>,
    /// The running mean of the players of a round.
    players: Option<f64>,
}

/// How often team a has won.
#[derive(Clone, Copy, Debug, Default)]
struct Won {
    score: f64,
    rounds: f64,
}

impl Won {
    /// The share of its rounds, drawn towards `expected`.
    fn share(self, expected: f64) -> f64 {
        (self.score + PRIOR_ROUNDS * expected) / (self.rounds + PRIOR_ROUNDS)
    }

    fn take(&mut self, score: f64) {
        self.score += score;
        self.rounds += 1.0;
    }
}

impl Ns2 {
    pub(super) fn new(theta: f64, half_life: u32, [mean, deviation]: [f64; 2]) -> Self {
        Self {
            theta,
            half_life,
            prior: Prior::new(mean, deviation),
            numbers: HashMap::new(),
            skills: Vec::new(),
            history: History::default(),
            since_refit: 0,
            side: Won::default(),
            maps: HashMap::new(),
            players: None,
        }
    }

    /// The log-odds of team a but for who plays.
    fn intercept(&self, map: Option<&MapName>) -> f64 {
        let overall = self.side.share(0.5);
        let map = map.and_then(|map| self.maps.get(map));
        let share = map.map_or(overall, |map| map.share(overall));
        libm::log(share / (1.0 - share))
    }

    fn number(&mut self, player: PlayerId) -> usize {
        *self.numbers.entry(player).or_insert_with(|| {
            self.skills.push(Skill::new(&self.prior));
            self.skills.len() - 1
        })
    }

    /// What the entry's time in the round weighs, 0 to 1. Without a half-life of the pool, the length of the
    /// round is one.
    fn time(&self, entry: &PlayerEntry, round_seconds: Option<u32>) -> f64 {
        let presence = entry.presence(round_seconds);
        presence.map_or(1.0, |presence| {
            let half_life = match self.half_life {
                0 => presence.round_seconds(),
                half_life => half_life,
            };
            participation_weight(presence, half_life)
        })
    }

    /// The players of a round by number, each with s_i t_i / Σ t_i.
    fn parts(&mut self, weighed: &[(PlayerId, Side, f64)]) -> Vec<(usize, f64)> {
        let total = weighed.iter().fold(0.0, |sum, (_, _, time)| sum + time);
        if total <= 0.0 {
            return Vec::new();
        }
        let parts = weighed.iter().map(|(player, side, time)| {
            let signed = match side {
                Side::A => time / total,
                Side::B => -time / total,
            };
            (self.number(*player), signed)
        });
        parts.collect()
    }
}

impl Model for Ns2 {
    fn rate(&mut self, round: &Round) -> Probability {
        let parts = round.parts();
        let intercept = self.intercept(parts.map.as_ref());
        let roster: Vec<(PlayerId, Side, f64)> = round
            .entries()
            .filter(|(_, entry)| entry.at_start)
            .map(|(side, entry)| (entry.id, side, 1.0))
            .collect();
        let heads = roster.iter().fold(0.0, |count, _| count + 1.0);
        let mean = *self.players.get_or_insert(heads);
        self.players = Some(mean + RATE * (heads - mean));
        let expected = self.parts(&roster);
        let lead = expected.iter().fold(intercept, |sum, (player, part)| {
            sum + part * self.skills[*player].value
        });
        let predicted = logistic(lead);

        let score = match parts.winner {
            Winner::A => 1.0,
            Winner::B => 0.0,
            Winner::Draw => 0.5,
        };
        self.side.take(score);
        if let Some(map) = &parts.map {
            self.maps.entry(map.clone()).or_default().take(score);
        }
        let played: Vec<(PlayerId, Side, f64)> = round
            .participants()
            .map(|(side, entry)| (entry.id, side, self.time(entry, parts.round_seconds)))
            .collect();
        let past = Past {
            parts: self.parts(&played),
            intercept,
            score,
        };
        if !past.parts.is_empty() {
            past.learn(&mut self.skills, &self.prior);
            self.history.push(past);
            self.since_refit += 1;
        }
        if self.since_refit >= REFIT_EVERY.max(self.history.len() / 100) {
            self.since_refit = 0;
            self.history.refit(&mut self.skills, &self.prior);
        }
        probability(predicted)
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let known = self.numbers.get(&player);
        let skill = known.map_or(self.prior.mode(), |number| self.skills[*number].value);
        let players = self.players.unwrap_or(2.0);
        above_new(self.theta * (skill - self.prior.mode()) / players)
    }
}

#[cfg(test)]
mod tests;
