//! Request handlers, one file for each resource.

pub(crate) mod audit;
pub(crate) mod balance;
pub(crate) mod dashboard;
pub(crate) mod health;
pub(crate) mod hello;
pub(crate) mod imports;
pub(crate) mod interventions;
pub(crate) mod leaderboard;
pub(crate) mod matches;
pub(crate) mod metrics;
pub(crate) mod models;
pub(crate) mod player_page;
pub(crate) mod players;
pub(crate) mod pools;
pub(crate) mod powers;
pub(crate) mod quality;
pub(crate) mod rebuild;
pub(crate) mod refusals;
pub(crate) mod rounds;
pub(crate) mod seasons;
pub(crate) mod servers;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod splits;
pub(crate) mod update;
