//! RBS: ratings, balance and scramble for community game servers.
//!
//! Game servers report rounds and get every participant's new rating back; they ask for balanced
//! teams of every size; admins adjust ratings; operators watch whether the predictions are honest.
//! The plugin knows the game, RBS owns the math and the memory.
//!
//! The modules in reading order, each knowing only those before it that it names:
//!
//! - [`domain`]: values that cannot be wrong; knows nothing else.
//! - [`rating`] and [`partition`]: the math, pure. No clock, no randomness, no storage.
//! - [`clock`] and [`random`]: the two things of the outside that everything else is given.
//! - [`store`]: what is remembered, on PostgreSQL or SQLite; the only place that knows SQL.
//! - [`config`]: the settings, checked once.
//! - [`wire`]: the JSON of the contract.
//! - [`service`]: what RBS does, one file a sentence that a user would say.
//! - [`http`]: the contract over HTTP.
//! - [`telemetry`] and [`cli`]: logs, and the commands.
//!
//! What always holds:
//!
//! - A round counts once. The database refuses a second of the same name, whoever sends it.
//! - A round is answered only after it is committed, and rounds of one pool end as if applied one
//!   after another, in the order of the pool's log.
//! - Every sum is only ever added to in that order, so a replay of the log ends at the same bits.
//! - What a round reads and writes for each participant is bounded, however long the histories.

pub mod cli;
pub mod clock;
pub mod config;
pub mod domain;
pub mod http;
pub mod partition;
pub mod random;
pub mod rating;
pub mod service;
pub mod store;
pub mod telemetry;
pub mod wire;
