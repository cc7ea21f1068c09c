//! Rounds: one, many, parts of them, and what admins do with them.

mod admin;
mod corrections;
mod end_times;
mod of_player;
mod own_voids;
mod participation;
mod past_games;
mod pruned;
mod scoreboard;
mod stolen_secret;
mod update;
mod updates;
