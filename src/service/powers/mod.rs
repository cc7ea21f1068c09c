//! Powers: weights of players from the scoreboards of their last games, used in place of ratings.

pub(crate) mod choice;
mod lookup;
pub(crate) mod weighed;
