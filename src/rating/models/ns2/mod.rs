//! The player ranking of Natural Selection 2 (its makers' document of 2014): logistic regression over the rounds that
//! were played.
//!
//! P_A = σ(κ · (b + Σ s_i t_i x_i / Σ t_i + Σ s_i c_i y_i / Σ c_i)): x_i is a player's skill, s_i is 1 on team a and -1
//! on team b, and t_i is the time in the round, its beginning weighing more than its end. The sum of all time stands
//! below, not that of a team, so that a head more is worth what a head is worth. Commanders have another skill, y_i
//! for the time c_i, and are not among the players. The intercept b is measured, not fitted: the log-odds of
//! how often team a has won on the map so far. A Gamma distribution is the prior of each skill.
//!
//! # Design
//! The document goes over all rounds again and again, and follows the gradient of each skill. Here each round is gone
//! over once: it leaves each of its players the parabola that touches its likelihood, of which the sum is kept, two numbers
//! for a skill, and with the prior that has its maximum in closed form. So a player's skill is fitted anew to all of the
//! rounds after each one, at a cost that does not grow with them; what is given up is that earlier rounds are not looked
//! at again once the others in them are known better. Two things make up for it: κ = 1/√(1 + π v/8), where v is the
//! variance of the lead, takes into account how little is known of the players (D. MacKay, 1992), and what rounds
//! have shown fades. What refits would find of all skills together, the level that says what a head more is worth, is a
//! number of the pool, which each round moves. On public data of two games the log loss is as good as by refits over
//! 20,000 rounds after every hundred: 0.598 and 0.613, in place of 0.595 and 0.618.
//!
//! A team without a commander says nothing of the other's, so that where not both teams have one, commanders count among
//! the players. How long anybody has played the game, by whose logarithm the document begins, a round does not say.

mod intercept;
mod pool;
mod skill;

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::Constant;
use super::pool::{Conditions, points};
use crate::domain::{Presence, Probability, Score, Side};
use crate::rating::models::teams::{sum, sums};
use crate::rating::probability::logistic;
use crate::rating::{Parameters, participation_weight};
use intercept::Intercept;
use skill::{Evidence, Prior, Skill};

pub(super) use pool::{Ns2Model, resume};

/// The mean and the standard deviation of the prior of a skill, fitted to public data of two games, in
/// log-odds of two teams of nobody but that player against nothing; and the share of what rounds have shown that is
/// forgotten with each round that a player plays.
pub(super) const CONSTANTS: [Constant; 3] = [
    Constant::around("prior_mean", 10.0, 16.0),
    Constant::around("prior_deviation", 6.0, 16.0),
    Constant::around("forgetting", 0.01, 16.0),
];

/// The prior of a commander's skill is so many times narrower than a player's. One commander is half of all of them, where
/// a player is one of many: by a fifth, the better commander wins two rounds of three in otherwise even teams.
const COMMANDERS: f64 = 5.0;
/// How fast the running mean of players a round follows, which only the ratings need.
const RATE: f64 = 0.02;
/// The players of a round before the first one.
const PLAYERS: f64 = 2.0;
/// No round carries less information than one of which the result was sure to a hundredth.
const MIN_BEND: f64 = 0.01 * 0.99;
/// Shares of teams that differ by less are the same but for rounding.
const EVEN: f64 = 1e-9;
/// No rating that is given makes a skill less than this share of a new player's.
const MIN: f64 = 0.001;

/// What the constants make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    /// Of players and of commanders.
    priors: [Prior; 2],
    /// The variance of the level of all players before the first round.
    level: f64,
    /// What a round leaves of what those before have shown, 0 to 1.
    kept: f64,
}

/// What is learnt of a pool besides its players.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Ns2 {
    intercept: Intercept,
    /// The running mean of the players of a round; `None` before the first.
    players: Option<f64>,
    /// What is to be added to the skill of every player; `None` before the first round with uneven teams.
    level: Option<Level>,
}

/// A Gaussian.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Level {
    mean: f64,
    variance: f64,
}

/// What is remembered of a player between rounds.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Memory {
    /// Of the skill as a player, and of that as a commander.
    evidence: [Evidence; 2],
    /// A rating that was given since the last round, in points above a new player's. Rounds to come say what skill
    /// that is.
    given: Option<f64>,
}

/// What a player does in a round, and the place of that skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    Play = 0,
    Command = 1,
}

/// A player's place in a round.
#[derive(Clone, Copy, Debug)]
struct Participant {
    side: Side,
    in_roster: bool,
    is_rated: bool,
    commands: bool,
    /// What the player's time in the round weighs, 0 to 1.
    time: f64,
    player: Memory,
}

/// A part that somebody has in a round.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The index of the participant.
    participant: usize,
    job: Job,
    /// s_i t_i / Σ t_i.
    share: f64,
    skill: Skill,
}

impl Part {
    fn side(&self) -> Side {
        if self.share < 0.0 { Side::B } else { Side::A }
    }
}

/// What is expected of a round.
#[derive(Clone, Copy, Debug)]
struct Forecast {
    /// κ, 0 to 1.
    certainty: f64,
    /// The probability that team a wins.
    for_a: Probability,
    /// By which share of all players team a has more.
    more: f64,
}

impl Config {
    /// That of the constants, in their order.
    pub(super) fn new([mean, deviation, forgetting]: [f64; 3]) -> Self {
        let command = Prior::new(mean / COMMANDERS, deviation / COMMANDERS);
        Self {
            priors: [Prior::new(mean, deviation), command],
            level: deviation * deviation,
            kept: 1.0 - forgetting.min(1.0),
        }
    }

    /// That of the usual constants.
    pub(super) fn usual() -> Self {
        Self::new(CONSTANTS.map(|constant| constant.value))
    }

    fn prior(&self, job: Job) -> &Prior {
        &self.priors[job as usize]
    }
}

/// What a time in the round weighs. Without a half-life of the pool, the length of the round is one; where the time
/// is not known, it is all of the round.
fn time(presence: Option<Presence>, half_life: u32) -> f64 {
    presence.map_or(1.0, |presence| {
        let half_life = match half_life {
            0 => presence.round_seconds(),
            half_life => half_life,
        };
        participation_weight(presence, half_life)
    })
}

impl Ns2 {
    /// Takes the players that the first round begins with as usual.
    fn see(&mut self, heads: f64) {
        self.players.get_or_insert(heads);
    }

    /// The points of a rating that one of skill is worth: Θ points are one of log-odds, and a player is one of
    /// all players.
    fn points(&self, parameters: &Parameters) -> f64 {
        parameters.theta / self.players.unwrap_or(PLAYERS)
    }

    /// What is known of a player, with a rating that was given as the skill that it comes to.
    fn known(&self, player: &Memory, config: &Config, parameters: &Parameters) -> Memory {
        let mut known = *player;
        if let Some(points) = known.given.take() {
            let (prior, evidence) = (config.prior(Job::Play), &mut known.evidence[0]);
            let skill = prior.mode() + points / self.points(parameters);
            *evidence = prior.evidence_for(skill.max(MIN * prior.mode()), evidence);
        }
        known
    }

    /// By how many points a player is above a new one, and the standard deviation of that.
    fn strength(&self, player: &Memory, config: &Config, parameters: &Parameters) -> (f64, f64) {
        let prior = config.prior(Job::Play);
        let known = self.known(player, config, parameters);
        let Skill { value, variance } = prior.with(&known.evidence[0]);
        let points = self.points(parameters);
        let above = points * (value - prior.mode());
        (player.given.unwrap_or(above), points * variance.sqrt())
    }

    fn level(&self, config: &Config) -> Level {
        self.level.unwrap_or(Level {
            mean: 0.0,
            variance: config.level,
        })
    }

    /// What team a is ahead by for its bots, in log-odds: each counts as one new player of all who play, and what its
    /// rating is above a new player's. No bot is anything of what a map is worth, which is measured with them.
    fn bots_ahead(&self, parts: &[Part], config: &Config, conditions: &Conditions<'_>) -> f64 {
        let (bots, parameters) = (conditions.bots, conditions.parameters);
        if bots.is_empty() {
            return 0.0;
        }
        let [a, b] = bots.counts().map(f64::from);
        let new = config.prior(Job::Play).mode() + self.level(config).mean;
        let players = heads(parts.iter().map(|part| part.job == Job::Play)) + a + b;
        let initial = f64::from(parameters.initial_rating.points());
        let above_new = points(parameters.bots_ahead(bots)) - initial * (a - b);
        above_new / parameters.theta + new * (a - b) / players
    }

    fn forecast(&self, parts: &[Part], config: &Config, conditions: &Conditions<'_>) -> Forecast {
        let summed =
            |number: fn(&Part) -> f64| sums(parts.iter().map(|part| (part.side(), number(part))));
        let [heads_a, heads_b] = summed(|part| match part.job {
            Job::Play => part.share.abs(),
            Job::Command => 0.0,
        });
        let more = heads_a - heads_b;
        let level = self.level(config);
        let [skills_a, skills_b] = summed(|part| part.share.abs() * part.skill.value);
        let lead = self.intercept.on(conditions.map)
            + more * level.mean
            + self.bots_ahead(parts, config, conditions)
            + (skills_a - skills_b);
        let [variance_a, variance_b] = summed(|part| part.share * part.share * part.skill.variance);
        let variance = more * more * level.variance + (variance_a + variance_b);
        let certainty = 1.0 / (1.0 + PI / 8.0 * variance).sqrt();
        Forecast {
            certainty,
            for_a: logistic(certainty * lead),
            more,
        }
    }

    /// What is expected of a round by those who stand there at its start.
    fn expect(
        &self,
        participants: &[Participant],
        config: &Config,
        conditions: &Conditions<'_>,
    ) -> Probability {
        let roster = parts(participants, config, |participant| {
            if participant.in_roster { 1.0 } else { 0.0 }
        });
        self.forecast(&roster, config, conditions).for_a
    }

    /// Learns how a round ended that team a has the `score` of, from those who are rated by it. Where nobody of a
    /// team is, there is nobody to compare the other with.
    fn learn(
        &mut self,
        participants: &mut [Participant],
        config: &Config,
        conditions: &Conditions<'_>,
        score: Score,
    ) {
        let played = parts(participants, config, |participant| {
            if participant.is_rated {
                participant.time
            } else {
                0.0
            }
        });
        let forecast = self.forecast(&played, config, conditions);
        let score = score.value();
        self.intercept.take(conditions.map, score);
        let heads = heads(participants.iter().map(|participant| participant.in_roster));
        let mean = self.players.unwrap_or(heads);
        self.players = Some(mean + RATE * (heads - mean));
        let has = |side| {
            played
                .iter()
                .any(|part| participants[part.participant].side == side)
        };
        if !(has(Side::A) && has(Side::B)) {
            return;
        }
        let Forecast {
            certainty,
            for_a,
            more,
        } = forecast;
        let residual = certainty * (score - for_a.get());
        // The parabola that touches the likelihood of a sure result hardly bends, and has its top far away.
        let bend = (for_a.get() * for_a.complement().get()).max(MIN_BEND);
        let information = certainty * certainty * bend;
        if more.abs() > EVEN {
            let mut level = self.level(config);
            let gain = level.variance * more;
            level.mean += gain * residual;
            level.variance -= gain * gain * information;
            self.level = Some(level);
        }
        for part in &played {
            let evidence = &mut participants[part.participant].player.evidence[part.job as usize];
            let parabola = (part.share * residual, part.share * part.share * information);
            evidence.learn(part.skill.value, parabola, config.kept);
        }
    }
}

/// How many of those stand there at the start.
fn heads(in_roster: impl Iterator<Item = bool>) -> f64 {
    in_roster.fold(0.0, |count, is| if is { count + 1.0 } else { count })
}

/// The parts of those who weigh anything in a round.
fn parts(
    participants: &[Participant],
    config: &Config,
    weight: impl Fn(&Participant) -> f64,
) -> Vec<Part> {
    let present = || {
        participants
            .iter()
            .filter(|participant| weight(participant) > 0.0)
    };
    let has_commander =
        |side| present().any(|participant| participant.side == side && participant.commands);
    let are_commanded = has_commander(Side::A) && has_commander(Side::B);
    let job = |participant: &Participant| {
        if are_commanded && participant.commands {
            Job::Command
        } else {
            Job::Play
        }
    };
    let total = |wanted: Job| {
        let those = present().filter(|participant| job(participant) == wanted);
        sum(those.map(&weight))
    };
    let totals = [total(Job::Play), total(Job::Command)];
    let numbered = participants.iter().enumerate();
    let present = numbered.filter(|(_, participant)| weight(participant) > 0.0);
    let parts = present.map(|(index, participant)| {
        let job = job(participant);
        let share = weight(participant) / totals[job as usize];
        Part {
            participant: index,
            job,
            share: match participant.side {
                Side::A => share,
                Side::B => -share,
            },
            skill: config
                .prior(job)
                .with(&participant.player.evidence[job as usize]),
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests;
