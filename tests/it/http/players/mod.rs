mod adjust;
mod cards;
mod changes;
mod ids;
mod listing;
mod lookup;
mod names;
mod profile;
