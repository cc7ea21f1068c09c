//! Commands that read or write files of rounds and ratings, or need no database.

mod evaluate;
mod export;
mod import;
mod import_ratings;
mod logs_tf;
mod split;
