//! The rating of players: F1 to F6, pure. No clock, no randomness, no storage.
//!
//! A round is rated in three steps: [`win_probability`] from both rosters' sums, then for every
//! participant a [`k_factor()`] from the [`Window`] of rounds before, then a [`new_rating`].

mod baseline;
mod brier;
mod convergence;
mod distribution;
mod experience;
mod favourites;
mod group;
mod histogram;
mod k_factor;
mod parameters;
mod participation;
mod probability;
mod quality;
mod residual;
mod theta;
mod theta_fit;
mod update;
mod window;

pub use baseline::{Baseline, skill};
pub use brier::{brier_term, log_loss_term, right_halves};
pub use convergence::{Convergence, convergence};
pub use distribution::{Distribution, distribution};
pub use experience::{Experience, ExperienceBucket};
pub use favourites::{FAVOURITE_THRESHOLD, FavouriteTotals};
pub use group::{GroupTotals, lead_bin};
pub use histogram::{HistogramBin, RatingCount, histogram};
pub use k_factor::k_factor;
pub use parameters::{InvalidParameter, Parameters};
pub use participation::participation_weight;
pub use probability::win_probability;
pub use quality::{CALIBRATION_BINS, Calibration, CalibrationBin, PredictionTotals};
pub use residual::{Interval, Residual, wilson};
pub use theta::{DEFAULT_TEAM_SIZE, theta_for_team_size, theta_for_team_sizes};
pub use theta_fit::{MIN_FITTED_ROUNDS, ThetaFit, fit_theta};
pub use update::{Rated, Standing, new_rating, rate};
pub use window::{Boundaries, Totals, Window, boundaries};
