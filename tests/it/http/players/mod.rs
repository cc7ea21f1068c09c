//! Players: looked up, set and reset, and the forms of their ids.

mod adjust;
mod cards;
mod ids;
mod lookup;
