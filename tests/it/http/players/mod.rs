//! Players: looked up, set and reset, and the forms of their ids.

mod adjust;
mod ids;
mod lookup;
