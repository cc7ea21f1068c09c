//! What is remembered of matches that were out of balance.

mod kept;
mod list;
mod summary;
