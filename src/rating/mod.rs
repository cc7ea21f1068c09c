//! The rating of players: F1 to F6, pure. No clock, no randomness, no storage.
//!
//! A round is rated in three steps: [`win_probability`] from both rosters' sums, then for every
//! participant a [`k_factor()`] from the [`Window`] of rounds before, then a [`new_rating`].

mod brier;
mod convergence;
mod distribution;
mod k_factor;
mod parameters;
mod participation;
mod probability;
mod quality;
mod theta;
mod update;
mod window;

pub use brier::{brier_term, log_loss_term, right_halves};
pub use convergence::{Convergence, convergence};
pub use distribution::{Distribution, distribution};
pub use k_factor::k_factor;
pub use parameters::{InvalidParameter, Parameters};
pub use participation::participation_weight;
pub use probability::win_probability;
pub use quality::{CALIBRATION_BINS, Calibration, CalibrationBin, PredictionTotals};
pub use theta::{DEFAULT_TEAM_SIZE, theta_for_team_size, theta_for_team_sizes};
pub use update::{Rated, Standing, new_rating, rate};
pub use window::{Boundaries, Totals, Window, boundaries};
