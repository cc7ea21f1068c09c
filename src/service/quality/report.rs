use std::time::Duration;

use super::warnings::warnings;
use crate::rating::{
    Baseline, CALIBRATION_BINS, Calibration, Distribution, ExperienceBucket, GroupTotals,
    HistogramBin, Interval, PredictionTotals, Residual, ThetaFit, fit_theta, skill, wilson,
};
use crate::rating::{distribution, histogram};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{GroupKind, PlayerCounts, PoolRecord, StoreError, Tx};

/// How long the database may take over the figures once it has answered.
const FIGURES_TIMEOUT: Duration = Duration::from_secs(8);

/// How many maps, servers and sizes of teams are told of.
const LISTED: u32 = 50;

/// Whether a pool's predictions are honest, and who is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Rated rounds.
    pub rounds: u64,
    /// Of them drawn.
    pub draws: u64,
    /// F6: the mean Brier score, 0 to 1.
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
    /// The share of decided rounds that the favourite won, 0 to 1.
    pub accuracy: Figure,
    /// What a coin's Brier score would have been.
    pub coin_flip_brier: Figure,
    /// The best that one probability, said each time, could have scored.
    pub best_constant: Windowed<Option<Baseline>>,
    /// How much better than that the Brier score is: 1 is perfect, 0 as good.
    pub brier_skill: Figure,
    /// The same of the log loss.
    pub log_loss_skill: Figure,
    /// What became of favourites against what was predicted.
    pub favourites: Windowed<Residual>,
    /// What became of team a against what was predicted, over all rounds.
    pub side_bias: Residual,
    /// Θ as the rounds would have it, where they tell.
    pub theta_fitted: Option<ThetaFit>,
    /// Predictions against results, over all rounds; the bins ascend.
    pub calibration: Vec<CalibrationFigure>,
    /// The sums by map, most rounds first.
    pub by_map: Vec<(String, GroupTotals)>,
    /// The sums by server, most rounds first.
    pub by_server: Vec<(String, GroupTotals)>,
    /// The sums by the sizes of the teams, most rounds first.
    pub by_team_size: Vec<(String, GroupTotals)>,
    /// What players were rated by, by how many rounds they had played.
    pub by_rounds_played: Vec<ExperienceBucket>,
    /// How many players.
    pub players: PlayerCounts,
    /// How their ratings are spread; `None` without players.
    pub ratings: Option<Distribution>,
    /// The players by rating.
    pub histogram: Vec<HistogramBin>,
    /// What an operator should look at, in sentences.
    pub warnings: Vec<String>,
}

/// Something over the last W rounds, and over all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Windowed<T> {
    /// Over the last W rounds.
    pub window: T,
    /// Over all rounds.
    pub all: T,
}

/// A figure, where there are rounds to take it from.
pub type Figure = Windowed<Option<f64>>;

impl<T> Windowed<T> {
    /// The same of both.
    #[must_use]
    pub fn map<U>(self, of: impl Fn(T) -> U) -> Windowed<U> {
        Windowed {
            window: of(self.window),
            all: of(self.all),
        }
    }

    /// The two of both, together.
    fn zip<U>(self, other: Windowed<U>) -> Windowed<(T, U)> {
        Windowed {
            window: (self.window, other.window),
            all: (self.all, other.all),
        }
    }
}

/// The predictions for team a that fell into one bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationFigure {
    /// The lowest prediction in it.
    pub from: f64,
    /// The next bin's lowest.
    pub to: f64,
    /// Rounds.
    pub rounds: u64,
    /// The mean prediction.
    pub predicted: Option<f64>,
    /// The mean result.
    pub observed: Option<f64>,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
}

impl Service {
    /// Judges the predictions of `pool`.
    pub async fn quality_report(&self, pool: &Pool) -> Result<Quality, ServiceError> {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        // These figures look at every player, however many there are.
        let longer = self
            .store
            .timeout()
            .map(|timeout| timeout.max(FIGURES_TIMEOUT));
        let store = longer.map(|timeout| self.store.with_timeout(timeout));
        let mut tx = store.as_ref().unwrap_or(&self.store).begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let sums = window_and_all(&mut tx, &record, parameters.window).await?;
        let players = tx
            .count_players(pool.id, parameters.shadow_rounds, stale_before)
            .await?;
        let ratings = tx.rating_counts(pool.id, parameters.shadow_rounds).await?;
        let leads = tx.groups(pool.id, GroupKind::Lead, u32::MAX).await?;
        let leads: Vec<GroupTotals> = leads.into_iter().map(|(_, totals)| totals).collect();
        let best_constant = sums.map(|sums| sums.best_constant());
        let brier = sums.map(|sums| sums.brier_score());
        let log_loss = sums.map(|sums| sums.mean_log_loss());
        let mut quality = Quality {
            rounds: sums.all.rounds,
            draws: sums.all.draws,
            brier,
            log_loss,
            accuracy: sums.map(|sums| sums.accuracy()),
            coin_flip_brier: sums.map(|sums| sums.coin_flip_brier()),
            best_constant,
            brier_skill: brier
                .zip(best_constant)
                .map(|(score, constant)| skill(score, constant.map(|constant| constant.brier))),
            log_loss_skill: log_loss
                .zip(best_constant)
                .map(|(score, constant)| skill(score, constant.map(|constant| constant.log_loss))),
            favourites: sums.map(|PredictionTotals { favourites, .. }| {
                Residual::of(
                    favourites.rounds,
                    favourites.predicted,
                    favourites.score_halves,
                    favourites.brier,
                )
            }),
            side_bias: side_bias(&record),
            theta_fitted: fit_theta(&leads),
            calibration: calibration_figures(&record.calibration),
            by_map: tx.groups(pool.id, GroupKind::Map, LISTED).await?,
            by_server: tx.groups(pool.id, GroupKind::Server, LISTED).await?,
            by_team_size: tx.groups(pool.id, GroupKind::TeamSize, LISTED).await?,
            by_rounds_played: record.experience.buckets().collect(),
            players,
            ratings: distribution(&ratings),
            histogram: histogram(&ratings),
            warnings: Vec::new(),
        };
        quality.warnings = warnings(&pool.name, parameters, &quality);
        Ok(quality)
    }
}

/// The pool's sums over its last `window` rounds, and over all.
async fn window_and_all(
    tx: &mut Tx,
    pool: &PoolRecord,
    window: u32,
) -> Result<Windowed<PredictionTotals>, StoreError> {
    let all = pool.predictions;
    let before_window = all.rounds.saturating_sub(u64::from(window));
    let earlier = tx.predictions_at(pool.id, before_window).await?;
    Ok(Windowed {
        // Number 0, before the first round, has no row and no sums.
        window: all.since(earlier.unwrap_or_default()),
        all,
    })
}

fn side_bias(pool: &PoolRecord) -> Residual {
    let bins = pool.calibration.bins().iter();
    let predicted = bins.map(|bin| bin.predicted).sum();
    let sums = &pool.predictions;
    Residual::of(sums.rounds, predicted, sums.score_halves, sums.brier)
}

fn calibration_figures(calibration: &Calibration) -> Vec<CalibrationFigure> {
    #[expect(clippy::cast_precision_loss, reason = "there are ten bins")]
    let edge = |index: usize| index as f64 / CALIBRATION_BINS as f64;
    let bins = calibration.bins().iter().enumerate();
    bins.map(|(index, bin)| CalibrationFigure {
        from: edge(index),
        to: edge(index + 1),
        rounds: bin.rounds,
        predicted: bin.mean_predicted(),
        observed: bin.mean_observed(),
        interval: wilson(bin.mean_observed(), bin.rounds),
    })
    .collect()
}
