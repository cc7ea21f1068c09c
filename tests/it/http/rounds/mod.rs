//! Rounds: one, many, parts of them, and what admins do with them.

mod admin;
mod end_times;
mod of_player;
mod own_voids;
mod participation;
mod pruned;
mod update;
mod updates;
