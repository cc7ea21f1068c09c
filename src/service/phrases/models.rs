//! Advice on which rating model to use, from a comparison of a pool's model with its challengers.

use super::plural;
use crate::api::ModelFiguresAnswer;
use crate::domain::{PoolName, Progress};
use crate::rating::ModelName;

/// Minimum number of rounds in a comparison of rating models for advice on a pool.
const MIN_ROUNDS: u64 = 500;
/// Minimum improvement in log loss to recommend another rating model, in standard errors. Two would suffice to compare
/// one model once; here several models are compared repeatedly.
const STANDARD_ERRORS: f64 = 3.0;

/// Returns advice on whether to switch a pool from its `own` rating model to one of its `challengers`. `compared` is
/// the number of rounds in the comparison `models`; `progress` is the challengers' progress in rounds.
pub(crate) fn advice(
    pool: &PoolName,
    own: ModelName,
    challengers: &[ModelName],
    progress: Progress,
    compared: u64,
    models: &[ModelFiguresAnswer],
) -> String {
    if challengers.is_empty() {
        return format!(
            "no challenger is set; to compare a model with {own}, set challengers = [\"{}\"] under [pools.{pool}]",
            alternative(own),
        );
    }
    if progress.done < progress.total {
        return format!(
            "too early to tell: the challengers have caught up to round {} of {}",
            progress.done, progress.total
        );
    }
    if compared < MIN_ROUNDS {
        let rounds = plural(compared, "round", "rounds");
        return format!("too early to tell: {rounds} compared, {MIN_ROUNDS} needed");
    }
    let better = models.iter().filter_map(|figures| {
        let (difference, error) = (figures.difference.all?, figures.standard_error.all?);
        (difference < 0.0).then_some(Better {
            model: &figures.model,
            gain: -difference,
            error,
        })
    });
    let is_certain = |better: &Better| better.gain >= STANDARD_ERRORS * better.error;
    let best = better.max_by(|one, other| {
        let gains = one.gain.total_cmp(&other.gain);
        is_certain(one).cmp(&is_certain(other)).then(gains)
    });
    let Some(best) = best else {
        return format!("no challenger predicts better than {own} over {compared} rounds");
    };
    let Better { model, gain, error } = best;
    let finding = format!(
        "{model} predicts better than {own} (log loss per round lower by {gain:.4} ± {error:.4} over {compared} rounds)"
    );
    if is_certain(&best) {
        format!("{finding}; switch with `rbs switch --pool {pool} --to {model}`")
    } else {
        format!("too early to tell: {finding}, which may be chance")
    }
}

struct Better<'figures> {
    model: &'figures str,
    gain: f64,
    error: f64,
}

fn alternative(own: ModelName) -> ModelName {
    match own {
        ModelName::Adaptive => ModelName::SynElo,
        _ => ModelName::Adaptive,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Figure;

    /// Returns the advice for a pool with the model SynElo. Each challenger has its reduction of the mean log loss in
    /// nats a round, and the standard error of the reduction. `compared` of `total` rounds have been compared.
    fn said(challengers: &[(ModelName, f64, f64)], compared: u64, total: u64) -> String {
        let pool = PoolName::default();
        let set: Vec<ModelName> = challengers.iter().map(|(model, ..)| *model).collect();
        let figure = |all| Figure { window: None, all };
        let of = |model: ModelName, difference, error| ModelFiguresAnswer {
            model: model.name().to_owned(),
            difference: figure(difference),
            standard_error: figure(error),
            ..ModelFiguresAnswer::default()
        };
        let mut models = vec![of(ModelName::SynElo, None, None)];
        models.extend(
            challengers
                .iter()
                .map(|(model, gain, error)| of(*model, Some(-gain), Some(*error))),
        );
        let progress = Progress {
            done: compared,
            total,
        };
        advice(&pool, ModelName::SynElo, &set, progress, compared, &models)
    }

    #[test]
    fn what_is_certain_is_advised_and_nothing_else() {
        let adaptive = |gain, error| (ModelName::Adaptive, gain, error);
        let elo = |gain| (ModelName::Elo, gain, 0.004);
        for (said, expected) in [
            (
                said(&[], 0, 600),
                "no challenger is set; to compare a model with synelo, set challengers = [\"adaptive\"] under \
                 [pools.default]",
            ),
            (
                said(&[adaptive(0.02, 0.001)], 600, 601),
                "too early to tell: the challengers have caught up to round 600 of 601",
            ),
            (
                said(&[adaptive(0.02, 0.001)], 499, 499),
                "too early to tell: 499 rounds compared, 500 needed",
            ),
            (
                said(&[elo(0.001), adaptive(0.02, 0.007)], 500, 500),
                "too early to tell: adaptive predicts better than synelo (log loss per round lower by 0.0200 ± 0.0070 \
                 over 500 rounds), which may be chance",
            ),
            (
                said(&[elo(0.001), adaptive(0.021, 0.006)], 3100, 3100),
                "adaptive predicts better than synelo (log loss per round lower by 0.0210 ± 0.0060 over 3100 rounds); \
                 switch with `rbs switch --pool default --to adaptive`",
            ),
            (
                said(&[elo(0.03), adaptive(0.04, 0.014)], 3100, 3100),
                "elo predicts better than synelo (log loss per round lower by 0.0300 ± 0.0040 over 3100 rounds); \
                 switch with `rbs switch --pool default --to elo`",
            ),
            (
                said(&[elo(-0.03), adaptive(-0.021, 0.007)], 3100, 3100),
                "no challenger predicts better than synelo over 3100 rounds",
            ),
        ] {
            assert_eq!(said, expected);
        }
    }
}
