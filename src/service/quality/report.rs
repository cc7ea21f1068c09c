use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::f64::consts::LN_2;
use std::time::Duration;

use super::findings;
use super::verdict::{Judged, judgement, verdict};
use super::warnings::warnings;
use super::{departures, lead_totals, mean_rating, windowed_totals};
use crate::api::{
    BestConstantAnswer, CalibrationAnswer, CoinFlipAnswer, FavouritesAnswer, GroupAnswer,
    GroupFiguresAnswer, LearntAnswer, MapOnServerAnswer, PlayerCountsAnswer, QualityAnswer,
    SkillAnswer,
};
use crate::domain::{MapName, ServerName};
use crate::rating::{
    CALIBRATION_BINS, Calibration, CalibrationBin, FAVOURITE_THRESHOLD, Figure, GroupKind,
    GroupTotals, Parameters, PredictionTotals, Residual, WatchedRound, Windowed, distribution,
    fit_theta, histogram, skill, wilson,
};
use crate::service::players::names::Names;
use crate::service::{Pool, Service, ServiceError, phrases};
use crate::store::{PoolRecord, Store, StoreError};

/// Minimum database timeout for the queries of a quality report.
const FIGURES_TIMEOUT: Duration = Duration::from_secs(8);

const LISTED: u32 = 50;

impl Service {
    /// Returns the store with a longer timeout, for queries that scan much of the database.
    pub(in crate::service) fn store_for_figures(&self) -> Store {
        match self.store.timeout() {
            Some(timeout) => self.store.with_timeout(timeout.max(FIGURES_TIMEOUT)),
            None => self.store.clone(),
        }
    }

    /// Returns the report on the quality of the predictions of `pool`, and on its players.
    pub async fn quality_report(&self, pool: &Pool) -> Result<QualityAnswer, ServiceError> {
        let parameters = &pool.settings.parameters;
        let now = self.clock.now();
        let stale_before = now.days_earlier(parameters.stale_days);
        let (mut recent, mut tx, record) = self.recent_rounds(pool).await?;
        // The counts scan all players of the pool.
        let sums = windowed_totals(&mut tx, &record, parameters.window).await?;
        let players = tx
            .count_players(pool.id, parameters.shadow_rounds, stale_before)
            .await?;
        let ratings = tx.rating_counts(pool.id, parameters.shadow_rounds).await?;
        let leads = lead_totals(&mut tx, pool.id).await?;
        let scores = sums.map(|sums| sums.scores());
        let (brier, log_loss) = (scores.map(|of| of.brier), scores.map(|of| of.log_loss));
        let best_constant = best_constant(sums);
        let calibration = calibration(&record.sums.calibration);
        let judgement = judgement(record.model, parameters.theta, &leads, &recent);
        let remedy = recent
            .remedy(&mut tx, &record, parameters, &judgement)
            .await?;
        let verdict = verdict(&Judged {
            pool: &pool.name,
            parameters,
            rounds: sums.all.rounds,
            judgement,
            remedy,
            has_departures: !recent.departures.is_empty(),
        });
        let habits = recent.people.named();
        let players_with_habits = habits
            .iter()
            .flat_map(|habit| habit.players.clone())
            .collect();
        let names = Names::of(&mut tx, players_with_habits).await?;
        let mut answer = QualityAnswer {
            pool: pool.name.clone(),
            verdict,
            theta: parameters.theta,
            rounds: sums.all.rounds,
            window: parameters.window,
            brier,
            log_loss,
            accuracy: scores.map(|of| of.accuracy),
            draws: sums.all.draws,
            calibration,
            coin_flip: CoinFlipAnswer {
                brier: scores.map(|of| of.coin_flip_brier),
                log_loss: LN_2,
            },
            skill: SkillAnswer {
                brier: skills(brier, best_constant.brier),
                log_loss: skills(log_loss, best_constant.log_loss),
            },
            best_constant,
            favourites: favourites(sums),
            side_bias: side_bias(&record),
            theta_fitted: fit_theta(&leads),
            by_map: groups(tx.groups(pool.id, GroupKind::Map, LISTED).await?),
            by_server: groups(tx.groups(pool.id, GroupKind::Server, LISTED).await?),
            by_map_and_server: maps_on_servers(&recent.rounds),
            by_team_size: groups(tx.groups(pool.id, GroupKind::TeamSize, LISTED).await?),
            by_rounds_played: record.sums.experience.buckets().collect(),
            players: PlayerCountsAnswer {
                total: players.total,
                hidden: players.hidden,
                visible: players.total - players.hidden,
                stale: players.stale,
            },
            ratings: distribution(&ratings),
            histogram: histogram(&ratings),
            departures: departures::described(
                &recent.departures,
                &pool.name,
                record.model,
                parameters,
            ),
            one_sided: findings::one_sided(&recent),
            community: findings::community(&recent, parameters.window, now),
            copies: findings::copies(&recent, &pool.name),
            clocks: findings::clocks(&recent),
            habits: habits
                .iter()
                .map(|one| findings::habit(one, &names))
                .collect(),
            mean_rating: recent.mean.as_ref().map(mean_rating::described),
            warnings: Vec::new(),
            learnt: learnt(&record, parameters)?,
        };
        let theta_is_set = pool.settings.theta_is_set;
        answer.warnings = warnings(&answer, theta_is_set, parameters);
        Ok(answer)
    }
}

fn learnt(pool: &PoolRecord, parameters: &Parameters) -> Result<Option<LearntAnswer>, StoreError> {
    let model = pool.model.resume(&pool.model_state)?;
    let learnt = model.learnt(parameters);
    Ok(learnt.map(|figures| LearntAnswer {
        model: pool.model.to_string(),
        message: phrases::learnt::learnt(&figures),
        figures,
    }))
}

fn best_constant(sums: Windowed<PredictionTotals>) -> BestConstantAnswer {
    let constants = sums.map(|sums| sums.best_constant());
    BestConstantAnswer {
        probability: constants.map(|constant| Some(constant?.probability)),
        brier: constants.map(|constant| Some(constant?.brier)),
        log_loss: constants.map(|constant| Some(constant?.log_loss)),
    }
}

fn favourites(sums: Windowed<PredictionTotals>) -> FavouritesAnswer {
    let residual = sums.map(|sums| sums.favourites.residual());
    FavouritesAnswer {
        threshold: FAVOURITE_THRESHOLD,
        rounds: residual.map(|residual| residual.rounds),
        predicted: residual.map(|residual| residual.predicted),
        observed: residual.map(|residual| residual.observed),
        residual: residual.map(|residual| residual.bias),
        standard_error: residual.map(|residual| residual.standard_error),
    }
}

fn skills(scores: Figure, baselines: Figure) -> Figure {
    Windowed {
        window: skill(scores.window, baselines.window),
        all: skill(scores.all, baselines.all),
    }
}

fn side_bias(pool: &PoolRecord) -> Residual {
    let bins = pool.sums.calibration.bins().iter();
    let predicted = bins.map(CalibrationBin::predicted_sum).sum();
    let sums = &pool.sums.predictions;
    Residual::of(sums.rounds, predicted, sums.score_halves, sums.brier)
}

fn calibration(calibration: &Calibration) -> Vec<CalibrationAnswer> {
    #[expect(clippy::cast_precision_loss, reason = "there are ten bins")]
    let edge = |index: usize| index as f64 / CALIBRATION_BINS as f64;
    calibration
        .bins()
        .iter()
        .enumerate()
        .map(|(index, bin)| {
            let interval = wilson(bin.mean_observed(), bin.rounds);
            CalibrationAnswer {
                from: edge(index),
                to: edge(index + 1),
                rounds: bin.rounds,
                predicted: bin.mean_predicted(),
                observed: bin.mean_observed(),
                low: interval.map(|interval| interval.low),
                high: interval.map(|interval| interval.high),
            }
        })
        .collect()
}

fn groups(groups: Vec<(String, GroupTotals)>) -> Vec<GroupAnswer> {
    let answer = |(name, totals): (String, GroupTotals)| GroupAnswer {
        name,
        figures: figures(&totals),
    };
    groups.into_iter().map(answer).collect()
}

fn maps_on_servers(rounds: &[WatchedRound]) -> Vec<MapOnServerAnswer> {
    let mut sums: BTreeMap<(&MapName, &ServerName), GroupTotals> = BTreeMap::new();
    for round in rounds {
        if let Some(map) = &round.map {
            let totals = sums.entry((map, &round.server)).or_default();
            *totals = totals.plus(round.totals());
        }
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    // The stable sort keeps the order by name among equals.
    sums.sort_by_key(|(_, totals)| Reverse(totals.rounds));
    let listed = sums.into_iter().take(LISTED as usize);
    let answer =
        |((map, server), totals): ((&MapName, &ServerName), GroupTotals)| MapOnServerAnswer {
            map: map.clone(),
            server: server.clone(),
            figures: figures(&totals),
        };
    listed.map(answer).collect()
}

fn figures(totals: &GroupTotals) -> GroupFiguresAnswer {
    let (scores, residual) = (totals.scores(), totals.residual());
    GroupFiguresAnswer {
        rounds: totals.rounds,
        draws: totals.draws,
        brier: scores.brier,
        coin_flip_brier: scores.coin_flip_brier,
        log_loss: scores.log_loss,
        accuracy: scores.accuracy,
        bias: residual.bias,
        standard_error: residual.standard_error,
    }
}
