//! Player ranking of Natural Selection 2 (document of its makers, 2014): logistic regression over all rounds.
//!
//! P_A = σ(κ · (b + Σ s_i t_i x_i / Σ t_i + Σ s_i c_i y_i / Σ c_i))
//!
//! - x_i is a player's skill, and s_i is 1 on team a and -1 on team b.
//! - t_i is the weight of the player's time in the round; early time weighs more than late time. Σ t_i runs over both
//!   teams, so that the larger team has an advantage.
//! - y_i is the separate skill of a commander, and c_i the weight of the commander's time. Commanders do not count as
//!   players.
//! - b is the intercept, which is measured and not fitted: the log-odds of team a's share of wins on the map so far.
//!
//! The prior of each skill is a Gamma distribution.
//!
//! # Design
//! The makers' document passes over all rounds repeatedly, along the gradient of each skill. This module passes over
//! each round once. A round adds to each of its players the parabola that touches the round's log likelihood. The sum
//! of parabolas takes two numbers for a skill. Together with the prior, its maximum has a closed form. Each round thus
//! refits a player's skill to all rounds, at a cost that does not grow with their number.
//!
//! The price is that earlier rounds are not revisited once the other players are known better. Two measures make up for
//! it. κ = 1/√(1 + π v/8), with v the variance of the lead, accounts for uncertainty about the players (D. MacKay,
//! 1992). And the evidence of rounds fades. The common level of all skills, which decides the value of an extra player,
//! is a number of the pool that each round updates.
//!
//! On public data of two games, the log loss is as good as with refits over 20,000 rounds after every hundred rounds:
//! 0.598 and 0.613, instead of 0.595 and 0.618.
//!
//! If only one team has a commander, commanders count as players, because a lone commander has no opponent to compare
//! with. The document starts from the logarithm of a player's time in the game, which rounds do not report.

mod intercept;
mod pool;
mod skill;

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use super::Constant;
use super::pool::{Conditions, points, sum, sums};
use crate::domain::{Presence, Probability, Score, Side};
use crate::rating::probability::logistic;
use crate::rating::{Parameters, participation_weight};
use intercept::Intercept;
use skill::{Evidence, Prior, Skill};

pub(super) use pool::{Ns2Model, resume};

/// Mean and standard deviation of the prior of a skill, and the share of a skill's evidence that each round of the
/// player forgets. The prior was fitted to public data of two games. A skill is the log-odds of the player alone
/// against an empty team.
pub(super) const CONSTANTS: [Constant; 3] = [
    Constant::around("prior_mean", 10.0, 16.0),
    Constant::around("prior_deviation", 6.0, 16.0),
    Constant::around("forgetting", 0.01, 16.0),
];

/// Factor by which the prior of a commander's skill is narrower than a player's. One commander is half of all
/// commanders, but a player is one of many. With 5, the better commander wins two rounds of three in otherwise even
/// teams.
const COMMANDERS: f64 = 5.0;
/// Smoothing factor of the running mean of players in a round, 0 to 1. Only ratings use this mean.
const RATE: f64 = 0.02;
/// Number of players in a round that the model assumes before the first round.
const PLAYERS: f64 = 2.0;
/// Minimum curvature of a round's log likelihood: the variance of a result that is 99 % certain.
const MIN_BEND: f64 = 0.01 * 0.99;
/// Maximum difference, by rounding errors, between the shares (0 to 1) of a round's players on the two teams, for the
/// teams to count as equally large.
const EVEN: f64 = 1e-9;
/// Minimum skill that a rating from an admin can give, as a share of a new player's skill.
const MIN: f64 = 0.001;

#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    /// Priors of the skills of players and of commanders, indexed by [`Job`].
    priors: [Prior; 2],
    /// Initial variance of the correction that is added to the skills of all players, in squared log-odds.
    level: f64,
    /// Share of a skill's earlier evidence that remains after a round, 0 to 1.
    kept: f64,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Ns2 {
    intercept: Intercept,
    /// Running mean of the number of players in a round of the pool, both teams together; `None` before the pool's
    /// first round.
    players: Option<f64>,
    /// Correction in log-odds that is added to the skill of every player, learnt from rounds with uneven teams; `None`
    /// before the first such round.
    level: Option<Level>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Level {
    mean: f64,
    variance: f64,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Memory {
    /// Evidence about a player's skills as player and as commander, indexed by [`Job`].
    evidence: [Evidence; 2],
    /// Player's rating from an admin since the last round, in points above a new player's. The next round converts this
    /// rating into a skill.
    given: Option<f64>,
}

/// Job of a player in a round: to play or to command. Its number is the index of the skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    Play = 0,
    Command = 1,
}

/// Player of a round, with the state that the model stored for the player decoded.
#[derive(Clone, Copy, Debug)]
struct DecodedMember {
    side: Side,
    in_roster: bool,
    is_rated: bool,
    commands: bool,
    /// Weight of the player's time in the round, 0 to 1; early seconds weigh more.
    time: f64,
    player: Memory,
}

/// Skill and weight with which a player counts in a round, as a player or as a commander.
#[derive(Clone, Copy, Debug)]
struct Part {
    member: usize,
    job: Job,
    /// Share of the player in the time of all players on both teams in this job (play or command): s_i t_i / Σ t_i.
    /// Negative for team b.
    share: f64,
    skill: Skill,
}

impl Part {
    fn side(&self) -> Side {
        if self.share < 0.0 { Side::B } else { Side::A }
    }
}

#[derive(Clone, Copy, Debug)]
struct Forecast {
    /// Factor κ, 0 to 1, by which uncertainty about the players shrinks team a's lead.
    certainty: f64,
    for_a: Probability,
    /// Number of team a's players minus team b's, as a share of all players in the round.
    more: f64,
}

impl Config {
    /// Computes the configuration of the model `ns2` from the values of its constants, in the order of [`CONSTANTS`].
    pub(super) fn new([mean, deviation, forgetting]: [f64; 3]) -> Self {
        let command = Prior::new(mean / COMMANDERS, deviation / COMMANDERS);
        Self {
            priors: [Prior::new(mean, deviation), command],
            level: deviation * deviation,
            kept: 1.0 - forgetting.min(1.0),
        }
    }

    pub(super) fn usual() -> Self {
        Self::new(CONSTANTS.map(|constant| constant.value))
    }

    fn prior(&self, job: Job) -> &Prior {
        &self.priors[job as usize]
    }
}

/// Returns the weight of a player's time in a round, 0 to 1. If the pool sets no half-life, the length of the round is
/// the half-life. An unknown presence weighs as much as the whole round.
fn time(presence: Option<Presence>, half_life: u32) -> f64 {
    presence.map_or(1.0, |presence| {
        let half_life = match half_life {
            0 => presence.round_seconds,
            half_life => half_life,
        };
        participation_weight(presence, half_life)
    })
}

impl Ns2 {
    /// Returns the number of rating points in one unit of a player's skill: Θ, which is one unit of log-odds, divided
    /// by the typical number of players in a round.
    fn points(&self, parameters: &Parameters) -> f64 {
        parameters.theta / self.players.unwrap_or(PLAYERS)
    }

    /// Returns a player's state with a rating from an admin converted into evidence about the skill.
    fn known(&self, player: &Memory, config: &Config, parameters: &Parameters) -> Memory {
        let mut known = *player;
        if let Some(points) = known.given.take() {
            let (prior, evidence) = (config.prior(Job::Play), &mut known.evidence[0]);
            let skill = prior.mode() + points / self.points(parameters);
            *evidence = prior.evidence_for(skill.max(MIN * prior.mode()), evidence);
        }
        known
    }

    /// Returns a player's points above a new player's rating, and the standard deviation of these points.
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

    /// Returns the lead of team a by bots, in log-odds. Each bot counts as one new player among all players, plus the
    /// points of its rating above a new player's. The lead on a map is measured over rounds with and without bots.
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

    /// Predicts team a's win probability in a round from the players who were there at its start.
    fn expect(
        &self,
        lineup: &[DecodedMember],
        config: &Config,
        conditions: &Conditions<'_>,
    ) -> Probability {
        let roster = parts(
            lineup,
            config,
            |member| {
                if member.in_roster { 1.0 } else { 0.0 }
            },
        );
        self.forecast(&roster, config, conditions).for_a
    }

    /// Learns the result of a round from its rated players. `score` is team a's score. If a team has no rated player,
    /// no skill changes.
    fn learn(
        &mut self,
        lineup: &mut [DecodedMember],
        config: &Config,
        conditions: &Conditions<'_>,
        score: Score,
    ) {
        let played = parts(lineup, config, |member| {
            if member.is_rated { member.time } else { 0.0 }
        });
        let forecast = self.forecast(&played, config, conditions);
        let score = score.value();
        self.intercept.take(conditions.map, score);
        let heads = heads(lineup.iter().map(|member| member.in_roster));
        let mean = self.players.unwrap_or(heads);
        self.players = Some(mean + RATE * (heads - mean));
        let has = |side| played.iter().any(|part| lineup[part.member].side == side);
        if !(has(Side::A) && has(Side::B)) {
            return;
        }
        let Forecast {
            certainty,
            for_a,
            more,
        } = forecast;
        let residual = certainty * (score - for_a.get());
        // The parabola of a certain result would be nearly flat, with a maximum far away.
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
            let evidence = &mut lineup[part.member].player.evidence[part.job as usize];
            let parabola = (part.share * residual, part.share * part.share * information);
            evidence.learn(part.skill.value, parabola, config.kept);
        }
    }
}

fn heads(in_roster: impl Iterator<Item = bool>) -> f64 {
    in_roster.fold(0.0, |count, is| if is { count + 1.0 } else { count })
}

fn parts(
    lineup: &[DecodedMember],
    config: &Config,
    weight: impl Fn(&DecodedMember) -> f64,
) -> Vec<Part> {
    let present = || lineup.iter().filter(|member| weight(member) > 0.0);
    let has_commander = |side| present().any(|member| member.side == side && member.commands);
    let are_commanded = has_commander(Side::A) && has_commander(Side::B);
    let job = |member: &DecodedMember| {
        if are_commanded && member.commands {
            Job::Command
        } else {
            Job::Play
        }
    };
    let total = |wanted: Job| {
        let those = present().filter(|member| job(member) == wanted);
        sum(those.map(&weight))
    };
    let totals = [total(Job::Play), total(Job::Command)];
    let numbered = lineup.iter().enumerate();
    let present = numbered.filter(|(_, member)| weight(member) > 0.0);
    let parts = present.map(|(index, member)| {
        let job = job(member);
        let share = weight(member) / totals[job as usize];
        Part {
            member: index,
            job,
            share: match member.side {
                Side::A => share,
                Side::B => -share,
            },
            skill: config
                .prior(job)
                .with(&member.player.evidence[job as usize]),
        }
    });
    parts.collect()
}

#[cfg(test)]
mod tests;
