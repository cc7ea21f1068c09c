//! RBS: ratings, balance and scramble for community game servers.
//!
//! Game servers report rounds and get every participant's new rating back; they ask for balanced
//! teams of every size; admins adjust ratings; operators watch whether the predictions are honest.
//! The plugin knows the game, RBS owns the math and the memory.
//!
//! `ARCHITECTURE.md` has the map: what each module is and which others it may use, the life of a
//! round, of a scramble and of a void, what always holds, and a glossary. `tests/it/layers.rs` checks
//! the imports, and that the map agrees.
//!
//! In reading order: [`domain`], [`rating`], [`partition`], [`balance`], [`matchmaking`], [`store`],
//! [`service`], [`api`], [`http`], [`cli`].

pub mod api;
pub mod balance;
pub mod catalog;
pub mod cli;
pub mod clock;
pub mod config;
pub mod dashboard;
pub mod domain;
pub mod http;
pub mod matchmaking;
pub mod metrics;
pub mod partition;
pub mod random;
pub mod rating;
pub mod service;
pub mod store;
pub mod telemetry;
pub mod turns;

/// Splits take megabytes of tables for a millisecond. The system's allocator gives most of that back
/// after each, and has it cleared page by page for the next; this one keeps it for some milliseconds. Its
/// version 3 would keep it for a second, and the tables of a second exceed `solver_memory`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
