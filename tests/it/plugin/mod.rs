//! The plugin, run as it is compiled: a machine for its code, a make-believe SourceMod with a game around it,
//! and the real service behind it.

mod bed;
mod kills;
mod lives;
mod scenarios;
