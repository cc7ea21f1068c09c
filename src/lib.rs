//! RBS: ratings, balance and scramble for community game servers.
//!
//! Game servers report rounds and get every participant's new rating back; they ask for balanced
//! teams of every size; admins adjust ratings; operators watch whether the predictions are honest.
//! The plugin knows the game, RBS owns the math and the memory.
//!
//! The modules in reading order, and which of the others each may know; `tests/it/layers.rs`
//! refuses any other arrow:
//!
//! - [`domain`]: values that cannot be wrong; knows nothing else.
//! - [`rating`], [`partition`] and [`balance`]: the math, pure. No clock, no randomness, no storage;
//!   know `domain`, and `balance` also `rating`.
//! - [`clock`] and [`random`]: the two things of the outside that everything else is given; know
//!   `domain`.
//! - [`metrics`]: what the running service counts and measures of itself; knows `domain`.
//! - [`store`]: what is remembered, on PostgreSQL or SQLite; the only place that knows SQL. Knows
//!   `domain` and `rating`.
//! - [`config`]: the settings, checked once; knows `domain`, `rating`, `balance`, `random` and of
//!   `store` how a database is addressed.
//! - [`api`]: the JSON of the contract; knows `domain`.
//! - [`service`]: what RBS does, one file a sentence that a user would say; knows everything above.
//! - [`dashboard`]: the operators' page, files that a browser runs; knows nothing else.
//! - [`http`]: the contract over HTTP, the only place that knows the web framework; knows
//!   `service`, `domain`, `api`, `metrics`, `dashboard` and of `config` the secrets.
//! - [`telemetry`] and [`cli`]: logs, and the commands; `telemetry` knows nothing else, `cli`
//!   everything but the math.
//!
//! What always holds:
//!
//! - A round counts once. The database refuses a second of the same name, whoever sends it.
//! - A round is answered only after it is committed, and rounds of one pool end as if applied one
//!   after another, in the order of the pool's log.
//! - The log is only ever added to, and every other figure follows from it: rounds, admin changes,
//!   and the settings that each was rated by. Every sum is only ever added to in that order, so a
//!   replay of the log ends at the same bits.
//! - What is computed of the log is a projection. One projection of a pool is in force at a time, and another
//!   takes its place in one transaction.
//! - What a round reads and writes for each participant is bounded, however long the histories.

pub mod api;
pub mod balance;
pub mod cli;
pub mod clock;
pub mod config;
pub mod dashboard;
pub mod domain;
pub mod http;
pub mod metrics;
pub mod partition;
pub mod random;
pub mod rating;
pub mod service;
pub mod store;
pub mod telemetry;

/// Splits take megabytes of tables for a millisecond. The system's allocator gives most of that back
/// after each, and has it cleared page by page for the next; this one keeps it a while.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
