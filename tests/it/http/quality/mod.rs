//! Quality of the predictions, at one time and over time.

mod findings;
mod history;
mod mean_rating;
mod report;
mod verdict;
