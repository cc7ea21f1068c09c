//! RBS: skill ratings, team balance and scrambles for community game servers.
//!
//! Game servers report rounds and receive the new rating of every participant. They ask for balanced teams before and
//! during rounds. Admins adjust ratings, and operators watch the quality of the predictions. A plugin on each game
//! server handles the game; RBS stores the data and does the math.
//!
//! `ARCHITECTURE.md` is the map: the modules and their allowed imports, the life of a round, of a scramble and of a
//! void, and the invariants. `tests/it/layers.rs` checks the imports and the map.
//!
//! Suggested reading order: [`domain`], [`rating`], [`partition`], [`balance`], [`matchmaking`], [`store`],
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
pub mod webhook;

/// Allocator for the tables of splits, which take megabytes for about a millisecond.
///
/// The system's allocator returns most of this memory after each split, and the kernel clears new pages for the next
/// split. mimalloc keeps the memory for some milliseconds. Version 3 of mimalloc would keep the memory for a second,
/// and the tables of a second exceed `solver_memory`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
