use crate::domain::{Round, Side};
use crate::rating::{EngineError, InMemoryPool, ModelName, Parameters, log_loss_term};

/// Factors on `k_max` that [`best_remedy`] tries.
const K_FACTORS: [f64; 4] = [0.25, 0.5, 2.0, 4.0];
/// Minimum gain of log loss that is worth a change of `k_max` or of the model, in nats a round.
const WORTH_IT: f64 = 0.001;

/// Change of the settings that makes a pool's predictions better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Remedy {
    /// Value of Θ, in points.
    Theta(f64),
    /// Proposed value of the setting `k_max`, the largest change of a rating by one round, in points.
    KMax(f64),
    /// Rating model that takes the place of the present one.
    Model(ModelName),
}

/// Returns the change of the settings that lowers the log loss of a SynElo pool most, over the later half of `rounds`,
/// which must be ordered from the oldest. Tries `theta`, four values of `k_max`, and the model `adaptive`.
///
/// The rounds are rated anew for every change, and for the present `parameters`, each time from unknown players on.
/// Returns `None` if no change lowers the log loss.
///
/// # Errors
/// Returns an error if the ratings leave the range of numbers.
pub fn best_remedy(
    rounds: &[Round],
    parameters: &Parameters,
    theta: Option<f64>,
) -> Result<Option<Remedy>, EngineError> {
    let present = loss(rounds, ModelName::SynElo, parameters)?;
    let k_max = K_FACTORS
        .iter()
        .map(|factor| Remedy::KMax((parameters.k_max * factor).round().max(1.0)));
    let remedies = theta
        .map(Remedy::Theta)
        .into_iter()
        .chain(k_max)
        .chain([Remedy::Model(ModelName::Adaptive)]);
    let mut best = None;
    let mut best_gain = 0.0;
    for remedy in remedies {
        let mut changed = parameters.clone();
        let (model, least) = match remedy {
            Remedy::Theta(theta) => {
                changed.theta = theta;
                (ModelName::SynElo, 0.0)
            }
            Remedy::KMax(k_max) => {
                changed.k_max = k_max;
                (ModelName::SynElo, WORTH_IT)
            }
            Remedy::Model(model) => (model, WORTH_IT),
        };
        // A smaller `k_max` may lie below the pool's `k_min`.
        let Ok(changed) = changed.checked() else {
            continue;
        };
        let gain = present - loss(rounds, model, &changed)?;
        if gain > best_gain + least {
            (best, best_gain) = (Some(remedy), gain);
        }
    }
    Ok(best)
}

/// Returns the mean log loss over the later half of the rounds, in nats.
fn loss(rounds: &[Round], model: ModelName, parameters: &Parameters) -> Result<f64, EngineError> {
    let mut pool = InMemoryPool::new(model, parameters);
    let scored_from = rounds.len() / 2;
    let (mut sum, mut count) = (0.0, 0.0);
    for (index, round) in rounds.iter().enumerate() {
        let predicted = pool.rate(round)?;
        if index >= scored_from {
            sum += log_loss_term(predicted, round.parts().winner.score(Side::A));
            count += 1.0;
        }
    }
    Ok(sum / f64::max(count, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Winner;
    use crate::random::Dice;
    use crate::rating::samples::{parts, settled, team};

    /// Returns rounds of 3 v 3 by forty players, with the skills as the only cause of wins.
    fn rounds(spread: f64, theta: f64, seed: u64) -> Vec<Round> {
        let mut dice = Dice(seed);
        let skills: Vec<f64> = (0..40).map(|_| spread * dice.normal()).collect();
        let mut lobby: Vec<u64> = (0..40).collect();
        let play = |number: i64| {
            for place in 0..6 {
                let from = place + dice.below(u32::try_from(40 - place).unwrap()) as usize;
                lobby.swap(place, from);
            }
            let skill = |player: &u64| skills[usize::try_from(*player).unwrap()];
            let sum = |team: &[u64]| team.iter().map(skill).sum::<f64>();
            let lead = sum(&lobby[..3]) - sum(&lobby[3..6]);
            let a_wins = dice.roll() < 1.0 / (1.0 + libm::exp(-lead / theta));
            let winner = if a_wins { Winner::A } else { Winner::B };
            let at = 1_700_000_000 + 600 * number;
            settled(parts(at, winner, team(&lobby[..3]), team(&lobby[3..6])))
        };
        (0..2000).map(play).collect()
    }

    #[test]
    fn a_k_factor_that_is_too_large_is_told_from_a_theta_that_is_too_small() {
        let theta = 800.0;
        let rounds = rounds(100.0, theta, 5);
        let best = |k_max: f64, set: f64, fitted: f64| {
            let parameters = Parameters {
                k_max,
                theta: set,
                ..Parameters::default()
            };
            best_remedy(&rounds, &parameters, Some(fitted))
                .unwrap()
                .unwrap()
        };
        let of_noisy = best(300.0, theta, 2.0 * theta);
        assert!(!matches!(of_noisy, Remedy::Theta(_)), "{of_noisy:?}");
        let of_bold = best(30.0, theta / 4.0, theta);
        assert!(!matches!(of_bold, Remedy::KMax(_)), "{of_bold:?}");
    }
}
