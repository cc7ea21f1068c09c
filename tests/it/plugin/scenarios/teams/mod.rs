//! Who may choose a team, who is moved, and when the plugin leaves teams alone.

mod alone;
mod choice;
mod maps;
mod moves;
mod stacking;
