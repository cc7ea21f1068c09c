//! Whether the predictions are honest, now and over time.

mod history;
mod report;
mod verdict;
