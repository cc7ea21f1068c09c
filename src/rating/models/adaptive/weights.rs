//! Weights that a pool learns besides its players' strengths. They are the share of each observer (filter of strengths)
//! in predictions, a factor on the estimated lead (temperature), and the values of a side, an extra player and
//! experience.
//!
//! The bank's observers share by Bayes' rule: each is judged by its own forecasts. The shares could not be learnt from
//! the errors of the combined forecast. If teams are even by that forecast, its error says nothing about the spread of
//! the strengths, whereas observers that believe in other spreads do not see even teams.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::observers::{BANK, FORM, OBSERVERS, trust};
use crate::domain::{Probability, Score};
use crate::rating::evaluation::scores::log_loss_term;
use crate::rating::probability::logistic;

/// Number of weights that are learnt from the errors of the combined forecast: the logit of the share of the observer of
/// form, the advantage of team a, an extra player, experience, and the logarithm of the temperature.
const WEIGHTS: usize = 5;
const FORM_LOGIT: usize = 0;
const SIDE: usize = 1;
const HEADS: usize = 2;
const EXPERIENCE: usize = 3;
const TEMPERATURE: usize = 4;

/// Share of the learnt weights that each round moves back towards the prior, because a pool may drift.
const FORGETTING: f64 = 1e-5;
/// Prior share of the observer of form.
const FORM_SHARE: f64 = 0.02;
/// Maximum absolute value of the logit of the share of the observer of form.
const MAX_LOGIT: f64 = 8.0;
/// Minimum logarithm of the weight of an observer of the bank, in nats below the best one. It limits how long a pool
/// that has changed goes on with the observers of its past.
const LEAST_TRUST: f64 = -16.0;

pub(super) type Vector = [f64; WEIGHTS];

fn prior(weight: usize) -> (f64, f64) {
    match weight {
        SIDE | TEMPERATURE => (0.0, 0.2),
        HEADS => (1.0, 0.7),
        EXPERIENCE => (0.0, 0.5),
        _ => (libm::log(FORM_SHARE / (1.0 - FORM_SHARE)), 8.0_f64.sqrt()),
    }
}

fn prior_covariance(row: usize, column: usize) -> f64 {
    let (_, deviation) = prior(row);
    if row == column {
        deviation * deviation
    } else {
        0.0
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Weights {
    mean: Vector,
    #[serde(serialize_with = "half", deserialize_with = "whole")]
    covariance: [Vector; WEIGHTS],
    /// Logarithm of the posterior weight of each observer of the bank, in nats below the best one.
    trust: [f64; BANK],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// Lead of team a in log-odds by the strengths that each observer (filter of players' strengths) estimates.
    pub(super) lead: [f64; OBSERVERS],
    /// Number of players that team a has more than team b, divided by the mean team size to the power of 0.4.
    pub(super) heads: f64,
    /// Experience that team a has more than team b: the sum of ln(1 + n/6) over players with n rounds, divided by the
    /// typical team size.
    pub(super) experience: f64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    /// Lead of team a in log-odds by map, side, team sizes and experience, without the players' strengths.
    pub(super) offset: f64,
    /// Whole lead of team a in log-odds, with the players' strengths.
    pub(super) lead: f64,
    /// Variance of team a's lead that is due to the uncertainty of the learnt weights, in squared log-odds.
    pub(super) variance: f64,
    /// Covariance of each learnt weight with team a's lead.
    gain: Vector,
}

impl Weights {
    pub(super) fn new() -> Self {
        let row = |row| std::array::from_fn(|column| prior_covariance(row, column));
        Self {
            mean: std::array::from_fn(|weight| prior(weight).0),
            covariance: std::array::from_fn(row),
            trust: std::array::from_fn(trust),
        }
    }

    /// Returns the share of each observer (filter of players' strengths) in predictions, 0 to 1. The shares of all
    /// observers sum to 1.
    pub(super) fn shares(&self) -> [f64; OBSERVERS] {
        let form = logistic(self.mean[FORM_LOGIT]).get();
        let odds = self.trust.map(libm::exp);
        let sum = odds.iter().fold(0.0, |sum, odds| sum + odds);
        std::array::from_fn(|observer| match odds.get(observer) {
            Some(odds) => (1.0 - form) * odds / sum,
            None => form,
        })
    }

    pub(super) fn temperature(&self) -> f64 {
        libm::exp(self.mean[TEMPERATURE])
    }

    /// Returns the learnt log-odds for one unit of experience. A player with n rounds has ln(1 + n/6) divided by the
    /// typical team size.
    pub(super) fn experience(&self) -> f64 {
        self.mean[EXPERIENCE]
    }

    /// Estimates team a's lead in a round on a map whose advantage for team a is `map`, in log-odds.
    pub(super) fn estimate(&self, evidence: &Evidence, map: f64) -> Estimate {
        let (shares, temperature) = (self.shares(), self.temperature());
        let pairs = shares.iter().zip(&evidence.lead);
        let mean = pairs.fold(0.0, |sum, (share, lead)| sum + share * lead);
        let offset = map
            + self.mean[SIDE]
            + self.mean[HEADS] * evidence.heads
            + self.mean[EXPERIENCE] * evidence.experience;
        let form = shares[FORM] * (evidence.lead[FORM] - mean);
        // Derivatives of the lead by the weights.
        let slope: Vector = std::array::from_fn(|weight| match weight {
            SIDE => 1.0,
            HEADS => evidence.heads,
            EXPERIENCE => evidence.experience,
            TEMPERATURE => temperature * mean,
            _ => temperature * form,
        });
        let dot = |row: &Vector| {
            let pairs = row.iter().zip(&slope);
            pairs.fold(0.0, |sum, (one, other)| sum + one * other)
        };
        let gain = self.covariance.each_ref().map(dot);
        Estimate {
            offset,
            lead: offset + temperature * mean,
            variance: dot(&gain),
            gain,
        }
    }

    /// Learns the result of a round by an extended Kalman filter, then moves the weights slightly towards the prior.
    /// `residual` is the first derivative of the round's log likelihood by the lead, and `information` is the negative
    /// of the second.
    ///
    /// With `experience_floor`, the weight of experience stays at 0 or above.
    pub(super) fn learn(
        &mut self,
        estimate: &Estimate,
        residual: f64,
        information: f64,
        experience_floor: bool,
    ) {
        let gain = &estimate.gain;
        for row in 0..WEIGHTS {
            self.mean[row] += gain[row] * residual;
            self.mean[row] += FORGETTING / 2.0 * (prior(row).0 - self.mean[row]);
            // The upper half of the matrix copies the lower half, so that both are equal to the last bit.
            for column in 0..=row {
                let learnt = self.covariance[row][column] - information * gain[row] * gain[column];
                let covariance =
                    (1.0 - FORGETTING) * learnt + FORGETTING * prior_covariance(row, column);
                self.covariance[row][column] = covariance;
                self.covariance[column][row] = covariance;
            }
        }
        self.mean[FORM_LOGIT] = self.mean[FORM_LOGIT].clamp(-MAX_LOGIT, MAX_LOGIT);
        if experience_floor {
            self.mean[EXPERIENCE] = self.mean[EXPERIENCE].max(0.0);
        }
    }

    /// Weighs the observers of the bank by Bayes' rule. `expected` has the win probability of team a in a round by each
    /// observer's own forecast.
    pub(super) fn judge(&mut self, expected: &[Probability; OBSERVERS], score: Score) {
        for (trust, expected) in self.trust.iter_mut().zip(expected) {
            *trust -= log_loss_term(*expected, score);
        }
        let best = self.trust.into_iter().fold(f64::NEG_INFINITY, f64::max);
        for trust in &mut self.trust {
            *trust = (*trust - best).max(LEAST_TRUST);
        }
    }

    /// Returns the learnt advantage of team a on all maps, in log-odds.
    pub(super) fn side(&self) -> f64 {
        self.mean[SIDE]
    }

    /// Returns the mean and the variance of four learnt weights: advantage of team a, extra player, experience, and
    /// logarithm of the temperature.
    pub(super) fn beliefs(&self) -> [(f64, f64); 4] {
        [SIDE, HEADS, EXPERIENCE, TEMPERATURE]
            .map(|weight| (self.mean[weight], self.covariance[weight][weight]))
    }

    /// Returns the value of an extra player in log-odds, before division by the team size to the power of 0.4.
    pub(super) fn head(&self) -> f64 {
        self.mean[HEADS]
    }

    /// Returns the means of the learnt weights: logit of the share of form, side, extra player, experience, and log
    /// temperature.
    #[cfg(test)]
    pub(super) fn means(&self) -> &Vector {
        &self.mean
    }
}

/// Serializes one half of a symmetric matrix by rows.
fn half<S: Serializer>(covariance: &[Vector; WEIGHTS], serializer: S) -> Result<S::Ok, S::Error> {
    let rows = covariance.iter().enumerate();
    let half = rows.flat_map(|(row, columns)| &columns[..=row]);
    half.collect::<Vec<&f64>>().serialize(serializer)
}

fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[Vector; WEIGHTS], D::Error> {
    let mut half = Vec::deserialize(deserializer)?.into_iter();
    let mut covariance = [[0.0; WEIGHTS]; WEIGHTS];
    let places = (0..WEIGHTS).flat_map(|row| (0..=row).map(move |column| (row, column)));
    for (row, column) in places {
        let missing = || D::Error::custom("half of a covariance is too short");
        let one = half.next().ok_or_else(missing)?;
        covariance[row][column] = one;
        covariance[column][row] = one;
    }
    Ok(covariance)
}
