//! Runs a compiled SourceMod plugin without a game server: a virtual machine for SourcePawn code, the parts of
//! SourceMod and of the extension ripext that this repository's plugins use, and a simulated game of Team Fortress 2.
//!
//! The caller compiles a plugin, starts it in a [`machine::Machine`] with a [`sourcemod::SourceMod`] host, advances the
//! game, and reads the plugin's output, changes and requests.

#![allow(
    missing_docs,
    unreachable_pub,
    clippy::must_use_candidate,
    clippy::return_self_not_must_use,
    clippy::wildcard_imports,
    clippy::len_without_is_empty,
    clippy::missing_panics_doc,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "only tests use this crate, and a panic there is a failure with its location"
)]

pub mod compiler;
pub mod dice;
pub mod game;
pub mod machine;
pub mod ripext;
pub mod sourcemod;
