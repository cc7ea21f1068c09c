//! Runs a compiled SourceMod plugin without a game server: a machine for SourcePawn's code, SourceMod and the extension
//! ripext as far as plugins of this repository use them, and a game of Team Fortress 2 around both.
//!
//! The caller compiles a plugin, starts it in a [`machine::Machine`] whose host is a [`sourcemod::SourceMod`], moves the
//! game on, and reads what the plugin printed, changed and sent.

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
    reason = "used by tests alone, in which a panic is a failure that names its place"
)]

pub mod compiler;
pub mod dice;
pub mod game;
pub mod machine;
pub mod ripext;
pub mod sourcemod;
