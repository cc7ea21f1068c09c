//! Tests that concern every endpoint: limits, outages, errors, metrics, and the self-description.

mod compression;
mod concurrency;
mod dashboard;
pub(super) mod description;
mod errors;
mod fairness;
mod fields;
mod figures_away;
mod limits;
mod malformed;
pub(super) mod metrics;
mod metrics_at_start;
mod outage;
mod reload;
mod serving;
mod settings;
mod wording;
