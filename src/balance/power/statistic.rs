/// Statistic that reduces a player's scoreboard figures (such as kills) from several games to one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Statistic {
    /// Mean of a player's scoreboard figures (such as kills) in several games; later games may have more weight.
    Mean {
        /// Number of later games of the player after which a game has half the weight; `None` for equal weights.
        half_life: Option<f64>,
    },
    /// Median of a player's scoreboard figures (such as kills) in several games, or the mean of two middle figures.
    Median,
    /// Mean or median, whichever is lower, of a player's scoreboard figures (such as kills) in several games.
    LowerOfMeanAndMedian,
    /// Sum of a player's figures (such as kills) in several games, divided by the minutes that the player took part.
    PerMinute,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) figure: f64,
    /// Time that the player took part in the game, in seconds; `None` if unknown.
    pub(super) seconds: Option<u32>,
}

impl Statistic {
    pub(super) fn counts(self, sample: Sample) -> bool {
        match self {
            Self::PerMinute => sample.seconds.is_some_and(|seconds| seconds > 0),
            Self::Mean { .. } | Self::Median | Self::LowerOfMeanAndMedian => true,
        }
    }

    /// Reduces a player's figures from several games, the latest first, to one number; `None` without games.
    pub(super) fn of(self, samples: &[Sample]) -> Option<f64> {
        if samples.is_empty() {
            return None;
        }
        let figures = || samples.iter().map(|sample| sample.figure);
        Some(match self {
            Self::Mean { half_life: None } => mean(samples),
            Self::Mean {
                half_life: Some(half_life),
            } => {
                let weight = |age: u32| libm::pow(0.5, f64::from(age) / half_life);
                let weights: f64 = (0_u32..).zip(samples).map(|(age, _)| weight(age)).sum();
                let weighed = (0_u32..).zip(figures());
                let sum: f64 = weighed.map(|(age, figure)| weight(age) * figure).sum();
                sum / weights
            }
            Self::Median => median(figures().collect()),
            Self::LowerOfMeanAndMedian => mean(samples).min(median(figures().collect())),
            Self::PerMinute => {
                let seconds = samples.iter().filter_map(|sample| sample.seconds);
                let minutes = seconds.map(f64::from).sum::<f64>() / 60.0;
                figures().sum::<f64>() / minutes
            }
        })
    }
}

fn mean(samples: &[Sample]) -> f64 {
    let sum: f64 = samples.iter().map(|sample| sample.figure).sum();
    sum / samples.iter().map(|_| 1.0).sum::<f64>()
}

/// Computes the median of at least one number.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let upper = numbers.len() / 2;
    let lower = (numbers.len() - 1) / 2;
    f64::midpoint(numbers[lower], numbers[upper])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(statistic: Statistic, figures: &[f64]) -> Option<f64> {
        let samples = figures.iter().map(|figure| Sample {
            figure: *figure,
            seconds: Some(120),
        });
        statistic.of(&samples.collect::<Vec<_>>())
    }

    const RECENT: Statistic = Statistic::Mean {
        half_life: Some(1.0),
    };
    const MEAN: Statistic = Statistic::Mean { half_life: None };

    #[test]
    fn each_statistic_is_what_it_is_called() {
        let figures = [8.0, 2.0, 2.0, 4.0];
        assert_eq!(of(MEAN, &figures), Some(4.0));
        assert_eq!(of(Statistic::Median, &figures), Some(3.0));
        assert_eq!(of(Statistic::LowerOfMeanAndMedian, &figures), Some(3.0));
        // Sixteen in eight minutes.
        assert_eq!(of(Statistic::PerMinute, &figures), Some(2.0));
        // (8 + 1 + 0.5 + 0.5) / (1 + 0.5 + 0.25 + 0.125)
        assert_eq!(of(RECENT, &figures), Some(10.0 / 1.875));
        assert_eq!(of(MEAN, &[]), None);
    }

    #[test]
    fn a_game_of_which_no_time_is_known_has_no_figure_per_minute() {
        for (seconds, counts) in [(None, false), (Some(0), false), (Some(1), true)] {
            let sample = Sample {
                figure: 5.0,
                seconds,
            };
            assert_eq!(Statistic::PerMinute.counts(sample), counts, "{seconds:?}");
            assert!(Statistic::Median.counts(sample));
        }
    }

    proptest! {
        #[test]
        fn no_mean_or_median_leaves_the_range_of_the_figures(
            figures in prop::collection::vec(-100.0..100.0_f64, 1..60),
        ) {
            let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
            let most = figures.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for statistic in [MEAN, RECENT, Statistic::Median, Statistic::LowerOfMeanAndMedian] {
                let value = of(statistic, &figures).unwrap();
                prop_assert!(value >= least - 1e-9 && value <= most + 1e-9, "{statistic:?}: {value}");
            }
        }
    }
}
