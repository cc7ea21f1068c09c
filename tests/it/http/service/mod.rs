//! Tests that concern every endpoint: access, refusals, limits, outages, and the self-description.

mod bound_secrets;
mod compression;
mod concurrency;
mod dashboard;
mod description;
mod errors;
mod fairness;
mod fields;
mod figures_away;
mod limits;
mod log_in;
mod malformed;
pub(super) mod metrics;
mod metrics_at_start;
mod outage;
mod read_secrets;
mod refusals;
mod reload;
mod secrets;
mod serving;
mod settings;
mod unknown_servers;
mod wording;
