//! Rating of players by formulas F1 to F6. Pure: no clock, no randomness, no storage.
//!
//! SynElo rates a round in three steps: [`win_probability`] from the sums of both rosters, a [`k_factor()`] for each
//! participant from the [`Window`] of earlier rounds, and a [`new_rating`].

mod convergence;
mod engine;
mod evaluation;
mod handicap;
mod models;
mod parameters;
mod participation;
mod probability;
mod return_boost;
#[cfg(test)]
mod samples;
mod season;
mod theta;
mod update;
mod window;

pub use convergence::k_factor;
pub use convergence::{Convergence, convergence};
pub use engine::{
    AppliedRound, ChangeKind, Engine, EngineError, Entry, GroupKind, InMemoryPool, PackedStep,
    PastTotals, PlayerResult, PlayerState, PoolSums, RoundGroup, RoundResult,
};
pub use evaluation::challengers::{Challengers, ComparedRounds};
pub use evaluation::comparison::{ModelScores, PairedDifference, logistic_slope};
pub use evaluation::copies::is_copy;
pub use evaluation::departures::{Departure, DepartureKind, Scope, WatchedRound, departures};
pub use evaluation::experience::{Experience, ExperienceBucket};
pub use evaluation::favourites::{FAVOURITE_THRESHOLD, FavouriteTotals};
pub use evaluation::group::{GroupTotals, lead_bin};
pub use evaluation::histogram::{Distribution, HistogramBin, RatingCount, distribution, histogram};
pub use evaluation::mean_rating::{
    MeanCause, MeanMovement, RatedRoundSum, RatingEvent, mean_movement,
};
pub use evaluation::one_sided::{
    ONE_SIDED_SHARE, OneSided, OneSidedCount, one_sided_by_length, one_sided_by_scoreboard,
};
pub use evaluation::people::{Habit, NamedHabit, People, WatchedPlayer};
pub use evaluation::rating_comparison::{MovedRating, RatingComparison};
pub use evaluation::remedies::{Remedy, best_remedy};
pub use evaluation::residual::{Interval, Residual, wilson};
pub use evaluation::scores::{Figure, Windowed, WindowedCount};
pub use evaluation::scores::{Scores, brier_term, log_loss_term, right_halves};
pub use evaluation::theta_fit::{MIN_FITTED_ROUNDS, ThetaFit, fit_theta};
pub use evaluation::totals::{
    Baseline, CALIBRATION_BINS, Calibration, CalibrationBin, PredictionTotals, skill,
};
pub use evaluation::verdict::{
    Judgement, Losses, VERDICT_NATS, VerdictWord, judge_odds, judge_theta,
};
pub(crate) use evaluation::{mean, number};
pub use handicap::{Advantages, BotRatings};
pub use models::{
    Conditions, Constant, InvalidState, Learnt, LearntFigure, LineupMember, MapLean, ModelName,
    ModelState, ObserverShare, PoolModel, Profile, RatedRound, UnknownModel, lead,
};
pub use parameters::{InvalidParameter, Parameters};
pub use participation::participation_weight;
pub use probability::win_probability;
pub use return_boost::{boosted, rounds_since_return};
pub use season::{carried_over, widened};
pub use theta::team_size_weight;
pub use theta::{DEFAULT_TEAM_SIZE, points_of_theta, theta_for_team_size, theta_for_team_sizes};
pub use update::{Rated, Standing, new_rating, rate};
pub use window::{Boundaries, Totals, TotalsStep, Window, boundaries};
