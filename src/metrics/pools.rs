//! Metrics of pools: sizes, seasons and quality of predictions.

use super::registry::labels;
use super::{Metrics, in_pool, set, show, unix_seconds};
use crate::domain::{PoolName, Timestamp};
use crate::rating::{Figure, VerdictWord};

/// Figures of a pool for the metrics: size, season, and quality of its predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PoolFigures {
    /// Number of rated rounds of the pool.
    pub rounds: u64,
    /// Number of the pool's players in their shadow period, whose ratings are hidden.
    pub hidden_players: u64,
    /// Number of the pool's players past their shadow period, whose ratings are shown.
    pub visible_players: u64,
    /// Number of the pool's players without a round for `stale_days` days, with hidden or shown ratings.
    pub stale_players: u64,
    /// Mean Brier score of the pool's predictions, from 0 to 1.
    pub brier: Figure,
    /// Mean log loss of the pool's predictions, in nats.
    pub log_loss: Figure,
    /// Number of the pool's rounds that its challengers (models for comparison) have not predicted yet; `None` without
    /// any.
    pub challengers_behind: Option<u64>,
    /// Current season of the pool; `None` before the first season.
    pub season: Option<SeasonFigures>,
}

/// Current season of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasonFigures {
    /// Time at which the season started.
    pub started_at: Timestamp,
    /// Number of the pool's rated rounds in the season; `None` if some of the rounds may have been pruned.
    pub rounds: Option<u64>,
}

impl Metrics {
    /// Creates the metric with the time of a pool's figures. Until figures arrive, the time is 1970, so that an alert
    /// can detect missing figures.
    pub fn expect_figures(&self, pool: &PoolName) {
        let read_at = &self.0.metrics.pool_figures_read_timestamp;
        // Existing series keep their values.
        let _series = read_at.get_or_create(&labels([in_pool(pool)]));
    }

    /// Sets the metrics of a pool to figures that were read from the database at time `at`.
    pub fn set_pool(&self, pool: &PoolName, figures: &PoolFigures, at: Timestamp) {
        let metrics = &self.0.metrics;
        let pool = in_pool(pool);
        let read_at = Some(unix_seconds(at));
        show(&metrics.pool_figures_read_timestamp, [pool], read_at);
        let started_at = figures.season.map(|season| unix_seconds(season.started_at));
        show(&metrics.pool_season_start_timestamp, [pool], started_at);
        let rounds = figures
            .season
            .and_then(|season| season.rounds)
            .map(|rounds| i64::try_from(rounds).unwrap_or(i64::MAX));
        show(&metrics.pool_season_rounds, [pool], rounds);
        set(&metrics.pool_rounds, [pool], figures.rounds);
        set(&metrics.pool_stale_players, [pool], figures.stale_players);
        for (state, count) in [
            ("hidden", figures.hidden_players),
            ("visible", figures.visible_players),
        ] {
            set(&metrics.pool_players, [pool, ("state", state)], count);
        }
        if let Some(rounds) = figures.challengers_behind {
            set(&metrics.pool_challenger_lag_rounds, [pool], rounds);
        }
        for (figure, family) in [
            (figures.brier, &metrics.pool_brier_score),
            (figures.log_loss, &metrics.pool_log_loss),
        ] {
            show(family, [pool, ("over", "window")], figure.window);
            show(family, [pool, ("over", "all")], figure.all);
        }
    }

    /// Sets the mean rating of a pool's active players in points, as a pair: before the latest rounds, and now. `None`
    /// if there are no rounds.
    pub fn set_mean_rating(&self, pool: &PoolName, moved: Option<(f64, f64)>) {
        let (metrics, pool) = (&self.0.metrics, [in_pool(pool)]);
        let (mean, change) = moved.map(|(from, to)| (to, to - from)).unzip();
        show(&metrics.pool_mean_rating, pool, mean);
        show(&metrics.pool_mean_rating_change, pool, change);
    }

    /// Sets the verdict on a pool's predictions: the metric is 1 for this verdict, 0 for the others.
    pub fn set_verdict(&self, pool: &PoolName, verdict: VerdictWord) {
        for word in VerdictWord::ALL {
            let labels = [in_pool(pool), ("word", word.as_str())];
            set(
                &self.0.metrics.pool_verdict,
                labels,
                u64::from(word == verdict),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Format;

    #[test]
    fn a_figure_that_is_gone_is_not_shown_any_more() {
        let metrics = Metrics::new("0", Timestamp::UNIX_EPOCH);
        let pool = PoolName::default();
        let mut figures = PoolFigures {
            brier: Figure {
                window: Some(0.25),
                all: Some(0.2),
            },
            ..PoolFigures::default()
        };
        let has_figure = |figures: &PoolFigures, figure: &str| {
            metrics.set_pool(&pool, figures, Timestamp::UNIX_EPOCH);
            metrics.text(Format::OpenMetrics).unwrap().contains(figure)
        };
        let window = "rbs_pool_brier_score{pool=\"default\",over=\"window\"} 0.25";
        assert!(has_figure(&figures, window));
        figures.brier = Figure::default();
        assert!(!has_figure(&figures, "rbs_pool_brier_score{"));
        figures.season = Some(SeasonFigures {
            started_at: Timestamp::UNIX_EPOCH,
            rounds: Some(7),
        });
        let season = [
            "rbs_pool_season_start_timestamp_seconds{",
            "rbs_pool_season_rounds{pool=\"default\"} 7",
        ];
        assert!(season.iter().all(|one| has_figure(&figures, one)));
        figures.season = None;
        assert!(!season.iter().any(|one| has_figure(&figures, one)));
    }
}
