//! Whether the predictions are honest, now and over time.

mod history;
mod mean_rating;
mod report;
mod verdict;
