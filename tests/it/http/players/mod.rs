//! Players: looked up, set and reset, the forms of their ids, and what they are called.

mod adjust;
mod cards;
mod changes;
mod ids;
mod listing;
mod lookup;
mod names;
mod profile;
