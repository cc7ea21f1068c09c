//! The compiled plugin in a virtual machine, with a simulated SourceMod and game, and a real service.

mod bed;
mod kills;
mod lives;
mod scenarios;
mod sources;
