//! Rounds: one, many, parts of them, and what admins do with them.

mod admin;
mod of_player;
mod participation;
mod pruned;
mod update;
mod updates;
