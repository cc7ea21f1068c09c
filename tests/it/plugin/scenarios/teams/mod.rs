//! Choices of teams, moves of players, and times at which the plugin leaves the teams alone.

mod alone;
mod choice;
mod maps;
mod moves;
mod stacking;
