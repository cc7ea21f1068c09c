//! Skill of a player in the model `ns2`, from a prior and the evidence of rounds.

use serde::{Deserialize, Serialize};

/// Gamma prior of a player's skill x, with a density proportional to x^(shape - 1) · e^(-rate · x).
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    shape: f64,
    rate: f64,
}

/// Evidence of rounds about a player's skill x. Their log likelihood is about `pull` · x - `information` · x² / 2. Each
/// round adds the parabola that touches its log likelihood at the skill before the round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Evidence {
    information: f64,
    pull: f64,
}

/// Most likely skill of a player, with the variance of the Gaussian that has this peak.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Skill {
    /// Most likely skill of the player, above 0, in log-odds of winning.
    pub(super) value: f64,
    pub(super) variance: f64,
}

impl Prior {
    /// Returns the prior of a skill with this mean and standard deviation. The deviation is limited, so that the mode
    /// of the distribution is above 0.
    pub(super) fn new(mean: f64, deviation: f64) -> Self {
        let ratio = mean / deviation;
        // With a shape of 1 or less, the most likely skill would be 0, and no evidence could raise the skill.
        let shape = (ratio * ratio).max(1.1);
        Self {
            shape,
            rate: shape / mean,
        }
    }

    /// Returns the most likely skill by the prior, without any evidence.
    pub(super) fn mode(&self) -> f64 {
        (self.shape - 1.0) / self.rate
    }

    /// Returns the player's most likely skill x by this Gamma prior (`shape`, `rate`) and the evidence of rounds
    /// (`pull`, `information`). The maximum of the posterior is the positive root of shape - 1 - (rate - pull) · x -
    /// information · x².
    pub(super) fn with(&self, evidence: &Evidence) -> Skill {
        let Evidence { information, pull } = *evidence;
        let (constant, linear) = (self.shape - 1.0, self.rate - pull);
        let root = (linear * linear + 4.0 * information * constant).sqrt();
        // This choice between two forms of the root avoids cancellation.
        let value = if linear > 0.0 {
            2.0 * constant / (linear + root)
        } else {
            (root - linear) / (2.0 * information)
        };
        Skill {
            value,
            variance: 1.0 / (information + constant / (value * value)),
        }
    }

    /// Returns `evidence`, a quadratic log likelihood of a player's skill, with a new linear term. The term makes
    /// `value` (above 0) the player's most likely skill.
    pub(super) fn evidence_for(&self, value: f64, evidence: &Evidence) -> Evidence {
        Evidence {
            pull: self.rate + evidence.information * value - (self.shape - 1.0) / value,
            ..*evidence
        }
    }
}

impl Evidence {
    /// Returns the evidence about a player's skill with its log likelihood multiplied by `kept`, 0 to 1.
    pub(super) fn faded(self, kept: f64) -> Self {
        Self {
            information: kept * self.information,
            pull: kept * self.pull,
        }
    }

    /// Adds a round to the evidence about a skill, with earlier evidence times `kept`. `slope` is the derivative of the
    /// round's log likelihood at the skill `value`, and `curvature` the negative of its second derivative.
    pub(super) fn learn(&mut self, value: f64, (slope, curvature): (f64, f64), kept: f64) {
        self.information = kept * self.information + curvature;
        self.pull = kept * self.pull + slope + curvature * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_skill_is_where_the_posterior_is_highest() {
        let prior = Prior::new(10.0, 5.0);
        let known = [
            (0.0, 0.0),
            (0.0, -3.0),
            (0.02, 0.3),
            (0.02, -0.3),
            (0.5, 4.0),
            (0.5, -4.0),
            (90.0, 2_000.0),
        ];
        for (information, pull) in known {
            let evidence = Evidence { information, pull };
            let Skill { value, variance } = prior.with(&evidence);
            // A Gamma distribution with mean 10 and deviation 5 has the shape 4 and the rate 0.4.
            let posterior = |x: f64| 3.0 * x.ln() - 0.4 * x + pull * x - information * x * x / 2.0;
            for away in [0.99, 1.01] {
                assert!(posterior(away * value) < posterior(value), "{evidence:?}");
            }
            let step = 1e-3 * value;
            let curvature = (posterior(value + step) - 2.0 * posterior(value)
                + posterior(value - step))
                / (step * step);
            assert!((curvature * variance + 1.0).abs() < 1e-4, "{evidence:?}");
        }
        assert_eq!(prior.with(&Evidence::default()).value, prior.mode());
    }

    #[test]
    fn evidence_for_a_skill_makes_it_the_likeliest() {
        let prior = Prior::new(10.0, 5.0);
        let mut evidence = Evidence::default();
        for wanted in [0.01, 7.5, 60.0] {
            evidence = prior.evidence_for(wanted, &evidence);
            let found = prior.with(&evidence).value;
            assert!((found / wanted - 1.0).abs() < 1e-9, "{wanted}: {found}");
            evidence.learn(found, (0.0, 0.05), 1.0);
        }
    }
}
