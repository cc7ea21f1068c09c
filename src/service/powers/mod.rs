//! What players are weighed by besides their ratings: powers from the scoreboards of their last games.

pub(crate) mod choice;
mod lookup;
pub(crate) mod weighed;
