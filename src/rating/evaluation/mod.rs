//! How good the predictions are: scores, calibration, baselines and fits. Pure, as all of rating.

pub(crate) mod baseline;
pub(crate) mod distribution;
pub(crate) mod experience;
pub(crate) mod favourites;
pub(crate) mod group;
pub(crate) mod histogram;
pub(crate) mod residual;
pub(crate) mod scores;
pub(crate) mod theta_fit;
pub(crate) mod totals;
